"""The picture of samples: a curve for each solver, over k on a scale of doubles."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from django.utils.translation import gettext as _

from grading.board.scaling.table import Row
from phybench_grader.statistics.scaling import Point

SHOWN = 6
"""Solvers, as many as there are colours that can be told apart."""
COLOURS = ("one", "two", "three", "four", "five", "six")
DASHES = ("", "8 3", "2 3", "8 3 2 3", "12 3", "5 5")
"""Of the lines, so that they can be told apart without colours."""
WIDTH = {True: 380, False: 760}
LEFT = {True: 38, False: 54}
RIGHT = {True: 366, False: 740}
KEYS_A_LINE = {True: 1, False: 2}
KEY_LINE = 22
TALL = {True: 260, False: 340}


class Figure(StrEnum):
    """What is drawn."""

    PASS = "pass"
    VOTE = "vote"
    EED = "eed"


@dataclass(frozen=True, slots=True)
class Key:
    name: str
    x: int
    end_x: int
    text_x: int
    y: int
    colour: str
    dash: str


@dataclass(frozen=True, slots=True)
class Dot:
    x: str
    y: str
    low: str
    high: str
    has_interval: bool


@dataclass(frozen=True, slots=True)
class Curve:
    colour: str
    dash: str
    path: str
    dots: list[Dot]


def choose(row: Row, figure: Figure) -> list[Point]:
    curves = row.curves
    return {
        Figure.PASS: curves.pass_at,
        Figure.VOTE: curves.vote,
        Figure.EED: curves.best_eed,
    }[figure]


def draw(rows: Sequence[Row], figure: Figure, *, is_narrow: bool) -> dict[str, object]:
    """Return what the template of the picture needs."""
    shown = [row for row in rows if choose(row, figure)][:SHOWN]
    left, right = LEFT[is_narrow], RIGHT[is_narrow]
    keys = _list_keys(shown, is_narrow=is_narrow)
    top = (keys[-1].y if keys else 0) + 22
    bottom = top + TALL[is_narrow]
    most = max((row.curves.most for row in shown), default=1)
    highest = _find_highest(shown, figure)

    def x(samples: float) -> float:
        return left + (right - left) * (math.log2(samples) / math.log2(most) if most > 1 else 0.5)

    def y(value: float) -> float:
        return bottom - (bottom - top) * value / highest

    ticks = sorted({2**power for power in range(most.bit_length())} | {most})
    return {
        "title": say_title(figure),
        "width": WIDTH[is_narrow],
        "height": bottom + 48,
        "left": left,
        "right": right,
        "top": top,
        "bottom": bottom,
        "keys": keys,
        "is_empty": not shown,
        "curves": [
            _make_curve(place, len(shown), choose(row, figure), x, y)
            for place, row in enumerate(shown)
        ],
        "ticks": [(str(k), f"{x(k):.1f}") for k in ticks if k == most or most / k > 1.15],
        "levels": [
            (str(value), f"{y(value):.1f}", f"{y(value) + 4:.1f}")
            for value in range(0, highest + 1, 20 if highest > 40 else 10)
        ],
        "name_x": left - 8,
        "tick_y": bottom + 17,
        "axis_y": bottom + 38,
        "axis_x": f"{(left + right) / 2:.1f}",
        "unit": _("Best EED of k answers") if figure is Figure.EED else _("Accuracy, %"),
    }


def _find_highest(rows: Sequence[Row], figure: Figure) -> int:
    """Return where the axis ends: at a ten above all intervals."""
    ends = [
        point.mean.high or point.mean.value or 0.0 for row in rows for point in choose(row, figure)
    ]
    return min(100, 10 * max(1, math.ceil(max(ends, default=0.0) / 10)))


def _list_keys(rows: Sequence[Row], *, is_narrow: bool) -> list[Key]:
    a_line = KEYS_A_LINE[is_narrow]
    width = (WIDTH[is_narrow] - 28) // a_line
    keys = []
    for place, row in enumerate(rows):
        x = 14 + width * (place % a_line)
        y = 18 + KEY_LINE * (place // a_line)
        keys.append(Key(row.name, x, x + 28, x + 36, y, COLOURS[place], DASHES[place]))
    return keys


def _make_curve(
    place: int,
    curves: int,
    points: Sequence[Point],
    x: Callable[[float], float],
    y: Callable[[float], float],
) -> Curve:
    dots = []
    for point in points:
        value = point.mean.value
        if value is None:
            continue
        low = value if point.mean.low is None else point.mean.low
        high = value if point.mean.high is None else point.mean.high
        # A little apart, so that intervals of several can be seen.
        at = x(point.samples) + 2.5 * (place - (curves - 1) / 2)
        dots.append(
            Dot(f"{at:.1f}", f"{y(value):.1f}", f"{y(low):.1f}", f"{y(high):.1f}", high > low)
        )
    path = "M" + "L".join(f"{dot.x} {dot.y}" for dot in dots) if dots else ""
    return Curve(COLOURS[place], DASHES[place], path, dots)


def say_title(figure: Figure) -> str:
    return {
        Figure.PASS: _("One of k answers right (pass@k), with 95 % intervals"),
        Figure.VOTE: _("The majority answer of k, with 95 % intervals"),
        Figure.EED: _("Best EED of k answers, with 95 % intervals"),
    }[figure]


def say_in_words(rows: Sequence[Row], figure: Figure) -> str:
    """Say what the picture shows: of each solver where its curve begins and ends."""
    said = []
    for row in [row for row in rows if choose(row, figure)][:SHOWN]:
        first, last = choose(row, figure)[0], choose(row, figure)[-1]
        if first.mean.value is None or last.mean.value is None:
            continue
        said.append(
            _("%(name)s from %(first)s with one answer to %(last)s with %(count)d")
            % {
                "name": row.name,
                "first": f"{first.mean.value:.1f}",
                "last": f"{last.mean.value:.1f}",
                "count": last.samples,
            }
        )
    return f"{say_title(figure)}. {'; '.join(said)}."
