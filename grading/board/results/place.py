"""Where a submission stands on its version's board, or would: by what the board shows of others."""

from dataclasses import dataclass

from grading.answers.submissions.models import Submission
from grading.answers.tallies.collected import Answers
from grading.board.figures import PeoplesFigures, sum_up_row
from grading.board.scores.collecting import Standing
from grading.board.scores.scope import Scope
from grading.board.table import Board, Unranked, find_obstacle, say_why_unranked, show_board
from phybench_grader.statistics.metrics import Tally
from phybench_grader.statistics.ranks import Ends, RankRange, place_among


@dataclass(frozen=True, slots=True)
class Place:
    """The rank of a submission by mean EED, and the people beside it."""

    is_on_board: bool
    of: int
    """Models with a rank, this one among them."""
    ranks: RankRange | None = None
    unranked: Unranked | None = None
    people: PeoplesFigures | None = None
    """The human baseline; None where the board has none."""

    @property
    def why(self) -> str:
        return say_why_unranked(self.unranked)


def find_place(submission: Submission, answers: Answers) -> Place:
    """
    Find the ranks that a submission has, or that it would take in its model's name.

    Of others only what everybody sees of them is used: compared problem by problem, submissions
    that nobody else sees would tell, one after the other, what other models have right.
    """
    version = submission.version
    scope = Scope.of(version) if version else Scope(submission.benchmark)
    board = show_board(scope)
    people = next((one for one in board.peoples if one.who.is_baseline), None)
    row = next((one for one in board.models if one.submission.pk == submission.pk), None)
    others = _list_others(board, submission)
    of = len(others) + 1
    if row:
        return Place(True, of, row.rank("eed"), row.unranked, people)
    kept = answers.keep(set(scope.problems)) if version else answers
    figures = sum_up_row(scope, Standing(submission, 0, 0), kept)
    if unranked := find_obstacle(figures):
        return Place(False, of, None, unranked, people)
    ranks = place_among(_find_ends(figures.tally), [_find_ends(one) for one in others])
    return Place(False, of, ranks, None, people)


def _list_others(board: Board, submission: Submission) -> list[Tally]:
    """List what other models with a rank score; its own model's row is the one it would take."""
    return [
        one.tally
        for one in board.models
        if one.unranked in (None, Unranked.COMING) and one.solver.pk != submission.solver_id
    ]


def _find_ends(tally: Tally) -> Ends:
    """Return a mean and its ends: by chance, and by what we could not grade."""
    mean, found = tally.eed, tally.eed_range
    value = mean.value or 0.0
    low = value if mean.low is None else mean.low
    high = value if mean.high is None else mean.high
    return (value, min(low, found.low), max(high, found.high)) if found else (value, low, high)
