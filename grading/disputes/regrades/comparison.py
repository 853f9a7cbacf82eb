"""What a grading run says otherwise than the grades that count."""

from collections import Counter
from dataclasses import dataclass
from typing import Any

from django.db.models import Case, CharField, Count, F, FilteredRelation, Q, QuerySet, Value, When
from django.db.models.functions import Coalesce

from curation.texts.workflow import SolveOutcome
from grading.answers.models import NOT_GRADED, Attempt, VerdictChoice, with_grade
from grading.answers.runs.models import GradingRun
from grading.disputes.regrades.actions import list_left
from grading.disputes.regrades.models import RegradedSolve
from grading.disputes.regrades.today import list_settled

OUTCOMES = (*VerdictChoice.values, NOT_GRADED)


@dataclass(frozen=True, slots=True)
class SaidOfAnswer:
    """What is said of an answer: a verdict, or that it could not be graded."""

    outcome: str
    eed: float | None


@dataclass(frozen=True, slots=True)
class Moved:
    """An answer of which the run says something else: another verdict, or another EED."""

    attempt: Attempt
    before: SaidOfAnswer
    after: SaidOfAnswer


@dataclass(frozen=True, slots=True)
class RunComparison:
    before: Counter[str]
    """How many answers of each outcome there are by what counts, and by the run."""
    after: Counter[str]
    moved: int
    """Answers with another verdict, or another EED."""
    other_verdicts: int
    no_longer_graded: int
    by_corrected_key: int
    by_ruling: int
    """Answers that go by a person's ruling in the run."""

    @property
    def total(self) -> int:
        return self.after.total()

    @property
    def rows(self) -> list[tuple[str, int, int]]:
        """Each outcome with its counts before and after."""
        return [(one, self.before[one], self.after[one]) for one in OUTCOMES]


def list_answers(run: GradingRun) -> QuerySet[Any]:
    """
    Return the answers that a run has something to say of, with what is said of each.

    `old` and `new` are verdicts or `NOT_GRADED`; `eed` and `new_eed` go with them.
    """
    # What was decided on stays as it was: it is set beside the run that it was compared with.
    beside = None if run.is_proposed else run.base
    settled = with_grade(list_settled(run.benchmark), benchmark=run.benchmark, run=beside)
    is_graded = Q(verdict__isnull=False) if beside else Q(status=Attempt.Status.GRADED)
    graded = When(is_graded, then=F("verdict"))
    return settled.exclude(pk__in=list_left(run).values("pk")).annotate(
        in_run=FilteredRelation("grades", condition=Q(grades__run=run)),
        old=Case(graded, default=Value(NOT_GRADED), output_field=CharField()),
        new=Coalesce(F("in_run__verdict"), Value(NOT_GRADED)),
        new_eed=F("in_run__eed"),
        new_override=F("in_run__override"),
    )


def list_moved(run: GradingRun) -> QuerySet[Any]:
    """Return those of which it says something else; those with another verdict come first."""
    other = Q(eed__isnull=False, new_eed__isnull=False) & ~Q(eed=F("new_eed"))
    is_other_verdict = ~Q(old=F("new"))
    moved: QuerySet[Any] = (
        list_answers(run)
        .filter(is_other_verdict | other)
        .annotate(
            is_other=Case(When(is_other_verdict, then=Value(0)), default=Value(1)),
            old_read=F("current_grade__answer_read"),
            old_typed=F("current_grade__answer_typed"),
            new_read=F("in_run__answer_read"),
            new_typed=F("in_run__answer_typed"),
            failure=F("failure_reason"),
        )
        .select_related("solver", "submission", "revision__problem")
        .order_by("is_other", "revision__problem", "pk")
    )
    return moved


def describe_moved(attempt: Any) -> Moved:
    """Make what `list_moved` says of an answer two values."""
    old = None if attempt.old == NOT_GRADED else attempt.eed
    return Moved(
        attempt, SaidOfAnswer(attempt.old, old), SaidOfAnswer(attempt.new, attempt.new_eed)
    )


def compare(run: GradingRun) -> RunComparison:
    """Set what a run says beside what counts, over the answers that it has something to say of."""
    answers = list_answers(run)
    before, after = Counter[str](), Counter[str]()
    other_verdicts = no_longer = 0
    for old, new, count in answers.order_by().values_list("old", "new").annotate(n=Count("pk")):
        before[old] += count
        after[new] += count
        other_verdicts += count * (old != new)
        no_longer += count * (old != new == NOT_GRADED)
    corrected = run.keys.exclude(key=F("revision")).values("revision")
    return RunComparison(
        before,
        after,
        moved=list_moved(run).order_by().count(),
        other_verdicts=other_verdicts,
        no_longer_graded=no_longer,
        by_corrected_key=answers.filter(revision__in=corrected).count(),
        by_ruling=run.grades.exclude(override=None).count(),
    )


@dataclass(frozen=True, slots=True)
class SolveComparison:
    """What becomes of the answers of reviewers who solved blind."""

    total: int
    rows: list[tuple[str, int, int]]
    """Each outcome with its counts before and after."""
    moved: int


def compare_solves(run: GradingRun) -> SolveComparison:
    """Set what a run says of blind solves beside what is said of them now."""
    before, after = Counter[str](), Counter[str]()
    moved = 0
    base = {one.solve_id: one.outcome for one in RegradedSolve.objects.filter(run=run.base_id)}
    for one in run.solves.select_related("solve"):
        old = base.get(one.solve_id, one.solve.outcome)
        before[old] += 1
        after[one.outcome] += 1
        moved += old != one.outcome
    told = [one for one in SolveOutcome if one is not SolveOutcome.NO_ANSWER]
    rows = [(str(one.label), before[one], after[one]) for one in told]
    return SolveComparison(after.total(), rows, moved)
