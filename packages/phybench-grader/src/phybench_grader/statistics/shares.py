"""
Shares of a whole with their 95 % intervals, also where answers come in clusters.

The intervals are Wilson's, as `intervals.find_wilson` finds them. Answers of several solvers to
the same problem are alike more often than others, so that they tell less than as many answers to
as many problems: for those it takes the effective number of answers p(1 - p) / Var(p), Var(p) that
of a ratio of sums over problems (W. G. Cochran, Sampling Techniques, 3rd ed., sections 9A.2 and
6.3), and never more than there are.

Pure: no Django, no database.
"""

import math
from collections.abc import Iterable
from dataclasses import dataclass

from phybench_grader.statistics.intervals import find_wilson
from phybench_grader.statistics.provisional import FULL


@dataclass(frozen=True, slots=True)
class Share:
    """A part of a whole, in per cent with its interval; all None of nothing."""

    part: int
    whole: int
    value: float | None = None
    low: float | None = None
    high: float | None = None


def find_share(part: int, whole: int) -> Share:
    """
    Return a share of answers that have nothing to do with each other.

    >>> found = find_share(3, 10)
    >>> found.value, round(found.low, 1), round(found.high, 1)
    (30.0, 10.8, 60.3)
    >>> find_share(0, 0).value is None
    True
    """
    return _find(part, whole, float(whole))


def find_clustered_share(clusters: Iterable[tuple[int, int]]) -> Share:
    """
    Return a share of answers of several solvers to the same problems.

    Args:
        clusters: of each problem how many answers are of the part, and how many there are.

    >>> alike, mixed = [(3, 3)] * 3 + [(0, 3)] * 7, [(1, 3)] * 9 + [(0, 3)]
    >>> wide, narrow = find_clustered_share(alike), find_clustered_share(mixed)
    >>> wide.value, round(wide.low, 1), round(wide.high, 1), round(narrow.low, 1)
    (30.0, 10.2, 61.8, 16.7)
    """
    sizes = [(part, whole) for part, whole in clusters if whole]
    part, whole = sum(one for one, _ in sizes), sum(one for _, one in sizes)
    if len(sizes) < 2 or part in (0, whole):
        # All alike: how far clusters differ is not known, so each counts as one answer.
        return _find(part, whole, float(len(sizes)))
    share = part / whole
    spread = math.fsum((one - share * of) ** 2 for one, of in sizes)
    variance = spread * len(sizes) / (len(sizes) - 1) / whole**2
    return _find(part, whole, min(whole, share * (1 - share) / variance) if variance else whole)


def _find(part: int, whole: int, count: float) -> Share:
    if not whole:
        return Share(part, whole)
    low, high = find_wilson(part / whole, count)
    return Share(part, whole, FULL * part / whole, FULL * low, FULL * high)
