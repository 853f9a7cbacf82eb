"""What became of submissions' answers, put together in one query, and what they come to."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence, Set
from dataclasses import dataclass, field, replace
from itertools import compress

from django.contrib.postgres.aggregates import ArrayAgg
from django.db.models import Case, CharField, Exists, F, OuterRef, Value, When
from django.db.models.expressions import Combinable
from django.db.models.functions import Coalesce

from curation.problems.benchmarks.models import Benchmark
from grading.answers.models import Attempt, VerdictChoice, with_grade
from grading.answers.runs.models import GradingRun, Ungraded
from grading.answers.submissions.models import Submission
from phybench_grader.statistics.metrics import AlikeAnswers, Tally, count_lacking, tally_alike
from phybench_grader.statistics.scores import Scores


@dataclass(slots=True)
class Answers:
    """What is known of one submission's answers."""

    outcomes: list[AlikeAnswers] = field(default_factory=list)
    given: Counter[int] = field(default_factory=Counter)
    """How many to each problem, waiting ones included."""
    counts: Counter[str] = field(default_factory=Counter)
    """How many have each verdict, and how many are `FAILED`."""
    reasons: Counter[str] = field(default_factory=Counter)
    """How many could not be read, or not graded, for each reason; where they were asked for."""
    pending: Counter[int] = field(default_factory=Counter)
    """How many to each problem have no outcome yet: what they are worth is not known."""
    waiting: int = 0
    cancelled: int = 0
    """Those that will not be graded unless somebody says so."""

    @property
    def total(self) -> int:
        return self.given.total()

    @property
    def most(self) -> int:
        """How many answers the problem has that has most of them."""
        return max(self.given.values(), default=0)

    def add(
        self,
        status: str,
        verdict: str | None,
        accuracy: float | None,
        problems: Sequence[int],
        eeds: Sequence[float],
    ) -> None:
        """Take in answers that had the same outcome."""
        self.given.update(problems)
        if status == Attempt.Status.GRADED:
            is_unreadable = verdict == VerdictChoice.UNREADABLE
            self.counts[verdict or ""] += len(problems)
            self.outcomes.append(AlikeAnswers(problems, accuracy, eeds, is_unreadable))
        elif status == Attempt.Status.FAILED:
            self.counts[status] += len(problems)
            self.outcomes.append(AlikeAnswers(problems))
        else:
            self.pending.update(problems)
            if status == Attempt.Status.CANCELLED:
                self.cancelled += len(problems)
            else:
                self.waiting += len(problems)

    def keep(self, problems: Set[int]) -> "Answers":
        """Return what is known of the answers to some problems; counts stay those of all."""
        if problems >= self.given.keys():
            return self
        outcomes = [_keep(one, problems) for one in self.outcomes]
        given, pending = (
            Counter({one: count for one, count in counts.items() if one in problems})
            for counts in (self.given, self.pending)
        )
        kept = [one for one in outcomes if one.problems]
        return replace(self, outcomes=kept, given=given, pending=pending)

    def sum_up(self, expected: int) -> Tally:
        """Sum up what is graded; what is missing of so many problems counts 0."""
        return tally_alike(
            self.outcomes,
            missing=max(0, expected - len(self.given)),
            lacking=count_lacking(self.given),
            pending=self.pending,
        )

    def arrange(self, problems: Sequence[int]) -> Scores:
        """Return the scores as an array; what has no outcome yet is NaN, as a failure of ours."""
        return Scores.of([*self.outcomes, AlikeAnswers([*self.pending.elements()])], problems)


def _keep(group: AlikeAnswers, problems: Set[int]) -> AlikeAnswers:
    kept = [one in problems for one in group.problems]
    return replace(
        group,
        problems=list(compress(group.problems, kept)),
        eeds=list(compress(group.eeds, kept)),
    )


def collect(
    submissions: Iterable[Submission],
    *,
    benchmark: Benchmark | None = None,
    run: GradingRun | None = None,
    with_reasons: bool = False,
) -> dict[int, Answers]:
    """
    Put answers together that had the same outcome, by the number (`pk`) of their submission.

    One row for each of a hundred thousand answers would cost more than all else on a page. What is
    asked of attempts and grades is in their indexes, but for why an answer was not graded.

    Args:
        benchmark: of all of them, which spares the database looking at the runs of others.
        run: by whose grades, in place of those that count.
    """
    some = Attempt.objects.filter(submission__in=submissions)
    attempts = with_grade(some, benchmark=benchmark, run=run).order_by()
    why = Coalesce(F("reason"), F("failure_reason")) if with_reasons else Value("")
    alike = attempts.annotate(why=why, ended=_say_status(run)).values_list(
        "submission_id", "ended", "verdict", "accuracy", "why"
    )
    found: dict[int, Answers] = defaultdict(Answers)
    for submission, status, verdict, accuracy, reason, problems, eeds in alike.annotate(
        problems=ArrayAgg("revision__problem_id"), eeds=ArrayAgg("eed")
    ):
        found[submission].add(status, verdict, accuracy, problems, eeds)
        if reason:
            found[submission].reasons[reason] += len(problems)
    return found


def _say_status(run: GradingRun | None) -> Combinable:
    """Say how far an answer is; by another run than the one that counts, what that says of it."""
    if run is None:
        return F("status")
    told = Ungraded.objects.filter(run=run, attempt=OuterRef("pk"))
    return Case(
        When(verdict__isnull=False, then=Value(Attempt.Status.GRADED.value)),
        When(Exists(told), then=Value(Attempt.Status.FAILED.value)),
        default=Value(Attempt.Status.QUEUED.value),
        output_field=CharField(),
    )
