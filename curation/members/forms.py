"""What is filled in about people: their roles, what they ask for, where they work."""

from typing import Any

import django_filters
from django import forms
from django.db.models import Q, QuerySet
from django.utils.translation import gettext_lazy as _

from curation.members.actions import list_unconfirmed
from curation.members.models import ROLES_ASKED_FOR
from phybench.pages.listing import ListFilter, choice
from phybench.people.forms import NameField, UncutField
from phybench.people.models import WHAT_A_ROLE_DOES, Role, User


class RolesForm(forms.Form):
    """The roles of one person as boxes to tick, and those that the page showed."""

    roles = forms.MultipleChoiceField(
        label=_("Roles of this person"), widget=forms.CheckboxSelectMultiple, required=False
    )
    known = forms.CharField(widget=forms.HiddenInput, required=False)
    reason = UncutField(label=_("Reason"), max_length=500, required=False)

    def __init__(self, data: Any = None, *, person: User) -> None:
        super().__init__(data, initial={"roles": person.roles, "known": ",".join(person.roles)})
        self.fields["roles"].choices = [  # type: ignore[attr-defined]
            (
                role.value,
                _("%(role)s: %(does)s") % {"role": role.label, "does": WHAT_A_ROLE_DOES[role]},
            )
            for role in Role
        ]

    def list_known(self) -> list[str]:
        return [one for one in self.cleaned_data["known"].split(",") if one]


class GiveRoleForm(forms.Form):
    """Whom to give which role, chosen in the list."""

    person = forms.ModelMultipleChoiceField(queryset=User.objects.all())
    role = forms.ChoiceField(label=_("Role"), choices=ROLES_ASKED_FOR)


class ReasonForm(forms.Form):
    reason = UncutField(
        label=_("Reason"),
        max_length=500,
        widget=forms.Textarea({"rows": 3, "spellcheck": "true"}),
        error_messages={"required": _("Say why.")},
    )


class InstitutionForm(forms.Form):
    institution = NameField(
        label=_("Name of the institution"),
        max_length=120,
        required=False,
        help_text=_(
            "Where you work or study, such as “Peking University”. In some benchmarks people "
            "can’t review problems by authors of their own institution."
        ),
    )


class OthersInstitutionForm(InstitutionForm):
    """The same, as an admin sets it for somebody else, having seen what it undoes."""

    known = forms.CharField(widget=forms.HiddenInput, required=False)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["institution"].help_text = _(
            "Where this person works or studies. In some benchmarks people can’t review "
            "problems by authors of their own institution."
        )


class AskForm(forms.Form):
    role = forms.ChoiceField(choices=ROLES_ASKED_FOR)
    note = UncutField(label=_("What an admin should know"), max_length=500, required=False)


class PersonFilter(ListFilter):
    q = django_filters.CharFilter(
        method="find_text",
        label=_("Name, e-mail address or institution"),
        max_length=200,
        widget=forms.TextInput({"type": "search"}),
    )
    role = choice(_("Role"), [*Role.choices, ("none", _("none yet"))], method="find_role")
    state = choice(
        _("Sign-in"),
        [
            ("active", _("may sign in")),
            ("unconfirmed", _("address not confirmed")),
            ("inactive", _("deactivated")),
        ],
        method="find_state",
    )

    def find_text(self, found: QuerySet[User], name: str, text: str) -> QuerySet[User]:
        return found.filter(
            Q(display_name__icontains=text)
            | Q(email__icontains=text)
            | Q(institution__icontains=text)
        )

    def find_role(self, found: QuerySet[User], name: str, role: str) -> QuerySet[User]:
        return found.filter(roles=[]) if role == "none" else found.filter(roles__contains=[role])

    def find_state(self, found: QuerySet[User], name: str, state: str) -> QuerySet[User]:
        if state == "unconfirmed":
            return found.filter(pk__in=list_unconfirmed().values("user"))
        return found.filter(is_active=state == "active")
