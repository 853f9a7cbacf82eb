"""How a model's submissions stand: what each scored, and what was said of the model then."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from django.contrib.postgres.aggregates import ArrayAgg

from grading import permissions
from grading.answers.models import Attempt, Submission, VerdictChoice, with_grade
from grading.answers.publication import choose_ranked
from grading.solvers.models import Description, Solver
from grading.statistics.metrics import AlikeAnswers, Tally, count_lacking, tally_alike
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


@dataclass(slots=True)
class Answers:
    outcomes: list[AlikeAnswers] = field(default_factory=list)
    given: Counter[int] = field(default_factory=Counter)
    """How many to each problem, waiting ones included."""
    waiting: int = 0


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
    ranked = _find_ranked(every)
    known = set(permissions.list_submissions_of(solver, viewer).values_list("pk", flat=True))
    shown = [one for one in every if one.pk in known]
    answers = _collect(shown)
    return [
        StandingSubmission(
            submission=one,
            of=counts[one.benchmark_id],
            tally=tally_alike(
                answers[one.pk].outcomes,
                missing=max(0, one.expected - len(answers[one.pk].given)),
                lacking=count_lacking(answers[one.pk].given),
            ),
            waiting=answers[one.pk].waiting,
            is_ranked=one.pk in ranked,
            description=_find_held(one, descriptions),
        )
        for one in shown
    ]


def _find_ranked(submissions: Iterable[Submission]) -> set[int]:
    """Return those that stand on the boards of their versions."""
    unseen = Attempt.objects.unseen().filter(submission__in=submissions)
    waiting = set(unseen.values_list("submission", flat=True))
    alike: dict[tuple[int, int | None], list[Submission]] = defaultdict(list)
    for one in submissions:
        alike[one.benchmark_id, one.version_id].append(one)
    chosen = (choose_ranked(theirs, waiting=waiting) for theirs in alike.values())
    return {one.pk for one in chosen if one and one.published_at and not one.withdrawn_at}


def _collect(submissions: Iterable[Submission]) -> dict[int, Answers]:
    """Put answers together that had the same outcome, as the board does, in one query."""
    attempts = with_grade(Attempt.objects.filter(submission__in=submissions))
    alike = attempts.order_by().values_list("submission_id", "status", "verdict", "accuracy")
    found: dict[int, Answers] = defaultdict(Answers)
    for submission, status, verdict, accuracy, problems, eeds in alike.annotate(
        problems=ArrayAgg("revision__problem_id"), eeds=ArrayAgg("eed")
    ):
        answers = found[submission]
        answers.given.update(problems)
        if status == Attempt.Status.GRADED:
            is_unreadable = verdict == VerdictChoice.UNREADABLE
            answers.outcomes.append(AlikeAnswers(problems, accuracy, eeds, is_unreadable))
        elif status == Attempt.Status.FAILED:
            answers.outcomes.append(AlikeAnswers(problems))
        else:
            answers.waiting += len(problems)
    return found


def _find_held(submission: Submission, descriptions: Sequence[Description]) -> Description | None:
    """Find what was said when a submission was published, of what lies newest first."""
    at = submission.published_at
    return next((one for one in descriptions if at and one.described_at <= at), None)
