"""The picture of where each of two is better: a row a part, with its interval."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from grading.board.compare.parts import Kind, Part
from phybench.pages.charts import Layout, Picture, lay_out
from phybench_grader.statistics.paired import Between

STEP = 10
"""The axis ends at a multiple of so many points."""


@dataclass(frozen=True, slots=True)
class Mark:
    name: str
    y: int
    name_y: int
    x: str
    end: str
    """Of the bar where a difference lies that is not known; else as `x`."""
    is_bar: bool
    low: str
    high: str
    has_interval: bool
    is_whole: bool
    stands_out: bool


def draw(whole: Between, parts: Sequence[Part], *, is_narrow: bool) -> Picture[Mark]:
    """Draw the difference over all problems, and below it those of parts that have one."""
    shown = [(one, one.difference) for one in parts if one.difference]
    layout = _hold([whole, *(found for _part, found in shown)], is_narrow=is_narrow)
    marks = [_mark(layout, 0, _("All"), whole, is_whole=True)]
    for place, (part, found) in enumerate(shown, start=1):
        name = _name(part)
        marks.append(_mark(layout, place, name, found, stands_out=part.stands_out))
    end = layout.high
    ticks = [
        (f"{value:+g}".replace("-", "−") if value else "0", layout.x(value))
        for value in (-end, -end / 2, 0, end / 2, end)
    ]
    return Picture(layout=layout, marks=marks, ticks=ticks, axis_x=layout.x(0))


def _hold(found: Sequence[Between], *, is_narrow: bool) -> Layout:
    """Have the axis hold all ends, and as much to the left of 0 as to the right."""
    ends = [
        abs(end)
        for one in found
        for end in (*(one.ends or ()), one.low, one.high)
        if end is not None
    ]
    most = min(100, STEP * max(1, math.ceil(max(ends, default=0) / STEP)))
    return lay_out(is_narrow=is_narrow, low=-most, high=most)


def _name(part: Part) -> str:
    if part.kind is Kind.LENGTH:
        return _("solution %(length)s") % {"length": part.name.partition(":")[0]}
    return part.name


def _mark(
    layout: Layout,
    place: int,
    name: str,
    found: Between,
    *,
    is_whole: bool = False,
    stands_out: bool = False,
) -> Mark:
    y, (least, most) = layout.y(place), found.ends or (0.0, 0.0)
    has_interval = found.low is not None and found.high is not None
    return Mark(
        name=name,
        y=y,
        name_y=y + layout.name_dy,
        x=layout.x(least),
        end=layout.x(most),
        is_bar=found.is_provisional,
        low=layout.x(least if found.low is None else found.low),
        high=layout.x(most if found.high is None else found.high),
        has_interval=has_interval,
        is_whole=is_whole,
        stands_out=stands_out,
    )
