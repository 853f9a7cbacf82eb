"""The effect of a place in a session: by hand, and how often the truth is held."""

import math
import random

import numpy as np
import pytest

from phybench_grader.statistics.clusters import average, find_variance
from phybench_grader.statistics.intervals import Method
from phybench_grader.statistics.positions import find_effect, find_slope
from phybench_grader.statistics.studies import SatProblem

STUDIES = 400
EACH = 8


def make(person: int, problem: int, place: int, score: float, of: int = EACH) -> SatProblem:
    return SatProblem(person, problem, place, score, score, 60.0, of=of)


def simulate(people: int, source: random.Random, *, change: float) -> list[SatProblem]:
    """Draw a study whose people get better by `change` points from one place to the next."""
    ability = {one: source.gauss(0, 10) for one in range(people)}
    hardness = {one: source.gauss(0, 15) for one in range(100)}
    return [
        make(
            one,
            problem,
            place,
            50 + ability[one] + hardness[problem] + change * place + source.gauss(0, 30),
        )
        for one in range(people)
        for place, problem in enumerate(source.sample(range(100), EACH), 1)
    ]


@pytest.mark.parametrize(
    ("people", "least"), [(5, 0.90), (20, 0.93), pytest.param(81, 0.93, marks=pytest.mark.slow)]
)
def test_intervals_hold_the_truth_as_often_as_they_say(people, least):
    """The truth of the halves is half a session's change: 4 places of 2 points."""
    source = random.Random(23)
    slopes = halves = 0
    for _study in range(STUDIES):
        found = find_effect(simulate(people, source, change=2.0), lambda row: row.accuracy)
        assert found.slope.low is not None
        assert found.slope.high is not None
        assert found.halves.low is not None
        assert found.halves.high is not None
        slopes += found.slope.low <= 2.0 <= found.slope.high
        halves += found.halves.low <= 8.0 <= found.halves.high
    assert slopes / STUDIES >= least
    assert halves / STUDIES >= least


def test_intervals_of_a_study_are_not_so_wide_that_they_say_nothing():
    """Of 81 people the slope's own spread over studies is about 0.5 points."""
    source = random.Random(5)
    found = [
        find_effect(simulate(81, source, change=0.0), lambda row: row.accuracy).slope
        for _study in range(60)
    ]
    spread = float(np.std([one.value for one in found]))
    errors = float(np.mean([one.standard_error for one in found]))
    assert errors == pytest.approx(spread, rel=0.25)


def test_what_people_or_their_number_of_problems_differ_by_is_no_effect_of_the_place():
    """The better people sat fewer problems: over all, early places would look better."""
    rows = [make(one, 10 * one + place, place, 90.0, of=4) for one in range(6) for place in (1, 2)]
    rows += [
        make(one, 10 * one + place, place, 20.0) for one in range(6, 12) for place in range(1, 9)
    ]
    found = find_effect(rows, lambda row: row.accuracy)
    assert found.slope.value == pytest.approx(0)


def test_the_middle_place_is_in_neither_half():
    rows = [
        make(one, 3 * one + place, place, {1: 0.0, 2: 100.0, 3: 0.0}[place], of=3)
        for one in range(6)
        for place in (1, 2, 3)
    ]
    found = find_effect(rows, lambda row: row.accuracy)
    assert found.halves.value == 0
    assert found.halves.answers == 12


def test_what_is_not_graded_is_left_out_and_counted():
    rows = [make(one, place, place, 10.0 * place) for one in range(6) for place in range(1, 9)]
    rows[3] = make(0, 4, 4, math.nan)
    found = find_effect(rows, lambda row: row.accuracy).slope
    assert (found.value, found.ungraded, found.answers) == (pytest.approx(10), 1, 47)


@pytest.mark.parametrize(("people", "method"), [(4, Method.FEW), (0, Method.FEW)])
def test_of_few_people_there_is_no_interval(people, method):
    source = random.Random(1)
    found = find_effect(simulate(people, source, change=1.0), lambda row: row.accuracy).slope
    assert (found.method, found.low) == (method, None)


def test_sessions_of_one_problem_tell_nothing_of_places():
    rows = [make(one, one, 1, 50.0, of=1) for one in range(9)]
    found = find_effect(rows, lambda row: row.accuracy)
    assert found.slope.value is None
    assert found.halves.value is None


def test_a_difference_of_halves_has_the_variance_of_two_means_where_people_are_alike():
    """Independent answers, all of different problems: then it is that of two means, nearly."""
    source = np.random.default_rng(3)
    values = source.normal(50, 20, 4000)
    person, half = np.arange(4000) // 8, (np.arange(4000) % 8 >= 4).astype(float)
    found = find_slope(values, half, person, np.arange(4000))
    apart = [
        find_variance(values[half == one], person[half == one], np.arange(4000)[half == one])
        for one in (0, 1)
    ]
    assert found.standard_error == pytest.approx(math.sqrt(sum(apart)), rel=0.1)
    assert average(values, person, np.arange(4000)).value == pytest.approx(values.mean())
