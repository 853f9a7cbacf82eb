"""The problems that a submission was asked, each with what became of its answers."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypedDict

from django.db.models import (
    Case,
    Count,
    Exists,
    F,
    FilteredRelation,
    FloatField,
    OuterRef,
    Q,
    QuerySet,
    Subquery,
    Sum,
    Value,
    When,
)
from django.db.models.functions import Coalesce, NullIf

from curation.problems.models import Problem, Revision
from grading.answers.models import Attempt, VerdictChoice, with_grade
from grading.answers.runs.models import GradingRun
from grading.answers.submissions.models import Submission
from grading.submissions.results.mistakes import list_mistakes
from phybench_grader.numbers.sentences import Sentence
from phybench_grader.reading.transcript import plain

if TYPE_CHECKING:
    from django_stubs_ext import WithAnnotations

MISSING = "MISSING"
WAITING = "WAITING"
WRONG = (VerdictChoice.PARTIAL, VerdictChoice.INCORRECT)
LONGEST_SET = 600
"""Characters of LaTeX; what is longer would fill the page, and is shown on the answer's own."""


class Score(TypedDict):
    """What `with_score` adds to a problem."""

    score: float | None
    """Mean EED of its answers; None while one waits, and where none could be graded."""
    turn: int
    """0 where an answer is wrong or could not be read, 2 where all are right, 1 of the rest."""


def list_problems(submission: Submission) -> QuerySet[Problem]:
    """Return the public problems that there were to be answered, and those that were."""
    if submission.version is not None:
        return Problem.objects.filter(pk__in=submission.version.items.public().values("problem"))
    answered = submission.attempts.values("revision__problem")
    there = Q(benchmark=submission.benchmark_id, accepted_at__lte=submission.created_at)
    return Problem.objects.filter(there | Q(pk__in=answered))


def list_graded(submission: Submission) -> QuerySet[Attempt]:
    """Return answers to the problem of the query around, each with its `verdict` and `eed`."""
    runs = GradingRun.objects.adopted().filter(benchmark=submission.benchmark_id)
    return (
        submission.attempts.filter(revision__problem=OuterRef("pk"))
        .annotate(
            graded=FilteredRelation(
                "grades", condition=Q(grades__run__in=Subquery(runs.order_by().values("pk")))
            ),
            verdict=F("graded__verdict"),
            eed=F("graded__eed"),
        )
        .order_by()
    )


def with_score(
    problems: QuerySet[Problem], submission: Submission, *, most: int
) -> "QuerySet[WithAnnotations[Problem, Score]]":
    """
    Add to each problem the mean EED of a submission's answers to it, and its turn: wrong first.

    As `phybench_grader.statistics.metrics.tally` has it: an answer less than to others counts 0,
    and so does a problem without any; what we could not grade is left out.

    Args:
        most: answers that the problem has that has most of them.
    """
    waits = Q(status__in=[Attempt.Status.QUEUED, Attempt.Status.GRADING])
    counted = NullIf(Count("eed") + Value(most) - Count("pk"), Value(0))
    mean = Case(
        When(Q(waiting__gt=0), then=Value(None)),
        default=Coalesce(Sum("eed"), Value(0.0)) / counted,
        output_field=FloatField(),
    )
    answers = list_graded(submission)
    scores = (
        answers.values("submission")
        .annotate(waiting=Count("pk", filter=waits), mean=mean)
        .values("mean")
    )
    is_wrong = Q(verdict__in=[*WRONG, VerdictChoice.UNREADABLE])
    return problems.annotate(
        score=Case(
            When(Exists(answers), then=Subquery(scores, output_field=FloatField())),
            default=Value(0.0),
            output_field=FloatField(),
        ),
        turn=Case(
            When(Exists(answers.filter(is_wrong)), then=Value(0)),
            When(score=100.0, then=Value(2)),
            default=Value(1),
        ),
    )


@dataclass(frozen=True, slots=True)
class Sample:
    """One answer to a problem, or that there is none."""

    number: int
    kind: str
    """A verdict, `FAILED`, `CANCELLED`, `WAITING` or `MISSING`."""
    attempt: int | None = None
    accuracy: float | None = None
    eed: float | None = None
    reason: str = ""
    read: str = ""
    """In LaTeX, as it was read."""
    canonical: str = ""
    """The same as we write it."""
    units: Sequence[str] = ()
    """What was left out of it as a unit."""
    why: Sentence | None = None
    """Why nothing was read."""
    is_key_corrected: bool = False


