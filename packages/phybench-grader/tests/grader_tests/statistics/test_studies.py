"""Figures of a study, without a database."""

import math
import random
from statistics import NormalDist

import pytest

from phybench_grader.statistics.studies import (
    FEWEST,
    SatProblem,
    compare_rules,
    drop,
    group,
    summarise,
)

STUDIES = 400


def make(person: int, problem: int, score: float, domain: str = "A", place: int = 1) -> SatProblem:
    return SatProblem(person, problem, place, score, score, 60.0, domain)


def test_a_group_that_the_others_would_tell_is_not_told_either():
    rows = [make(person, 1, 100.0, "A") for person in range(9)]
    rows += [make(person, 2, 0.0, "B") for person in range(6)]
    rows += [make(person, 3, 0.0, "C") for person in range(FEWEST - 1)]
    told = {one.name: one.figures is not None for one in group(rows, lambda row: row.domain)}
    assert told == {"A": True, "B": False, "C": False}


@pytest.mark.parametrize(
    ("people_of_c", "is_a_told"), [(range(9, 11), False), (range(9, 12), True)]
)
def test_what_is_not_told_has_no_few_people_together(people_of_c, is_a_told):
    """Else the whole less the groups that are told would be the figure of those few."""
    rows = [make(person, 1, 100.0, "A") for person in range(9)]
    rows += [make(person, 2, 0.0, "B") for person in range(2)]
    rows += [make(person, 3, 0.0, "C") for person in people_of_c]
    told = {one.name: one.figures is not None for one in group(rows, lambda row: row.domain)}
    assert told == {"A": is_a_told, "B": False, "C": False}


def test_groups_come_in_their_order():
    rows = [make(person, 1, 1.0, name) for person in range(5) for name in "ABC"]
    names = [one.name for one in group(rows, lambda row: row.domain, order="CAB")]
    assert names == ["C", "A", "B"]


def test_a_rule_leaves_out_its_people_and_nobody_else():
    rows = [make(1, 1, 100.0), make(2, 1, 0.0), make(3, 1, math.nan)]
    found = compare_rules(rows, {"none": [], "one": [2], "all": [1, 2, 3]})
    assert [one.accuracy.value for one in found.values()] == [None, None, None]
    assert [one.accuracy.say() for one in found.values()] == ["33.3–66.7", "50.0–100.0", "–"]
    assert [one.accuracy.ungraded for one in found.values()] == [1, 1, 0]
    assert drop(rows, [1, 3]) == [rows[1]]


@pytest.mark.parametrize(
    ("people", "least"), [(20, 0.93), pytest.param(81, 0.93, marks=pytest.mark.slow), (5, 0.90)]
)
def test_intervals_hold_the_truth_as_often_as_they_say(people, least):
    """
    Simulated studies: 8 of 100 problems a person, answers correlated by person and by problem.

    The whole of it, with bounds of 93 to 97 %, is measured by `tests/benchmarks`; of so few
    studies the share itself has a standard error of 1.2 points.
    """
    source = random.Random(17)
    held = 0
    for _study in range(STUDIES):
        ability = {one: source.gauss(0, 0.4) for one in range(people)}
        hardness = {one: source.gauss(0, 0.6) for one in range(100)}
        rows = []
        for one in range(people):
            for problem in source.sample(range(100), 8):
                chance = 1 / (1 + math.exp(-(0.5 + ability[one] + hardness[problem])))
                rows.append(make(one, problem, 100.0 * (source.random() < chance)))
        found = summarise(rows).accuracy
        assert found.low is not None
        assert found.high is not None
        held += found.low <= TRUTH <= found.high
    assert held / STUDIES >= least


def _find_truth() -> float:
    logits = NormalDist(0.5, math.hypot(0.4, 0.6))
    drawn = (logits.inv_cdf((one + 0.5) / 2_000) for one in range(2_000))
    return sum(100 / (1 + math.exp(-one)) for one in drawn) / 2_000


TRUTH = _find_truth()
