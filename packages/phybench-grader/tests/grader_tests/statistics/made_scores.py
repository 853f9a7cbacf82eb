"""
Boards and studies drawn many at once, of which the truth is known, and the intervals of all.

The intervals are those of `intervals.find_bounded`, computed for many at a time with NumPy and
another way to the quantile: a million of them take a minute, which one at a time would take five.
Tests compare some of each kind with what the code itself gives.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from phybench_grader.statistics.distributions import student_quantile

Array = NDArray[np.float64]

SEED = 20_261_126
MOST_PARTLY = 0.6
WORLDS = {"all or nothing": 1.0, "80 % alike": 0.8, "independent": 0.0}
"""How likely each of four answers to a problem is the problem's own, rather than drawn anew."""


@dataclass(frozen=True)
class Cell:
    """What boards are made of; shares of 1."""

    problems: int
    right: float
    """Of the scores those that are 1."""
    partial: float
    """Of the rest those that are spread evenly from 0 to `MOST_PARTLY`."""

    @property
    def truth(self) -> float:
        return self.right + (1 - self.right) * self.partial * MOST_PARTLY / 2

    def draw(self, times: int) -> Array:
        """Draw boards with one answer to a problem: a row a board."""
        source = self._seed()
        return self._score(source.random((times, self.problems)), source)

    def draw_four(self, times: int, world: str) -> Array:
        """Draw boards of means of four answers to each problem."""
        source = self._seed(4, len(world))
        own, share = self._draw_more(source, times), WORLDS[world]
        if share == 1:
            return own
        total = np.zeros_like(own)
        for _answer in range(4):
            is_own = source.random(own.shape) < share
            total += np.where(is_own, own, self._draw_more(source, times))
        return total / 4

    def _draw_more(self, source: np.random.Generator, times: int) -> Array:
        return self._score(source.random((times, self.problems)), source)

    def _score(self, kind: Array, source: np.random.Generator) -> Array:
        partly = MOST_PARTLY * source.random(kind.shape)
        most = self.right + self.partial * (1 - self.right)
        return np.where(kind < self.right, 1.0, np.where(kind < most, partly, 0.0))

    def _seed(self, *more: int) -> np.random.Generator:
        shares = int(1000 * self.right), int(1000 * self.partial)
        return np.random.default_rng([SEED, *more, self.problems, *shares])


def list_cells(*problems: int) -> Iterator[Cell]:
    """List the cells that are possible: not all scores are 0."""
    for count in problems:
        for right in (0.0, 0.01, 0.1, 0.5, 0.9):
            for partial in (0.0, 0.02, 0.1, 0.4):
                if right or partial:
                    yield Cell(count, right, partial)


def sum_squares(scores: Array) -> tuple[Array, Array]:
    """Return the mean of each row, and the squared distances from it."""
    means: Array = scores.mean(axis=-1)
    return means, ((scores - means[..., None]) ** 2).sum(axis=-1)


def find_student_ends(scores: Array) -> tuple[Array, Array, NDArray[np.bool_]]:
    """Return the ends of Student's intervals, cut off at 0 and 1, and which boards have one."""
    count = scores.shape[1]
    means, squares = sum_squares(scores)
    spread = student_quantile(0.975, count - 1) * np.sqrt(squares / (count - 1) / count)
    return np.maximum(0, means - spread), np.minimum(1, means + spread), squares > 1e-18


def find_ends(means: Array, squares: Array, count: int, weight: float) -> tuple[Array, Array]:
    """Find the ends of many intervals, as `find_bounded` does for one."""
    # The high end is the low end of what is missing to 1.
    low, missing = (_find_low(one, squares, count, weight) for one in (means, 1 - means))
    return low, 1 - missing


def _find_low(means: Array, squares: Array, count: int, weight: float) -> Array:
    total = count + weight
    middle = count * means / total
    scatter = squares + count * (means - middle) ** 2 + weight * middle**2
    ends = np.zeros(len(means))
    known = scatter > 1e-18
    if known.any():
        middle = middle[known]
        size = middle * (1 - middle) * total * (total + 1) / scatter[known] - 1
        ends[known] = find_beta_quantiles(0.025, middle * size, (1 - middle) * size)
    return ends


