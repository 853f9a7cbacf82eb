"""What an admin fills in to invite people, and what somebody invited fills in to join."""

from typing import Any

from django import forms
from django.conf import settings
from django.utils.translation import get_language, ngettext_lazy
from django.utils.translation import gettext_lazy as _

from curation.members.invitations.actions import Newcomer
from curation.members.models import ASKED_FOR
from phybench.people.forms import NewAccountForm, UncutField

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


class JoinForm(NewAccountForm):
    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.fields["email"].help_text = _(
            "The one at which you got the invitation. You will sign in with it."
        )

    def read(self) -> Newcomer:
        given = self.cleaned_data
        return Newcomer(given["email"], given["display_name"], given["password1"])
