"""What narrows a board: the problems that count, and the rows that are shown."""

from collections.abc import Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from curation.problems.models import Difficulty, PhysicsField
from grading.board.columns import Shown
from grading.board.scores.scope import Scope

ANY = ("", _("any"))


class Kind:
    """The kinds of rows, as the address names them."""

    MODELS = "models"
    PEOPLE = "people"
    REPORTED = "reported"


class BoardFilter(forms.Form):
    """
    What the address asks for. What is not understood narrows nothing.

    Domain and difficulty choose problems, and figures and ranks are of those. The others only hide
    rows, or put them under headings: ranks stay those among all.
    """

    domain = forms.ChoiceField(
        label=_("Domain"), choices=[ANY, *PhysicsField.choices], required=False
    )
    difficulty = forms.ChoiceField(
        label=_("Difficulty"), choices=[ANY, *Difficulty.choices], required=False
    )
    kind = forms.ChoiceField(
        label=_("Show"),
        choices=[
            ("", _("all")),
            (Kind.MODELS, _("models")),
            (Kind.PEOPLE, _("people")),
            (Kind.REPORTED, _("reported elsewhere")),
        ],
        required=False,
    )
    organisation = forms.ChoiceField(label=_("Team"), required=False)
    group = forms.ChoiceField(
        label=_("Group by"),
        choices=[
            ("", _("rank")),
            ("kind", _("kind of model")),
            ("developer", _("developer")),
            ("parameters", _("parameters")),
        ],
        required=False,
    )
    since = forms.DateField(
        label=_("Published from"),
        required=False,
        widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"),
    )
    until = forms.DateField(
        label=_("to"),
        required=False,
        widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"),
    )

    def __init__(self, query: Any, scope: Scope, rows: Sequence[Shown]) -> None:
        super().__init__(query, auto_id="board-%s")
        organisations = {
            one.row.solver.organisation_id: str(one.row.solver.organisation)
            for one in rows
            if one.row.solver.organisation_id
        }
        offered = sorted(organisations.items(), key=lambda one: one[1].lower())
        chosen = self.fields["organisation"]
        assert isinstance(chosen, forms.ChoiceField)
        chosen.choices = [ANY, *((str(pk), name) for pk, name in offered)]
        if scope.version is None:
            # Which problems there were is not known of what has no version.
            del self.fields["domain"], self.fields["difficulty"]
        self.full_clean()

    def is_active(self) -> bool:
        return any(self.cleaned_data.values())

    def shows(self, kind: str) -> bool:
        asked = self.cleaned_data.get("kind")
        return not asked or asked == kind

    def keep(self, rows: Sequence[Shown]) -> list[Shown]:
        """Return the rows that the address does not hide."""
        if not self.shows(Kind.MODELS):
            return []
        return [one for one in rows if self._keeps(one)]

    def _keeps(self, shown: Shown) -> bool:
        asked = self.cleaned_data
        at = shown.row.submission.published_at
        day = at.date() if at else None
        return not (
            (asked.get("organisation") and asked["organisation"] != _organisation_of(shown))
            or (asked.get("since") and (day is None or day < asked["since"]))
            or (asked.get("until") and (day is None or day > asked["until"]))
        )


def _organisation_of(shown: Shown) -> str:
    return str(shown.row.solver.organisation_id or "")
