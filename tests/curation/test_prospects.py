"""Whether enough people are left for blind solves; held against trying all choices there are."""

from collections.abc import Sequence
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curation.texts.prospects import Demand, Supply, forecast

SCREENING = Demand(1, shows_key=False)
READING = Demand(1)
SOLVING = Demand(2, is_blind=True)


@pytest.mark.parametrize(
    ("demands", "fresh", "informed", "expected"),
    [
        ([READING, READING, SOLVING], 3, 0, (2, 2, Supply.TIGHT)),
        ([READING, READING, SOLVING], 4, 0, (3, 2, Supply.ENOUGH)),
        ([SCREENING, READING, SOLVING], 3, 0, (2, 2, Supply.ENOUGH)),
        ([READING, SOLVING], 2, 1, (2, 2, Supply.TIGHT)),
        ([READING, SOLVING], 2, 0, (1, 2, Supply.SHORT)),
        # Whoever reviewed here can't do so again, though they know the answer.
        ([Demand(1, done=1), SOLVING], 2, 1, (1, 2, Supply.SHORT)),
        ([SOLVING], 1, 5, (1, 2, Supply.SHORT)),
        ([SOLVING, READING], 2, 0, (2, 2, Supply.ENOUGH)),
        # Two blind stages take different people.
        ([SOLVING, SOLVING], 3, 0, (1, 2, Supply.SHORT)),
        ([SOLVING, SOLVING], 4, 0, (2, 2, Supply.ENOUGH)),
        ([Demand(0, is_blind=True)], 0, 2, (0, 0, Supply.ENOUGH)),
        ([Demand(3), SOLVING], 0, 0, (0, 2, Supply.SHORT)),
    ],
)
def test_who_sees_the_answer_is_one_fewer_for_the_blind_stages_after_it(
    demands, fresh, informed, expected
):
    outlook = forecast(demands, fresh=fresh, informed=informed)
    assert outlook is not None
    assert (outlook.possible, outlook.needed, outlook.supply) == expected


def test_without_a_blind_stage_nothing_is_said():
    assert forecast([READING, SCREENING], fresh=0, informed=0) is None
    assert forecast([], fresh=3, informed=0) is None


def passes(demands: Sequence[Demand], people: int, *, whoever: bool) -> bool:
    """Try every choice of reviewers for each stage: whether all lead through, or one does."""

    def go(stage: int, seen: frozenset[int]) -> bool:
        if stage == len(demands):
            return True
        demand = demands[stage]
        able = [one for one in range(people) if not (demand.is_blind and one in seen)]
        choices = list(combinations(able, demand.people))
        shows = demand.is_blind or demand.shows_key
        ends = (go(stage + 1, seen.union(chosen) if shows else seen) for chosen in choices)
        return bool(choices) and (all(ends) if whoever else any(ends))

    return go(0, frozenset())


stages = st.builds(
    Demand,
    st.integers(min_value=1, max_value=2),
    is_blind=st.booleans(),
    shows_key=st.booleans(),
).map(lambda one: Demand(one.people, one.is_blind, one.shows_key or one.is_blind))
pipelines = st.lists(stages, min_size=1, max_size=4)


@given(pipelines, st.integers(min_value=2, max_value=5))
def test_a_forecast_is_short_where_no_choice_leads_through_and_tight_where_not_every_one_does(
    demands, people
):
    outlook = forecast(demands, fresh=people, informed=0)
    if outlook is None:
        return
    assert (outlook.supply is Supply.SHORT) is not passes(demands, people, whoever=False)
    if outlook.supply is Supply.ENOUGH:
        assert passes(demands, people, whoever=True)
