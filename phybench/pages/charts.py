"""
Charts as data: points with intervals, bars and curves, each drawn by one template in two sizes.

A figure that is missing draws nothing. Numbers are written into a picture as strings, so that no
locale writes a coordinate with a comma.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Generic, Protocol, TypeVar

from django.http import HttpRequest, HttpResponse

from phybench.pages.pictures import is_narrow, svg_response

TOP = 8
FROM_ROW_TO_DOT = 13
BELOW_LAST = 14
PERCENT = range(0, 101, 20)
COLOURS = ("one", "two", "three", "four", "five", "six")
"""Classes of `pictures/base.svg`, as many as can be told apart."""
DASHES = ("", "8 3", "2 3", "8 3 2 3", "12 3", "5 5")
"""Of lines, so that they can be told apart without colours."""
Place = tuple[str, str]
"""What is written, and where."""

Mark = TypeVar("Mark")


# --- Where rows lie -----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Layout:
    """One width of a picture, in the picture's own units."""

    name: str
    width: int
    left: int
    """Of the axis' low end."""
    right: int
    """Of its high end."""
    low: float
    high: float
    line: int
    """Height of a row."""
    name_x: int
    name_dy: int
    """From the dot to the name's base line."""
    longest: int
    """Characters of a name that there is room for."""
    top: int = TOP

    def x(self, value: float) -> str:
        share = (value - self.low) / (self.high - self.low)
        return f"{self.left + (self.right - self.left) * share:.1f}"

    def y(self, row: int) -> int:
        """Return where the dot of a row lies; the first is row 0."""
        return self.top + self.line * (row + 1) - FROM_ROW_TO_DOT

    def ticks(self, values: Sequence[float]) -> list[Place]:
        return [(f"{value:g}", self.x(value)) for value in values]


PERCENT_LAYOUTS = (
    Layout(
        name="wide",
        width=640,
        left=230,
        right=615,
        low=0,
        high=100,
        line=26,
        name_x=218,
        name_dy=4,
        longest=28,
    ),
    # Names above their lines: beside them a narrow screen has no room.
    Layout(
        name="narrow",
        width=360,
        left=12,
        right=345,
        low=0,
        high=100,
        line=44,
        name_x=12,
        name_dy=-10,
        longest=32,
    ),
)
"""Of figures from 0 to 100: beside the names, and for narrow screens below them."""
PAGE = replace(PERCENT_LAYOUTS[0], width=1080, left=300, right=1050, name_x=286, longest=38)
"""As wide as a page."""


def lay_out(*, is_narrow: bool, low: float = 0, high: float = 100) -> Layout:
    """Return the layout of a picture of its own: as wide as a page, or as a phone."""
    return replace(PERCENT_LAYOUTS[1] if is_narrow else PAGE, low=low, high=high)


@dataclass(frozen=True, slots=True)
class Picture(Generic[Mark]):
    layout: Layout
    marks: Sequence[Mark]
    """A row each, top first."""
    ticks: Sequence[Place]
    """What is written below the axis, and where."""
    axis_x: str
    """The middle of what says what the axis is."""

    @property
    def bottom(self) -> int:
        return self.layout.y(len(self.marks) - 1) + BELOW_LAST

    @property
    def height(self) -> int:
        return self.bottom + 40

    @property
    def tick_y(self) -> int:
        return self.bottom + 15

    @property
    def axis_y(self) -> int:
        return self.bottom + 33

    @property
    def inner_height(self) -> int:
        return self.bottom - self.layout.top


# --- What is drawn ------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure and its interval, each None where there is none; an end that is missing is at it."""

    value: float | None = None
    low: float | None = None
    high: float | None = None

    @property
    def interval(self) -> tuple[float, float] | None:
        low = self.value if self.low is None else self.low
        high = self.value if self.high is None else self.high
        return None if low is None or high is None or high <= low else (low, high)


class Chart(Protocol):
    """A picture's data: its template asks it where all lies."""

    template: ClassVar[str]

    def draw(self, *, is_narrow: bool) -> Mapping[str, object]:
        """Return what the template needs."""


def chart_response(request: HttpRequest, chart: Chart, *, name: str) -> HttpResponse:
    """Serve a chart in the size that is asked for."""
    drawn = chart.draw(is_narrow=is_narrow(request))
    return svg_response(request, chart.template, drawn, name=name)


def _describe(picture: Picture[Mark], title: str, axis: str, below: int = 0) -> dict[str, object]:
    return {
        "picture": picture,
        "title": title,
        "axis": axis,
        "width": picture.layout.width,
        "height": picture.height + below,
        "is_narrow": picture.layout.name == "narrow",
        "is_empty": not picture.marks,
    }


# --- Points with intervals ----------------------------------------------------------------------

