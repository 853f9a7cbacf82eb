"""What a grading run says otherwise than the grades that count."""

from collections import Counter
from dataclasses import dataclass

from django.db.models import F, FilteredRelation, Q

from grading.answers.models import Attempt, VerdictChoice, with_grade
from grading.runs.actions import list_left, list_settled
from grading.runs.models import GradingRun

NOT_GRADED = "NOT_GRADED"
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
    moved: list[Moved]
    by_corrected_key: int

    @property
    def total(self) -> int:
        return self.after.total()

    @property
    def no_longer_graded(self) -> int:
        return sum(one.after.outcome == NOT_GRADED for one in self.moved)

    @property
    def other_verdicts(self) -> int:
        return sum(one.before.outcome != one.after.outcome for one in self.moved)


def compare(run: GradingRun) -> RunComparison:
    """Set what a run says beside what counts, over the answers that it has something to say of."""
    settled = with_grade(list_settled(run.benchmark), benchmark=run.benchmark)
    rows = settled.exclude(pk__in=list_left(run).values("pk")).annotate(
        new=FilteredRelation("grades", condition=Q(grades__run=run)),
        new_verdict=F("new__verdict"),
        new_eed=F("new__eed"),
    )
    before, after = Counter[str](), Counter[str]()
    moved: dict[int, tuple[SaidOfAnswer, SaidOfAnswer]] = {}
    for pk, status, verdict, eed, new_verdict, new_eed in rows.values_list(
        "pk", "status", "verdict", "eed", "new_verdict", "new_eed"
    ):
        old = _say(verdict if status == Attempt.Status.GRADED else None, eed)
        new = _say(new_verdict, new_eed)
        before[old.outcome] += 1
        after[new.outcome] += 1
        if old != new:
            moved[pk] = old, new
    attempts = Attempt.objects.filter(pk__in=moved).select_related("solver", "revision__problem")
    corrected = run.keys.exclude(key=F("revision")).values("revision")
    return RunComparison(
        before,
        after,
        [Moved(one, *moved[one.pk]) for one in attempts.order_by("revision__problem", "pk")],
        rows.filter(revision__in=corrected).count(),
    )


def _say(verdict: str | None, eed: float | None) -> SaidOfAnswer:
    return SaidOfAnswer(verdict, eed) if verdict else SaidOfAnswer(NOT_GRADED, None)
