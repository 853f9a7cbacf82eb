"""Boards drawn at random, of which the truth is known, and another way to compare all pairs."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from phybench_grader.statistics.distributions import beta_share
from phybench_grader.statistics.ranks import RankRange

SEED = 20_261_123
ABILITIES = {
    "equal": lambda solvers: np.zeros(solvers),
    # Pairs of equals, each a little better than the last: half a point at the most.
    "near": lambda solvers: 0.02 * (np.arange(solvers) // 2),
    # As on a real board: from one in ten to nine in ten, with three equals of each.
    "apart": lambda solvers: np.linspace(-2.5, 2.5, -(-solvers // 3)).repeat(3)[:solvers],
}


@dataclass(frozen=True)
class Drawn:
    """A board: a row a solver and a column a problem, with how good each solver really is."""

    abilities: NDArray[np.float64]
    scores: NDArray[np.float64]

    def covers(self, ranges: list[RankRange]) -> bool:
        """Say whether each range holds all ranks that a solver may be said to have."""
        solvers = len(self.abilities)
        return all(
            one.low <= 1 + (self.abilities > ability).sum()
            and one.high >= solvers - (self.abilities < ability).sum()
            for one, ability in zip(ranges, self.abilities, strict=True)
        )


def draw_boards(
    times: int, *, solvers: int, problems: int, samples: int, kind: str
) -> Iterator[Drawn]:
    """
    Draw boards of other problems each.

    Problems differ in difficulty and discrimination, and each suits some solvers more than others:
    so equals are equal over all problems, and not on each.
    """
    source = np.random.default_rng([SEED, solvers, problems, samples, len(kind)])
    abilities = ABILITIES[kind](solvers)
    for _time in range(times):
        difficulties = source.normal(0.5, 1.2, problems)
        discriminations = source.uniform(0.6, 1.6, problems)
        suits = source.normal(0, 0.7, (solvers, problems))
        chances = 1 / (1 + np.exp(-discriminations * (abilities[:, None] - difficulties + suits)))
        scores = 100.0 * source.binomial(samples, chances) / samples
        yield Drawn(abilities, scores)


def compare_by_holm(scores: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Compare all pairs by paired t-tests, with S. Holm's correction: who is better than whom."""
    solvers, problems = scores.shape
    first, second = np.triu_indices(solvers, 1)
    differences = scores[first] - scores[second]
    means, errors = differences.mean(axis=1), differences.std(axis=1, ddof=1) / np.sqrt(problems)
    with np.errstate(divide="ignore", invalid="ignore"):
        statistics = np.nan_to_num(means / errors, nan=0.0, posinf=np.inf, neginf=-np.inf)
    better = np.zeros((solvers, solvers), dtype=np.bool_)
    freedom = problems - 1
    order = np.argsort(-np.abs(statistics))
    for tried, pair in enumerate(order):
        square = statistics[pair] ** 2
        chance = beta_share(freedom / (freedom + square), freedom / 2, 0.5)
        if chance > 0.05 / (len(order) - tried):
            break
        one, other = first[pair], second[pair]
        better[(one, other) if means[pair] > 0 else (other, one)] = True
    return better


def measure_width(ranges: list[RankRange]) -> float:
    """Return how many ranks a solver can have, on the average."""
    return float(np.mean([one.high - one.low + 1 for one in ranges]))
