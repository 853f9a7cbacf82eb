"""Where the marks of the page's pictures lie, in each picture's own units."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from grading.board.eed.figures import PeoplesEED
from grading.board.eed.shown import EEDRow
from phybench.pages.charts import PERCENT_LAYOUTS, Picture
from phybench_grader.statistics.clusters import ClusteredMean
from phybench_grader.statistics.metrics import FULL, Mean
from phybench_grader.statistics.score_shares import STEP, STEPS, ScoreShares

TICKS = range(0, 101, 20)
NAME = {True: 30, False: 60}
"""The longest title of a study beside a mark, narrow or not."""


# --- Accuracy against EED ---------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Point:
    """One model: a number, a dot, and the 95 % interval along either axis, where there is one."""

    label: str
    x: str
    y: str
    left: str
    right: str
    top: str
    bottom: str
    label_x: str
    label_y: str
    is_open: bool = False
    """Whether it can lie anywhere between the ends."""


@dataclass(frozen=True, slots=True)
class Scatter:
    """A square of 0 to 100 by 0 to 100."""

    width: int
    height: int
    left: int
    top: int
    side_x: int
    side_y: int
    points: Sequence[Point]
    people: Point | None
    ticks_x: Sequence[tuple[str, str]]
    ticks_y: Sequence[tuple[str, str]]

    @property
    def right(self) -> int:
        return self.left + self.side_x

    @property
    def bottom(self) -> int:
        return self.top + self.side_y

    @property
    def middle_x(self) -> int:
        return self.left + self.side_x // 2

    @property
    def tick_y(self) -> int:
        return self.bottom + 17

    @property
    def axis_y(self) -> int:
        return self.bottom + 36


def draw_scatter(rows: Sequence[EEDRow], people: PeoplesEED | None, *, is_narrow: bool) -> Scatter:
    """Draw models' EED over their accuracy, and that of one group of people."""
    width, height = (360, 340) if is_narrow else (640, 480)
    # Above it stands whom the mark of people is of.
    left, top = 44, 46 if people else 26
    side_x, side_y = width - left - 16, height - top - 46

    def x(value: float) -> str:
        return f"{left + side_x * value / FULL:.1f}"

    def y(value: float) -> str:
        return f"{top + side_y * (FULL - value) / FULL:.1f}"

    def mark(label: str, accuracy: Mean | ClusteredMean, eed: Mean | ClusteredMean) -> Point:
        across, up = accuracy.value or 0.0, eed.value or 0.0
        ends = (accuracy.low, accuracy.high, eed.low, eed.high)
        low, high, under, over = (
            value if end is None else end
            for end, value in zip(ends, (across, across, up, up), strict=True)
        )
        label_x, label_y = float(x(across)) - 7, float(y(up)) - 6
        return Point(
            label, x(across), y(up), x(low), x(high), y(over), y(under),
            f"{label_x:.1f}", f"{label_y:.1f}",
        )  # fmt: skip

    def mark_model(row: EEDRow) -> Point:
        figures = row.figures
        accuracy, eed = figures.accuracy_range, figures.eed_range
        if not (accuracy and eed and figures.is_provisional):
            return mark(str(row.number), figures.accuracy, figures.eed)
        point = mark(
            str(row.number),
            replace(figures.accuracy, low=accuracy.low, high=accuracy.high),
            replace(figures.eed, low=eed.low, high=eed.high),
        )
        return replace(point, is_open=True)

    def mark_people(people: PeoplesEED) -> Point:
        label = people.who.shorten(NAME[is_narrow]).label
        if not (people.accuracy.range and people.eed.range):
            return mark(label, people.accuracy, people.eed)
        held = [
            replace(mean, value=(at.low + at.high) / 2, low=at.low, high=at.high)
            for mean, at in (
                (people.accuracy, people.accuracy.range),
                (people.eed, people.eed.range),
            )
        ]
        return replace(mark(label, *held), is_open=True)

    return Scatter(
        width,
        height,
        left,
        top,
        side_x,
        side_y,
        points=[mark_model(row) for row in rows],
        people=mark_people(people) if people else None,
        ticks_x=[(str(value), x(value)) for value in TICKS],
        ticks_y=[(str(value), y(value)) for value in TICKS],
    )


