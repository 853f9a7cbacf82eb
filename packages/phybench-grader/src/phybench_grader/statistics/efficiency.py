"""
How much more a graded score tells than right or wrong does.

Two figures, for arXiv 2504.16074 has one that is none of it:

- the paper's sample efficiency (equation 10): the square of how much smaller the coefficient of
  variation, σ / mean, of the mean EED is than that of the accuracy. It rises with every constant
  that is added to all scores, and so says little; it is here to be compared with.
- the efficiency in telling two solvers apart, (z_EED / z_ACC)², z being the difference of two means
  by its standard error: how many times more problems right or wrong needs to tell two apart as
  well. A constant changes nothing. Over pairs of solvers it is the median and, pooled, the sum of
  the squares by the sum; pairs that right or wrong hardly tells apart are left out, for what
  divides by nearly 0 says nothing.

Standard errors are analytic, s / sqrt(n) over problems, and of a difference those of the paired
differences. `bootstrap_error` is the paper's way, kept to show that both agree.

Pure: no Django, no database. Scores are means by problem, a row a solver and a column a problem,
NaN where a solver has nothing of a problem.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import median

import numpy as np
from numpy.typing import NDArray

RESAMPLES = 1_000
SEED = 20_261_125
LEAST_TOLD_APART = 0.5
"""Standard errors that two solvers' accuracies have to be apart."""

Matrix = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean score and the standard error of it."""

    mean: float
    error: float

    @property
    def variation(self) -> float | None:
        """Return the coefficient of variation; None of a mean of 0."""
        return self.error / self.mean if self.mean else None


@dataclass(frozen=True, slots=True)
class Discrimination:
    """How much better EED tells pairs of solvers apart than accuracy does; 1 is as well."""

    pairs: int
    median: float | None
    """None of no pair."""
    pooled: float | None


def estimate(scores: Matrix) -> Estimate | None:
    """
    Estimate a mean over problems; None of fewer than two.

    >>> estimate(np.array([100.0, 0.0, np.nan, 100.0, 0.0]))
    Estimate(mean=50.0, error=28.867513459481287)
    """
    given = scores[~np.isnan(scores)]
    if len(given) < 2:
        return None
    return Estimate(float(given.mean()), float(given.std(ddof=1)) / math.sqrt(len(given)))


def bootstrap_error(scores: Matrix, *, resamples: int = RESAMPLES, seed: int = SEED) -> float:
    """Return the standard deviation of means of problems that are drawn anew (appendix C.1)."""
    given = scores[~np.isnan(scores)]
    drawn = np.random.default_rng(seed).integers(0, len(given), (resamples, len(given)))
    return float(given[drawn].mean(axis=1).std(ddof=1))


def find_sample_efficiency(accuracy: Estimate, eed: Estimate) -> float | None:
    """
    Return the paper's sample efficiency, 1 where both vary alike; None where either can't.

    >>> round(find_sample_efficiency(Estimate(36.65, 1.97), Estimate(49.40, 1.71)), 2)
    2.41
    """
    if not accuracy.variation or not eed.variation:
        return None
    return (accuracy.variation / eed.variation) ** 2


def find_confidence(first: Estimate, second: Estimate) -> float:
    """
    Return how sure it is that the first is better (equation 11), 0 to 1.

    The paper takes means as normal and independent. Those of two who answered the same problems
    rise and fall together, so that it is less sure than it could be.

    >>> round(find_confidence(Estimate(49.40, 1.71), Estimate(46.30, 1.72)), 2)
    0.9
    """
    error = math.hypot(first.error, second.error)
    if not error:
        return 0.5 + 0.5 * float(np.sign(first.mean - second.mean))
    return 0.5 * (1 + math.erf((first.mean - second.mean) / error / math.sqrt(2)))


def find_discrimination(accuracy: Matrix, eed: Matrix) -> Discrimination:
    """
    Find how much better EED tells apart two who answered the same problems.

    Args:
        accuracy: means by problem.
        eed: the same answers' mean EED.
    """
    return _pool(
        (_find_z(accuracy[one], accuracy[other]), _find_z(eed[one], eed[other]))
        for one in range(len(accuracy))
        for other in range(one)
    )


def find_discrimination_unpaired(pairs: Sequence[tuple[Estimate, Estimate]]) -> Discrimination:
    """
    Find the same from published means, as if solvers had answered other problems each.

    Args:
        pairs: of each solver the accuracy and the EED.
    """
    return _pool(
        (_find_unpaired_z(one[0], other[0]), _find_unpaired_z(one[1], other[1]))
        for place, one in enumerate(pairs)
        for other in pairs[:place]
    )


def _find_z(first: Matrix, second: Matrix) -> float | None:
    """Return how many standard errors two are apart; None where nothing or all alike differs."""
    found = estimate(first - second)
    return found.mean / found.error if found and found.error else None


def _find_unpaired_z(first: Estimate, second: Estimate) -> float | None:
    error = math.hypot(first.error, second.error)
    return (first.mean - second.mean) / error if error else None


def _pool(pairs: Iterable[tuple[float | None, float | None]]) -> Discrimination:
    squares = [
        (by_accuracy**2, by_eed**2)
        for by_accuracy, by_eed in pairs
        if by_accuracy is not None and by_eed is not None and abs(by_accuracy) > LEAST_TOLD_APART
    ]
    if not squares:
        return Discrimination(0, None, None)
    below, above = (math.fsum(column) for column in zip(*squares, strict=True))
    return Discrimination(len(squares), median(eed / one for one, eed in squares), above / below)
