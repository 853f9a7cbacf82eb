"""What a grading run would change on the boards: ranks and means of each row, before and after."""

from collections.abc import Callable
from dataclasses import dataclass

from curation.versions.models import BenchmarkVersion
from grading.answers.runs.models import GradingRun
from grading.board.figures import SORTS, PeoplesFigures, SortKey
from grading.board.scores.scope import Scope
from grading.board.table import Board, BoardRow, show_board
from phybench_grader.statistics.clusters import ClusteredMean
from phybench_grader.statistics.metrics import Mean
from phybench_grader.statistics.provisional import Range
from phybench_grader.statistics.ranks import RankRange


@dataclass(frozen=True, slots=True)
class Place:
    """Where a row stands by one figure; without ranks it is not finished, or not ranked."""

    sort: SortKey
    before: RankRange | None
    after: RankRange | None
    mean_before: Mean | ClusteredMean
    mean_after: Mean | ClusteredMean
    range_before: Range | None = None
    """Where the mean can lie while not all is graded."""
    range_after: Range | None = None

    @property
    def has_moved(self) -> bool:
        return self.before != self.after


@dataclass(frozen=True, slots=True)
class MovedRow:
    """One row of a board, by what counts and by the run."""

    name: str
    places: tuple[Place, ...]

    @property
    def has_other_rank(self) -> bool:
        return any(one.has_moved for one in self.places)

    @property
    def has_moved(self) -> bool:
        """Whether anything that the board says of it is another."""
        return self.has_other_rank or any(
            (one.mean_before.value, one.mean_before.low, one.mean_before.high, one.range_before)
            != (one.mean_after.value, one.mean_after.low, one.mean_after.high, one.range_after)
            for one in self.places
        )


@dataclass(frozen=True, slots=True)
class MovedBoard:
    version: BenchmarkVersion | None
    rows: list[MovedRow]
    """All, best first by what counts now, and each group of people."""
    is_coming: bool = False
    """Whether a worker still looks for the ranks."""

    @property
    def moved(self) -> list[MovedRow]:
        return [row for row in self.rows if row.has_moved]

    @property
    def ranks_changed(self) -> int:
        return sum(row.has_other_rank for row in self.rows)


Make = Callable[..., Board]


def compare_boards(run: GradingRun, make: Make = show_board) -> list[MovedBoard]:
    """
    Set each board of a run's benchmark as it is beside what it would be; the newest first.

    Args:
        make: `show_board`, or where nothing comes after and one can wait `rank_board`.
    """
    versions = BenchmarkVersion.objects.published().filter(benchmark=run.benchmark_id)
    scopes = [Scope.of(one) for one in versions.select_related("benchmark").order_by("-number")]
    boards = [_compare(run, scope, make) for scope in [*scopes, Scope(run.benchmark)]]
    return [one for one in boards if one.rows]


def _compare(run: GradingRun, scope: Scope, make: Make) -> MovedBoard:
    beside = None if run.is_proposed else run.base
    now, new = make(scope, run=beside), make(scope, run=run)
    after = {row.submission: row for row in new.models}
    rows = [_compare_rows(row, after[row.submission]) for row in now.rows]
    people = {one.who.study_pk: one for one in new.peoples}
    rows += [
        _compare_people(one, people[one.who.study_pk])
        for one in now.peoples
        if one.who.study_pk in people
    ]
    return MovedBoard(scope.version, rows, is_coming=now.is_coming or new.is_coming)


def _compare_rows(before: BoardRow, after: BoardRow) -> MovedRow:
    return MovedRow(
        before.name,
        tuple(
            Place(
                sort,
                before.rank(sort),
                after.rank(sort),
                before.mean(sort),
                after.mean(sort),
                before.range(sort),
                after.range(sort),
            )
            for sort in SORTS
        ),
    )


def _compare_people(before: PeoplesFigures, after: PeoplesFigures) -> MovedRow:
    return MovedRow(
        before.who.label,
        tuple(
            Place(sort, None, None, now, new, now.range, new.range)
            for sort in SORTS
            for now, new in [(before.means[sort], after.means[sort])]
        ),
    )
