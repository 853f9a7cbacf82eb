"""
What a judge's preferences between two submissions come to.

Pure but for `collect` and `count_places`, which read what a run's judges said.
"""

import math
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from django.conf import settings
from django.db.models import Count, OuterRef, Q, Subquery

from grading.judging.judgements.doubts import grader_says_right
from grading.judging.judgements.models import JudgeCall, Judgement
from grading.judging.models import JudgeItem, JudgeRun
from phybench_grader.statistics.metrics import FULL, Mean

HALF = FULL / 2
"""Of a win rate: neither is preferred."""


# --- What the preferences come to -----------------------------------------------------------


class Graded(StrEnum):
    """What the grader says of a pair."""

    ONLY_FIRST = "ONLY_FIRST"
    ONLY_SECOND = "ONLY_SECOND"
    BOTH = "BOTH"
    NEITHER = "NEITHER"
    UNTOLD = "UNTOLD"
    """One of them could not be read, or has no grade."""

    @classmethod
    def of(cls, first: bool | None, second: bool | None) -> "Graded":
        """
        Say it from whether each is right, None where that could not be told.

        >>> Graded.of(True, False).value, Graded.of(False, None).value
        ('ONLY_FIRST', 'UNTOLD')
        """
        if first is None or second is None:
            return cls.UNTOLD
        if first is second:
            return cls.BOTH if first else cls.NEITHER
        return cls.ONLY_FIRST if first else cls.ONLY_SECOND


class SaidOfPair(StrEnum):
    """What the judge says of a pair."""

    FIRST = "FIRST"
    SECOND = "SECOND"
    TIE = "TIE"
    NOTHING = "NOTHING"
    """It has no verdict, or none that holds in both orders."""


SAYS = {
    1.0: SaidOfPair.FIRST,
    0.5: SaidOfPair.TIE,
    0.0: SaidOfPair.SECOND,
    None: SaidOfPair.NOTHING,
}


@dataclass(frozen=True, slots=True)
class JudgedPair:
    """What was said of one pair."""

    problem: int
    value: float | None
    """The first one's share: 1 if it is preferred, ½ for a tie."""
    reason: str = ""
    """Why there is none."""
    graded: Graded = Graded.UNTOLD

    @property
    def said(self) -> SaidOfPair:
        return SAYS[self.value]


@dataclass(frozen=True, slots=True)
class PairComparison:
    """What a judge's preferences between two submissions come to."""

    pairs: Sequence[JudgedPair]
    left_out: int
    """Answers that have none to be compared with."""
    waiting: int
    """Pairs that are still to be judged; bounds and coverage are of these, too."""
    win_rate: Mean
    """Of the first, in per cent: its wins and half the ties, problem by problem."""
    bounds: tuple[float, float] | None
    """Where it would lie if all pairs without a verdict were lost by the first, or won."""

    def count(self, said: SaidOfPair) -> int:
        return sum(one.said is said for one in self.pairs)

    @property
    def first(self) -> int:
        return self.count(SaidOfPair.FIRST)

    @property
    def second(self) -> int:
        return self.count(SaidOfPair.SECOND)

    @property
    def ties(self) -> int:
        return self.count(SaidOfPair.TIE)

    @property
    def moved(self) -> int:
        """Pairs of which the judge said otherwise in the other order."""
        return sum(one.reason == "position_inconsistent" for one in self.pairs)

    @property
    def judged(self) -> int:
        return len(self.pairs) - self.count(SaidOfPair.NOTHING)

    @property
    def all(self) -> int:
        return len(self.pairs) + self.waiting + self.left_out

    @property
    def coverage(self) -> float | None:
        """Share with a verdict of all that either answered, 0 to 1; None of nothing."""
        return self.judged / self.all if self.all else None

    @property
    def covers_enough(self) -> bool:
        return (self.coverage or 0.0) >= settings.JUDGE_LEAST_COVERAGE

    @property
    def leads(self) -> SaidOfPair:
        """Say which one the judge ranks first, where it covers enough and the interval tells."""
        low, high = self.win_rate.low, self.win_rate.high
        if not self.covers_enough or low is None or high is None:
            return SaidOfPair.NOTHING
        if low > HALF:
            return SaidOfPair.FIRST
        return SaidOfPair.SECOND if high < HALF else SaidOfPair.TIE

    @property
    def beside_grader(self) -> list[tuple[SaidOfPair, list[tuple[Graded, int]]]]:
        """How often the judge said what, by what the grader says of the two."""
        counts = Counter((one.said, one.graded) for one in self.pairs)
        return [
            (said, [(graded, counts[said, graded]) for graded in Graded]) for said in SaidOfPair
        ]

    @property
    def sides_with_grader(self) -> Mean:
        """Where the grader takes one alone for right: how often the judge prefers that one."""
        right = {Graded.ONLY_FIRST: SaidOfPair.FIRST, Graded.ONLY_SECOND: SaidOfPair.SECOND}
        asked = [
            one for one in self.pairs if one.graded in right and one.said is not SaidOfPair.NOTHING
        ]
        return Mean.of_shares([FULL * (one.said is right[one.graded]) for one in asked])