def find_beta_quantiles(share: float, a: Array, b: Array) -> Array:
    """Find quantiles of beta distributions below their means, by Halley's method in a bracket."""
    log_scale = find_log_gamma(a + b) - find_log_gamma(a) - find_log_gamma(b)
    middle = a / (a + b)
    low, high = np.zeros_like(a), np.ones_like(a)
    x = middle - 1.96 * np.sqrt(middle * (1 - middle) / (a + b + 1))
    x = np.where(x > 0, x, middle / 2)
    for _step in range(100):
        gap = _find_beta_shares(x, a, b, log_scale) - share
        low, high = np.where(gap < 0, x, low), np.where(gap < 0, high, x)
        with np.errstate(all="ignore"):
            step = gap / np.exp(log_scale + (a - 1) * np.log(x) + (b - 1) * np.log1p(-x))
            bend = step * ((a - 1) / x - (b - 1) / (1 - x))
            following = x - step / np.where(np.abs(bend) < 1, 1 - bend / 2, 1.0)
        is_inside = (low < following) & (following < high)
        following = np.where(is_inside, following, (low + high) / 2)
        if np.max(np.abs(following - x)) < 1e-9:
            return following
        x = following
    return x


def find_log_gamma(x: Array) -> Array:
    """Return the logarithm of the gamma function: Stirling's series, from 10 on."""
    taken = np.zeros_like(x)
    for _step in range(10):
        is_small = x < 10
        taken += np.where(is_small, np.log(np.where(is_small, x, 1.0)), 0.0)
        x = np.where(is_small, x + 1, x)
    square = 1 / x**2
    series = (1 / 12 - square * (1 / 360 - square * (1 / 1260 - square / 1680))) / x
    return (x - 0.5) * np.log(x) - x + math.log(2 * math.pi) / 2 + series - taken


def _find_beta_shares(x: Array, a: Array, b: Array, log_scale: Array) -> Array:
    scale = np.exp(log_scale + a * np.log(x) + b * np.log1p(-x))
    is_low = x < (a + 1) / (a + b + 2)
    near, far = np.where(is_low, a, b), np.where(is_low, b, a)
    found = scale * _continue_fraction(np.where(is_low, x, 1 - x), near, far) / near
    return np.where(is_low, found, 1 - found)


def _continue_fraction(x: Array, a: Array, b: Array) -> Array:
    """Compute it for all at once; those that are near enough drop out."""
    out, places = np.empty_like(x), np.arange(len(x))
    above, below = np.ones_like(x), 1 / (1 - (a + b) * x / (a + 1))
    found = below
    for m in range(1, 5000):
        even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        below, above = 1 / (1 + even * below), 1 + even / above
        found = found * below * above
        below, above = 1 / (1 + odd * below), 1 + odd / above
        found = found * below * above
        going = np.abs(below * above - 1) > 1e-11
        if m % 4 == 0 and not going.all():
            out[places] = found
            places, x, a, b = places[going], x[going], a[going], b[going]
            above, below, found = above[going], below[going], found[going]
            if not len(places):
                return out
    out[places] = found
    return out


def find_clustered(values: Array, problems: NDArray[np.int64]) -> tuple[Array, Array, int]:
    """
    Return means of studies, the two-way variances of them, and people or problems, the fewer.

    Args:
        values: a study, a person, an answer.
        problems: of each person's answers, the same in each study.
    """
    times, people, each = values.shape
    answers = people * each
    means = values.mean(axis=(1, 2))
    parts = (values - means[:, None, None]) / answers
    names, places = np.unique(problems.ravel(), return_inverse=True)
    to_problems = np.zeros((answers, len(names)))
    to_problems[np.arange(answers), places] = 1
    flat = parts.reshape(times, answers)

    def square(sums: Array) -> Array:
        return (sums**2).sum(axis=1) * sums.shape[1] / (sums.shape[1] - 1)

    by_person, by_problem = square(parts.sum(axis=2)), square(flat @ to_problems)
    one_way = np.maximum(by_person, by_problem)
    both = by_person + by_problem - square(flat)
    return means, np.maximum(both, one_way), min(people, len(names))
