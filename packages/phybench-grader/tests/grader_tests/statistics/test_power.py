"""What a study can detect: by hand, by its properties, and by studies with a known truth."""

import math

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from grader_tests.statistics.made_scores import find_ends
from grader_tests.statistics.made_studies import EACH, POOL, Setting, correlate, draw_study
from phybench_grader.statistics.clusters import average
from phybench_grader.statistics.intervals import SEVERAL_ANSWERS
from phybench_grader.statistics.power import Design, find_detectable, find_power

designs = st.builds(
    Design,
    people=st.integers(5, 300),
    each=st.integers(1, 20),
    pool=st.integers(20, 600),
    accuracy=st.floats(5, 95),
    person_correlation=st.floats(0, 0.5),
    problem_correlation=st.floats(0, 0.5),
)


def test_without_correlation_the_error_is_that_of_independent_answers():
    # The paper's: 559 answers at 61.9 %, 2.1 points.
    independent = Design(559, 1, 559, 61.9, 0, 0)
    assert independent.standard_error == pytest.approx(100 * math.sqrt(0.619 * 0.381 / 559))
    assert round(independent.standard_error, 1) == 2.1


def test_where_one_person_always_answers_alike_only_people_count():
    assert Design(81, 8, 500, 50, 1, 0).standard_error == pytest.approx(50 / 9)


@settings(max_examples=40)
@given(designs)
def test_more_people_never_detect_less(design):
    assume(design.asked >= 5)
    more = Design(
        design.people + 1, design.each, design.pool, design.accuracy,
        design.person_correlation, design.problem_correlation,
    )  # fmt: skip
    assert (find_detectable(more) or 0) <= (find_detectable(design) or 0) + 1e-9


@pytest.mark.parametrize(
    "fields",
    [
        {"people": 0},
        {"each": 0},
        {"each": 21},
        {"accuracy": 0},
        {"accuracy": 100},
        {"person_correlation": -0.1},
        {"person_correlation": 0.6, "problem_correlation": 0.6},
    ],
)
def test_a_design_that_can_not_be_is_refused(fields):
    with pytest.raises(ValueError, match=r":"):
        Design(**{"people": 10, "each": 8, "pool": 20, **fields})


@settings(max_examples=40)
@given(designs)
def test_the_smallest_difference_is_found_in_four_of_five_studies_of_the_model(design):
    assume(design.asked >= 5)
    difference = (find_detectable(design) or 0) / 100
    assert find_power(design, difference) == pytest.approx(0.8, abs=1e-6)


@pytest.mark.parametrize("people", [5, 20, 81])
@pytest.mark.parametrize("accuracy", [60.0, 90.0])
def test_power_is_that_of_a_mean_whose_error_is_estimated_from_the_study(people, accuracy):
    design = Design(people, 8, 100, accuracy, 0.1, 0.2)
    source = np.random.default_rng([20261125, people])
    freedom, many = people - 1, 20_000
    # A mean, and apart from it the estimate that the interval is made of.
    mean = math.sqrt(design.variance) * source.standard_normal(many)
    by_person = design.by_person * source.chisquare(freedom, many) / freedom
    both = by_person + design.by_problem - 1 / design.answers
    error = np.sqrt(np.maximum(both, np.maximum(by_person, design.by_problem)))
    share = 1 - accuracy / 100
    drawn = np.clip(share + math.sqrt(share * (1 - share)) * mean, 0.0, 1.0)
    variance = drawn * (1 - drawn) * error**2
    _low, high = find_ends(drawn, variance * people * freedom, people, SEVERAL_ANSWERS)
    for difference in (0.05, 0.15, 0.3):
        found = float((high < share + difference).mean())
        assert find_power(design, difference) == pytest.approx(found, abs=0.01)


def test_with_many_people_it_is_what_a_known_error_would_give():
    design = Design(20_000, 8, 200_000, 50, 0.1, 0)
    assert find_detectable(design) == pytest.approx(2.8016 * design.standard_error, rel=5e-3)


def find_shares(setting: Setting, times: int) -> tuple[float, float]:
    """Return how many studies find a fixed score as far off as is detected, and the truth off."""
    design = Design(setting.people, EACH, POOL, setting.accuracy, *correlate(setting))
    difference = find_detectable(design)
    assert difference is not None
    away = setting.accuracy + difference * (1 if setting.accuracy <= 50 else -1)
    source = np.random.default_rng([20261124, setting.people, int(setting.accuracy)])
    found = by_chance = 0
    for _study in range(times):
        study = draw_study(source, setting)
        mean = average(study.accuracy, study.people, study.problems)
        assert mean.low is not None
        assert mean.high is not None
        found += not mean.low <= away <= mean.high
        by_chance += not mean.low <= setting.accuracy <= mean.high
    return found / times, by_chance / times


def test_a_difference_that_can_be_detected_is_found_in_four_of_five_studies():
    power, size = find_shares(Setting(20, 90.0, 1.0, 1.5), 400)
    assert 0.74 <= power <= 0.84
    assert 0.02 <= size <= 0.07


@pytest.mark.slow
@pytest.mark.parametrize("people", [8, 20, 81])
@pytest.mark.parametrize("accuracy", [20.0, 60.0, 90.0])
@pytest.mark.parametrize("effects", [(0.5, 0.5), (1.0, 1.5), (0.5, 2.0), (1.5, 0.5)])
def test_power_is_near_80_per_cent_and_size_near_5(people, accuracy, effects):
    power, size = find_shares(Setting(people, accuracy, *effects), 2_000)
    # Of 3000 studies power was 76.2 to 81.4 % in each setting, and size .7 to 6.3.
    assert 0.74 <= power <= 0.84
    assert size <= 0.07
