"""The kinds of first errors as bars: where each part of a bar lies, and what they say in words."""

from dataclasses import dataclass

from django.utils.translation import gettext as _

from grading.samples.first_errors.figures import ErrorRow, ErrorTable
from grading.samples.first_errors.models import Kind
from phybench.pages.pictures import Layout, Picture
from phybench_grader.statistics.provisional import FULL

BREADTH = 14
LEGEND = 24
"""Height of the line that says which part is which."""
TICKS = (0, 25, 50, 75, 100)


@dataclass(frozen=True, slots=True)
class Bar:
    """One row: the parts of its bar from left to right, and the interval of the first."""

    row: ErrorRow
    top: int
    name_y: int
    parts: list[tuple[str, str, str]]
    """Class, left end and breadth of each."""
    below: int
    """Where the line of the interval lies, and what it says: its ends."""
    low: str
    high: str


@dataclass(frozen=True, slots=True)
class Bars(Picture[Bar]):
    breadth: int = BREADTH

    @property
    def whole_height(self) -> int:
        """Return the height with the line that says which part is which."""
        return self.height + LEGEND

    @property
    def legend_y(self) -> int:
        return self.whole_height - 10

    @property
    def legend(self) -> list[tuple[str, int, str]]:
        """Return class, place and name of each part."""
        x = self.layout.left
        return [
            ("one", x, _("physical perception")),
            ("two", x + 150, _("semantic")),
            ("three", x + 230, _("symbolic")),
        ]


def draw(table: ErrorTable, layout: Layout) -> Bars:
    """Draw a bar for each solver that erred, and one for all together where there are several."""
    rows = [*table.rows, *([table.pooled] if len(table.rows) > 1 else [])]
    bars = [
        _draw(row, place, layout) for place, row in enumerate(one for one in rows if one.errors)
    ]
    middle = (layout.left + layout.right) // 2
    return Bars(layout, bars, layout.ticks(TICKS), str(middle))


def _draw(row: ErrorRow, place: int, layout: Layout) -> Bar:
    y, parts, done = layout.y(place), [], 0
    for name, kind in (("one", Kind.PERCEPTION), ("two", Kind.SEMANTIC), ("three", Kind.SYMBOLIC)):
        count = row.counts.get(kind, 0)
        start, end = (FULL * number / row.errors for number in (done, done + count))
        parts.append(
            (name, layout.x(start), f"{float(layout.x(end)) - float(layout.x(start)):.1f}")
        )
        done += count
    return Bar(
        row,
        y - BREADTH // 2,
        y + layout.name_dy,
        parts,
        below=y + BREADTH // 2 + 3,
        low=layout.x(row.perception.low or 0),
        high=layout.x(row.perception.high or 0),
    )


def say(table: ErrorTable) -> str:
    """Say what the picture shows, for those who do not see it."""
    said = _(
        "%(name)s has %(errors)d first errors: %(perception)d of physical perception, "
        "%(semantic)d semantic and %(symbolic)d symbolic."
    )
    rows = [*table.rows, *([table.pooled] if len(table.rows) > 1 else [])]
    return " ".join(
        said
        % {
            "name": row.name,
            "errors": row.errors,
            "perception": row.counts.get(Kind.PERCEPTION, 0),
            "semantic": row.counts.get(Kind.SEMANTIC, 0),
            "symbolic": row.counts.get(Kind.SYMBOLIC, 0),
        }
        for row in rows
        if row.errors
    )
