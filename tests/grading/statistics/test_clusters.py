"""Means over people's answers: small studies by hand, and how often the truth is held."""

import math

import numpy as np
import pytest
from numpy.typing import NDArray

from grading.statistics.clusters import (
    ROUGH_BELOW,
    average,
    compare,
    find_spread,
    find_variance,
)
from grading.statistics.intervals import Method

Array = NDArray[np.float64]
Names = NDArray[np.int64]


def name(*numbers: int) -> Names:
    return np.array(numbers, dtype=np.int64)


def cross(people: int, problems: int) -> tuple[Names, Names]:
    """Let each person answer each problem."""
    return np.arange(people).repeat(problems), np.tile(np.arange(problems), people)


def find_variance_slowly(values: Array, people: Names, problems: Names) -> float:
    """Sum over all pairs of answers that share a person or a problem, as the estimator is made."""
    left = values - values.mean()
    products = np.outer(left, left) / len(values) ** 2
    same_person, same_problem = (one[:, None] == one for one in (people, problems))

    def grow(same: NDArray[np.bool_]) -> float:
        clusters = len(np.unique(same, axis=0))
        return float(products[same].sum()) * clusters / (clusters - 1)

    by_person, by_problem = grow(same_person), grow(same_problem)
    both = by_person + by_problem - grow(same_person & same_problem)
    return max(both, by_person, by_problem)


def test_the_variance_is_that_over_pairs_which_share_a_person_or_a_problem() -> None:
    source = np.random.default_rng(1)
    people = np.arange(12).repeat(6)
    problems = np.concatenate([source.permutation(20)[:6] for _person in range(12)])
    values = 100.0 * source.integers(0, 2, 72) + 3 * people + 5 * problems
    assert find_variance(values, people, problems) == pytest.approx(
        find_variance_slowly(values, people, problems)
    )


def test_the_variance_is_never_less_than_that_of_people_or_of_problems_alone() -> None:
    people, problems = cross(6, 6)
    # What a person has more on one problem is missing on the next: each problem's mean is 50.
    values = 50.0 + 10 * (people % 2 * 2 - 1)
    # Half of the people have 40, half 60: s² = 120, over 6 people.
    assert find_variance(values, people, problems) == pytest.approx(120 / 6)


def test_the_interval_has_as_many_degrees_of_freedom_as_the_fewer_have() -> None:
    people, problems = cross(20, 6)
    values = 50.0 + 10.0 * (people % 2) + 4.0 * (problems % 3)
    found = average(values, people, problems)
    assert (found.answers, found.people, found.problems) == (120, 20, 6)
    assert (found.method, found.is_rough) == (Method.CLUSTERS, True)
    assert found.value is not None
    assert found.high is not None
    # scipy.stats.t.ppf(0.975, 5)
    assert (found.high - found.value) / (found.standard_error or 0) == pytest.approx(
        2.5705818356363146
    )


