"""The cheapest partners beside all ways to give them."""

from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from phybench_grader.numbers.matching import match_cheapest


@st.composite
def _costs(draw):
    rows = draw(st.integers(1, 4))
    columns = draw(st.integers(rows, 6))
    # Some are equal: ties are where such a method goes round in circles.
    cost = st.sampled_from([0.0, 1.0, -3.0, 0.6, 4.4]) | st.floats(-50, 50)
    return draw(
        st.lists(st.lists(cost, min_size=columns, max_size=columns), min_size=rows, max_size=rows)
    )


@given(_costs())
def test_partners_are_the_cheapest_of_all_ways_to_give_them(costs):
    columns = range(len(costs[0]))
    ways = permutations(columns, len(costs))
    cheapest = min(sum(row[column] for row, column in zip(costs, way, strict=True)) for way in ways)

    assert match_cheapest(costs) == pytest.approx(cheapest, abs=1e-9)


def test_nothing_costs_nothing():
    assert match_cheapest([]) == 0
