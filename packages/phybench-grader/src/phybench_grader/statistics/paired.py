"""
How far apart two are that answered the same problems: the difference, and where it can lie.

The problem is the unit: several answers to one are averaged first. What holds of which:

- right or wrong, one answer a problem, from 50 problems on: the score interval of T. Tango, Stat.
  Med. 17, 891 (1998), for the difference of paired proportions;
- the same of fewer: a Bayesian interval, the 2.5 and 97.5 % quantiles of the difference where the
  shares (right only in the first, only in the second, alike) have the prior Dirichlet(½, ½, 1);
- means of several answers, and EED: Student's t on the differences problem by problem. Of fewer
  than 15 problems there is no such interval, of fewer than 30 it is rough (`intervals`).

What the table of right and wrong alone tells is McNemar's (Psychometrika 12, 153, 1947), exact: the
problems on which the two differ are tosses of a fair coin if neither is better.

Pure: no Django, no database. Scores and differences run from 0 to 100 and from -100 to 100.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

from phybench_grader.statistics import clusters
from phybench_grader.statistics.clusters import Names, Values
from phybench_grader.statistics.distributions import beta_share, bisect, split_probability
from phybench_grader.statistics.intervals import ROUGH_BELOW, Method, Z, find_student
from phybench_grader.statistics.provisional import FULL

LEAST_FOR_TANGO = 50
POWER_Z = 0.8416212335729143
"""Standard normal quantile of 80 %."""
_PARTS = 400
"""Of the integral over the share of problems on which the two differ."""


@dataclass(frozen=True, slots=True)
class Difference:
    """A mean difference, the first less the second, with its 95 % interval where there is one."""

    value: float | None
    """None of no problem."""
    count: int
    method: Method
    low: float | None = None
    high: float | None = None
    standard_error: float | None = None
    freedom: int | None = None
    """Degrees of freedom, where the interval is Student's."""

    @property
    def is_rough(self) -> bool:
        if self.freedom is None or self.low is None:
            return False
        least = clusters.ROUGH_BELOW if self.method is Method.CLUSTERS else ROUGH_BELOW
        return self.freedom < least - 1

    @property
    def detectable(self) -> float | None:
        """
        Return the smallest true difference that so many problems show in 4 of 5 comparisons.

        It hangs on how much the differences scatter, not on the difference that was observed.
        """
        return None if not self.standard_error else (Z + POWER_Z) * self.standard_error

    @property
    def probability(self) -> float | None:
        """
        How probable it is to find one as large, either way, if neither is better, by Student's t.

        None where the interval is of another kind: `RightAndWrong` has that of right and wrong.
        """
        if self.value is None or not self.standard_error or not self.freedom:
            return None
        t = self.value / self.standard_error
        return beta_share(self.freedom / (self.freedom + t * t), self.freedom / 2, 0.5)


class Higher(StrEnum):
    """Which of two is higher."""

    FIRST = "FIRST"
    SECOND = "SECOND"
    NEITHER = "NEITHER"
    CAN_NOT_TELL = "CAN_NOT_TELL"
    """It depends on what is not graded."""


