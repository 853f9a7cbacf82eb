"""The map of problems: how many models solve them, and how well they tell models apart."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from grading.board.items.figures import count_cells
from grading.board.items.listed import DISCRIMINATION, ItemRow

WIDTH = {True: 380, False: 760}
LEFT = {True: 90, False: 170}
RIGHT = {True: 366, False: 740}
TOP = 20
LINE = {True: 46, False: 56}
TENS = 10
LARGEST = {True: 12.0, False: 22.0}
"""Radius of the largest mark."""


@dataclass(frozen=True, slots=True)
class Bubble:
    x: str
    y: int
    text_y: int
    radius: str
    count: int
    is_negative: bool


@dataclass(frozen=True, slots=True)
class Line:
    name: str
    y: int
    text_y: int


def draw(rows: Sequence[ItemRow], *, is_narrow: bool) -> dict[str, object]:
    """Return what the template of the picture needs."""
    left, right, line = LEFT[is_narrow], RIGHT[is_narrow], LINE[is_narrow]
    cells = count_cells([row.told for row in rows])
    kinds: list[int | None] = [*reversed(range(len(DISCRIMINATION)))]
    if any(kind is None for _ten, kind in cells):
        kinds.append(None)
    if not any(kind is not None for _ten, kind in cells):
        kinds = [None]
    most = max(cells.values(), default=1)
    width = (right - left) / TENS
    bubbles = []
    for (ten, kind), count in sorted(cells.items(), key=lambda one: -one[1]):
        y = TOP + line * kinds.index(kind) + line // 2
        bubbles.append(
            Bubble(
                x=f"{left + width * (ten + 0.5):.1f}",
                y=y,
                text_y=y + 4,
                radius=f"{max(9.0, LARGEST[is_narrow] * (count / most) ** 0.5):.1f}",
                count=count,
                is_negative=kind == 0,
            )
        )
    bottom = TOP + line * len(kinds)
    return {
        "title": say_title(),
        "width": WIDTH[is_narrow],
        "height": bottom + 48,
        "left": left,
        "right": right,
        "top": TOP,
        "bottom": bottom,
        "tick_y": bottom + 17,
        "axis_y": bottom + 38,
        "axis_x": f"{(left + right) / 2:.1f}",
        "name_x": left - 10,
        "is_narrow": is_narrow,
        "lines": [_make_line(kind, place, line) for place, kind in enumerate(kinds)],
        "ticks": [
            (str(10 * ten), f"{left + width * ten:.1f}")
            for ten in range(0, TENS + 1, 2 if is_narrow else 1)
        ],
        "bubbles": bubbles,
        "is_empty": not bubbles,
    }


def _make_line(kind: int | None, place: int, line: int) -> Line:
    y = TOP + line * place
    name = _("not known") if kind is None else str(DISCRIMINATION[kind])
    return Line(name, y, y + line // 2 + 4)


def say_title() -> str:
    return _("Problems by share of models that solve them and by discrimination")


def say_in_words(rows: Sequence[ItemRow]) -> str:
    """Say what the picture shows: how many are hard, easy, and speak against themselves."""
    known = [row.told for row in rows if row.told.right is not None]
    hard = sum((one.right or 0) < 20 for one in known)
    easy = sum((one.right or 0) >= 80 for one in known)
    negative = sum(one.kind == 0 for one in known)
    said = _(
        "Problems: %(count)d. Solved by fewer than 20 %% of models: %(hard)d; by 80 %% or more: "
        "%(easy)d. With a discrimination below 0: %(negative)d."
    )
    counts = {"count": len(known), "hard": hard, "easy": easy, "negative": negative}
    return f"{say_title()}. {said % counts}"
