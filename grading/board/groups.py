"""What models on a board are grouped by: what their teams say of them, and no guess."""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar

from django.utils.translation import gettext as _

from grading.board.scores.collecting import ModelTraits
from grading.solvers.models import Description

Row = TypeVar("Row")
BILLION = 10**9


def _name_kind(traits: ModelTraits) -> str:
    names: Mapping[str, str] = {
        Description.Kind.REASONING: _("Reasoning models"),
        Description.Kind.GENERAL: _("General models"),
    }
    return names.get(traits.kind, _("Models of a kind not stated"))


def _name_size(traits: ModelTraits) -> str:
    if not traits.parameters:
        return _("Parameters not stated")
    if traits.parameters < 10 * BILLION:
        return _("Less than 10 billion parameters")
    if traits.parameters < 100 * BILLION:
        return _("10 to 100 billion parameters")
    return _("100 billion parameters or more")


GROUPS: Mapping[str, Callable[[ModelTraits], str]] = {
    "kind": _name_kind,
    "developer": lambda traits: traits.developer or _("Developer not stated"),
    "parameters": _name_size,
}


def group(
    rows: Sequence[Row], by: str, find_traits: Callable[[Row], ModelTraits]
) -> list[tuple[str, list[Row]]]:
    """
    Group rows in the order of their first ones, by size where they have one.

    Those of which it is not said come last.
    """
    name = GROUPS[by]
    groups: dict[str, list[Row]] = defaultdict(list)
    for row in rows:
        groups[name(find_traits(row))].append(row)
    unknown = name(ModelTraits())

    def order(group: tuple[str, list[Row]]) -> tuple[bool, int]:
        traits = find_traits(group[1][0])
        return group[0] == unknown, (traits.parameters or 0) if by == "parameters" else 0

    return sorted(groups.items(), key=order)