POINTS = (
    replace(PAGE, right=990, line=24, top=34),
    replace(
        PERCENT_LAYOUTS[1],
        width=380,
        left=14,
        right=310,
        name_x=14,
        name_dy=-12,
        longest=40,
        top=34,
    ),
)
"""With room for notes at the right, and for what is said of the band above."""
MARGIN = 24
"""At the right where there are no notes."""
LINE = 16
"""Height of a line above the rows."""


@dataclass(frozen=True, slots=True)
class PointRow:
    name: str
    figure: Figure
    note: str = ""
    """At the end of the row."""
    is_faint: bool = False


@dataclass(frozen=True, slots=True)
class Band:
    """What lies behind all rows: from low to high, and its middle."""

    label: str
    figure: Figure


@dataclass(frozen=True, slots=True)
class PointMark:
    row: PointRow
    y: int
    name_y: int
    x: str
    """Empty where there is no figure, only where it may lie."""
    interval: tuple[str, str] | None


@dataclass(frozen=True, slots=True)
class Points:
    """A row for each figure from 0 to 100: a dot, and a line for its interval."""

    template: ClassVar[str] = "pictures/points.svg"

    title: str
    axis: str
    rows: Sequence[PointRow]
    notes: str = ""
    """What the notes are."""
    band: Band | None = None

    def draw(self, *, is_narrow: bool) -> Mapping[str, object]:
        rows = [row for row in self.rows if _has_figure(row.figure)]
        has_notes = any(row.note for row in rows)
        layout = POINTS[is_narrow]
        if not has_notes:
            layout = replace(layout, right=layout.width - MARGIN)
        elif is_narrow and self.band:
            # What is said of the band takes the whole first line.
            layout = replace(layout, top=layout.top + LINE)
        marks = []
        for place, row in enumerate(rows):
            y, value, ends = layout.y(place), row.figure.value, row.figure.interval
            interval = ends and (layout.x(ends[0]), layout.x(ends[1]))
            x = "" if value is None else layout.x(value)
            marks.append(PointMark(row, y, y + layout.name_dy, x, interval))
        picture = Picture(layout, marks, layout.ticks(PERCENT), layout.x(50))
        band = self._place_band(layout)
        return {
            **_describe(picture, self.title, self.axis),
            "is_empty": not marks and band is None,
            "notes": self.notes if has_notes else "",
            "note_x": layout.width - 12,
            "note_y": layout.top - 14,
            "band": band,
        }

    def _place_band(self, layout: Layout) -> Mapping[str, object] | None:
        if self.band is None or self.band.figure.low is None or self.band.figure.high is None:
            return None
        low, high = layout.x(self.band.figure.low), layout.x(self.band.figure.high)
        middle = self.band.figure.value
        return {
            "label": self.band.label,
            "x": low,
            "width": f"{float(high) - float(low):.1f}",
            "middle": "" if middle is None else layout.x(middle),
        }


def _has_figure(figure: Figure) -> bool:
    return figure.value is not None or figure.interval is not None


# --- Bars of parts ------------------------------------------------------------------------------

THICK = 14
LEGEND = 24
"""Height of the line that says which part is which."""


@dataclass(frozen=True, slots=True)
class BarRow:
    name: str
    parts: Sequence[float | None]
    """Counts, from the left; their shares of all are drawn."""
    first: Figure
    """The share of the first part, %, of which the interval is drawn."""

    @property
    def whole(self) -> float:
        return sum(part or 0 for part in self.parts)


@dataclass(frozen=True, slots=True)
class BarMark:
    row: BarRow
    top: int
    name_y: int
    parts: Sequence[tuple[str, str, str]]
    """Class, left end and breadth of each."""
    below: int
    """Where the line of the interval lies."""
    interval: tuple[str, str] | None


