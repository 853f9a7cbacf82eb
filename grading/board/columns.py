"""
The columns of the board, as data: adding one is adding an entry to `COLUMNS`.

An entry has a heading, what a row shows below it, what the file says, and how it is sorted.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from grading.board.figures import PeoplesFigures, SortKey
from grading.board.sensitivity import Sensitivity
from grading.board.table import Board, BoardRow, say_why_unranked
from phybench_grader.statistics.clusters import ClusteredMean
from phybench_grader.statistics.metrics import Mean
from phybench_grader.statistics.provisional import Range

if TYPE_CHECKING:
    from django.utils.functional import _StrOrPromise


@dataclass(frozen=True, slots=True)
class Cell:
    """What a row shows below one heading."""

    value: str
    interval: str = ""
    note: str = ""
    """Small print below it."""

    @property
    def is_none(self) -> bool:
        """Whether it counts nothing, as one hopes of what is unreadable."""
        return self.value == "0"


@dataclass(frozen=True, slots=True)
class Shown:
    """A row with what its columns ask for."""

    row: BoardRow
    sort: SortKey
    sensitivity: Sensitivity | None = None


@dataclass(frozen=True, slots=True)
class Column:
    name: str
    """In the address where one sorts by it."""
    label: "_StrOrPromise"
    cell: Callable[[Shown], Cell]
    file: Mapping[str, Callable[[Shown], object]]
    """What the file says, by heading."""
    key: Callable[[Shown], float | str | None] | None = None
    """What rows are sorted by; None where they can't be."""
    begins_high: bool = True
    """Whether the first click on the heading lists the highest first."""
    help: "_StrOrPromise" = ""
    short: "_StrOrPromise" = ""
    """Its label on a phone, where two figures share a line."""
    is_number: bool = True
    is_shown: Callable[[Sequence[Shown]], bool] = field(default=lambda _rows: True)
    """Whether a board with these rows has it at all."""


NOTHING = Cell("–")


def _rank(shown: Shown) -> Cell:
    found = shown.row.rank(shown.sort)
    return Cell(str(found)) if found else NOTHING


def _show_mean(mean: Mean, found: Range | None) -> Cell:
    """Show a mean with its interval; while some of it is not graded, where it can lie."""
    quoted = mean.quote(found)
    interval = "" if quoted.low is None else f"{quoted.low:.1f}–{quoted.high:.1f}"
    return Cell(mean.say(found), interval, _("rough") if quoted.is_rough else "")


def _mean_column(key: SortKey, label: "_StrOrPromise", short: "_StrOrPromise") -> Column:
    def mean(shown: Shown) -> Mean:
        return shown.row.mean(key)

    def end(shown: Shown, name: str) -> float | None:
        found = shown.row.range(key)
        return getattr(found, name) if found else None

    return Column(
        key,
        label,
        lambda shown: _show_mean(mean(shown), shown.row.range(key)),
        {
            key: lambda shown: _write(shown.row.quote(key).value),
            f"{key}_low": lambda shown: _write(shown.row.quote(key).low),
            f"{key}_high": lambda shown: _write(shown.row.quote(key).high),
            f"{key}_method": lambda shown: mean(shown).method.value,
            f"{key}_from": lambda shown: _write(end(shown, "low")),
            f"{key}_to": lambda shown: _write(end(shown, "high")),
        },
        key=lambda shown: shown.row.value(key),
        short=short,
    )


def _show_sensitivity(shown: Shown) -> Cell:
    found = shown.sensitivity
    if found is None or found.rate.value is None:
        return NOTHING
    rate = found.rate
    interval = "" if rate.low is None else f"{rate.low:.1f}–{rate.high:.1f}"
    return Cell(f"{rate.value:.1f}", interval, _("by self-reported labels") if found.is_own else "")


def _show_answered(shown: Shown) -> Cell:
    figures = shown.row.figures
    return Cell(
        _("%(answered)d of %(asked)d") % {"answered": figures.answered, "asked": figures.asked},
        note=_samples(figures.samples) if figures.samples > 1 else "",
    )


def _samples(count: int) -> str:
    return ngettext("%d answer per problem", "%d answers per problem", count) % count


def _count(name: str, label: "_StrOrPromise", count: Callable[[Shown], int | None]) -> Column:
    return Column(
        name,
        label,
        lambda shown: NOTHING if (found := count(shown)) is None else Cell(str(found)),
        {name: count},
        key=lambda shown: float(count(shown) or 0),
    )


def _count_unreadable(shown: Shown) -> int | None:
    return None if _is_open(shown) else shown.row.tally.unreadable


def _count_ungraded(shown: Shown) -> int | None:
    return None if _is_open(shown) else shown.row.tally.ungraded


