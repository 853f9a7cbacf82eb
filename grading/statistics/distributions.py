"""
The few distributions that intervals of small samples need.

Pure: no Django, no database, nothing but `math`. The regularised incomplete beta function is the
continued fraction of the NIST Digital Library of Mathematical Functions, 8.17.22, by Lentz's
method; Student's t and the beta distribution follow from it (8.17.1, 8.17.5 and Abramowitz and
Stegun 26.7.1). Quantiles are bisected. Tests hold them to SciPy's, which would have them all: to
load `scipy.special` takes each process a quarter of a second, and 110 MB of disk.
"""

import math
from collections.abc import Callable
from functools import lru_cache

_STEPS = 300
_ENOUGH = 1e-13
_TINY = 1e-300


def beta_share(x: float, a: float, b: float) -> float:
    """
    Return the regularised incomplete beta function I_x(a, b), the share of Beta(a, b) up to x.

    >>> round(beta_share(0.5, 2, 2), 12), beta_share(0, 1, 1), beta_share(1.5, 1, 1)
    (0.5, 0.0, 1.0)
    """
    if x <= 0:
        return 0.0
    if x >= 1:
        return 1.0
    scale = math.exp(
        math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + a * math.log(x) + b * math.log1p(-x)
    )
    if x < (a + 1) / (a + b + 2):
        return scale * _continue_fraction(x, a, b) / a
    return 1 - scale * _continue_fraction(1 - x, b, a) / b


def _continue_fraction(x: float, a: float, b: float) -> float:
    above, below = 1.0, 1 / _avoid_zero(1 - (a + b) * x / (a + 1))
    found = below
    for m in range(1, _STEPS):
        even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        for part in (even, odd):
            below = 1 / _avoid_zero(1 + part * below)
            above = _avoid_zero(1 + part / above)
            found *= below * above
        if abs(below * above - 1) < _ENOUGH:
            break
    return found


def _avoid_zero(value: float) -> float:
    return value if abs(value) > _TINY else _TINY


@lru_cache(maxsize=256)
def student_quantile(share: float, freedom: int) -> float:
    """
    Return the quantile of Student's t; `share` is over one half.

    >>> round(student_quantile(0.975, 10), 4), round(student_quantile(0.975, 574), 4)
    (2.2281, 1.9641)
    """

    def lies_below(t: float) -> float:
        return 1 - beta_share(freedom / (freedom + t * t), freedom / 2, 0.5) / 2

    high = 2.0
    while lies_below(high) < share:
        high *= 2
    return bisect(lambda t: lies_below(t) - share, 0.0, high)


def bisect(
    function: Callable[[float], float], low: float, high: float, *, steps: int = 100
) -> float:
    """Find where a function that rises from `low` to `high` is 0; the nearer end if nowhere."""
    for _step in range(steps):
        middle = (low + high) / 2
        if middle in (low, high):
            break
        if function(middle) < 0:
            low = middle
        else:
            high = middle
    return (low + high) / 2


def split_probability(first: int, second: int) -> float:
    """
    Return how probable a split at least as uneven is of as many tosses of a fair coin.

    >>> split_probability(0, 5), split_probability(3, 3)
    (0.0625, 1.0)
    """
    count = first + second
    ways = sum(math.comb(count, few) for few in range(min(first, second) + 1))
    return min(1.0, 2 * ways / float(2**count))
