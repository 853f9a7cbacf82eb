"""
What a study of people can detect, before the first person starts.

An answer's score varies by person, by problem, and by what is left. Of n people who answer k
problems each, from a pool of J, the mean has the variance

    s² (ρ_person / n + ρ_problem / min(J, n k) + (1 - ρ_person - ρ_problem) / (n k))

where ρ_person is the correlation of two answers of one person, ρ_problem that of two answers to
one problem, and the problems are answered about as often as each other. Right or wrong has
s² = p (1 - p). A fixed score is found to differ where the interval of `clusters` leaves it out. Its
variance is estimated from the study itself, so a study of few people may have bad luck with it too.
The estimate is taken to scatter as `clusters` makes it: what people differ by like χ² over its
degrees of freedom, the rest as it is on average, and never less than either way of clustering
gives. Averaged over that scatter, the probability to find the difference is 80 %. The mean is taken
to be normal around what is expected.

Taken is the score that lies from the mean towards 50 %, where scores scatter more: away from it
less is enough. How near it comes is measured by `python -m tests.benchmarks.clusters`.

Pure: no Django, no database.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from phybench_grader.statistics.clusters import LEAST, Values, find_bounds
from phybench_grader.statistics.distributions import bisect
from phybench_grader.statistics.provisional import FULL

POWER = 0.8
POINTS, REACH = 401, 9.0
"""Of the sum over χ²: how many, and how many standard deviations to either side."""
MEANS, ERRORS = 25, 9
"""Points of the grid between which the ends of intervals are interpolated."""


@dataclass(frozen=True, slots=True)
class Design:
    """
    A study as it is planned.

    Raises:
        ValueError: a number that can't be: `check` says which.
    """

    people: int
    each: int
    """Problems that each person answers, at most as many as the pool has."""
    pool: int
    """Problems that they are drawn from."""
    accuracy: float = 60.0
    """Expected share of right answers, in per cent: over 0, under 100."""
    person_correlation: float = 0.1
    problem_correlation: float = 0.2

    def __post_init__(self) -> None:
        counts = self.people >= 1 and 1 <= self.each <= self.pool
        correlations = self.person_correlation >= 0 and self.problem_correlation >= 0
        if not counts:
            raise ValueError("people and problems: at least one, and no more than the pool has")
        if not correlations or self.person_correlation + self.problem_correlation > 1:
            raise ValueError("correlations: none below 0, and together at most 1")
        if not 0 < self.accuracy < FULL:
            raise ValueError("accuracy: between 0 and 100")

    @property
    def answers(self) -> int:
        return self.people * self.each

    @property
    def asked(self) -> int:
        """Count the problems that somebody answers."""
        return min(self.pool, self.answers)

    @property
    def variance(self) -> float:
        """Return that of people's mean, of answers with variance 1."""
        return self.by_person + self.by_problem - 1 / self.answers

    @property
    def by_person(self) -> float:
        """Return what the variance is with people alone as clusters."""
        rest = 1 - self.person_correlation
        return self.person_correlation / self.people + rest / self.answers

    @property
    def by_problem(self) -> float:
        """Return what the variance is with problems alone as clusters."""
        rest = 1 - self.problem_correlation
        return self.problem_correlation / self.asked + rest / self.answers

    @property
    def standard_error(self) -> float:
        """Return that of people's mean accuracy, in points."""
        share = self.accuracy / FULL
        return FULL * math.sqrt(share * (1 - share) * self.variance)

    @property
    def freedom(self) -> int:
        return min(self.people, self.asked) - 1


@lru_cache(maxsize=256)
def find_detectable(design: Design) -> float | None:
    """
    Return the smallest difference that the study detects, in points of accuracy.

    It is that between people's mean and a fixed score, such as what a model reached on many
    problems or what is expected of guessing. None of so few people or problems that there is no
    interval.

    >>> round(find_detectable(Design(people=81, each=8, pool=500)) or 0, 1)
    7.6
    >>> find_detectable(Design(people=4, each=8, pool=500))
    """
    if min(design.people, design.asked) < LEAST:
        return None
    share = min(design.accuracy, FULL - design.accuracy) / FULL
    find = _prepare(design)
    return FULL * bisect(lambda one: find(one) - POWER, 0.0, 1 - share, steps=40)


def find_power(design: Design, difference: float) -> float:
    """
    Return how probable it is that a fixed score is found to differ that lies towards 50 %.

    Args:
        difference: between it and people's true mean, as a share of 1.
    """
    return _prepare(design)(difference)


def _prepare(design: Design) -> Callable[[float], float]:
    """Return what finds the power of a difference, with the ends of intervals looked up."""
    share = min(design.accuracy, FULL - design.accuracy) / FULL
    scatter = math.sqrt(share * (1 - share) * design.variance)
    errors, weights = _spread_errors(design)
    means, known, ends = _tabulate_ends(design, errors, weights)

    def find(difference: float) -> float:
        # Of each error the highest mean of which the interval ends below the score.
        highest = [float(np.interp(share + difference, row, means, left=-1.0)) for row in ends]
        reach = (np.interp(errors, known, highest) - share) / scatter
        surely = [math.erf(one) for one in reach / math.sqrt(2)]
        return float(weights @ (1 + np.array(surely)) / 2)

    return find


def _tabulate_ends(
    design: Design, errors: Values, weights: Values
) -> tuple[Values, Values, Values]:
    """Return means, some of the errors, and of each the upper ends of those means' intervals."""
    means = np.linspace(0, 1, MEANS) ** 2
    known = np.interp(np.linspace(0.001, 0.999, ERRORS), np.cumsum(weights), errors)
    fewest = min(design.people, design.asked)
    ends = [
        [find_bounds(m, m * (1 - m) * error**2, fewest, design.answers).high for m in means]
        for error in known.tolist()
    ]
    # Near 1 an end may fall, for the scatter does: it is never looked for there.
    return means, known, np.maximum.accumulate(np.array(ends), axis=1)


def _spread_errors(design: Design) -> tuple[Values, Values]:
    """Return standard errors that a study may come to, of answers with variance 1, and weights."""
    freedom = design.freedom
    reach = REACH * math.sqrt(2 / freedom)
    logs = np.linspace(-reach, reach, POINTS)
    # Over even steps of log χ² the density of χ² has one χ more.
    weights = np.exp(freedom / 2 * (logs - np.exp(logs) + 1))
    by_person = design.by_person * np.exp(logs)
    both = by_person + design.by_problem - 1 / design.answers
    variances = np.maximum(both, np.maximum(by_person, design.by_problem))
    return np.sqrt(variances), weights / weights.sum()