def _count_missing(shown: Shown) -> int | None:
    return None if shown.row.is_provisional else shown.row.tally.missing


def _is_open(shown: Shown) -> bool:
    """Whether it is not known what came of the row's answers: then no count of that is 0."""
    tally = shown.row.tally
    is_untried = shown.row.waiting > 0 and tally.scored == tally.ungraded == 0
    return is_untried or shown.row.is_provisional


def _show_hidden(shown: Shown) -> Cell:
    found = shown.row.hidden
    if found is None:
        return NOTHING
    if found.figure is None:
        return Cell(_("no better"))
    if found.is_better:
        return Cell(f"{found.figure} %")
    return Cell(_("no better than %(figure)d %%") % {"figure": found.figure})


def _hidden(shown: Shown) -> str:
    found = shown.row.hidden
    if found is None or found.figure is None:
        return ""
    return f"{found.figure}" if found.is_better else f"<={found.figure}"


def _published(shown: Shown) -> str:
    at = shown.row.submission.published_at
    return at.date().isoformat() if at else ""


COLUMNS: tuple[Column, ...] = (
    Column(
        "rank",
        gettext_lazy("Rank"),
        _rank,
        {
            "rank_low": lambda shown: _end_of_rank(shown, "low"),
            "rank_high": lambda shown: _end_of_rank(shown, "high"),
            "why_unranked": lambda shown: shown.row.unranked or "",
        },
        is_shown=lambda rows: any(one.row.rank(one.sort) for one in rows),
    ),
    _mean_column("eed", gettext_lazy("Mean EED"), gettext_lazy("EED")),
    _mean_column("accuracy", gettext_lazy("Accuracy, %"), gettext_lazy("Accuracy")),
    Column(
        "if_people_had_judged",
        gettext_lazy("If judged by people, %"),
        _show_sensitivity,
        {
            "if_people_had_judged": lambda shown: _rate(shown, "value"),
            "if_people_had_judged_low": lambda shown: _rate(shown, "low"),
            "if_people_had_judged_high": lambda shown: _rate(shown, "high"),
            "by_own_labels": lambda shown: _say_own(shown.sensitivity),
        },
        key=lambda shown: shown.sensitivity.rate.value if shown.sensitivity else None,
        is_shown=lambda rows: any(one.sensitivity for one in rows),
    ),
    Column(
        "answered",
        gettext_lazy("Answered"),
        _show_answered,
        {
            "answered": lambda shown: shown.row.figures.answered,
            "asked": lambda shown: shown.row.figures.asked,
            "samples": lambda shown: shown.row.figures.samples,
            "scored": lambda shown: None if shown.row.is_provisional else shown.row.tally.scored,
        },
        key=lambda shown: float(shown.row.figures.answered),
    ),
    _count("unreadable", gettext_lazy("Unreadable"), _count_unreadable),
    _count("missing", gettext_lazy("Missing"), _count_missing),
    _count("not_graded", gettext_lazy("Not graded"), _count_ungraded),
    Column(
        "hidden",
        gettext_lazy("Hidden part"),
        _show_hidden,
        {"hidden_accuracy": _hidden},
        is_shown=lambda rows: any(one.row.hidden for one in rows),
    ),
    Column(
        "date",
        gettext_lazy("Published"),
        lambda shown: Cell(
            date_format(timezone.localtime(shown.row.submission.published_at), "DATE_FORMAT")
            if shown.row.submission.published_at
            else "–"
        ),
        {
            "published": _published,
            "handed_in": lambda shown: shown.row.submission.created_at.isoformat(),
        },
        key=_published,
    ),
)
ABOUT: Mapping[str, Callable[[Shown], object]] = {
    "solver": lambda shown: shown.row.name,
    "organisation": lambda shown: shown.row.solver.organisation,
    "kind": lambda shown: "model",
    "model_kind": lambda shown: shown.row.traits.kind.lower(),
    "parameters": lambda shown: shown.row.traits.parameters,
    "developer": lambda shown: shown.row.traits.developer,
    "number": lambda shown: shown.row.submission.number,
    "of": lambda shown: shown.row.of,
    "waiting": lambda shown: shown.row.waiting,
    "provisional": lambda shown: (
        "yes"
        if shown.row.is_provisional or shown.row.tally.is_provisional or shown.row.waiting
        else "no"
    ),
    "carried_from": lambda shown: shown.row.carried_from,
}
"""What the file says of each row besides its columns."""
NAME_KEYS: Mapping[str, Callable[[Shown], str]] = {
    "solver": lambda shown: shown.row.name.lower(),
    "organisation": lambda shown: str(shown.row.solver.organisation or "").lower(),
}
"""What else rows are sorted by."""


def _write(value: float | None) -> str:
    return "" if value is None else f"{value:.2f}"


