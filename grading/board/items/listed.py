"""The problems of a version as one list: what is told of each, and how sound it is."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from curation.versions.models import VersionItem
from grading.board.analyses.asking import Asked, look_up
from grading.board.items.figures import (
    DECIDING,
    ITEMS,
    KEPT,
    KEPT_DECIDING,
    AllFigures,
    Deciding,
    Told,
    tell,
)
from grading.board.items.soundness import Doubts, PartState, find_doubts, find_states
from grading.board.panels.collecting import find_newest
from grading.board.panels.models import Panel
from grading.board.permissions import sees_item_figures
from grading.board.scores.scope import Scope
from phybench.pages.listing import Column, Order, by, read_sort
from phybench.people.models import User
from phybench_grader.statistics.items import LEAST_FOR_CORRELATION

DISCRIMINATION = (_("below 0"), _("0 to 0.2"), _("0.2 to 0.4"), _("0.4 or more"))
"""In words, by class."""


@dataclass(frozen=True, slots=True)
class ItemRow:
    item: VersionItem
    told: Told
    states: list[PartState]
    deciding: int = 0
    """Pairs of models that it decides; 1 for any where the reader is not told how many."""
    doubts: Doubts = field(default_factory=Doubts)

    @property
    def uncertain(self) -> list[PartState]:
        return [one for one in self.states if one.is_uncertain]

    @property
    def discrimination(self) -> str:
        kind = self.told.kind
        if self.told.discrimination is not None:
            return f"{self.told.discrimination:.2f}".replace("-", "−")
        return "" if kind is None else str(DISCRIMINATION[kind])


@dataclass(frozen=True, slots=True)
class ItemList:
    """What is known of the problems of a scope."""

    scope: Scope
    asked: Asked
    deciding: Asked
    panel: Panel | None
    rows: list[ItemRow]
    sees_all: bool
    """Whether the reader sees figures as they are."""
    tells_deciding: bool
    """Whether so many models stand on the board that this tells of none of them."""

    @property
    def is_coming(self) -> bool:
        return self.asked.is_coming or self.deciding.is_coming

    @property
    def uncertain(self) -> list[ItemRow]:
        return [row for row in self.rows if row.uncertain]


def list_items(reader: User | None, scope: Scope, whole: Scope) -> ItemList:
    """
    Put together what the reader is told.

    Args:
        scope: whose problems are listed.
        whole: whose problems figures are worked out of: a narrower list has the same figures.
    """
    asked, deciding = look_up(ITEMS, whole), look_up(DECIDING, whole)
    figures = KEPT.validate_python(asked.result) if asked.result else AllFigures()
    decides = KEPT_DECIDING.validate_python(deciding.result) if deciding.result else Deciding()
    sees_all = bool(reader and sees_item_figures(reader))
    tells_deciding = sees_all or decides.models >= LEAST_FOR_CORRELATION
    items = _find_items(scope)
    revisions = [one.revision_id for one in items]
    states, doubts = find_states(revisions), find_doubts(reader, revisions)
    rows = [
        ItemRow(
            one,
            tell(figures.items[one.problem_id], exactly=sees_all)
            if one.problem_id in figures.items
            else Told(),
            states[one.revision_id],
            _tell_deciding(decides.pairs.get(one.problem_id, 0), exactly=sees_all)
            if tells_deciding
            else 0,
            doubts.get(one.revision_id, Doubts()),
        )
        for one in items
    ]
    return ItemList(
        *(scope, asked, deciding, find_newest(scope.version), rows),
        sees_all=sees_all,
        tells_deciding=tells_deciding,
    )


def _tell_deciding(pairs: int, *, exactly: bool) -> int:
    """Leave the number to who may see it: a list sorted by it would tell it in its order."""
    return pairs if exactly else min(1, pairs)


def _find_items(scope: Scope) -> list[VersionItem]:
    """Return the items of the public part that a scope is of."""
    if scope.version is None:
        return []
    items = scope.version.items.public().filter(problem__in=scope.problems)
    return list(items.select_related("problem", "revision").order_by("problem"))


# --- The table ---------------------------------------------------------------------------------

Key = Callable[[ItemRow], Any]
EITHER_WAY = by("pk")
NUMBER_FIRST = Order(EITHER_WAY.ascending, EITHER_WAY.descending, begins_descending=True)
SORTS: dict[str, Key] = {
    "id": lambda one: one.item.problem_id,
    "domain": lambda one: one.item.problem.domain,
    "right": lambda one: one.told.right,
    "eed": lambda one: one.told.eed,
    "discrimination": lambda one: (
        one.told.kind if one.told.discrimination is None else one.told.discrimination
    ),
    "readable": lambda one: one.told.readable,
    "people": lambda one: one.told.peoples_right,
    "deciding": lambda one: one.deciding,
}


def _figure(key: str) -> Callable[[ItemRow], object]:
    def write(row: ItemRow) -> object:
        value = getattr(row.told, key)
        return "" if value is None else f"{value:.2f}".rstrip("0").rstrip(".")

    return write


def _say_part(place: int) -> Callable[[ItemRow], object]:
    return lambda row: row.states[place].soundness.value


COLUMNS: list[Column[ItemRow]] = [
    Column("id", _("Problem"), EITHER_WAY, lambda one: one.item.identifier),
    Column("domain", _("Domain"), EITHER_WAY, lambda one: one.item.problem.domain),
    Column("revision", value=lambda one: one.item.revision.number),
    Column("right", _("Solved by models, %"), NUMBER_FIRST, _figure("right"), is_number=True),
    Column("eed", _("Mean EED"), NUMBER_FIRST, _figure("eed"), is_number=True),
    Column(
        "discrimination",
        _("Discrimination"),
        NUMBER_FIRST,
        lambda one: one.discrimination.replace("−", "-"),
        is_number=True,
    ),
    Column("readable", _("Readable, %"), NUMBER_FIRST, _figure("readable"), is_number=True),
    Column(
        "people", _("Solved by people, %"), NUMBER_FIRST, _figure("peoples_right"), is_number=True
    ),
    Column("people_answered", value=lambda one: one.told.people or ""),
    Column(
        "deciding", _("Effect on ranks"), NUMBER_FIRST, lambda one: "yes" if one.deciding else ""
    ),
    Column("soundness", _("Soundness")),
    Column("statement", value=_say_part(0)),
    Column("answer", value=_say_part(1)),
    Column("solution", value=_say_part(2)),
    Column(
        "reasons",
        value=lambda one: " | ".join(state.history[0].reason for state in one.uncertain),
    ),
]


def sort_rows(request: HttpRequest, rows: Sequence[ItemRow]) -> list[ItemRow]:
    """Sort as the address asks; what has no value comes last."""
    sort = read_sort(request, COLUMNS, "id")
    key = SORTS[sort.removeprefix("-")]
    known = sorted((row for row in rows if key(row) is not None), key=SORTS["id"])
    known.sort(key=key, reverse=sort.startswith("-"))
    return [*known, *(row for row in rows if key(row) is None)]
