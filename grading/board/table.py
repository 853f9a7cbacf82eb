"""The board of one version of a benchmark: who stands on it, and what is said of each."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum

from django.db.models import Exists, OuterRef
from django.utils.translation import gettext as _

from curation.problems.benchmarks.models import Benchmark
from grading.answers.hidden.models import HiddenBatch
from grading.answers.models import Attempt
from grading.answers.runs.models import GradingRun
from grading.answers.submissions.models import Submission
from grading.board.analyses.actions import ask
from grading.board.figures import (
    BOARD,
    BoardFigures,
    PeoplesFigures,
    RowFigures,
    SortKey,
    read_figures,
    sum_up,
    work_out,
)
from grading.board.scores.collecting import (
    Field,
    ModelTraits,
    Standing,
    arrange,
    find_field,
    name_all,
)
from grading.board.scores.requests import find_scope
from grading.board.scores.scope import Scope
from grading.solvers.models import Solver
from phybench_grader.statistics.metrics import Mean, Tally
from phybench_grader.statistics.provisional import Range
from phybench_grader.statistics.ranks import LEAST_FOR_RANK, RankRange


class Unranked(StrEnum):
    """Why a row has no rank."""

    NEW_PROBLEMS = "NEW_PROBLEMS"
    WAITING = "WAITING"
    UNGRADED = "UNGRADED"
    COVERAGE = "COVERAGE"
    FEW_PROBLEMS = "FEW_PROBLEMS"
    COMING = "COMING"
    """A worker is looking for it."""


@dataclass(frozen=True, slots=True)
class BoardRow:
    """One model's line."""

    name: str
    standing: Standing
    figures: RowFigures
    unranked: Unranked | None = None
    hidden: HiddenBatch | None = None
    """What was told of its answers to the hidden part."""

    @property
    def solver(self) -> Solver:
        return self.submission.solver

    @property
    def submission(self) -> Submission:
        return self.standing.submission

    @property
    def carried_from(self) -> int | None:
        """Return the number of the earlier version that it answered, where it is one."""
        return self.standing.carried_from

    @property
    def is_provisional(self) -> bool:
        """Whether it was not asked all of the problems."""
        return self.unranked is Unranked.NEW_PROBLEMS

    @property
    def traits(self) -> ModelTraits:
        return self.standing.traits

    @property
    def waiting(self) -> int:
        """Count its answers that are graded once more."""
        return self.standing.waiting

    @property
    def of(self) -> int:
        """Count the submissions that the model has handed in, whatever became of them."""
        return self.standing.handed_in

    @property
    def tally(self) -> Tally:
        return self.figures.tally

    @property
    def is_demo(self) -> bool:
        return self.solver.is_demo

    def mean(self, key: SortKey) -> Mean:
        return self.tally.eed if key == "eed" else self.tally.accuracy

    def quote(self, key: SortKey) -> Mean:
        """Return the mean as it may be quoted: without a value while not all is graded."""
        return self.mean(key).quote(self.range(key))

    def range(self, key: SortKey) -> Range | None:
        return self.tally.eed_range if key == "eed" else self.tally.accuracy_range

    def rank(self, key: SortKey) -> RankRange | None:
        return None if self.unranked else self.figures.ranks.get(key)

    @property
    def stands_apart(self) -> bool:
        """Whether it is listed below those that are ranked."""
        return self.is_provisional or self.unranked in (Unranked.UNGRADED, Unranked.COVERAGE)

    def value(self, key: SortKey) -> float | None:
        """Return what the row is sorted by: its mean, or where too much is not graded its low."""
        found = self.range(key)
        is_open = self.unranked in (Unranked.NEW_PROBLEMS, Unranked.UNGRADED, Unranked.WAITING)
        return found.low if is_open and found else self.mean(key).value


@dataclass(frozen=True, slots=True)
class Board:
    scope: Scope
    sort: SortKey
    models: list[BoardRow] = field(default_factory=list)
    people: PeoplesFigures | None = None
    """Those who answered without a study."""
    few_people: int = 0
    """How many people answered so, where they are too few for a row."""
    studies: list[PeoplesFigures] = field(default_factory=list)
    """The human baseline first."""
    withdrawn: Sequence[Submission] = ()
    """Those that stood here once, newest first."""
    better: dict[str, list[tuple[int, int]]] = field(default_factory=dict)
    failure: str = ""
    """Why there are no ranks, where a worker could not find them."""

    @property
    def benchmark(self) -> Benchmark:
        return self.scope.benchmark

    @property
    def rows(self) -> list[BoardRow]:
        """Return the models, best first, and last those that stand apart."""
        return sorted(self.models, key=self._order)

    @property
    def ranked(self) -> list[BoardRow]:
        """Return the rows that don't stand apart."""
        return [row for row in self.rows if not row.stands_apart]

    @property
    def apart(self) -> list[BoardRow]:
        return [row for row in self.rows if row.stands_apart]

    @property
    def figures(self) -> dict[int, RowFigures]:
        """Return those of the rows that are not provisional, by the `pk` of the submission."""
        return {row.submission.pk: row.figures for row in self.models if not row.is_provisional}

    @property
    def is_empty(self) -> bool:
        return not self.models and not self.peoples

    @property
    def peoples(self) -> list[PeoplesFigures]:
        """Return the people of each study, and last those without one."""
        return [*self.studies, *([self.people] if self.people else [])]

    @property
    def is_coming(self) -> bool:
        """Whether ranks are still to be found; with `failure` a worker could not."""
        return any(row.unranked is Unranked.COMING for row in self.models)

    @property
    def lacks_problems(self) -> bool:
        """Whether there are too few problems for any rank."""
        return any(row.unranked is Unranked.FEW_PROBLEMS for row in self.models)

    def by(self, sort: SortKey) -> "Board":
        """Return the same board, ranked by another figure."""
        return replace(self, sort=sort)

    def _order(self, row: BoardRow) -> tuple[bool, bool, float, str]:
        value = row.value(self.sort)
        has_none = row.unranked is Unranked.WAITING or value is None
        return row.stands_apart, has_none, -(value or 0.0), row.name