def _rate(shown: Shown, end: str) -> str:
    return _write(getattr(shown.sensitivity.rate, end)) if shown.sensitivity else ""


def _say_own(found: Sensitivity | None) -> str:
    return "" if found is None else "yes" if found.is_own else "no"


def _end_of_rank(shown: Shown, end: str) -> int | None:
    found = shown.row.rank(shown.sort)
    return getattr(found, end) if found else None


def choose_columns(rows: Sequence[Shown]) -> list[Column]:
    """Return the columns that a board with these rows has."""
    return [column for column in COLUMNS if column.is_shown(rows)]


OF_PEOPLE = ("people", "study", "clock_minutes", "minutes_a_session", "minutes_a_problem")
"""Columns of the file that only lines of people fill; minutes are medians."""


def list_headings() -> list[str]:
    """Return the first line of the file: the same for every board."""
    return [*ABOUT, *(name for column in COLUMNS for name in column.file), *OF_PEOPLE]


def list_values(shown: Shown) -> list[object]:
    """Return a row's line of the file."""
    return [
        *(value(shown) for value in ABOUT.values()),
        *(value(shown) for column in COLUMNS for value in column.file.values()),
        *("" for _name in OF_PEOPLE),
    ]


def list_peoples_values(people: PeoplesFigures) -> list[object]:
    """Return the file's line of people together; what does not apply to them is empty."""
    known: dict[str, object] = {
        "solver": people.who.name,
        "kind": "people",
        "study": people.who.study,
        "answered": people.answers,
        "scored": people.answers,
        "unreadable": people.unreadable,
        "not_graded": people.ungraded,
        "provisional": "yes" if people.ungraded else "no",
        "people": people.who.people,
        "clock_minutes": people.clock or "",
        "minutes_a_session": _write_minutes(people.minutes_a_session),
        "minutes_a_problem": _write_minutes(people.minutes_a_problem),
    }
    for key, mean in people.means.items():
        ends = {key: mean.value, f"{key}_low": mean.low, f"{key}_high": mean.high}
        ends[f"{key}_from"] = mean.range.low if mean.range else mean.value
        ends[f"{key}_to"] = mean.range.high if mean.range else mean.value
        known |= {name: _write(value) for name, value in ends.items()}
    return [known.get(name, "") for name in list_headings()]


def _write_minutes(minutes: float | None) -> str:
    return "" if minutes is None else f"{minutes:.1f}"


def list_peoples_cells(
    people: PeoplesFigures, columns: Sequence[Column]
) -> list[tuple[Column, Cell]]:
    """Write people together below the columns of models; what does not apply to them is a dash."""
    known = {
        **{key: _show_peoples_mean(mean) for key, mean in people.means.items()},
        "answered": Cell(str(people.answers)),
        "unreadable": Cell(str(people.unreadable)),
        "not_graded": Cell(str(people.ungraded)),
    }
    return [(column, known.get(column.name, NOTHING)) for column in columns]


def _show_peoples_mean(mean: ClusteredMean) -> Cell:
    return Cell(mean.say(), "" if mean.low is None else f"{mean.low:.1f}–{mean.high:.1f}")


def sort_rows(rows: Sequence[Shown], asked: str) -> list[Shown]:
    """Sort by what an address asks for; what it does not say, or can't be sorted by, stays."""
    name = asked.removeprefix("-")
    keys: dict[str, Callable[[Shown], float | str | None]] = {
        column.name: column.key for column in COLUMNS if column.key
    }
    key = {**keys, **NAME_KEYS}.get(name)
    if key is None:
        return list(rows)
    # What has no value comes last both ways.
    known = [one for one in rows if key(one) is not None]
    unknown = [one for one in rows if key(one) is None]
    return [*sorted(known, key=key, reverse=asked.startswith("-")), *unknown]  # type: ignore[arg-type]


@dataclass(frozen=True, slots=True)
class Line:
    """A row of the table, cell by cell."""

    shown: Shown
    cells: list[tuple[Column, Cell]]

    @property
    def row(self) -> BoardRow:
        return self.shown.row

    @property
    def why_unranked(self) -> str:
        """Say why a row has no rank, where it has none and this is no matter of the whole board."""
        return say_why_unranked(self.shown.row.unranked)


def draw_up(rows: Sequence[Shown], columns: Sequence[Column]) -> list[Line]:
    """Write the cells of a table's rows."""
    return [Line(one, [(column, column.cell(one)) for column in columns]) for one in rows]


def describe(board: Board, sensitivities: Mapping[int, Sensitivity]) -> list[Shown]:
    """Return a board's rows with what its columns ask for, best first."""
    return [Shown(row, board.sort, sensitivities.get(row.submission.pk)) for row in board.rows]
