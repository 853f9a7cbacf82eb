"""Means over people's answers: small studies by hand, and how often the truth is held."""

import math

import numpy as np
import pytest
from numpy.typing import NDArray

from grader_tests.statistics.made_studies import Setting, draw_study
from phybench_grader.statistics.clusters import (
    ROUGH_BELOW,
    average,
    compare,
    find_spread,
    find_variance,
)
from phybench_grader.statistics.distributions import beta_quantile, student_quantile
from phybench_grader.statistics.intervals import SEVERAL_ANSWERS, Method, find_bounded
from phybench_grader.statistics.metrics import Mean
from phybench_grader.statistics.provisional import find_range

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


def test_an_interval_is_that_of_as_many_means_as_there_are_people_or_problems() -> None:
    people, problems = cross(20, 6)
    values = 50.0 + 10.0 * (people % 2) + 4.0 * (problems % 3)
    found = average(values, people, problems)
    assert (found.answers, found.people, found.problems) == (120, 20, 6)
    assert found.method is Method.CLUSTERS
    # Six means: what they would be if they alone had this variance.
    squares = ((found.standard_error or 0) / 100) ** 2 * 6 * 5
    ends = find_bounded((found.value or 0) / 100, squares, 6, SEVERAL_ANSWERS)
    assert (found.low, found.high) == pytest.approx((100 * ends.low, 100 * ends.high))


