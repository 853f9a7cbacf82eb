"""Pictures of figures in rows, as SVG: where names, dots and the axis below them lie."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

TOP = 8
FROM_ROW_TO_DOT = 13
BELOW_LAST = 14

Mark = TypeVar("Mark")


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

    def x(self, value: float) -> str:
        share = (value - self.low) / (self.high - self.low)
        # A string, so that no locale writes a coordinate with a comma.
        return f"{self.left + (self.right - self.left) * share:.1f}"

    def y(self, row: int) -> int:
        """Return where the dot of a row lies; the first is row 0."""
        return TOP + self.line * (row + 1) - FROM_ROW_TO_DOT

    def ticks(self, values: Sequence[float]) -> list[tuple[str, str]]:
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
        longest=32,
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


@dataclass(frozen=True, slots=True)
class Picture(Generic[Mark]):
    layout: Layout
    marks: Sequence[Mark]
    """A row each, top first."""
    ticks: Sequence[tuple[str, str]]
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
        return self.bottom - TOP
