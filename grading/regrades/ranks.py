"""What a grading run would change on the boards: ranks and means of each row, before and after."""

from dataclasses import dataclass

from curation.versions.models import BenchmarkVersion
from grading.board.table import Board, BoardRow, Scope, SortKey, make_board
from grading.runs.models import GradingRun
from grading.statistics.metrics import Mean
from grading.submissions.models import Submission

SORTS: tuple[SortKey, ...] = ("eed", "accuracy")


@dataclass(frozen=True, slots=True)
class Place:
    """Where a row stands by one figure; without a rank it is not finished, or not ranked."""

    sort: SortKey
    before: int | None
    after: int | None
    mean_before: Mean
    mean_after: Mean

    @property
    def has_moved(self) -> bool:
        return self.before != self.after


@dataclass(frozen=True, slots=True)
class MovedRow:
    """One row of a board, by what counts and by the run."""

    name: str
    is_human: bool
    places: tuple[Place, ...]

    @property
    def has_other_rank(self) -> bool:
        return any(one.has_moved for one in self.places)

    @property
    def has_moved(self) -> bool:
        """Whether anything that the board says of it is another."""
        return self.has_other_rank or any(
            (one.mean_before.value, one.mean_before.low, one.mean_before.high)
            != (one.mean_after.value, one.mean_after.low, one.mean_after.high)
            for one in self.places
        )


@dataclass(frozen=True, slots=True)
class MovedBoard:
    version: BenchmarkVersion | None
    rows: list[MovedRow]
    """All, best first by what counts now."""

    @property
    def moved(self) -> list[MovedRow]:
        return [row for row in self.rows if row.has_moved]

    @property
    def ranks_changed(self) -> int:
        return sum(row.has_other_rank for row in self.rows)


def compare_boards(run: GradingRun) -> list[MovedBoard]:
    """Set each board of a run's benchmark as it is beside what it would be; the newest first."""
    versions = BenchmarkVersion.objects.published().filter(benchmark=run.benchmark_id)
    scopes = [Scope.of(one) for one in versions.select_related("benchmark").order_by("-number")]
    boards = [_compare(run, scope) for scope in [*scopes, Scope(run.benchmark)]]
    return [one for one in boards if one.rows]


def _compare(run: GradingRun, scope: Scope) -> MovedBoard:
    beside = None if run.is_proposed else run.base
    now, new = make_board(scope, run=beside), make_board(scope, run=run)
    pairs = [(sort, _index(now.by(sort)), _index(new.by(sort))) for sort in SORTS]
    rows = [
        MovedRow(
            name=row.name,
            is_human=row.is_human,
            places=tuple(
                Place(
                    sort,
                    before[row.submission].rank,
                    after[row.submission].rank,
                    before[row.submission].mean(sort),
                    after[row.submission].mean(sort),
                )
                for sort, before, after in pairs
            ),
        )
        for row in now.rows
    ]
    return MovedBoard(scope.version, rows)


def _index(board: Board) -> dict[Submission | None, BoardRow]:
    """Find a board's rows by their submission; that of people has none."""
    return {row.submission: row for row in board.rows}