@dataclass(frozen=True, slots=True)
class ReadAnswer:
    """What most of the answers to a problem were read as."""

    latex: str
    count: int
    of: int
    """How many answers could be read."""

    @property
    def is_long(self) -> bool:
        return len(self.latex) > LONGEST_SET


@dataclass(frozen=True, slots=True)
class AnsweredProblem:
    """One row of a submission's page."""

    problem: Problem
    samples: Sequence[Sample]
    score: float | None = None
    mistakes: Sequence[str] = ()
    """What is wrong with its wrong answers by the problem's text alone."""

    @property
    def read(self) -> ReadAnswer | None:
        """What the answers were read as: that of most of them, of equally many the first."""
        texts = Counter(one.read for one in self.samples if one.read)
        if not texts:
            return None
        latex, count = texts.most_common(1)[0]
        return ReadAnswer(latex, count, texts.total())

    @property
    def why(self) -> Sentence | None:
        """Why none was read, of the first answer that says it."""
        return next((one.why for one in self.samples if one.why), None)

    @property
    def counts(self) -> list[tuple[str, int]]:
        """How many answers are of each kind, as they first come."""
        return list(Counter(one.kind for one in self.samples).items())

    @property
    def first_attempt(self) -> int | None:
        return next((one.attempt for one in self.samples if one.attempt), None)

    @property
    def is_key_corrected(self) -> bool:
        return any(one.is_key_corrected for one in self.samples)


def list_samples(
    submission: Submission, problems: Collection[int] | None = None, *, most: int
) -> dict[int, list[Sample]]:
    """List answers by problem, in their order; what is lacking to one is listed as missing."""
    attempts = submission.attempts.all()
    if problems is not None:
        attempts = attempts.filter(revision__problem__in=problems)
    rows = (
        with_grade(attempts, benchmark=submission.benchmark)
        .order_by("revision__problem", "sample")
        .values_list(
            "revision__problem_id",
            "sample",
            "pk",
            "status",
            "verdict",
            "accuracy",
            "eed",
            "reason",
            "failure_reason",
            "current_grade__answer_typed",
            "current_grade__answer_read",
            "current_grade__notes",
            "current_grade__message",
            "is_key_corrected",
        )
    )
    found: dict[int, list[Sample]] = defaultdict(list)
    for problem, number, pk, status, verdict, accuracy, eed, *rest in rows:
        reason, failure, typed, read, notes, why, is_corrected = rest
        is_graded = status == Attempt.Status.GRADED
        found[problem].append(
            Sample(
                number=number,
                kind=name_kind(status, verdict),
                attempt=pk,
                accuracy=accuracy if is_graded else None,
                eed=eed if is_graded else None,
                reason=(reason if is_graded else failure) or "",
                read=(plain(typed) or read) if is_graded and read else "",
                canonical=read or "",
                units=[one["unit"] for one in notes or () if one["code"] == "unit_left_out"],
                why=why if is_graded else None,
                is_key_corrected=is_corrected,
            )
        )
    for problem in found if problems is None else problems:
        found[problem] = fill_up(found[problem], most)
    return dict(found)


def name_kind(status: str, verdict: str | None) -> str:
    if status == Attempt.Status.GRADED:
        return verdict or ""
    return status if status in {Attempt.Status.FAILED, Attempt.Status.CANCELLED} else WAITING


def fill_up(samples: Sequence[Sample], most: int) -> list[Sample]:
    """Put in what is missing: as many as other problems have, and one where none has any."""
    numbers = {one.number for one in samples}
    lacking = max(1, most) - len(samples)
    free = (number for number in range(1, len(samples) + lacking + 1) if number not in numbers)
    missing = [Sample(number, MISSING) for number, _left in zip(free, range(lacking), strict=False)]
    return sorted([*samples, *missing], key=lambda one: one.number)


def describe_page(
    submission: Submission,
    problems: "Iterable[WithAnnotations[Problem, Score]]",
    samples: Mapping[int, Sequence[Sample]],
) -> list[AnsweredProblem]:
    """Put the problems of a page together with their answers, as `list_samples` gives these."""
    shown = list(problems)
    answered = submission.attempts.filter(revision__problem__in=[one.pk for one in shown])
    texts = Revision.objects.filter(pk__in=answered.order_by().values("revision"))
    revisions = {one.problem_id: one for one in texts}
    mistakes = {
        problem: list_mistakes(
            revision, [(one.canonical, one.units) for one in samples[problem] if one.kind in WRONG]
        )
        for problem, revision in revisions.items()
    }
    return [
        AnsweredProblem(one, samples[one.pk], one.score, mistakes.get(one.pk, ())) for one in shown
    ]
