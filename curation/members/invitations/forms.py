"""What an admin fills in to invite people, and what somebody invited fills in to join."""

from typing import Any

from django import forms
from django.conf import settings
from django.contrib.auth.password_validation import (
    password_validators_help_text_html,
    validate_password,
)
from django.utils.translation import get_language, gettext, ngettext_lazy
from django.utils.translation import gettext_lazy as _

from curation.members.invitations.actions import Newcomer
from curation.members.models import ASKED_FOR
from phybench.people.forms import NameField, UncutField, refuse_address
from phybench.people.models import User

DAYS = (7, 14, 30, 60)
LONGEST = 1_000_000
"""Characters that are taken at once: some 20,000 lines."""


class InviteForm(forms.Form):
    addresses = UncutField(
        label=_("E-mail addresses"),
        max_length=LONGEST,
        widget=forms.Textarea({"rows": 10, "class": "code", "spellcheck": "false"}),
        help_text=_(
            "One per line, or separated by commas, with or without names: “Ann Lee "
            "&lt;ann@example.org&gt;”. The lines of a CSV file work too."
        ),
    )
    roles = forms.MultipleChoiceField(
        label=_("Roles"),
        choices=[(role.value, role.label) for role in ASKED_FOR],
        widget=forms.CheckboxSelectMultiple,
        help_text=_("They have these roles as soon as they have joined."),
    )
    days = forms.TypedChoiceField(
        label=_("The link works for"),
        choices=[
            (days, ngettext_lazy("%(count)d day", "%(count)d days", days) % {"count": days})
            for days in DAYS
        ],
        coerce=int,
        initial=14,
    )
    language = forms.ChoiceField(label=_("Language of the e-mail"), choices=settings.LANGUAGES)

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.fields["language"].initial = get_language()


class JoinForm(forms.Form):
    """What it takes to make an account by an invitation."""

    email = forms.EmailField(
        label=_("E-mail address"),
        max_length=254,
        help_text=_("The one at which you got the invitation. You will sign in with it."),
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
        widget=forms.PasswordInput({"autocomplete": "new-password"}),
        help_text=password_validators_help_text_html,
    )
    password2 = forms.CharField(
        label=_("Password (again)"),
        strip=False,
        widget=forms.PasswordInput({"autocomplete": "new-password"}),
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

    def read(self) -> Newcomer:
        given = self.cleaned_data
        return Newcomer(given["email"], given["display_name"], given["password1"])
