"""
The few distributions that intervals of small samples need.

Pure: no Django, no database, nothing but `math`. The regularised incomplete beta function is the
continued fraction of the NIST Digital Library of Mathematical Functions, 8.17.22, by Lentz's
method; Student's t and the beta distribution follow from it (8.17.1, 8.17.5 and Abramowitz and
Stegun 26.7.1). Student's quantiles are bisected, the beta's found by Newton's method and bisected
where that leaves the bracket. Tests hold them to SciPy's and mpmath's, which would have them all:
to load `scipy.special` takes each process a quarter of a second, and 110 MB of disk.
"""

import math
from collections.abc import Callable
from functools import lru_cache
from statistics import NormalDist

_STEPS = 300
_ENOUGH = 1e-13
_TINY = 1e-300
_NORMAL = NormalDist()
_CLOSE = 1e-13
"""Of a quantile: less than that it is not known better."""


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
    scale = math.exp(_find_log_scale(a, b) + a * math.log(x) + b * math.log1p(-x))
    if x < (a + 1) / (a + b + 2):
        return scale * _continue_fraction(x, a, b) / a
    return 1 - scale * _continue_fraction(1 - x, b, a) / b


def beta_quantile(share: float, a: float, b: float) -> float:
    """
    Return where Beta(a, b) has this share below, to some 12 digits after the point.

    Newton's method from where a normal distribution would have it, between ends that close in on
    it. Where a or b is under 1 the quantile can be so near an end that it is 0 or 1 in as many
    digits.

    >>> round(beta_quantile(0.25, 1, 1), 12), round(beta_quantile(0.5, 7, 7), 12)
    (0.25, 0.5)
    >>> 1 - round(beta_quantile(0.975, 10, 1), 12) == 1 - round(0.975 ** 0.1, 12)
    True
    """
    log_scale = _find_log_scale(a, b)
    middle, low, high = a / (a + b), 0.0, 1.0
    deviation = math.sqrt(middle * (1 - middle) / (a + b + 1))
    # A step that is so short is squared with the next.
    close = max(_CLOSE, 1e-9 * deviation)
    x = middle + _NORMAL.inv_cdf(share) * deviation
    for _step in range(_STEPS):
        if not low < x < high:
            x = (low + high) / 2
        if high - low < _CLOSE or not 0 < x < 1:
            break
        gap = beta_share(x, a, b) - share
        low, high = (x, high) if gap < 0 else (low, x)
        density = math.exp(log_scale + (a - 1) * math.log(x) + (b - 1) * math.log1p(-x))
        step = gap / density if density > _TINY else math.inf
        x -= step
        if abs(step) < close:
            break
    return min(1.0, max(0.0, x))


def _find_log_scale(a: float, b: float) -> float:
    return math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b)


def _continue_fraction(x: float, a: float, b: float) -> float:
    # What would be divided by is kept off 0 in place: a call for each doubles the time.
    below = 1 - (a + b) * x / (a + 1)
    below = 1 / (below if abs(below) > _TINY else _TINY)
    above, found = 1.0, below
    # Near the mean it takes as many steps as the root of the larger parameter.
    for m in range(1, _STEPS + int(4 * math.sqrt(max(a, b)))):
        place = a + 2 * m
        even = m * (b - m) * x / ((place - 1) * place)
        odd = -(a + m) * (a + b + m) * x / (place * (place + 1))
        below = 1 + even * below
        below = 1 / (below if abs(below) > _TINY else _TINY)
        above = 1 + even / above
        above = above if abs(above) > _TINY else _TINY
        found *= below * above
        below = 1 + odd * below
        below = 1 / (below if abs(below) > _TINY else _TINY)
        above = 1 + odd / above
        above = above if abs(above) > _TINY else _TINY
        found *= below * above
        if abs(below * above - 1) < _ENOUGH:
            break
    return found


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
