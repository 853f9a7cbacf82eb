"""
What answers of many people tell: their mean, how people spread, and a solver beside them.

Answers of one person have something in common, and so have answers to one problem. The variance of
a mean over such answers is the sum of what it is with people as clusters and with problems as
clusters, less what both count, which is that of independent answers (A. C. Cameron, J. B. Gelbach
and D. L. Miller, J. Bus. Econ. Stat. 29, 238, 2011); never less than the larger of the first two.
Each is multiplied by G / (G - 1) for its G clusters; the quantile is that of Student's t with one
degree of freedom less than there are people or problems, whichever are fewer.

An interval is of the mean over the populations that people and problems were drawn from: of other
people like these on other problems like these, not of these people or of this pool alone.

- A mean: `intervals.find_bounded`, for as many independent means as there are people or problems,
  whichever are fewer, that scatter so that their mean has this variance. The mean ± t standard
  errors of it held 86 to 92 % where 5 people have 90 % right. Where all answers are alike there is
  an interval too.
- People less a solver: each mean has Wilson's interval of a share p, with as many answers as would
  have its variance if they were independent, p (1 - p) / variance, and Student's quantile for the
  normal one (as survey statistics do: C. Franco, R. J. A. Little, T. A. Louis and E. V. Slud, J.
  Surv. Stat. Methodol. 7, 334, 2019); the distances of the difference's ends are joined of theirs
  with their correlation (G. Y. Zou, Psychol. Methods 12, 399, 2007: MOVER).

How often each holds the truth is measured by `python -m tests.benchmarks.clusters` and held by
tests/grader_tests/statistics/test_clusters.py. To draw people and problems anew instead is too
wide by half at 81 people.

Pure: no Django, no database. Scores run from 0 to 100, NaN where we could not grade: with such an
answer a mean is a range (`provisional`), and a difference leaves it out and counts it. An answer is
a place in arrays of one length; people and problems are numbers.
"""

import math
from dataclasses import dataclass, replace
from typing import Self

import numpy as np
from numpy.typing import NDArray

from phybench_grader.statistics.distributions import student_quantile
from phybench_grader.statistics.intervals import (
    NO_VARIANCE,
    ONE_ANSWER,
    SEVERAL_ANSWERS,
    TAIL,
    Bounds,
    Method,
    find_bounded,
    find_wilson,
)
from phybench_grader.statistics.provisional import FULL, Range, find_range

LEAST = 5
"""People, and problems: of fewer there is no interval."""
ROUGH_BELOW = 20
"""People, and problems: of fewer an interval of a difference or a slope is rough."""

Values = NDArray[np.float64]
Names = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class ClusteredMean:
    """A mean over answers with its 95 % interval where there is one."""

    value: float | None
    """None of no answer, and of a mean that can lie anywhere in a range."""
    answers: int
    """With a score."""
    ungraded: int
    people: int
    problems: int
    method: Method
    standard_error: float | None = None
    low: float | None = None
    high: float | None = None
    is_rough: bool = False
    range: Range | None = None
    """Where it can lie while an answer is not graded; None where all are, or none is."""

    def say(self) -> str:
        """Say it in a sentence, or where it can lie while not all is graded."""
        if self.range:
            return str(self.range)
        return "–" if self.value is None else f"{self.value:.1f}"


@dataclass(frozen=True, slots=True)
class Spread:
    """
    How the means of single people spread, each over the problems that the person had.

    The paper's "upper quartile" of 71.4 % is `upper`: three of four people are below it. The best
    quarter's own mean, `top`, is higher than they would reach again: they are the best by the same
    answers.
    """

    people: int
    mean: float
    """Of people, each counting alike; not of answers."""
    lower: float
    median: float
    upper: float
    top: float
    """Mean of those who reach the upper quartile."""


def average(values: Values, people: Names, problems: Names) -> ClusteredMean:
    """
    Average answers of people to problems, each counting alike.

    While one is not graded there is no value and no interval, only where the mean can lie.

    >>> scores = np.array([100.0, 0.0] * 20)
    >>> found = average(scores, np.arange(40) // 4, np.arange(40) % 8)
    >>> found.value, found.people, found.problems, found.method.value
    (50.0, 10, 8, 'CLUSTERS')
    >>> scores[0] = np.nan
    >>> average(scores, np.arange(40) // 4, np.arange(40) % 8).say()
    '47.5–50.0'
    """
    sample = _Sample.of(values, people, problems)
    value, variance = sample.average(values)
    if value is not None and not sample.is_graded.all():
        graded, ungraded = values[sample.is_graded].tolist(), int((~sample.is_graded).sum())
        found = find_range({0: graded}, {0: ungraded})
        return replace(sample.tell(None), method=Method.FEW, range=found)
    fewest = sample.fewest
    if value is None or fewest < LEAST:
        return sample.tell(value)
    answers = int(sample.is_graded.sum())
    bounds = find_bounds(value / FULL, (variance or 0.0) / FULL**2, fewest, answers)
    told = sample.tell(value, variance, FULL * bounds.low, FULL * bounds.high)
    return replace(told, method=Method.CLUSTERS, is_rough=bounds.is_rough)


def find_bounds(share: float, variance: float, fewest: int, answers: int) -> Bounds:
    """
    Find the interval of a mean, as a share of 1, of which the variance is known.

    Args:
        fewest: people or problems, whichever are fewer.
    """
    # Hardly more answers than people, or problems, are not means of several.
    weight = SEVERAL_ANSWERS if answers >= 2 * fewest else ONE_ANSWER
    return find_bounded(share, variance * fewest * (fewest - 1), fewest, weight)