@pytest.mark.parametrize(
    ("people", "problems", "has_interval"), [(4, 9, False), (9, 4, False), (5, 5, True)]
)
def test_below_five_people_or_problems_there_is_a_mean_and_no_interval(
    people: int, problems: int, has_interval: bool
) -> None:
    names = cross(people, problems)
    found = average(100.0 * (names[0] % 2), *names)
    assert found.value == pytest.approx(100 * (people // 2) / people)
    assert found.method is (Method.CLUSTERS if has_interval else Method.FEW)
    assert (found.low is not None) == has_interval


@pytest.mark.parametrize(("people", "is_rough"), [(ROUGH_BELOW, False), (ROUGH_BELOW - 1, True)])
def test_an_interval_of_few_people_is_rough(people: int, is_rough: bool) -> None:
    names = cross(people, 30)
    assert average(100.0 * (names[0] % 2), *names).is_rough == is_rough


def test_answers_that_are_all_alike_are_no_certainty() -> None:
    found = average(np.full(40, 100.0), *cross(8, 5))
    assert (found.value, found.low, found.high, found.method) == (100, None, None, Method.ALIKE)


def test_of_no_answers_there_is_nothing() -> None:
    found = average(np.empty(0), name(), name())
    assert (found.value, found.answers, found.method) == (None, 0, Method.FEW)


def test_an_answer_that_we_could_not_grade_is_left_out_and_counted() -> None:
    people, problems = cross(9, 6)
    scores = 100.0 * (people % 2)
    left = people == 8
    found = average(np.where(left, np.nan, scores), people, problems)
    assert (found.answers, found.ungraded, found.people) == (48, 6, 8)
    assert (found.value, found.low) == (
        50,
        average(scores[~left], people[~left], problems[~left]).low,
    )
    spread = find_spread(np.where(left, np.nan, scores), people)
    assert spread == find_spread(scores[~left], people[~left])
    of_solver = np.where(left, np.nan, 25.0)
    assert compare(scores, of_solver, people, problems).ungraded == 6


def test_a_solver_is_compared_on_the_problems_that_people_had() -> None:
    """Who had hard problems is not beaten by who had easy ones."""
    people, problems = cross(6, 10)
    of_the_solver = np.where(problems < 5, 100.0, 0.0)
    found = compare(of_the_solver - 10.0 * (people % 2), of_the_solver, people, problems)
    assert found.value == pytest.approx(-5)
    assert average(of_the_solver, people, problems).value == 50


def test_the_spread_is_of_people_each_counting_alike() -> None:
    # Means 0, 50, 50, 100 and 100; the last of one answer, the others of two.
    scores = np.array([0.0, 0.0, 100.0, 0.0, 0.0, 100.0, 100.0, 100.0, 100.0])
    spread = find_spread(scores, name(1, 1, 2, 2, 3, 3, 4, 4, 5))
    assert spread is not None
    assert (spread.people, spread.mean) == (5, 60)
    assert (spread.lower, spread.median, spread.upper, spread.top) == (50, 50, 100, 100)
    assert find_spread(scores[:-1], name(1, 1, 2, 2, 3, 3, 4, 4)) is None


def test_the_published_error_is_that_of_independent_answers() -> None:
    """
    PHYBench gives 61.9 ± 2.1 % for 559 answers of 81 people.

    That is one standard error as if each answer were another person's to another problem.
    """
    right = round(0.619 * 559)
    scores = np.array([100.0] * right + [0.0] * (559 - right))
    found = average(scores, np.arange(559), np.arange(559))
    assert found.value == pytest.approx(61.9, abs=0.05)
    assert found.standard_error == pytest.approx(2.1, abs=0.05)
    assert found.standard_error == pytest.approx(100 * math.sqrt(0.619 * 0.381 / 558), abs=0.01)


# --- How often the truth is held --------------------------------------------------------------

STUDIES = [
    # People, answers of each, and problems to draw them from.
    (5, 8, 40),
    (5, 8, 500),
    (5, 8, 8),
    (20, 8, 100),
    (20, 20, 20),
    (81, 7, 500),
]


def draw_study(
    source: np.random.Generator, people: int, each: int, problems: int
) -> tuple[Array, Array, Names, Names]:
    """Draw answers of people, and a solver's means of four answers to the same problems."""
    abilities, difficulties = source.normal(0, 1, people), source.normal(-0.8, 1.5, problems)
    names = np.arange(people).repeat(each)
    asked = np.concatenate([source.permutation(problems)[:each] for _person in range(people)])
    chances = 1 / (1 + np.exp(difficulties[asked] - abilities[names]))
    scores = 100.0 * (source.random(len(names)) < chances)
    of_solver = 25.0 * source.binomial(4, 1 / (1 + np.exp(difficulties)))
    return scores, of_solver[asked], names, asked


def integrate(spread: float) -> float:
    """Return the mean of 1 / (1 + exp(-x)) in per cent, x being normal around 0.8."""
    x = np.linspace(-12, 12, 200_001)
    weights = np.exp(-(x**2) / 2)
    return float(100 * (weights / (1 + np.exp(-0.8 - spread * x))).sum() / weights.sum())


PEOPLE, SOLVER = integrate(math.hypot(1, 1.5)), integrate(1.5)


def check_study(times: int, people: int, each: int, problems: int, least: float) -> None:
    source = np.random.default_rng([people, each, problems, 20_261_123])
    held = of_solver = 0
    for _time in range(times):
        scores, solver, names, asked = draw_study(source, people, each, problems)
        mean, difference = average(scores, names, asked), compare(scores, solver, names, asked)
        held += (mean.low or 0) <= PEOPLE <= (mean.high or 0)
        of_solver += (difference.low or 0) <= PEOPLE - SOLVER <= (difference.high or 0)
    assert held / times >= least
    assert of_solver / times >= least


@pytest.mark.parametrize(("people", "each", "problems"), [(5, 8, 40), (81, 7, 500)])
def test_nineteen_of_twenty_studies_hold_the_truth(people: int, each: int, problems: int) -> None:
    check_study(300, people, each, problems, least=0.92)


@pytest.mark.slow
@pytest.mark.parametrize(("people", "each", "problems"), STUDIES)
def test_studies_of_five_people_and_of_many_hold_the_truth(
    people: int, each: int, problems: int
) -> None:
    check_study(4_000, people, each, problems, least=0.93)
