"""How a model's submissions stand: what each scored, and what was said of the model then."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from grading import permissions
from grading.solvers.models import Description, Solver
from grading.statistics.metrics import Tally
from grading.submissions.collected import collect
from grading.submissions.models import Submission
from grading.submissions.publication import find_ranked_of
from phybench.models import User


@dataclass(frozen=True, slots=True)
class StandingSubmission:
    """One submission, as its model's page lists it."""

    submission: Submission
    of: int
    """How many the model has to this benchmark, whatever became of them."""
    tally: Tally
    waiting: int
    """Answers still to be graded."""
    is_ranked: bool
    """Whether it is on the board."""
    description: Description | None
    """What was said of the model when this was published; None where nothing was, or it is not."""

    @property
    def shows_score(self) -> bool:
        """
        Whether its figures are everybody's.

        Those of others are on the submission's own page, which writes down who read them.
        """
        return bool(self.submission.published_at) and not self.submission.withdrawn_at


def list_standing(
    solver: Solver, viewer: User | None, descriptions: Sequence[Description]
) -> list[StandingSubmission]:
    """List what `viewer` may know of a model's submissions, newest first."""
    # All of them: which is ranked hangs on what others don't see, too.
    every = list(
        solver.submissions.select_related("benchmark", "version__benchmark")
        .defer("left_out")
        .order_by("-created_at")
    )
    counts = Counter(one.benchmark_id for one in every)
    ranked = find_ranked_of(every)
    known = set(permissions.list_submissions_of(solver, viewer).values_list("pk", flat=True))
    shown = [one for one in every if one.pk in known]
    answers = collect(shown)
    return [
        StandingSubmission(
            submission=one,
            of=counts[one.benchmark_id],
            tally=answers[one.pk].sum_up(one.expected),
            waiting=answers[one.pk].waiting,
            is_ranked=one.pk in ranked,
            description=_find_held(one, descriptions),
        )
        for one in shown
    ]


def _find_held(submission: Submission, descriptions: Sequence[Description]) -> Description | None:
    """Find what was said when a submission was published, of what lies newest first."""
    at = submission.published_at
    return next((one for one in descriptions if at and one.described_at <= at), None)
