"""Paired intervals: published examples, SciPy 1.17.1, and how often they hold the truth."""

import math
import random

import pytest

from phybench_grader.statistics.distributions import beta_share, split_probability, student_quantile
from phybench_grader.statistics.paired import (
    Difference,
    Method,
    RightAndWrong,
    compare_accuracies,
    compare_means,
    find_bayes,
    find_tango,
)


def pair_up(both: int, first: int, second: int, neither: int) -> list[tuple[float, float]]:
    return [
        *[(100.0, 100.0)] * both,
        *[(100.0, 0.0)] * first,
        *[(0.0, 100.0)] * second,
        *[(0.0, 0.0)] * neither,
    ]


# --- Distributions --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("x", "a", "b", "expected"),
    [
        (0.3, 2.5, 7.5, 0.6789434858661821),
        (0.99, 0.5, 0.5, 0.9362314391414803),
        (0.001, 0.5, 30.5, 0.19434353562210493),
        (0.6, 300, 200, 0.49757138368006865),
    ],
)
def test_a_beta_s_share_is_scipy_s(x: float, a: float, b: float, expected: float) -> None:
    assert beta_share(x, a, b) == pytest.approx(expected, rel=1e-10)


@pytest.mark.parametrize(
    ("freedom", "expected"),
    [
        (1, 12.706204736174694),
        (2, 4.302652729749462),
        (10, 2.228138851986274),
        (14, 2.144786687917804),
        (49, 2.0095752371292392),
        (574, 1.964105441405911),
    ],
)
def test_a_quantile_of_student_s_t_is_scipy_s(freedom: int, expected: float) -> None:
    assert student_quantile(0.975, freedom) == pytest.approx(expected, rel=1e-9)


def test_a_split_is_as_probable_as_by_the_binomial_test() -> None:
    assert split_probability(17, 6) == split_probability(6, 17)
    assert split_probability(17, 6) == pytest.approx(0.03468966484069824)


# --- Right or wrong -------------------------------------------------------------------------


def test_tango_s_interval_is_the_published_one() -> None:
    """
    Airway hyper-responsiveness before and after: (1, 1; 7, 12).

    M. W. Fagerland, S. Lydersen and P. Laake, Stat. Med. 33, 2850 (2014), give -0.517 to -0.026.
    """
    low, high = find_tango(1, 7, 21)
    assert (round(low, 3), round(high, 3)) == (-0.517, -0.026)


def test_where_none_differ_tango_s_interval_is_z2_over_n_plus_z2() -> None:
    # The variance of the score is then d(1 - d) at d: n d² = Z² (1 - d) d, so d = Z² / (n + Z²).
    low, high = find_tango(0, 0, 60)
    assert high == pytest.approx(3.8414588 / 63.8414588)
    assert low == pytest.approx(-high)


@pytest.mark.parametrize(("first", "second", "count"), [(1, 7, 21), (40, 20, 160), (3, 0, 55)])
def test_to_exchange_the_two_turns_the_interval_round(first: int, second: int, count: int) -> None:
    for find in (find_tango, find_bayes):
        low, high = find(first, second, count)
        turned = find(second, first, count)
        assert turned == pytest.approx((-high, -low), abs=2e-5)
        assert low < (first - second) / count < high


@pytest.mark.parametrize(
    ("first", "second", "count", "expected"),
    [
        # The quantiles of 4,000,000 draws of the Dirichlet distribution by NumPy.
        (1, 7, 21, (-0.48923, -0.03301)),
        (0, 0, 30, (-0.06744, 0.06743)),
        (0, 3, 19, (-0.33476, 0.01119)),
        (5, 4, 49, (-0.10175, 0.14253)),
        (19, 0, 19, (0.70210, 0.99312)),
    ],
)
def test_the_bayesian_interval_is_that_of_draws(
    first: int, second: int, count: int, expected: tuple[float, float]
) -> None:
    assert find_bayes(first, second, count) == pytest.approx(expected, abs=5e-4)


@pytest.mark.parametrize(("count", "method"), [(49, Method.BAYES), (50, Method.TANGO)])
def test_from_fifty_problems_on_it_is_tango_s(count: int, method: Method) -> None:
    found = compare_accuracies(pair_up(10, 6, 3, count - 19), is_single=True)
    assert (found.method, found.count) == (method, count)
    assert found.value == pytest.approx(300 / count)