@dataclass(frozen=True, slots=True)
class Between:
    """
    A difference of which some answers are not graded: it lies between two, whatever they are worth.

    The interval is from the low end of the lower to the high end of the upper: it holds either.
    """

    lower: Difference
    """With those answers at their worst for the first."""
    upper: Difference
    """At their best for the first; the same where all is graded."""

    @property
    def ends(self) -> tuple[float, float] | None:
        """Where the difference lies; None of no problem."""
        if self.lower.value is None or self.upper.value is None:
            return None
        return self.lower.value, self.upper.value

    @property
    def value(self) -> float | None:
        """The difference where it is one; None where it is not known."""
        return None if self.is_provisional else self.lower.value

    @property
    def is_provisional(self) -> bool:
        """Whether it depends on what is not graded."""
        return self.lower.value != self.upper.value

    @property
    def is_open(self) -> bool:
        """Whether it depends on what is not graded which of the two is higher."""
        return self.is_provisional and self.ends is not None and self.ends[0] <= 0 <= self.ends[1]

    @property
    def higher(self) -> "Higher":
        """Say which of the two is higher, chance aside, whatever the answers are worth."""
        if self.ends is None or self.is_open:
            return Higher.CAN_NOT_TELL
        low, _high = self.ends
        if low == 0:
            return Higher.NEITHER
        return Higher.FIRST if low > 0 else Higher.SECOND

    @property
    def low(self) -> float | None:
        return self.lower.low if self._has_interval else None

    @property
    def high(self) -> float | None:
        return self.upper.high if self._has_interval else None

    @property
    def _has_interval(self) -> bool:
        return self.lower.low is not None and self.upper.high is not None

    @property
    def count(self) -> int:
        return self.lower.count

    @property
    def method(self) -> Method:
        """How the interval came about, or why either end has none."""
        return self.lower.method if self.lower.low is None else self.upper.method

    @property
    def is_rough(self) -> bool:
        return self._has_interval and (self.lower.is_rough or self.upper.is_rough)

    @property
    def detectable(self) -> float | None:
        """Return what is shown at the end that shows less."""
        ends = self.lower.detectable, self.upper.detectable
        return None if ends[0] is None or ends[1] is None else max(ends[0], ends[1])

    @property
    def probability(self) -> float | None:
        """How probable one as large is at the end that tells less; None where that is not told."""
        ends = self.lower.probability, self.upper.probability
        if self.is_open or ends[0] is None or ends[1] is None:
            return None
        return max(ends[0], ends[1])


@dataclass(frozen=True, slots=True)
class RightAndWrong:
    """How many problems both have right, only one, or neither."""

    both: int
    first: int
    """Right only in the first."""
    second: int
    neither: int

    @classmethod
    def of(cls, pairs: Sequence[tuple[float, float]]) -> "RightAndWrong":
        """
        Count problems; one is right of which more than half of the answers are.

        >>> RightAndWrong.of([(100, 100), (75, 50), (50, 0), (0, 100)])
        RightAndWrong(both=1, first=1, second=1, neither=1)
        """
        right = [(first > FULL / 2, second > FULL / 2) for first, second in pairs]
        return cls(*(right.count(one) for one in _CELLS))

    @property
    def count(self) -> int:
        return self.both + self.first + self.second + self.neither

    @property
    def differing(self) -> int:
        return self.first + self.second

    @property
    def probability(self) -> float | None:
        """How probable so uneven a split is if neither is better; None where none differ."""
        return split_probability(self.first, self.second) if self.differing else None


_CELLS = ((True, True), (True, False), (False, True), (False, False))


def compare_accuracies(pairs: Sequence[tuple[float, float]], *, is_single: bool) -> Difference:
    """
    Compare the accuracies of two, problem by problem.

    Args:
        pairs: of each problem the mean accuracy of the first's answers to it, and the second's.
        is_single: whether both answered each problem once, so that each accuracy is 0 or 100.
    """
    if not is_single or not pairs:
        return compare_means(pairs)
    table = RightAndWrong.of(pairs)
    count = table.count
    is_large = count >= LEAST_FOR_TANGO
    find = find_tango if is_large else find_bayes
    low, high = find(table.first, table.second, count)
    value = (table.first - table.second) / count
    variance = table.differing / count - value**2
    return Difference(
        FULL * value,
        count,
        Method.TANGO if is_large else Method.BAYES,
        FULL * low,
        FULL * high,
        FULL * math.sqrt(variance / count),
    )