def compare(
    pairs: Sequence[JudgedPair], *, left_out: int = 0, waiting: Sequence[int] = ()
) -> PairComparison:
    """
    Sum up what was said of pairs; `waiting` are the problems of those that are still to be judged.

    Several samples of a problem count as one: their mean. The interval is Wilson's: ties and means
    spread less than wins and losses with the same mean, so it is rather too wide than too narrow.

    >>> refused = [JudgedPair(3, None, "refusal"), JudgedPair(4, None, "refusal")]
    >>> found = compare([JudgedPair(1, 1.0), JudgedPair(2, 0.5), *refused], left_out=1)
    >>> found.win_rate.value, found.bounds, found.coverage
    (75.0, (37.5, 87.5), 0.4)
    """
    by_problem: dict[int, list[float | None]] = {}
    for one in pairs:
        by_problem.setdefault(one.problem, []).append(one.value)
    for problem in waiting:
        by_problem.setdefault(problem, []).append(None)
    judged = [[value for value in values if value is not None] for values in by_problem.values()]
    worst = [_average([value or 0.0 for value in values]) for values in by_problem.values()]
    best = [
        _average([1.0 if value is None else value for value in values])
        for values in by_problem.values()
    ]
    return PairComparison(
        pairs=pairs,
        left_out=left_out,
        waiting=len(waiting),
        win_rate=Mean.of_shares([FULL * _average(values) for values in judged if values]),
        bounds=(FULL * _average(worst), FULL * _average(best)) if by_problem else None,
    )


def _average(values: Sequence[float]) -> float:
    return math.fsum(values) / len(values)


def collect(run: JudgeRun, *, left_out: int) -> PairComparison:
    """Sum up the pairs of a run, with those that wait as missing, in one query."""
    last = Judgement.objects.filter(item=OuterRef("pk")).order_by("-round")
    rows = (
        run.items.filter(canary="")
        .order_by("pk")
        .values_list(
            "state",
            "attempt__revision__problem",
            Subquery(last.values("value")[:1]),
            "reason",
            Subquery(last.values("symbolic_verdict")[:1]),
            Subquery(last.values("other_symbolic_verdict")[:1]),
        )
    )
    ended, waiting = [], []
    for state, problem, value, reason, ours, theirs in rows:
        if state in JudgeItem.WAITING:
            waiting.append(problem)
        else:
            graded = Graded.of(*map(grader_says_right, (ours, theirs)))
            ended.append(JudgedPair(problem, value, reason, graded))
    return compare(ended, left_out=left_out, waiting=waiting)


# --- Whether the judge leans to a place -----------------------------------------------------


@dataclass(frozen=True, slots=True)
class Places:
    """Which place one judge's replies preferred, by what stood there."""

    judge: str
    first_stood_first: Counter[str]
    second_stood_first: Counter[str]

    @property
    def rows(self) -> list[tuple[str, int, int, int]]:
        """By order: how often the first place won, the second did, and neither."""
        orders = (("FIRST", self.first_stood_first), ("SECOND", self.second_stood_first))
        return [(who, found["A"], found["B"], found["TIE"]) for who, found in orders]

    @property
    def total(self) -> Counter[str]:
        return self.first_stood_first + self.second_stood_first

    @property
    def share(self) -> float | None:
        """How often the first place won where one did, in per cent; None of nothing."""
        found = self.total
        decided = found["A"] + found["B"]
        return FULL * found["A"] / decided if decided else None


def count_places(run: JudgeRun) -> list[Places]:
    """Count each judge's replies about a run's pairs, those of what was taken over among them."""
    reused = Judgement.objects.filter(item__run=run, reused__isnull=False)
    read = JudgeCall.objects.filter(
        Q(item__run=run) | Q(item__in=reused.values("reused__item")), item__canary=""
    ).exclude(read_preference="")
    found: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    columns = ("judge", "order", "read_preference")
    for judge, order, preference, number in (
        read.order_by().values_list(*columns).annotate(number=Count("pk"))
    ):
        found[judge, order][preference] += number
    judges = sorted({judge for judge, _order in found})
    return [Places(one, found[one, "first_as_a"], found[one, "first_as_b"]) for one in judges]
