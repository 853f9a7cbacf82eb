"""Shares of answers, alone and by problem: their intervals hold the truth as often as they say."""

import random

import pytest

from phybench_grader.statistics.metrics import Mean
from phybench_grader.statistics.shares import find_clustered_share, find_share


def test_a_share_has_the_interval_that_shares_of_judges_have():
    mean = Mean.of_shares([100.0] * 3 + [0.0] * 7)
    found = find_share(3, 10)
    assert (found.low, found.high) == pytest.approx((mean.low, mean.high))


def test_one_answer_a_problem_is_nearly_as_if_there_were_no_clusters():
    found, alone = find_clustered_share([(1, 1)] * 15 + [(0, 1)] * 35), find_share(15, 50)
    assert found.low == pytest.approx(alone.low, abs=0.5)
    assert found.high == pytest.approx(alone.high, abs=0.5)


def test_problems_without_an_error_count_nothing():
    assert find_clustered_share([(1, 2), (0, 1), (0, 0)]) == find_clustered_share([(1, 2), (0, 1)])


@pytest.mark.parametrize(("part", "whole"), [(0, 3), (3, 3)])
def test_where_all_are_alike_each_problem_counts_once(part, whole):
    found = find_clustered_share([(part, whole)] * 10)
    alone = find_share(10 * part // 3, 10)
    assert (found.low, found.high) == (alone.low, alone.high)


def test_of_problems_that_decide_the_kind_the_interval_holds_the_truth():
    """Answers of seven solvers to 50 problems, of which each has its own share of the kind."""
    source = random.Random(20_261_123)
    held = alone = 0
    for _study in range(1_000):
        # Uniform shares squared: a third of all errors on average, very unlike by problem.
        problems = [
            (sum(source.random() < share for _solver in range(7)), 7)
            for share in (source.random() ** 2 for _problem in range(50))
        ]
        found = find_clustered_share(problems)
        held += found.low <= 100 / 3 <= found.high
        naive = find_share(sum(one for one, _ in problems), 350)
        alone += naive.low <= 100 / 3 <= naive.high
    assert 930 <= held <= 970
    assert alone < 850
