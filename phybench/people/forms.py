from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from django import forms
from django.contrib.auth.password_validation import (
    password_validators_help_text_html,
    validate_password,
)
from django.core.validators import validate_email
from django.http import HttpRequest
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from phybench.people.models import User
from phybench.people.names import tidy_name


def name_days(days: Iterable[int]) -> list[tuple[int, str]]:
    """Name spans of days to choose from, in the language of who asks."""
    return [
        (one, ngettext("%(count)d day", "%(count)d days", one) % {"count": one}) for one in days
    ]


def refuse_address(name: str) -> None:
    """Refuse an e-mail address as a display name: it would be shown to everybody."""
    try:
        validate_email(name.strip())
    except forms.ValidationError:
        return
    raise forms.ValidationError(
        _("This is an e-mail address, and the display name is shown to others. Choose another.")
    )


@contextmanager
def form_says_why_not(
    form: forms.BaseForm, refusal: type[Exception], field: str | None = None
) -> Iterator[None]:
    """Say in the form why an action was refused, and leave out the rest of the block."""
    try:
        yield
    except refusal as why:
        form.add_error(field, str(why))


class UncutField(forms.CharField):
    """
    A text that is refused when it is too long, and never cut off.

    A browser that is told the most it may be cuts off, without a word, what is pasted beyond it.
    """

    def widget_attrs(self, widget: forms.Widget) -> dict[str, Any]:
        attributes = super().widget_attrs(widget)
        attributes.pop("maxlength", None)
        return attributes


class NameField(UncutField):
    """A name of one line, written in one way; so written it may be longer than it was typed."""

    default_error_messages = {"required": _("Type a name.")}

    def clean(self, value: Any) -> str:
        name = tidy_name(super().clean(value))
        self.validate(name)
        self.run_validators(name)
        return name


class NewAccountForm(forms.Form):
    """What it takes to make an account without signing up."""

    email = forms.EmailField(
        label=_("E-mail address"),
        max_length=254,
        help_text=_("You sign in with it."),
        widget=forms.EmailInput({"autocomplete": "email"}),
    )
    display_name = NameField(
        label=_("Display name"),
        max_length=60,
        help_text=_("Shown to others beside what you write. It need not be your own name."),
        widget=forms.TextInput({"autocomplete": "nickname"}),
    )
    password1 = forms.CharField(
        label=_("Password"),
        strip=False,
        # What was typed stays where something else is to be mended.
        widget=forms.PasswordInput({"autocomplete": "new-password"}, render_value=True),
        help_text=password_validators_help_text_html,
    )
    password2 = forms.CharField(
        label=_("Password (again)"),
        strip=False,
        widget=forms.PasswordInput({"autocomplete": "new-password"}, render_value=True),
    )

    def clean_display_name(self) -> str:
        name: str = self.cleaned_data["display_name"]
        refuse_address(name)
        return name

    def clean(self) -> dict[str, Any] | None:
        given = super().clean() or {}
        first, second = given.get("password1"), given.get("password2")
        if first and second and first != second:
            self.add_error("password2", gettext("The two passwords are not the same."))
        elif first:
            person = User(email=given.get("email", ""), display_name=given.get("display_name", ""))
            try:
                validate_password(first, person)
            except forms.ValidationError as refused:
                self.add_error("password1", refused)
        return given


class SignupForm(forms.Form):
    """What signing up asks for beside e-mail and password; allauth adds those."""

    display_name = forms.CharField(
        label=_("Display name"),
        max_length=60,
        validators=[refuse_address],
        help_text=_("Shown to others beside what you write. It need not be your own name."),
    )
    field_order = ["display_name", "email", "password1", "password2"]

    def signup(self, request: HttpRequest, user: User) -> None:
        user.display_name = self.cleaned_data["display_name"]
        user.save(update_fields=["display_name"])


class ProfileForm(forms.ModelForm):
    class Meta:
        model = User
        fields = [
            "display_name",
            "is_named",
            "interface_language",
            "problem_language",
            "uses_single_keys",
        ]

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        first = {
            "interface_language": _("as the browser asks"),
            "problem_language": _("as written"),
        }
        for name, label in first.items():
            field = self.fields[name]
            field.choices = [("", label), *field.choices[1:]]  # type: ignore[attr-defined]

    def clean_display_name(self) -> str:
        name: str = self.cleaned_data["display_name"]
        # Who has one already can still change the rest.
        if name != self.initial.get("display_name"):
            refuse_address(name)
        return name
