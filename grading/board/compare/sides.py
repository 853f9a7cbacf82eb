"""Who can be compared on a board, and which two an address asks for."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from grading.board.scores.collecting import Field, Standing, name_all
from grading.board.scores.peoples import PeoplesGroup
from phybench_grader.statistics.clusters import LEAST as LEAST_PEOPLE

PEOPLE, STUDY = "people", "study-%d"
"""
As an address names people: who answered without a study, or who sat one.

A model goes by its number (`pk`).
"""


@dataclass(frozen=True, slots=True)
class Side:
    """One of two that are compared."""

    value: str
    """As an address has it."""
    name: str
    standing: Standing | None = None
    group: PeoplesGroup | None = None
    """One of the two is there: a model, or a group of people."""

    @property
    def is_people(self) -> bool:
        return self.group is not None

    @property
    def waiting(self) -> int:
        """How many of its answers are graded once more."""
        return self.standing.waiting if self.standing else 0


@dataclass(frozen=True, slots=True)
class Choice:
    """What is asked for, and what there is to choose from."""

    sides: Sequence[Side]
    first: Side | None
    second: Side | None
    is_asked: bool
    """Whether an address names both."""

    @property
    def pair(self) -> tuple[Side, Side] | None:
        if self.first is None or self.second is None or self.first == self.second:
            return None
        if self.first.is_people and self.second.is_people:
            return None
        return self.first, self.second

    @property
    def obstacle(self) -> str:
        """Say why there is nothing to compare, where somebody asked."""
        if len(self.sides) < 2:
            return _("A comparison needs two solvers. This board has fewer than two so far.")
        if not self.is_asked or self.pair:
            return ""
        if self.first and self.first == self.second:
            return _("These are the same. Choose two different ones.")
        if self.first and self.second:
            return _("People are compared with models here, not with other people.")
        return _("One of the two is not on this board. Choose another.")


def list_sides(field: Field, groups: Sequence[PeoplesGroup]) -> list[Side]:
    """List the models on a board by their names, and last the groups of enough people."""
    names = name_all(field)
    models = [
        Side(str(one.submission.solver_id), names[one.submission.pk], one) for one in field.standing
    ]
    models.sort(key=lambda side: side.name.casefold())
    people = [
        Side(STUDY % one.study.pk if one.study else PEOPLE, one.who.label, group=one)
        for one in groups
        if one.scores.count >= LEAST_PEOPLE
    ]
    return [*models, *people]


def read_choice(query: Mapping[str, str], sides: Sequence[Side]) -> Choice:
    """Find the two that an address asks for as `a` and `b`."""
    by_value = {side.value: side for side in sides}
    asked = query.get("a", ""), query.get("b", "")
    first, second = (by_value.get(one) for one in asked)
    return Choice(sides, first, second, all(asked))
