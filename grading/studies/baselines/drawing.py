"""Pictures of a study: what people reached by each minute, and how long they took a problem."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from phybench_grader.statistics.clusters import ClusteredMean
from phybench_grader.statistics.session_times import Reached, Times
from phybench_grader.statistics.studies import FEWEST, Came

WIDTH = {True: 380, False: 760}
LEFT = {True: 38, False: 54}
RIGHT = {True: 366, False: 740}
TALL = {True: 240, False: 320}
KEY_Y = 18
TOP = 40
PEOPLE_LINE = 20
MOST_TICKS = {True: 6, False: 12}
STEPS = (1, 2, 5, 10, 15, 20, 30, 60, 120, 240, 480, 960)
"""Minutes between two marks of an axis."""
ROW = {True: 58, False: 40}
NAMES = {True: 14, False: 180}
"""Where the axis of times begins; on narrow screens names stand above their rows."""
BOX = 14


@dataclass(frozen=True, slots=True)
class Curve:
    name: str
    colour: str
    dash: str
    key_x: int
    key_end_x: int
    key_text_x: int
    band: str
    """The interval, or where a mean can lie, as a closed path; empty where there is none."""
    path: str
    dots: list[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class Box:
    name: str
    count: str
    y: int
    name_y: int
    box_y: int
    lower: str
    upper: str
    median: str
    width: str
    is_told: bool


def draw_progress(reached: Sequence[Reached], *, is_narrow: bool) -> dict[str, object]:
    """Return what the template of the first picture needs."""
    left, right = LEFT[is_narrow], RIGHT[is_narrow]
    bottom = TOP + TALL[is_narrow]
    end = max((one.minutes for one in reached), default=1.0) or 1.0

    def x(minutes: float) -> str:
        return f"{left + (right - left) * minutes / end:.1f}"

    def y(value: float) -> str:
        return f"{bottom - (bottom - TOP) * value / 100:.1f}"

    def make(place: int, name: str, means: Sequence[ClusteredMean]) -> Curve:
        points = [
            (x(one.minutes), mean)
            for one, mean in zip(reached, means, strict=True)
            if mean.value is not None
        ]
        dots = [(at, y(mean.value or 0.0)) for at, mean in points]
        ends = [
            (x(one.minutes), held.low or 0.0, held.high or 0.0)
            for one, mean in zip(reached, means, strict=True)
            if (held := mean.range or mean).low is not None
        ]
        upper = [f"{at} {y(high)}" for at, _low, high in ends]
        lower = [f"{at} {y(low)}" for at, low, _high in reversed(ends)]
        key_x = 14 + place * (150 if is_narrow else 200)
        return Curve(
            name=name,
            colour=("one", "two")[place],
            dash=("", "8 3")[place],
            key_x=key_x,
            key_end_x=key_x + 28,
            key_text_x=key_x + 36,
            band=f"M{'L'.join([*upper, *lower])}Z" if len(ends) > 1 else "",
            path="M" + "L".join(f"{at} {height}" for at, height in dots) if dots else "",
            dots=dots,
        )

    return {
        "title": say_progress_title(),
        "width": WIDTH[is_narrow],
        "height": bottom + 44 + 2 * PEOPLE_LINE,
        "left": left,
        "right": right,
        "bottom": bottom,
        "key_y": KEY_Y,
        "key_text_y": KEY_Y + 4,
        "curves": [
            make(0, _("Accuracy, %"), [one.accuracy for one in reached]),
            make(1, _("Mean EED"), [one.eed for one in reached]),
        ],
        "levels": [
            (str(value), y(value), f"{float(y(value)) + 4:.1f}") for value in range(0, 101, 20)
        ],
        "ticks": [(str(at), x(at)) for at in list_ticks(end, MOST_TICKS[is_narrow])],
        "working": [
            (f"<{FEWEST}" if one.working is None else str(one.working), x(one.minutes))
            for place, one in enumerate(reached)
            if place % (3 if is_narrow else 1) == 0
        ],
        "name_x": left - 8,
        "tick_y": bottom + 17,
        "axis_y": bottom + 36,
        "working_y": bottom + 36 + PEOPLE_LINE,
        "working_label_y": bottom + 36 + 2 * PEOPLE_LINE - 2,
        "axis_x": f"{(left + right) / 2:.1f}",
    }


def list_ticks(end: float, most: int) -> list[int]:
    """
    Choose round numbers of minutes to mark an axis at.

    >>> list_ticks(180.0, 6)
    [0, 30, 60, 90, 120, 150, 180]
    """
    step = next((one for one in STEPS if end / one <= most), STEPS[-1])
    return list(range(0, math.floor(end + 1e-9) + 1, step))


def say_progress_title() -> str:
    return _("What people had reached by each minute of their session")


def say_progress(reached: Sequence[Reached]) -> str:
    """Say what the picture shows: at which minute half of it was there, and all of it."""
    last = reached[-1]
    if last.accuracy.value is None:
        return say_progress_title()
    half = next(
        one for one in reached if (one.accuracy.value or 0.0) >= (last.accuracy.value or 0.0) / 2
    )
    return _(
        "%(title)s: accuracy was %(half)s %% after %(middle)s minutes and %(all)s %% after %(end)s"
        " minutes. The table below has all numbers."
    ) % {
        "title": say_progress_title(),
        "half": f"{half.accuracy.value:.1f}",
        "middle": f"{half.minutes:.0f}",
        "all": f"{last.accuracy.value:.1f}",
        "end": f"{last.minutes:.0f}",
    }


def draw_times(times: Sequence[Times], *, is_narrow: bool) -> dict[str, object]:
    """Return what the template of the second picture needs."""
    left, right, row = NAMES[is_narrow], RIGHT[is_narrow], ROW[is_narrow]
    end = max((one.upper for one in times if one.upper is not None), default=1.0)
    step = next((one for one in STEPS if end / one <= MOST_TICKS[is_narrow]), STEPS[-1])
    end = step * max(1, math.ceil(end / step))

    def x(minutes: float) -> str:
        return f"{left + (right - left) * minutes / end:.1f}"

    boxes = []
    for place, one in enumerate(times):
        y = 12 + row * place + (row * 2 // 3 if is_narrow else row // 2)
        is_told = one.median is not None
        lower, median, upper = (one.lower or 0.0, one.median or 0.0, one.upper or 0.0)
        boxes.append(
            Box(
                name=name_came(one.came),
                count=_("n = %(count)d") % {"count": one.problems},
                y=y,
                name_y=y - BOX if is_narrow else y + 4,
                box_y=y - BOX // 2,
                lower=x(lower),
                upper=x(upper),
                median=x(median),
                width=f"{max(1.0, float(x(upper)) - float(x(lower))):.1f}",
                is_told=is_told,
            )
        )
    bottom = 12 + row * len(times) + 6
    return {
        "title": say_times_title(),
        "width": WIDTH[is_narrow],
        "height": bottom + 44,
        "left": left,
        "right": right,
        "bottom": bottom,
        "is_narrow": is_narrow,
        "name_x": left if is_narrow else left - 14,
        "box": BOX,
        "boxes": boxes,
        "ticks": [(str(at), x(at)) for at in range(0, int(end) + 1, step)],
        "tick_y": bottom + 17,
        "axis_y": bottom + 36,
        "axis_x": f"{(left + right) / 2:.1f}",
    }


def name_came(came: Came) -> str:
    return {
        Came.RIGHT: _("right"),
        Came.WRONG: _("wrong"),
        Came.UNGRADED: _("not graded"),
        Came.GAVE_UP: _("gave up"),
        Came.EMPTY: _("left empty"),
    }[came]


def say_times_title() -> str:
    return _("Minutes that a problem was on the screen: the middle half and the median")


def say_times(times: Sequence[Times]) -> str:
    """Say what the picture shows: the median of each outcome that is told."""
    said = [
        _("%(name)s: %(median)s minutes")
        % {"name": name_came(one.came), "median": f"{one.median:.1f}"}
        for one in times
        if one.median is not None
    ]
    medians = _("Medians: %(list)s.") % {"list": "; ".join(said)}
    return f"{say_times_title()}. {medians}"