# --- Shares at 100, between, and at 0 -----------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Bar:
    """One model's answers as a bar of three parts, from the left."""

    name: str
    name_y: int
    y: int
    full: tuple[str, str]
    """Where a part begins, and how broad it is."""
    between: tuple[str, str]
    zero: tuple[str, str]


@dataclass(frozen=True, slots=True)
class ShareBars(Picture[Bar]):
    """What share of each model's answers has EED 100, one between, and 0."""

    @property
    def width(self) -> int:
        return self.layout.width

    @property
    def height(self) -> int:
        return self.legend_y + 14

    @property
    def legend_y(self) -> int:
        return self.axis_y + 26


def draw_shares(rows: Sequence[EEDRow], *, is_narrow: bool) -> ShareBars:
    """Draw what share of each model's answers is right, similar, and worth nothing."""
    layout = PERCENT_LAYOUTS[is_narrow]

    def part(start: float, share: float) -> tuple[str, str]:
        begin = layout.x(start)
        return begin, f"{float(layout.x(start + share)) - float(begin):.1f}"

    bars = []
    for place, row in enumerate(rows):
        shares, y = row.figures.shares, layout.y(place)
        bars.append(
            Bar(
                name=row.name,
                name_y=y + layout.name_dy,
                y=y - 7,
                full=part(0, shares.full),
                between=part(shares.full, shares.between),
                zero=part(shares.full + shares.between, shares.zero),
            )
        )
    return ShareBars(layout, bars, layout.ticks(TICKS), layout.x(FULL / 2))


# --- How scores are spread --------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Column:
    x: str
    middle: str
    y: str
    breadth: str
    height: str
    share: str
    share_y: str
    score: str


@dataclass(frozen=True, slots=True)
class Histogram:
    width: int
    height: int
    columns: Sequence[Column]
    bottom: int

    @property
    def tick_y(self) -> int:
        return self.bottom + 17

    @property
    def axis_y(self) -> int:
        return self.bottom + 36

    @property
    def right(self) -> int:
        return self.width - 12

    @property
    def middle_x(self) -> int:
        return self.width // 2


def average_shares(models: Sequence[ScoreShares]) -> list[float]:
    """Average models' shares of each score, so that one with many samples counts as any other."""
    columns = zip(*(one.shares for one in models), strict=True)
    return [sum(column) / len(models) for column in columns]


def name_scores() -> list[str]:
    """Name what is counted together: 0, then ten points each, then 100."""
    ends = [f"{STEP * step}–{STEP * (step + 1)}" for step in range(STEPS)]
    return ["0", *ends, "100"]


def draw_histogram(models: Sequence[ScoreShares], *, is_narrow: bool) -> Histogram:
    """Draw the share of answers that have each score."""
    width, height = (360, 260) if is_narrow else (640, 300)
    top, bottom, gap = 24, height - 48, 6
    shares = average_shares(models)
    most = max(shares, default=0.0) or 1.0
    breadth = (width - 24) / len(shares)
    columns = []
    for place, (share, score) in enumerate(zip(shares, name_scores(), strict=True)):
        x, tall = 12 + breadth * place, (bottom - top) * share / most
        columns.append(
            Column(
                x=f"{x + gap / 2:.1f}",
                middle=f"{x + breadth / 2:.1f}",
                y=f"{bottom - tall:.1f}",
                breadth=f"{breadth - gap:.1f}",
                height=f"{tall:.1f}",
                share=f"{share:.1f}",
                share_y=f"{bottom - tall - 6:.1f}",
                score=score,
            )
        )
    return Histogram(width, height, columns, bottom)