@dataclass(frozen=True, slots=True)
class Bars:
    """A bar for each row, divided into its parts; what is of nothing has none."""

    template: ClassVar[str] = "pictures/bars.svg"

    title: str
    axis: str
    parts: Sequence[str]
    """Their names."""
    rows: Sequence[BarRow]

    def draw(self, *, is_narrow: bool) -> Mapping[str, object]:
        layout = PERCENT_LAYOUTS[is_narrow]
        rows = [row for row in self.rows if row.whole]
        marks = [self._place(row, layout, layout.y(place)) for place, row in enumerate(rows)]
        ticks = layout.ticks(range(0, 101, 25))
        picture = Picture(layout, marks, ticks, str((layout.left + layout.right) // 2))
        legend, x = [], layout.left
        for colour, name in zip(COLOURS, self.parts, strict=False):
            legend.append((colour, x, name))
            x += _measure(name)
        return {
            **_describe(picture, self.title, self.axis, LEGEND),
            "thick": THICK,
            "legend": legend,
            "legend_y": picture.height + LEGEND - 10,
        }

    def _place(self, row: BarRow, layout: Layout, y: int) -> BarMark:
        parts, done = [], 0.0
        for colour, part in zip(COLOURS, row.parts, strict=False):
            start = layout.x(100 * done / row.whole)
            done += part or 0
            end = layout.x(100 * done / row.whole)
            if part:
                parts.append((colour, start, f"{float(end) - float(start):.1f}"))
        ends = row.first.interval
        interval = ends and (layout.x(ends[0]), layout.x(ends[1]))
        top, below = y - THICK // 2, y + THICK // 2 + 3
        return BarMark(row, top, y + layout.name_dy, parts, below, interval)


def _measure(name: str) -> int:
    """Say how far one entry of a legend is from the next: Chinese is twice as wide."""
    return 28 + sum(13 if ord(sign) > 0x2E7F else 6 for sign in name) + len(name) // 2


# --- Curves -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class CurveLayout:
    width: int
    left: int
    right: int
    tall: int
    keys_a_line: int


CURVES = (CurveLayout(760, 54, 740, 340, 2), CurveLayout(380, 38, 366, 260, 1))
KEY_LINE = 22
APART = 2.5
"""Between curves, so that intervals of several can be seen."""


@dataclass(frozen=True, slots=True)
class Line:
    """One curve: what there is at each number, which is 1 or more."""

    name: str
    points: Sequence[tuple[int, Figure]]

    @property
    def known(self) -> list[tuple[int, float, Figure]]:
        """Return the points that have a value."""
        return [(at, one.value, one) for at, one in self.points if one.value is not None]


@dataclass(frozen=True, slots=True)
class Curves:
    """Figures from 0 to 100 over numbers on a scale of doubles, a curve for each line."""

    template: ClassVar[str] = "pictures/curves.svg"

    title: str
    axis: str
    lines: Sequence[Line]

    def draw(self, *, is_narrow: bool) -> Mapping[str, object]:
        layout = CURVES[is_narrow]
        lines = [line for line in self.lines if line.known][: len(COLOURS)]
        keys = _list_keys(lines, layout)
        top = (keys[-1]["y"] if keys else 0) + KEY_LINE
        bottom = top + layout.tall
        most = max((at for line in lines for at, _figure in line.points), default=1)
        highest = _find_highest(lines)

        def x(at: float) -> float:
            share = math.log2(at) / math.log2(most) if most > 1 else 0.5
            return layout.left + (layout.right - layout.left) * share

        def y(value: float) -> float:
            return bottom - layout.tall * value / highest

        curves = []
        for place, line in enumerate(lines):
            dots = []
            for at, value, figure in line.known:
                across = x(at) + APART * (place - (len(lines) - 1) / 2)
                ends = figure.interval
                interval = ends and (f"{y(ends[0]):.1f}", f"{y(ends[1]):.1f}")
                dots.append((f"{across:.1f}", f"{y(value):.1f}", interval))
            path = "M" + "L".join(f"{across} {up}" for across, up, _ends in dots)
            curves.append(
                {"colour": COLOURS[place], "dash": DASHES[place], "path": path, "dots": dots}
            )
        ticks = sorted({2**power for power in range(most.bit_length())} | {most})
        return {
            "title": self.title,
            "axis": self.axis,
            "width": layout.width,
            "height": bottom + 48,
            "layout": layout,
            "bottom": bottom,
            "keys": keys,
            "is_empty": not lines,
            "curves": curves,
            "ticks": [(str(at), f"{x(at):.1f}") for at in ticks if at == most or most / at > 1.15],
            "levels": [
                (str(value), f"{y(value):.1f}", f"{y(value) + 4:.1f}")
                for value in range(0, highest + 1, 20 if highest > 40 else 10)
            ],
            "name_x": layout.left - 8,
            "tick_y": bottom + 17,
            "axis_y": bottom + 38,
            "axis_x": f"{(layout.left + layout.right) / 2:.1f}",
        }


def _find_highest(lines: Sequence[Line]) -> int:
    """Return where the axis ends: at a ten above all intervals."""
    ends = [figure.high or value for line in lines for _at, value, figure in line.known]
    return min(100, 10 * max(1, math.ceil(max(ends, default=0.0) / 10)))


def _list_keys(lines: Sequence[Line], layout: CurveLayout) -> list[dict[str, Any]]:
    width = (layout.width - 28) // layout.keys_a_line
    keys = []
    for place, line in enumerate(lines):
        x = 14 + width * (place % layout.keys_a_line)
        y = 18 + KEY_LINE * (place // layout.keys_a_line)
        keys.append(
            {"name": line.name, "x": x, "y": y, "colour": COLOURS[place], "dash": DASHES[place]}
        )
    return keys
