"""
Where a mean of scores, a share and a mean difference can lie, at 95 %.

- A mean of scores: `find_bounded`. For the upper end one imagined problem is added that scored
  full, for the lower end one that scored nothing: what was not seen yet can still come. All get
  random weights that sum to 1, evenly spread over all such weights (Dirichlet's), as in the
  Bayesian bootstrap (D. B. Rubin, Ann. Stat. 9, 130, 1981) and in bounds of means of whatever is
  bounded (N. Gaffke, Math. Methods Stat. 14, 451, 2005). The weighted mean has nearly a beta
  distribution, and its mean and variance are known, so nothing is drawn. What weight the imagined
  problem needs to make 95 % of it was simulated: docs/statistics.md has the table.
- A share where the page says so: Wilson's interval (E. B. Wilson, J. Am. Stat. Assoc. 22, 209,
  1927). Near 0 and 1 it holds the truth less often than in the middle.
- A mean difference: Student's t. Of fewer than 15 there is no interval, of fewer than 30 it is
  rough; where all differences are the same there is none either, for a width of 0 would be no
  certainty.

How often each holds the truth is computed in tests/grader_tests/statistics/test_intervals.py.

Pure: no Django, no database.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from phybench_grader.statistics.distributions import beta_quantile, student_quantile

Z = 1.959963984540054
"""Standard normal quantile of a two-sided 95 % interval."""
TAIL = 0.975
LEAST_FOR_T = 15
ROUGH_BELOW = 30
NO_VARIANCE = 1e-18
"""Means of thirds are alike but for what rounding left."""
ONE_ANSWER, SEVERAL_ANSWERS = 0.8, 0.5
"""Weights of the imagined problem, of one answer to a problem, and of means of several."""
ROUGH_FROM = 0.5
"""Share of the imagined problem in what scores scatter, from which on an interval is rough."""


class Method(StrEnum):
    """How an interval came about, or why there is none."""

    BETA = "BETA"
    """The rule of `find_bounded`."""
    WILSON = "WILSON"
    STUDENT = "STUDENT"
    TANGO = "TANGO"
    BAYES = "BAYES"
    CLUSTERS = "CLUSTERS"
    """With the variance of two-way clusters."""
    ALIKE = "ALIKE"
    """None: all scores or differences are the same."""
    FEW = "FEW"
    """None: too few."""


@dataclass(frozen=True, slots=True)
class Interval:
    """The ends of an interval; None where `method` says why there is none."""

    method: Method
    low: float | None = None
    high: float | None = None
    standard_error: float | None = None


@dataclass(frozen=True, slots=True)
class Bounds:
    """The ends of an interval of a mean of shares, each 0 to 1."""

    low: float
    high: float
    is_rough: bool
    """
    Whether either end says more of the imagined problem than of the real ones: half or more of the
    scatter that it is found from is that problem's. Such an interval is half as wide again as it
    has to be, or more.
    """


def find_bounded(mean: float, squares: float, count: float, weight: float) -> Bounds:
    """
    Find the interval of a mean of shares, each 0 to 1, for any way in which they scatter.

    Args:
        squares: the sum over the shares of their squared distances from the mean.
        count: of how many; one at least.
        weight: of the imagined problem, where a real one has 1.

    >>> found = find_bounded(0.3, 2.1, 10, ONE_ANSWER)
    >>> round(found.low, 3), round(found.high, 3), found.is_rough
    (0.068, 0.643, False)
    >>> found = find_bounded(0.0, 0.0, 10, ONE_ANSWER)
    >>> round(found.low, 3), round(found.high, 3), found.is_rough
    (0.0, 0.28, True)
    """
    low, imagined_low = _find_end(mean, squares, count, weight, 0.0, 1 - TAIL)
    high, imagined_high = _find_end(mean, squares, count, weight, 1.0, TAIL)
    return Bounds(low, high, max(imagined_low, imagined_high) >= ROUGH_FROM)


def _find_end(
    mean: float, squares: float, count: float, weight: float, top: float, share: float
) -> tuple[float, float]:
    """Return an end, and the imagined problem's share in the scatter that it is found from."""
    total = count + weight
    middle = (count * mean + weight * top) / total
    imagined = weight * (top - middle) ** 2
    scatter = squares + count * (mean - middle) ** 2 + imagined
    if scatter < NO_VARIANCE:
        return top, 1.0
    # How many independent answers, right or wrong, would scatter so: Beta(a, b) with a + b of them.
    size = middle * (1 - middle) * total * (total + 1) / scatter - 1
    if size <= 0:  # a variance that is estimated, and more than any shares can have
        return top, imagined / scatter
    return beta_quantile(share, middle * size, (1 - middle) * size), imagined / scatter


def find_wilson(share: float, count: float, quantile: float = Z) -> tuple[float, float]:
    """
    Find Wilson's interval of a share.

    Args:
        share: 0 to 1.
        count: of how many; not always whole where it is an effective number.
        quantile: of the normal distribution, or Student's where the variance is estimated.

    >>> [round(end, 3) for end in find_wilson(0.3, 10)]
    [0.108, 0.603]
    """
    middle = share + quantile**2 / (2 * count)
    spread = quantile * math.sqrt(share * (1 - share) / count + quantile**2 / (4 * count**2))
    scale = 1 + quantile**2 / count
    return max(0.0, (middle - spread) / scale), min(1.0, (middle + spread) / scale)


def find_student(values: Sequence[float], *, lowest: float, highest: float) -> Interval:
    """
    Find Student's interval of a mean difference, cut off where none can be.

    >>> found = find_student([0.0, 100.0] * 10, lowest=0, highest=100)
    >>> round(found.low, 2), round(found.high, 2)
    (25.99, 74.01)
    >>> find_student([40.0] * 20, lowest=0, highest=100).method
    <Method.ALIKE: 'ALIKE'>
    """
    count = len(values)
    if count < LEAST_FOR_T:
        return Interval(Method.FEW)
    value = math.fsum(values) / count
    variance = find_variance(values, value)
    if variance < NO_VARIANCE:
        return Interval(Method.ALIKE)
    error = math.sqrt(variance / count)
    spread = student_quantile(TAIL, count - 1) * error
    return Interval(
        Method.STUDENT, max(lowest, value - spread), min(highest, value + spread), error
    )


def find_variance(values: Sequence[float], mean: float) -> float:
    """Return the variance of two values or more, with n - 1 in the denominator."""
    return math.fsum((value - mean) ** 2 for value in values) / (len(values) - 1)
