from typing import Any

from django import forms
from django.core.validators import validate_email
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from phybench.people.models import User
from phybench.people.names import tidy_name


def refuse_address(name: str) -> None:
    """Refuse an e-mail address as a display name: it would be shown to everybody."""
    try:
        validate_email(name.strip())
    except forms.ValidationError:
        return
    raise forms.ValidationError(
        _("This is an e-mail address, and the display name is shown to others. Choose another.")
    )


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