def test_where_each_person_has_one_answer_it_is_that_of_single_answers() -> None:
    scores = 100.0 * (np.arange(12) % 3 == 0)
    found = average(scores, np.arange(12), np.arange(12))
    alone = Mean.of(scores.tolist())
    assert (found.low, found.high) == pytest.approx((alone.low, alone.high))
    twice = average(scores, np.arange(12) // 2, np.arange(12))
    assert twice.low is not None
    squares = ((twice.standard_error or 0) / 100) ** 2 * 6 * 5
    assert twice.low == pytest.approx(100 * find_bounded(1 / 3, squares, 6, SEVERAL_ANSWERS).low)


def test_an_interval_reaches_further_towards_the_middle_and_never_beyond_0_and_100() -> None:
    people, problems = cross(6, 8)
    scores = np.where((people == 0) & (problems < 4), 0.0, 100.0)
    found = average(scores, people, problems)
    assert found.value is not None
    assert found.low is not None
    assert found.high is not None
    assert found.value < found.high < 100
    assert found.value - found.low > 3 * (found.high - found.value)
    few = average(100 - scores, people, problems)
    assert (few.low, few.high) == (pytest.approx(100 - found.high), pytest.approx(100 - found.low))


def test_a_solver_less_people_has_the_interval_of_people_less_the_solver_turned_round() -> None:
    source = np.random.default_rng(3)
    people, problems = cross(24, 30)
    scores, solver = (100.0 * source.integers(0, 2, size) for size in (720, 30))
    there = compare(scores, solver[problems], people, problems)
    back = compare(solver[problems], scores, people, problems)
    assert (back.value, back.low, back.high) == (
        pytest.approx(-(there.value or 0)),
        pytest.approx(-(there.high or 0)),
        pytest.approx(-(there.low or 0)),
    )


def test_beside_a_solver_who_scores_alike_everywhere_only_people_scatter() -> None:
    people, problems = cross(24, 30)
    scores = 100.0 * np.random.default_rng(5).integers(0, 2, 720)
    mean = average(scores, people, problems)
    found = compare(scores, np.full(720, 20.0), people, problems)
    assert found.standard_error == pytest.approx(mean.standard_error)
    # Wilson's end is where as many standard errors of its own lead back.
    share, error = (mean.value or 0) / 100, (mean.standard_error or 0) / 100
    end = (found.high or 0) / 100 + 0.2
    scale = math.sqrt(end * (1 - end) / (share * (1 - share)))
    assert (end - share) / (error * scale) == pytest.approx(student_quantile(0.975, 23))


def test_beside_a_solver_answers_of_people_that_are_all_alike_are_no_certainty() -> None:
    people, problems = cross(24, 30)
    found = compare(np.full(720, 100.0), 100.0 * (problems % 3 == 0), people, problems)
    assert found.value == pytest.approx(200 / 3)
    assert (found.low, found.high, found.method) == (None, None, Method.ALIKE)


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
def test_a_difference_from_few_people_is_rough(people: int, is_rough: bool) -> None:
    names = cross(people, 30)
    scores = 100.0 * (names[0] % 2)
    assert compare(scores, 100.0 * (names[1] % 3 == 0), *names).is_rough == is_rough
    assert not average(scores, *names).is_rough, "a mean is so by its scores"


def test_answers_that_are_all_alike_are_no_certainty() -> None:
    found = average(np.full(40, 100.0), *cross(8, 5))
    assert (found.value, found.high, found.standard_error) == (100, 100, None)
    assert (found.method, found.is_rough) == (Method.CLUSTERS, True)
    # Of the five problems each was always right: 0.025 of Beta(5, 0.5) lies below.
    assert found.low == pytest.approx(100 * beta_quantile(0.025, 5, SEVERAL_ANSWERS))


def test_of_no_answers_there_is_nothing() -> None:
    found = average(np.empty(0), name(), name())
    assert (found.value, found.answers, found.method) == (None, 0, Method.FEW)


def test_with_an_answer_that_we_could_not_grade_a_mean_is_a_range() -> None:
    people, problems = cross(9, 6)
    scores = 100.0 * (people % 2)
    left = people == 8
    found = average(np.where(left, np.nan, scores), people, problems)
    assert (found.answers, found.ungraded, found.people) == (48, 6, 8)
    assert (found.value, found.low, found.high, found.method) == (None, None, None, Method.FEW)
    assert found.range == find_range({0: scores[~left].tolist()}, {0: 6})
    assert find_spread(np.where(left, np.nan, scores), people) is None
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

EFFECTS = [(0.5, 0.5), (1.0, 1.5), (0.5, 2.0), (1.5, 0.5)]
"""Standard deviations of people and of problems, on the logit scale."""
LEAST, MOST = 0.93, 0.97
"""Of studies of 20 and 81 people; of 5 people `LEAST` alone."""


def find_held(setting: Setting, times: int, ahead: tuple[float, ...] = (0.0,)) -> list[float]:
    """Return how many of so many studies hold the truth: accuracy, EED, and beside each solver."""
    source = np.random.default_rng(
        [20_261_124, setting.people, int(setting.accuracy), int(10 * setting.by_person)]
    )
    truths = setting.accuracy, setting.eed, *(setting.find_difference(one) for one in ahead)
    held, known = np.zeros(len(truths)), np.zeros(len(truths))
    for _time in range(times):
        study = draw_study(source, setting, ahead)
        names = study.people, study.problems
        found = average(study.accuracy, *names), average(study.eed, *names)
        beside = [compare(study.accuracy, solver, *names) for solver in study.solvers]
        for place, (one, truth) in enumerate(zip((*found, *beside), truths, strict=True)):
            # Beside a solver there is none where all answers are alike; a mean always has one.
            assert one.low is not None or place > 1
            if one.low is not None and one.high is not None:
                known[place] += 1
                held[place] += one.low <= truth <= one.high
    shares: list[float] = (held / known).tolist()
    return shares


@pytest.mark.parametrize(("people", "most", "accuracy"), [(5, 1.0, 90.0), (20, MOST, 60.0)])
def test_nineteen_of_twenty_studies_hold_the_truth(
    people: int, most: float, accuracy: float
) -> None:
    times = 600
    # Two standard errors of a share of so many studies.
    margin = 2 * math.sqrt(LEAST * (1 - LEAST) / times)
    for share in find_held(Setting(people, accuracy, 1.0, 1.5), times):
        assert LEAST - margin <= share <= most + margin


def test_a_mean_and_t_standard_errors_hold_the_truth_too_rarely_of_five_people() -> None:
    """What was done before: this is why an interval is not that."""
    setting, times, held = Setting(5, 90.0, 1.5, 0.5), 1_000, 0
    source = np.random.default_rng(20_261_124)
    for _time in range(times):
        study = draw_study(source, setting)
        error = math.sqrt(find_variance(study.accuracy, study.people, study.problems))
        held += abs(study.accuracy.mean() - setting.accuracy) <= student_quantile(0.975, 4) * error
    assert held / times < 0.9


@pytest.mark.slow
@pytest.mark.parametrize("effects", EFFECTS)
@pytest.mark.parametrize("accuracy", [20.0, 60.0, 90.0])
@pytest.mark.parametrize(("people", "most"), [(5, 1.0), (20, MOST), (81, MOST)])
def test_studies_of_five_people_and_of_many_hold_the_truth(
    people: int, most: float, accuracy: float, effects: tuple[float, float]
) -> None:
    times = 4_000
    margin = 2 * math.sqrt(LEAST * (1 - LEAST) / times)
    for share in find_held(Setting(people, accuracy, *effects), times, (-2.0, 0.0, 2.0)):
        assert LEAST - margin <= share <= most + margin
