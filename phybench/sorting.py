"""Sort a table by one of its columns, as the address says."""

from collections.abc import Mapping
from dataclasses import dataclass

from django.db.models import F, OrderBy

from phybench.http import MemberRequest


@dataclass(frozen=True, slots=True)
class Column:
    """A heading that sorts by what stands below it."""

    name: str
    label: str
    order: str
    """`ascending`, `descending`, or "" where the list is not sorted by it."""
    next_sort: str


@dataclass(frozen=True, slots=True)
class Sorting:
    columns: list[Column]
    order: list[OrderBy]
    """For `order_by`; what has no value comes last, and rows never change places by chance."""


def read_sorting(
    request: MemberRequest, columns: Mapping[str, tuple[str, str]], default: str
) -> Sorting:
    """
    Read from the address what to sort by.

    Args:
        columns: by the name that the address uses: the label, and the field behind it.
        default: one of these names, with a minus before it to begin with the last.
    """
    asked = request.GET.get("sort", "")
    sort = asked if asked.removeprefix("-") in columns else default
    shown = []
    for name, (label, _field) in columns.items():
        direction = {name: "ascending", f"-{name}": "descending"}.get(sort, "")
        shown.append(
            Column(name, label, direction, f"-{name}" if direction == "ascending" else name)
        )
    is_reversed = sort.startswith("-")
    field = columns[sort.removeprefix("-")][1]
    order = [
        F(one).desc(nulls_last=True) if is_reversed else F(one).asc(nulls_last=True)
        for one in (field, "pk")
    ]
    return Sorting(shown, order)
