"""
Several judges, or one judge several times: what they say together, and how steady they are.

Only those that have a verdict vote. Nobody breaks a tie but a person.
"""

import math
import statistics
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import combinations
from typing import TypeVar

from phybench_grader.judges.judgement import Flag, Judgement
from phybench_grader.judges.reasons import Effect, Reason

Choice = TypeVar("Choice", bound=Hashable)
Verdict = TypeVar("Verdict")

MIN_COVERAGE = 0.98
"""Share of items with a verdict below which a judge's figures rank nobody."""


def vote(judgements: Sequence[Judgement[Choice]], *, quorum: int = 1) -> Judgement[Choice]:
    """
    Take the verdict that more judges gave than any other.

    Two verdicts with as many votes are no consensus. Fewer votes than `quorum` are none: the
    commonest reason for their lack is the reason.

    >>> yes, no, lost = Judgement(True), Judgement(False), Judgement.missing(Reason.EMPTY)
    >>> vote([yes, no, yes, lost]).verdict
    True
    >>> vote([yes, no]).reason.value, vote([lost]).reason.value
    ('no_consensus', 'empty')
    """
    votes = [one.verdict for one in judgements if one.verdict is not None]
    flags = frozenset[Flag]().union(*(one.flags for one in judgements))
    if len(votes) < max(1, quorum):
        return _give_up(judgements)
    ranked = Counter(votes).most_common(2)
    if len(ranked) > 1 and ranked[0][1] == ranked[1][1]:
        return Judgement(reason=Reason.NO_CONSENSUS, flags=flags, path="vote")
    return Judgement(verdict=ranked[0][0], flags=flags, path="vote")


def join_ratings(
    judgements: Sequence[Judgement[Decimal]], *, quorum: int = 1
) -> Judgement[Decimal]:
    """
    Join ratings into one.

    >>> join_ratings([Judgement(Decimal(one)) for one in (2, 8, 9)]).verdict
    Decimal('8')
    """
    ratings = [one.verdict for one in judgements if one.verdict is not None]
    if len(ratings) < max(1, quorum):
        return _give_up(judgements)
    # It takes them for an order only.
    joined = statistics.median(ratings)
    flags = frozenset[Flag]().union(*(one.flags for one in judgements))
    return Judgement(verdict=joined, flags=flags, path="median")


def _give_up(judgements: Sequence[Judgement[Verdict]]) -> Judgement[Verdict]:
    reasons = Counter(one.reason for one in judgements if one.reason is not None)
    if not reasons:
        return Judgement.missing(Reason.NO_CONSENSUS)
    return Judgement.missing(max(reasons, key=lambda reason: (reasons[reason], reason.value)))


@dataclass(frozen=True, slots=True)
class FlipRate:
    """How often one judge contradicts itself when it is asked the same again."""

    value: float | None
    """Share of pairs of repeats that differ, 0 to 1, averaged over items; None of nothing."""
    items: int
    """Items with two verdicts at least."""
    flipped: int
    """Those of them whose verdicts are not all the same."""


def measure_flips(repeats: Iterable[Sequence[Judgement[Choice]]]) -> FlipRate:
    """
    Measure how steady a judge is, from the repeats of each item. Missing ones are no flips.

    >>> yes, no = Judgement(True), Judgement(False)
    >>> measure_flips([[yes, yes], [yes, no], [yes]])
    FlipRate(value=0.5, items=2, flipped=1)
    """
    shares = []
    for judgements in repeats:
        verdicts = [one.verdict for one in judgements if one.verdict is not None]
        if len(verdicts) > 1:
            pairs = [a != b for a, b in combinations(verdicts, 2)]
            shares.append(sum(pairs) / len(pairs))
    value = math.fsum(shares) / len(shares) if shares else None
    return FlipRate(value, len(shares), sum(share > 0 for share in shares))


@dataclass(frozen=True, slots=True)
class Summary:
    """What a judge said of many items, with what it did not say."""

    total: int
    scored: int
    mean: float | None
    """Of the scored ones."""
    low: float | None
    """The mean if all that is missing had the lowest value; None of nothing."""
    high: float | None
    unscored: dict[Reason, int]
    """The missing ones by their reason, skipped ones among them."""

    @property
    def coverage(self) -> float | None:
        """Share of items with a verdict, 0 to 1; None of nothing."""
        return self.scored / self.total if self.total else None

    @property
    def skipped(self) -> int:
        """Items that were not asked about."""
        return sum(
            count for reason, count in self.unscored.items() if reason.rule.effect is Effect.SKIPPED
        )

    def may_rank(self, least: float = MIN_COVERAGE) -> bool:
        """Tell whether enough is there for the mean to stand beside others."""
        return self.coverage is not None and self.coverage >= least


def summarise(
    judgements: Iterable[Judgement[Verdict]],
    value: Callable[[Verdict], float],
    *,
    lowest: float,
    highest: float,
) -> Summary:
    """
    Sum up judgements; `value` turns a verdict into a number between `lowest` and `highest`.

    >>> lost = Judgement.missing(Reason.EMPTY)
    >>> summary = summarise([Judgement(True), Judgement(False), lost, lost], float,
    ...                     lowest=0, highest=1)
    >>> summary.mean, summary.low, summary.high, summary.coverage
    (0.5, 0.25, 0.75, 0.5)
    """
    values: list[float] = []
    reasons: Counter[Reason] = Counter()
    for one in judgements:
        if one.verdict is not None:
            values.append(value(one.verdict))
        elif one.reason is not None:
            reasons[one.reason] += 1
    missing = sum(reasons.values())
    total = len(values) + missing
    sum_of_values = math.fsum(values)
    return Summary(
        total=total,
        scored=len(values),
        mean=sum_of_values / len(values) if values else None,
        low=(sum_of_values + missing * lowest) / total if total else None,
        high=(sum_of_values + missing * highest) / total if total else None,
        unscored=dict(reasons.most_common()),
    )
