"""Which of many differences stand out among all."""

import doctest

import pytest

from phybench_grader.statistics import multiple
from phybench_grader.statistics.multiple import find_standing_out

PUBLISHED = [
    *(0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344, 0.0459),
    *(0.3240, 0.4262, 0.5719, 0.6528, 0.7590, 1.0000),
]
"""The example of the paper: 15 tests, of which it finds the first four at a rate of 5 %."""


def test_doctests() -> None:
    assert doctest.testmod(multiple).failed == 0


def test_the_papers_example_finds_four_of_fifteen() -> None:
    assert find_standing_out(PUBLISHED) == [True] * 4 + [False] * 11


def test_one_that_misses_its_own_limit_is_found_where_a_larger_one_meets_its() -> None:
    assert find_standing_out([0.03, 0.04]) == [True, True]
    assert find_standing_out([0.03, 0.06]) == [False, False]


@pytest.mark.parametrize("given", [[], [1.0]])
def test_of_nothing_and_of_chance_nothing_stands_out(given: list[float]) -> None:
    assert not any(find_standing_out(given))