def compare(scores: Values, solver: Values, people: Names, problems: Names) -> ClusteredMean:
    """
    Compare people with a solver: how much higher their answers score.

    Where people's answers are all alike there is no interval: how they scatter is not known.

    Args:
        scores: of each answer of a person.
        solver: of each the solver's mean score on the same problem.
    """
    sample = _Sample.of(scores - solver, people, problems)
    value, variance = sample.average(scores - solver)
    if value is None or variance is None:
        return sample.tell(value)
    t = sample.quantile
    peoples, by_people = sample.average(scores)
    solvers, by_solver = sample.average(solver)
    if peoples is None or by_people is None or solvers is None:
        return sample.tell(value)
    # A solver who scores alike everywhere is a fixed score.
    by_solver = by_solver or 0.0
    scale = 2 * math.sqrt(by_people * by_solver)
    # What is floored can be more than the two allow.
    likeness = max(-1.0, min(1.0, (by_people + by_solver - variance) / scale)) if scale else 0.0
    low, high = _find_wilson(peoples, by_people, t)
    solver_low, solver_high = _find_wilson(solvers, by_solver, t)
    below = _join(peoples - low, solver_high - solvers, likeness)
    above = _join(high - peoples, solvers - solver_low, likeness)
    told = sample.tell(value, variance, max(-FULL, value - below), min(FULL, value + above))
    return replace(told, is_rough=sample.fewest < ROUGH_BELOW)


@dataclass(frozen=True, slots=True)
class _Sample:
    """Which answers are graded, of whom, and to what."""

    is_graded: NDArray[np.bool_]
    people: Names
    problems: Names
    people_count: int
    problem_count: int

    @classmethod
    def of(cls, values: Values, people: Names, problems: Names) -> Self:
        is_graded = ~np.isnan(values)
        people, problems = people[is_graded], problems[is_graded]
        return cls(is_graded, people, problems, len(np.unique(people)), len(np.unique(problems)))

    @property
    def fewest(self) -> int:
        return min(self.people_count, self.problem_count)

    @property
    def quantile(self) -> float:
        return student_quantile(TAIL, self.fewest - 1)

    def average(self, values: Values) -> tuple[float | None, float | None]:
        """Return the mean of what is graded and its variance; None where there is none."""
        values = values[self.is_graded]
        if not len(values):
            return None, None
        mean = float(values.mean())
        if self.fewest < LEAST:
            return mean, None
        variance = find_variance(values, self.people, self.problems)
        return mean, None if variance < NO_VARIANCE else variance

    def tell(
        self,
        value: float | None,
        variance: float | None = None,
        low: float | None = None,
        high: float | None = None,
    ) -> ClusteredMean:
        if variance is None:
            method = Method.FEW if self.fewest < LEAST else Method.ALIKE
        else:
            method = Method.CLUSTERS
        return ClusteredMean(
            value,
            int(self.is_graded.sum()),
            int((~self.is_graded).sum()),
            self.people_count,
            self.problem_count,
            method,
            None if variance is None else math.sqrt(variance),
            low,
            high,
        )


def _find_wilson(mean: float, variance: float, quantile: float) -> tuple[float, float]:
    """Find Wilson's interval of a mean of scores; the mean itself where they are alike."""
    share = mean / FULL
    if not variance or not 0 < share < 1:
        return mean, mean
    low, high = find_wilson(share, share * (1 - share) * FULL**2 / variance, quantile)
    return FULL * low, FULL * high


def _join(first: float, second: float, likeness: float) -> float:
    """Join distances of two ends to that of the difference of what they are ends of."""
    return math.sqrt(max(0.0, first**2 + second**2 - 2 * likeness * first * second))


def find_variance(values: Values, people: Names, problems: Names) -> float:
    """Return the variance of a mean over answers of two people and to two problems at least."""
    return add_up((values - values.mean()) / len(values), people, problems)


def add_up(parts: Values, people: Names, problems: Names) -> float:
    """
    Return the variance of a figure of which each answer has a part of its error.

    Args:
        parts: of a mean, how far each answer is from it, over their number; they sum to 0.
    """
    by_person = _find_one_way(parts, people)
    by_problem = _find_one_way(parts, problems)
    by_answer = _find_one_way(parts, np.arange(len(parts)))
    return max(by_person + by_problem - by_answer, by_person, by_problem)


def _find_one_way(parts: Values, names: Names) -> float:
    _names, places = np.unique(names, return_inverse=True)
    sums = np.bincount(places, weights=parts)
    clusters = len(sums)
    return float((sums**2).sum()) * clusters / (clusters - 1)


def find_spread(values: Values, people: Names) -> Spread | None:
    """
    Find how people's own means spread; None of fewer than `LEAST` people.

    None too while an answer is not graded: its person's mean can lie anywhere in a range.

    >>> spread = find_spread(np.array([0.0, 25.0, 50.0, 75.0, 100.0]), np.arange(5))
    >>> spread.lower, spread.median, spread.upper, spread.top
    (25.0, 50.0, 75.0, 87.5)
    """
    names, places = np.unique(people, return_inverse=True)
    if len(names) < LEAST or np.isnan(values).any():
        return None
    means = np.bincount(places, weights=values) / np.bincount(places)
    lower, median, upper = (float(one) for one in np.quantile(means, [0.25, 0.5, 0.75]))
    top = float(means[means >= upper].mean())
    return Spread(len(names), float(means.mean()), lower, median, upper, top)
