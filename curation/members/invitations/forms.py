"""What an admin fills in to invite people, and what somebody invited fills in to join."""

from functools import partial
from typing import Any

from django import forms
from django.conf import settings
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _

from curation.members.invitations.models import MOST_BY_LINK
from curation.members.models import ROLES_ASKED_FOR
from phybench.people.forms import NewAccountForm, UncutField, name_days
from phybench.people.models import Role, User

DAYS = (7, 14, 30, 60)
LONGEST = 1_000_000
"""Characters that are taken at once: some 20,000 lines."""


class LinkForm(forms.Form):
    days = forms.TypedChoiceField(
        label=_("The link works for"), choices=partial(name_days, DAYS), coerce=int, initial=14
    )


class InviteForm(LinkForm):
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
        choices=ROLES_ASKED_FOR,
        widget=forms.CheckboxSelectMultiple,
        help_text=_("They have these roles as soon as they have joined."),
    )
    language = forms.ChoiceField(label=_("Language of the e-mail"), choices=settings.LANGUAGES)

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.fields["language"].initial = get_language()
        reviewers = User.objects.get_queryset().with_role(Role.REVIEWER)
        if not reviewers.exclude(roles__contains=["ADMIN"]).exists():
            # Nothing is accepted without one.
            self.fields["roles"].initial = [Role.REVIEWER]


class SharedLinkForm(LinkForm):
    """A link for several."""

    role = forms.ChoiceField(label=_("They join as"), choices=ROLES_ASKED_FOR)
    most = forms.IntegerField(
        label=_("How many people at most"), min_value=1, max_value=MOST_BY_LINK, initial=5
    )


class JoinForm(NewAccountForm):
    """What an invitation does not say of a newcomer; each is asked once."""

    email = password2 = None  # type: ignore[assignment]  # so Django leaves them out
