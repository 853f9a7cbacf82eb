"""
Whether people do better or worse later in a session: a difference and a slope, with intervals.

Each person is compared with themselves: of each answer and of its place the person's own mean is
taken off, and the slope of one on the other is found by least squares (the "within" estimator).
People get their problems in random order, so what is left is practice, tiredness and want of time.
The variance is that of `clusters`, by people and by problems; the part of an answer is its residual
times its place, over the sum of squares of places.

How often the interval holds the truth: tests/grader_tests/statistics/test_positions.py.

Pure: no Django, no database.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from phybench_grader.statistics.clusters import (
    LEAST,
    ROUGH_BELOW,
    ClusteredMean,
    Names,
    Values,
    add_up,
)
from phybench_grader.statistics.distributions import student_quantile
from phybench_grader.statistics.intervals import NO_VARIANCE, TAIL, Method
from phybench_grader.statistics.studies import SatProblem


@dataclass(frozen=True, slots=True)
class PositionEffect:
    """How a score changes with the place; points, over 0 where later is better."""

    halves: ClusteredMean
    """Second half of the session less the first; a middle place is in neither."""
    slope: ClusteredMean
    """From one place to the next."""


def find_effect(rows: Sequence[SatProblem], score: Callable[[SatProblem], float]) -> PositionEffect:
    """
    Find how a score changes with the place in the session.

    >>> rows = [SatProblem(person, problem, 1 + (problem + person) % 6,
    ...                    100.0 * ((problem + person) % 6 > 2), 0.0, 1.0, of=6)
    ...         for person in range(6) for problem in range(6)]
    >>> found = find_effect(rows, lambda row: row.accuracy)
    >>> found.halves.value, found.halves.method.value
    (100.0, 'ALIKE')
    """
    in_halves = [row for row in rows if 2 * row.place != row.of + 1]
    return PositionEffect(
        halves=_find(in_halves, score, lambda row: float(2 * row.place > row.of + 1)),
        slope=_find(rows, score, lambda row: float(row.place)),
    )


def _find(
    rows: Sequence[SatProblem],
    score: Callable[[SatProblem], float],
    where: Callable[[SatProblem], float],
) -> ClusteredMean:
    return find_slope(
        np.array([score(row) for row in rows], dtype=np.float64),
        np.array([where(row) for row in rows], dtype=np.float64),
        np.array([row.person for row in rows], dtype=np.int64),
        np.array([row.problem for row in rows], dtype=np.int64),
    )


def find_slope(values: Values, places: Values, people: Names, problems: Names) -> ClusteredMean:
    """
    Find how much higher values are where the place is higher by 1, within people.

    Args:
        values: NaN where an answer is not graded; it is left out and counted.
        places: any numbers; of a person whose places are all the same nothing is told.

    >>> person, place = np.arange(40) // 8, np.arange(40.0) % 8
    >>> round(find_slope(3 * place + person, place, person, np.arange(40) % 7).value, 6)
    3.0
    """
    is_graded = ~np.isnan(values)
    ungraded = int((~is_graded).sum())
    values, places = values[is_graded], places[is_graded]
    people, problems = people[is_graded], problems[is_graded]
    values, places = _take_off_means(values, people), _take_off_means(places, people)
    counts = len(values), ungraded, len(np.unique(people)), len(np.unique(problems))
    squares = float((places**2).sum())
    if squares < NO_VARIANCE:
        return ClusteredMean(None, *counts, Method.FEW)
    slope = float((places * values).sum()) / squares
    fewest = min(counts[2:])
    if fewest < LEAST:
        return ClusteredMean(slope, *counts, Method.FEW)
    variance = add_up(places * (values - slope * places) / squares, people, problems)
    if variance < NO_VARIANCE:
        return ClusteredMean(slope, *counts, Method.ALIKE)
    error = math.sqrt(variance)
    spread = student_quantile(TAIL, fewest - 1) * error
    low, high = slope - spread, slope + spread
    is_rough = fewest < ROUGH_BELOW
    return ClusteredMean(slope, *counts, Method.CLUSTERS, error, low, high, is_rough)


def _take_off_means(values: Values, people: Names) -> Values:
    if not len(values):
        return values
    _names, places = np.unique(people, return_inverse=True)
    means = np.bincount(places, weights=values) / np.bincount(places)
    return np.asarray(values - means[places], dtype=np.float64)