def compare_means(pairs: Sequence[tuple[float, float]]) -> Difference:
    """
    Compare the mean scores of two, problem by problem.

    >>> compare_means([(50.0, 40.0)] * 20).method
    <Method.ALIKE: 'ALIKE'>
    """
    differences = [first - second for first, second in pairs]
    count = len(differences)
    if not count:
        return Difference(None, 0, Method.FEW)
    found = find_student(differences, lowest=-FULL, highest=FULL)
    return Difference(
        math.fsum(differences) / count,
        count,
        found.method,
        found.low,
        found.high,
        found.standard_error,
        count - 1 if found.standard_error else None,
    )


def compare_with_people(
    scores: Values, solver: Values, people: Names, problems: Names, *, is_people_first: bool = True
) -> Difference:
    """Compare people with a solver as `clusters.compare` does; each answer of a person counts."""
    found = clusters.compare(scores, solver, people, problems)
    ends = found.value, found.low, found.high
    if not is_people_first:
        value, high, low = (None if end is None else -end for end in ends)
        ends = value, low, high
    return Difference(
        ends[0],
        found.answers,
        found.method,
        ends[1],
        ends[2],
        found.standard_error,
        min(found.people, found.problems) - 1 if found.standard_error else None,
    )


def find_tango(first: int, second: int, count: int) -> tuple[float, float]:
    """
    Find Tango's score interval of a difference of paired shares.

    It holds each difference that the score test does not refuse: with the other parameter, the
    share right only in the second, at its maximum likelihood for that difference.

    Args:
        first: pairs right only in the first.
        second: pairs right only in the second.
        count: all pairs.

    >>> [round(end, 3) for end in find_tango(1, 7, 21)]
    [-0.517, -0.026]
    """

    def score(difference: float) -> float:
        gap = first - second - count * difference
        linear = (2 * count - first + second) * difference - first - second
        constant = -second * difference * (1 - difference)
        root = math.sqrt(max(0.0, linear**2 - 8 * count * constant))
        share = (root - linear) / (4 * count)
        variance = count * (2 * share + difference * (1 - difference))
        if variance <= 0:
            return 0.0 if gap == 0 else math.copysign(math.inf, gap)
        return gap / math.sqrt(variance)

    middle = (first - second) / count
    # It falls as the difference rises: at most Z above, at least -Z below.
    low = bisect(lambda end: Z - score(end), -1.0, middle)
    high = bisect(lambda end: -Z - score(end), middle, 1.0)
    return low, high


@lru_cache(maxsize=4096)
def find_bayes(first: int, second: int, count: int) -> tuple[float, float]:
    """
    Find the Bayesian interval of a difference of paired shares.

    The share on which the two differ is Beta(first + second + 1, rest + 1); of it the first's is
    Beta(first + ½, second + ½), independent of it. So the difference is below d with the mean of a
    beta's share over the other's density, which is integrated over an angle: it is smooth there.
    It takes some 20 ms, and the same three numbers come again on each part and look of a page.
    """
    more, less, rest = first + 0.5, second + 0.5, count - first - second + 1.0
    differing = more + less
    log_scale = math.lgamma(differing + rest) - math.lgamma(differing) - math.lgamma(rest)
    step = math.pi / 2 / _PARTS
    weights = []
    for part in range(_PARTS):
        angle = (part + 0.5) * step
        log_density = (2 * differing - 1) * math.log(math.sin(angle))
        log_density += (2 * rest - 1) * math.log(math.cos(angle))
        weight = 2 * step * math.exp(log_scale + log_density)
        if weight > 1e-12:
            weights.append((math.sin(angle) ** 2, weight))
    total = math.fsum(weight for _share, weight in weights)

    def lies_below(difference: float) -> float:
        return (
            math.fsum(
                weight * beta_share((1 + difference / share) / 2, more, less)
                for share, weight in weights
            )
            / total
        )

    # Within a thousandth of a point: more than is shown.
    low, high = (
        bisect(lambda end, share=share: lies_below(end) - share, -1.0, 1.0, steps=18)  # type: ignore[misc]
        for share in (0.025, 0.975)
    )
    return low, high
