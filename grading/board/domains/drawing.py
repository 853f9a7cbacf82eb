"""The picture of domains: a row a domain, and in it the solvers that are best over all."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from grading.board.domains.table import Cell, DomainTable, Row

SHOWN = 6
"""Solvers, as many as there are colours that can be told apart."""
COLOURS = ("one", "two", "three", "four", "five", "six")
SHAPES = (
    "M-5 0a5 5 0 1 0 10 0a5 5 0 1 0-10 0Z",
    "M-4.5-4.5H4.5V4.5H-4.5Z",
    "M0-6L6 0L0 6L-6 0Z",
    "M0-5.5L5.5 4.5H-5.5Z",
    "M0 5.5L5.5-4.5H-5.5Z",
    "M-1.7-5.5H1.7V-1.7H5.5V1.7H1.7V5.5H-1.7V1.7H-5.5V-1.7H-1.7Z",
)
STEP = 13
"""Between two solvers of a domain."""
PAD = 12
WIDTH = {True: 380, False: 860}
LEFT = {True: 14, False: 210}
RIGHT = {True: 362, False: 836}
NAME_HEIGHT = {True: 20, False: 0}
A_LINE_OF_KEYS = {True: 1, False: 2}
KEY_LINE = 22


@dataclass(frozen=True, slots=True)
class Key:
    """Which mark is whose."""

    name: str
    x: int
    y: int
    text_x: int
    colour: str
    shape: str


@dataclass(frozen=True, slots=True)
class Mark:
    x: str
    """Empty where the mean can lie anywhere between the ends."""
    y: int
    low: str
    high: str
    has_interval: bool
    colour: str
    shape: str


@dataclass(frozen=True, slots=True)
class Band:
    """One domain."""

    name: str
    count: str
    y: int
    height: int
    name_y: int
    panel_x: str
    marks: list[Mark]
    is_shaded: bool


def draw(table: DomainTable, *, is_narrow: bool) -> dict[str, object]:
    """Return what the template of the picture needs."""
    left, right = LEFT[is_narrow], RIGHT[is_narrow]
    best = [row for row in table.rows if row.means.micro.value is not None][:SHOWN]
    keys = _list_keys(best, is_narrow=is_narrow)
    top = (keys[-1].y if keys else 0) + KEY_LINE

    def x(value: float) -> str:
        return f"{left + (right - left) * value / 100:.1f}"

    bands: list[Band] = []
    y = top
    told = [column for column, one in enumerate(table.domains) if one.is_told]
    for place, column in enumerate(told):
        domain = table.domains[column]
        height = 2 * PAD + NAME_HEIGHT[is_narrow] + STEP * max(1, len(best) - 1)
        first = y + PAD + NAME_HEIGHT[is_narrow]
        bands.append(
            Band(
                name=domain.label,
                count=_("n = %(count)d") % {"count": domain.problems},
                y=y,
                height=height,
                name_y=y + 18 if is_narrow else y + height // 2,
                panel_x="" if domain.panel is None else x(domain.panel),
                marks=_mark([row.cells[column] for row in best], first, x),
                is_shaded=place % 2 == 0,
            )
        )
        y += height
    return {
        "title": say_title(table),
        "width": WIDTH[is_narrow],
        "height": y + 44,
        "is_narrow": is_narrow,
        "left": left,
        "breadth": right - left,
        "keys": keys,
        "bands": bands,
        "is_empty": not best,
        "ticks": [(f"{value}", x(value)) for value in range(0, 101, 20)],
        "top": top,
        "bottom": y,
        "tick_y": y + 16,
        "axis_y": y + 36,
        "axis_x": x(50),
        "axis": _say_axis(table),
        "name_x": left if is_narrow else left - 14,
        "has_panel": any(band.panel_x for band in bands),
    }


def _list_keys(best: Sequence[Row], *, is_narrow: bool) -> list[Key]:
    a_line = A_LINE_OF_KEYS[is_narrow]
    width = (WIDTH[is_narrow] - 28) // a_line
    return [
        Key(
            name=row.name,
            x=20 + width * (place % a_line),
            y=20 + KEY_LINE * (place // a_line),
            text_x=34 + width * (place % a_line),
            colour=COLOURS[place],
            shape=SHAPES[place],
        )
        for place, row in enumerate(best)
    ]


def _mark(cells: Sequence[Cell], first: int, x: object) -> list[Mark]:
    assert callable(x)
    found = []
    for place, cell in enumerate(cells):
        mean = cell.mean
        if mean is None or mean.value is None:
            continue
        is_open = cell.range is not None and cell.range.is_provisional
        held = cell.range if cell.range and is_open else mean
        low = mean.value if held.low is None else held.low
        high = mean.value if held.high is None else held.high
        found.append(
            Mark(
                x="" if is_open else x(mean.value),
                y=first + STEP * place,
                low=x(low),
                high=x(high),
                has_interval=high > low,
                colour=COLOURS[place],
                shape=SHAPES[place],
            )
        )
    return found


def _say_axis(table: DomainTable) -> str:
    return _("Mean EED") if table.metric == "eed" else _("Accuracy, %")


def say_title(table: DomainTable) -> str:
    if table.metric == "eed":
        return _("Mean EED by domain, with 95 % intervals")
    return _("Accuracy by domain, with 95 % intervals")


def say_in_words(table: DomainTable) -> str:
    """Say what the picture shows: of each domain who is best, and with how much."""
    said = []
    for domain in table.domains:
        means = [
            (mean.value, row.name)
            for row in table.rows
            if (mean := row.means.quote(domain.name)) and mean.value is not None
        ]
        if means:
            value, name = max(means)
            best = {"domain": domain.label, "name": name, "value": f"{value:.1f}"}
            said.append(_("%(domain)s: %(name)s, %(value)s") % best)
    if not said:
        return say_title(table)
    best_of_each = _("Highest in each domain: %(list)s.") % {"list": "; ".join(said)}
    return f"{say_title(table)}. {best_of_each}"
