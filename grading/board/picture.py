"""The board as a picture: means with their intervals, the ranks beside them, people behind."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from grading.board.columns import Shown
from grading.board.figures import PeoplesFigures, SortKey

TOP, BELOW = 34, 46
LOW, HIGH = 0.0, 100.0
LINE = {True: 44, False: 24}
"""Height of a row, narrow or not."""
WIDTH = {True: 380, False: 1080}
LEFT = {True: 14, False: 300}
RIGHT = {True: 310, False: 990}
"""Where 0 and 100 lie."""
MARGIN = 24
"""Right of 100 where no ranks are written."""


@dataclass(frozen=True, slots=True)
class Mark:
    name: str
    y: int
    name_y: int
    x: str
    """Empty where the mean can lie anywhere between the ends."""
    low: str
    high: str
    has_interval: bool
    rank: str
    is_faint: bool


@dataclass(frozen=True, slots=True)
class Band:
    """Where people's own means lie: half of them within, and their mean."""

    x: str
    width: str
    middle: str
    """Empty where the mean can lie anywhere within."""
    label: str
    sample_x: int
    """Of the piece of it that stands before the label."""


def draw(
    rows: Sequence[Shown], people: PeoplesFigures | None, sort: SortKey, *, is_narrow: bool
) -> dict[str, object]:
    """Return what the template of the picture needs."""
    left, line = LEFT[is_narrow], LINE[is_narrow]
    has_ranks = any(shown.row.rank(sort) for shown in rows)
    right = RIGHT[is_narrow] if has_ranks else WIDTH[is_narrow] - MARGIN

    def x(value: float) -> str:
        return f"{left + (right - left) * (value - LOW) / (HIGH - LOW):.1f}"

    marks = []
    for place, shown in enumerate(rows):
        mean = shown.row.mean(sort)
        if mean.value is None:
            continue
        y = TOP + line * place + line // 2 + (10 if is_narrow else 0)
        low, high = _ends(shown, sort)
        marks.append(
            Mark(
                name=shown.row.name,
                y=y,
                name_y=y - 12 if is_narrow else y + 4,
                x="" if shown.row.quote(sort).value is None else x(mean.value),
                low=x(low),
                high=x(high),
                has_interval=high > low,
                rank=str(shown.row.rank(sort) or ""),
                is_faint=shown.row.stands_apart or shown.row.waiting > 0,
            )
        )
    bottom = TOP + line * len(rows)
    return {
        "title": say_title(sort),
        "width": WIDTH[is_narrow],
        "height": bottom + BELOW,
        "is_narrow": is_narrow,
        "marks": marks,
        "is_empty": not marks and people is None,
        "ticks": [(f"{value:g}", x(value)) for value in range(0, 101, 20)],
        "top": TOP,
        "bottom": bottom,
        "tick_y": bottom + 16,
        "axis_y": bottom + 36,
        "axis_x": x(50),
        "axis": _("Mean EED") if sort == "eed" else _("Accuracy, %"),
        "name_x": left if is_narrow else left - 14,
        "rank_x": WIDTH[is_narrow] - 12,
        "rank_label": _("Rank") if has_ranks else "",
        "band": _band(people, sort, x, left, 18 if is_narrow else 60) if people else None,
        "longest": 40 if is_narrow else 38,
    }


def _ends(shown: Shown, sort: SortKey) -> tuple[float, float]:
    mean, found = shown.row.mean(sort), shown.row.range(sort)
    if found is not None and found.is_provisional:
        # It may lie anywhere between, for reasons of ours: no interval of it may be quoted.
        return found.low, found.high
    value = mean.value or 0.0
    return value if mean.low is None else mean.low, value if mean.high is None else mean.high


def _band(people: PeoplesFigures, sort: SortKey, x: object, left: int, longest: int) -> Band | None:
    """Draw people's means; None while answers of too few of them are graded."""
    assert callable(x)
    spread, mean = people.of_a_person.get(sort), people.means[sort]
    name = {"people": people.who.shorten(longest).label}
    if mean.range:
        low, high, middle = mean.range.low, mean.range.high, ""
        label = _("%(people)s: range of the mean") % name
    elif spread is None or mean.value is None:
        return None
    else:
        low, high, middle = spread.lower, spread.upper, x(mean.value)
        label = _("%(people)s: mean and middle half") % name
    width = f"{float(x(high)) - float(x(low)):.1f}"
    return Band(x=x(low), width=width, middle=middle, label=label, sample_x=left)


def say_title(sort: SortKey) -> str:
    if sort == "eed":
        return _("Mean EED of each solver, with its 95 % interval and rank range")
    return _("Accuracy of each solver, with its 95 % interval and rank range")


def say_in_words(rows: Sequence[Shown], sort: SortKey) -> str:
    """Say what the picture shows: the extremes, and where the numbers are."""
    quoted = [(mean.value, one) for one in rows if (mean := one.row.quote(sort)).value is not None]
    said = {"title": say_title(sort)}
    if not quoted:
        return _("%(title)s. Not all answers are graded. The table below has all numbers.") % said
    low, last = min(quoted, key=lambda one: one[0])
    high, best = max(quoted, key=lambda one: one[0])
    said |= {"best": best.row.name, "high": f"{high:.1f}"}
    if low == high:
        return _("%(title)s: %(best)s has %(high)s. The table below has all numbers.") % said
    said |= {"last": last.row.name, "low": f"{low:.1f}"}
    return (
        _(
            "%(title)s: from %(best)s with %(high)s to %(last)s with %(low)s. The table below has"
            " all numbers."
        )
        % said
    )
