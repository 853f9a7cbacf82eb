"""Intervals of a share and of a mean: SciPy's of 1.17.1, and how often they hold the truth."""

import math

import numpy as np
import pytest
from numpy.typing import NDArray

from grading.statistics.intervals import Method, find_student, find_wilson
from grading.statistics.metrics import Mean

Array = NDArray[np.float64]


@pytest.mark.parametrize(
    ("right", "count", "expected"),
    [
        # scipy.stats.binomtest(right, count).proportion_ci(method="wilson")
        (7, 19, (0.1914951274513508, 0.5896046683519693)),
        (345, 575, (0.5594215560261155, 0.6392511517552102)),
    ],
)
def test_wilson_s_interval_is_the_one_that_scipy_gives(
    right: int, count: int, expected: tuple[float, float]
) -> None:
    assert find_wilson(right / count, count) == pytest.approx(expected)


@pytest.mark.parametrize(("count", "method"), [(14, Method.FEW), (15, Method.STUDENT)])
def test_a_mean_has_an_interval_from_fifteen_on(count: int, method: Method) -> None:
    assert find_student([1.0, *[0.0] * (count - 1)], lowest=0, highest=1).method is method


# --- How often the truth is held --------------------------------------------------------------


def find_coverages(count: int) -> Array:
    """Return how often Wilson's interval holds each share from 0.5 to 99.5 %, without any draw."""
    shares = np.linspace(0.005, 0.995, 991)
    right = np.arange(count + 1)
    ways = np.array([math.comb(count, one) for one in right], dtype=float)
    ends = np.array([find_wilson(one / count, count) for one in right])
    chances = ways * shares[:, None] ** right * (1 - shares[:, None]) ** (count - right)
    holds = (ends[:, 0] <= shares[:, None]) & (shares[:, None] <= ends[:, 1])
    return (chances * holds).sum(axis=1)


@pytest.mark.parametrize(
    ("count", "mean", "least"),
    [
        # As docs/statistics.md has it: on the average over all shares, and at the worst of them.
        (8, 95.4, 83.7),
        (15, 95.3, 84.7),
        (19, 95.3, 84.2),
        (30, 95.3, 86.0),
        (67, 95.2, 89.9),
        (150, 95.1, 93.2),
        (575, 95.0, 93.0),
    ],
)
def test_wilson_s_interval_holds_the_truth_as_often_as_documented(
    count: int, mean: float, least: float
) -> None:
    found = 100 * find_coverages(count)
    assert (found.mean(), found.min()) == pytest.approx((mean, least), abs=0.06)


def draw_eed(source: np.random.Generator, shape: tuple[int, ...]) -> Array:
    """Draw scores shaped like EED: 12 % are 100, half are 0, the rest between."""
    kind = source.random(shape)
    return np.where(kind < 0.12, 100.0, np.where(kind < 0.62, 0.0, source.uniform(5, 60, shape)))


@pytest.mark.parametrize("count", [15, 19, 30, 67, 150])
def test_student_s_interval_holds_the_mean_of_eed(count: int) -> None:
    """Nineteen of twenty from 30 problems on; fewer are marked rough."""
    held = find_held_means(count, 1_000)
    assert 0.93 <= held <= 0.97 if count >= 30 else held >= 0.91


def find_held_means(count: int, times: int) -> float:
    source = np.random.default_rng([count, 20_261_123])
    truth = 12.0 + 0.38 * 32.5
    held = 0
    for scores in draw_eed(source, (times, count)):
        mean = Mean.of(scores.tolist())
        assert mean.is_rough == (count < 30)
        held += mean.low is not None and mean.high is not None and mean.low <= truth <= mean.high
    return held / times


@pytest.mark.parametrize("count", [15, 50, 150])
@pytest.mark.parametrize(("right", "scatter"), [(0.12, 0.3), (0.5, 0.3), (0.5, 3.0), (0.12, 30.0)])
def test_wilson_s_interval_of_four_answers_a_problem_holds_the_truth(
    count: int, right: float, scatter: float
) -> None:
    """From problems that are nearly always or never right (0.3) to equally hard ones (30)."""
    held = find_held_shares(count, right, scatter, 1_000)
    assert 0.93 <= held <= 0.98 if count >= 30 else held >= 0.91


def find_held_shares(count: int, right: float, scatter: float, times: int) -> float:
    source = np.random.default_rng([count, int(100 * right), int(10 * scatter)])
    chances = source.beta(scatter * right, scatter * (1 - right), (times, count))
    held = 0
    for scores in 25.0 * source.binomial(4, chances):
        mean = Mean.of_right_or_wrong(scores.tolist(), answers=4 * count)
        held += (
            mean.low is not None
            and mean.high is not None
            and (mean.low <= 100 * right <= mean.high)
        )
    return held / times
