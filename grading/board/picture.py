"""The board as a picture: means with their intervals, the ranks beside them, people behind."""

from collections.abc import Sequence

from django.utils.translation import gettext as _

from grading.board.columns import Shown
from grading.board.figures import PeoplesFigures, SortKey
from phybench.pages.charts import Band, Figure, PointRow, Points


def make_chart(
    rows: Sequence[Shown], people: PeoplesFigures | None, sort: SortKey, *, is_narrow: bool = False
) -> Points:
    """Return what is drawn; of people's titles what a picture has room for."""
    return Points(
        say_title(sort),
        _("Mean EED") if sort == "eed" else _("Accuracy, %"),
        [
            PointRow(
                one.row.name,
                _read(one, sort),
                str(one.row.rank(sort) or ""),
                is_faint=one.row.stands_apart or one.row.waiting > 0,
            )
            for one in rows
        ],
        notes=_("Rank"),
        band=_make_band(people, sort, 18 if is_narrow else 60) if people else None,
    )


def _read(shown: Shown, sort: SortKey) -> Figure:
    mean, quoted, found = shown.row.mean(sort), shown.row.quote(sort), shown.row.range(sort)
    if found is not None and found.is_provisional:
        # It may lie anywhere between, for reasons of ours: no interval of it may be quoted.
        return Figure(quoted.value, found.low, found.high)
    low = mean.value if mean.low is None else mean.low
    high = mean.value if mean.high is None else mean.high
    return Figure(quoted.value, low, high)


def _make_band(people: PeoplesFigures, sort: SortKey, longest: int) -> Band | None:
    """Say where people's means lie; None while answers of too few of them are graded."""
    spread, mean = people.of_a_person.get(sort), people.means[sort]
    name = {"people": people.who.shorten(longest).label}
    if mean.range:
        label = _("%(people)s: range of the mean") % name
        return Band(label, Figure(None, mean.range.low, mean.range.high))
    if spread is None or mean.value is None:
        return None
    label = _("%(people)s: mean and middle half") % name
    return Band(label, Figure(mean.value, spread.lower, spread.upper))


def say_title(sort: SortKey) -> str:
    if sort == "eed":
        return _("Mean EED of each solver, with its 95 % interval and rank range")
    return _("Accuracy of each solver, with its 95 % interval and rank range")


def say_in_words(chart: Points) -> str:
    """Say what the picture shows: the extremes, and where the numbers are."""
    quoted = [(value, one) for one in chart.rows if (value := one.figure.value) is not None]
    said = {"title": chart.title}
    if not quoted:
        return _("%(title)s. Not all answers are graded. The table below has all numbers.") % said
    low, last = min(quoted, key=lambda one: one[0])
    high, best = max(quoted, key=lambda one: one[0])
    said |= {"best": best.name, "high": f"{high:.1f}"}
    if low == high:
        return _("%(title)s: %(best)s has %(high)s. The table below has all numbers.") % said
    said |= {"last": last.name, "low": f"{low:.1f}"}
    return (
        _(
            "%(title)s: from %(best)s with %(high)s to %(last)s with %(low)s. The table below has"
            " all numbers."
        )
        % said
    )
