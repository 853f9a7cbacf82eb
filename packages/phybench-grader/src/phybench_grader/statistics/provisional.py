"""
Where a mean can lie while some of its answers are not graded, which is our failure.

Each of them could be worth 0 or 100. Of problem p let s_p be the sum of the scores of its g_p
graded answers, and u_p how many are not graded. Over N problems, of which each counts alike and
an answer counts as much as the others to its problem, the ends are

    low = (1/N) Σ s_p / (g_p + u_p),    high = low + 100 × (1/N) Σ u_p / (g_p + u_p).

The second sum is the weight of what is not graded: `share`. These are worst-case bounds, as C. F.
Manski draws them where outcomes are missing (Am. Econ. Rev. 80, 319, 1990): no interval of chance,
nothing is assumed of why an answer could not be graded. Leaving them out of the mean instead pays
for answers that cannot be graded to hard problems. The mean of what is graded lies between them.

Pure: no Django, no database.
"""

import math
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

Name = TypeVar("Name", bound=Hashable)
FULL = 100.0
UNRANKED_ABOVE = 0.01
"""With a larger share of answers that we could not grade nothing is ranked."""


@dataclass(frozen=True, slots=True)
class Range:
    """The ends of a mean score, each 0 to 100: all that is not graded wrong, or all right."""

    low: float
    high: float
    share: float
    """The weight in the mean of what is not graded, 0 to 1; `high` is 100 times it above `low`."""

    @property
    def is_provisional(self) -> bool:
        return self.share > 0

    @property
    def is_unranked(self) -> bool:
        """Whether so much is not graded that a rank would say nothing."""
        # Thirds add up to a little more or less than what they are.
        return self.share > UNRANKED_ABOVE + 1e-9

    def __str__(self) -> str:
        return f"{self.low:.1f}–{self.high:.1f}"

    def is_above(self, other: "Range") -> bool:
        """Whether this mean is higher whatever becomes of what is not graded, here and there."""
        return self.low > other.high


def find_range(
    scores: Mapping[Name, Sequence[float]],
    ungraded: Mapping[Name, int],
    *,
    missing: int = 0,
    given: Mapping[Name, int] | None = None,
) -> Range | None:
    """
    Find where a mean can lie; None of no problem at all.

    Args:
        scores: those of a problem's graded answers; a missing one is a 0 among them.
        ungraded: how many of a problem's answers are not graded.
        missing: problems without any answer, which count 0.
        given: how many scores each problem has, where `scores` lists only those above 0.

    >>> find_range({1: [100.0], 2: [0.0, 50.0]}, {2: 2, 3: 1}, missing=1)
    Range(low=28.125, high=65.625, share=0.375)
    """
    graded = given if given is not None else {one: len(found) for one, found in scores.items()}
    problems = [
        one for one in graded.keys() | ungraded.keys() if graded.get(one) or ungraded.get(one)
    ]
    count = len(problems) + missing
    if not count:
        return None
    lows, weights = [], []
    for one in problems:
        left = ungraded.get(one, 0)
        answers = graded.get(one, 0) + left
        lows.append(math.fsum(scores.get(one, ())) / answers)
        weights.append(left / answers)
    low, share = math.fsum(lows) / count, math.fsum(weights) / count
    return Range(low, min(FULL, low + FULL * share), share)
