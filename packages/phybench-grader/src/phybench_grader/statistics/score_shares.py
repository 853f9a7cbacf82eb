"""
How one solver's scores are spread: what is at 0, what at 100, and the part that EED adds between.

A wrong answer has at most 60 (arXiv 2504.16074, equation 4), so nothing lies between 60 and 100.

Pure: NumPy, no Django, no database.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

from phybench_grader.statistics.metrics import FULL

STEP = 10
STEPS = 6
"""Of ten points each, between 0 and what a wrong answer has at most."""


@dataclass(frozen=True, slots=True)
class ScoreShares:
    """How many answers have which score: 0, up to 10, up to 20, …, up to 60, 100."""

    counts: Sequence[int]

    @classmethod
    def of(cls, scores: NDArray[np.float64]) -> Self:
        """
        Count answers by their score; those that we could not grade (NaN) are left out.

        >>> ScoreShares.of(np.array([0.0, 0.0, 4.2, 10.0, 46.7, 60.0, 100.0, np.nan])).counts
        [2, 2, 0, 0, 0, 1, 1, 1]
        """
        graded = scores[~np.isnan(scores)]
        steps = np.clip(np.ceil(graded / STEP), 1, STEPS).astype(np.int64)
        places = np.where(graded <= 0, 0, np.where(graded >= FULL, STEPS + 1, steps))
        return cls(np.bincount(places, minlength=STEPS + 2).tolist())

    @property
    def total(self) -> int:
        return sum(self.counts)

    @property
    def zero(self) -> float:
        """The share at 0, in per cent, as the two that follow."""
        return self._share(self.counts[0])

    @property
    def between(self) -> float:
        return self._share(sum(self.counts[1:-1]))

    @property
    def full(self) -> float:
        return self._share(self.counts[-1])

    @property
    def shares(self) -> list[float]:
        """Of each count."""
        return [self._share(count) for count in self.counts]

    def _share(self, count: int) -> float:
        return FULL * count / self.total if self.total else 0.0