def test_several_answers_a_problem_are_compared_by_their_means() -> None:
    pairs = [(75.0, 25.0), (100.0, 100.0), (0.0, 50.0), (25.0, 0.0)] * 5
    found = compare_accuracies(pairs, is_single=False)
    assert found == compare_means(pairs)
    assert found.method is Method.STUDENT


# --- Means ----------------------------------------------------------------------------------

FIRST = (50, 20, 46.7, 0, 100, 100, 13.4, 0, 60, 30, 22, 80, 100, 0, 5, 70)
SECOND = (40, 20, 60, 0, 0, 100, 10, 5, 55, 30, 12, 100, 46.7, 0, 0, 35)


def test_a_difference_of_means_has_the_paired_t_interval_that_scipy_gives() -> None:
    found = compare_means(list(zip(map(float, FIRST), map(float, SECOND), strict=True)))
    assert (found.method, found.count, found.is_rough) == (Method.STUDENT, 16, True)
    # scipy.stats.ttest_rel(FIRST, SECOND).confidence_interval()
    assert found.low == pytest.approx(-4.1198865056092515)
    assert found.high == pytest.approx(27.044886505609256)


def test_of_too_few_problems_there_is_no_interval() -> None:
    found = compare_means([(float(n), 0.0) for n in range(14)])
    assert (found.value, found.low, found.method) == (6.5, None, Method.FEW)
    assert compare_means([]).value is None


def test_differences_that_are_all_alike_are_no_certainty() -> None:
    found = compare_means([(100 / 3, 0.0)] * 40)
    assert (found.low, found.high, found.method) == (None, None, Method.ALIKE)
    assert found.detectable is None


def test_what_can_be_detected_is_two_point_eight_standard_errors() -> None:
    found = compare_means([(10.0 * (n % 2), 0.0) for n in range(100)])
    # s² = 25 × 100 / 99, s / √100
    assert found.standard_error == pytest.approx(math.sqrt(25 * 100 / 99) / 10)
    assert found.detectable == pytest.approx(2.8015852 * (found.standard_error or 0))


def test_a_problem_is_right_of_which_more_than_half_of_the_answers_are() -> None:
    table = RightAndWrong.of([(100.0, 75.0), (50.0, 51.0), (60.0, 50.0), (0.0, 50.0)])
    assert (table.both, table.first, table.second, table.neither) == (1, 1, 1, 1)
    assert (table.differing, table.probability) == (2, 1.0)
    assert RightAndWrong.of([(0.0, 0.0)]).probability is None


# --- How often the truth is held -------------------------------------------------------------


@pytest.mark.parametrize("count", [pytest.param(30, marks=pytest.mark.slow), 60, 200])
def test_nineteen_of_twenty_intervals_hold_the_truth(count: int) -> None:
    """Two that have 55 % and 40 % right, and agree more often than by chance."""
    chance = random.Random(count)
    shares = (0.30, 0.25, 0.10, 0.35)  # both, only the first, only the second, neither
    cells = [(100.0, 100.0), (100.0, 0.0), (0.0, 100.0), (0.0, 0.0)]
    # The Bayesian interval takes longer, so fewer of it: held in 91 to 99 % by chance alone.
    times = 60 if count < 50 else 600
    held = 0
    for _time in range(times):
        found = compare_accuracies(chance.choices(cells, shares, k=count), is_single=True)
        assert found.low is not None
        assert found.high is not None
        held += found.low <= 15.0 <= found.high
    assert 0.90 <= held / times <= 0.99


def test_nineteen_of_twenty_intervals_of_eed_hold_the_truth() -> None:
    """Scores shaped like EED: some 100, half 0, the rest between."""
    chance = random.Random(575)

    def draw(right: float) -> float:
        share = chance.random()
        return 100.0 if share < right else chance.uniform(0, 60) if share < 0.5 else 0.0

    # 100 × 0.2 + 30 × 0.3 less 100 × 0.1 + 30 × 0.4
    truth, times = 29.0 - 22.0, 400
    held = 0
    for _time in range(times):
        found = compare_means([(draw(0.2), draw(0.1)) for _problem in range(100)])
        held += (found.low or 0) <= truth <= (found.high or 0)
    assert 0.92 <= held / times <= 0.98


def test_what_has_no_interval_is_not_called_rough():
    assert Difference(1.0, 5, Method.STUDENT, -1.0, 3.0, 1.0, freedom=4).is_rough
    assert not Difference(1.0, 5, Method.FEW, freedom=4).is_rough