def boards() -> list[Benchmark]:
    """Return the benchmarks to choose from; the first with any answer of its own is the default."""
    has_answers = Exists(Attempt.objects.filter(revision__problem__benchmark=OuterRef("pk")))
    found = Benchmark.objects.annotate(has_answers=has_answers)
    return list(found.order_by("-has_answers", "is_demo", "-pk"))


def make_board(
    scope: Scope | Benchmark, sort: SortKey = "eed", *, run: GradingRun | None = None
) -> Board:
    """
    Sum a board up here and now, without ranks; of a benchmark the one that it shows by itself.

    Args:
        run: by whose grades, in place of those that count.
    """
    scope = find_scope(scope) if isinstance(scope, Benchmark) else scope
    found = find_field(scope)
    return _put_together(scope, sort, found, sum_up(arrange(scope, run, found)))


def show_board(
    scope: Scope | Benchmark, sort: SortKey = "eed", *, run: GradingRun | None = None
) -> Board:
    """
    Return a board as a worker has worked it out, with ranks; meanwhile one without them.

    As many queries for any number of rows. Where no figures may be told, nobody stands on it.
    """
    scope = find_scope(scope) if isinstance(scope, Benchmark) else scope
    if not scope.is_told:
        return Board(scope, sort)
    found = find_field(scope)
    analysis = ask(BOARD, scope, field=found, run=run)
    if analysis.result is not None:
        return _put_together(scope, sort, found, read_figures(analysis.result))
    summed = sum_up(arrange(scope, run, found))
    return _put_together(scope, sort, found, summed, failure=analysis.failure)


def rank_board(scope: Scope, sort: SortKey = "eed", *, run: GradingRun | None = None) -> Board:
    """Work a board out here and now, ranks and all: for commands, which can wait a second."""
    found = find_field(scope)
    figures = read_figures(work_out(arrange(scope, run, found)))
    return _put_together(scope, sort, found, figures)


def _put_together(
    scope: Scope, sort: SortKey, found: Field, figures: BoardFigures, *, failure: str = ""
) -> Board:
    names = name_all(found)
    hidden = {
        one.submission_id: one
        for one in HiddenBatch.objects.asked().filter(
            submission__in=found.submissions, submission__version=scope.version
        )
    }
    rows = [
        BoardRow(
            name=names[one.submission.pk],
            standing=one,
            figures=figures.rows[one.submission.pk],
            unranked=_find_why_unranked(scope, one, figures),
            hidden=hidden.get(one.submission.pk),
        )
        for one in found.rows
    ]
    return Board(
        scope=scope,
        sort=sort,
        models=rows,
        people=figures.people,
        few_people=figures.few_people,
        studies=figures.studies,
        withdrawn=found.withdrawn,
        better=figures.better,
        failure=failure,
    )


def _find_why_unranked(scope: Scope, standing: Standing, figures: BoardFigures) -> Unranked | None:
    if scope.list_new(standing.submission.version_id):
        return Unranked.NEW_PROBLEMS
    if standing.waiting:
        return Unranked.WAITING
    found = find_obstacle(figures.rows[standing.submission.pk])
    return found or (None if figures.is_ranked else Unranked.COMING)


def find_obstacle(row: RowFigures) -> Unranked | None:
    """Say why a submission that is graded can have no rank, whoever else is on the board."""
    if row.is_ungraded:
        return Unranked.UNGRADED
    if not row.is_covered:
        return Unranked.COVERAGE
    return Unranked.FEW_PROBLEMS if row.asked < LEAST_FOR_RANK else None


def say_why_unranked(why: Unranked | None) -> str:
    """Say why a row has no rank, in a few words."""
    return {
        Unranked.NEW_PROBLEMS: _("provisional: it has not answered the new or changed problems"),
        Unranked.WAITING: _("answers are still being graded"),
        Unranked.UNGRADED: _("we could not grade more than 1 % of its answers"),
        Unranked.COVERAGE: _("it answers fewer than 90 % of the problems"),
        Unranked.FEW_PROBLEMS: _("ranks need at least 30 problems"),
        Unranked.COMING: _("its rank is being calculated"),
        None: "",
    }[why]
