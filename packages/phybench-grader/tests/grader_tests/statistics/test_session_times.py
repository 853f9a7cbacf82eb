"""What people reached by each minute, and times a problem, without a database."""

import math

import pytest

from phybench_grader.statistics.session_times import STEPS, find_progress, find_times
from phybench_grader.statistics.studies import FEWEST, Came, SatProblem, summarise


def make(
    person: int, problem: int, score: float = 100.0, *, after: float = 60.0, **more
) -> SatProblem:
    said = {"seconds": 60.0, "sat": 3600.0, **more}
    return SatProblem(person, problem, 1, score, score, answered_after=after, **said)


def test_the_last_point_is_people_s_accuracy_and_none_falls_below_the_one_before():
    rows = [
        make(person, problem, 100.0 * ((person + problem) % 3 > 0), after=97.0 * person * problem)
        for person in range(8)
        for problem in range(6)
    ]
    found = find_progress(rows)
    values = [one.accuracy.value for one in found]
    assert len(found) == STEPS + 1
    assert values == sorted(values)
    assert values[-1] == summarise(rows).accuracy.value
    assert found[-1].eed == summarise(rows).eed
    assert found[-1].minutes == 60


def test_an_answer_counts_from_the_minute_of_its_last_change():
    rows = [make(person, 1, after=600.0) for person in range(FEWEST)]
    found = {one.minutes: one.accuracy.value for one in find_progress(rows)}
    assert (found[5.0], found[10.0]) == (0, 100)


def test_what_came_late_but_counts_is_there_at_the_end():
    rows = [make(person, 1, after=9999.0) for person in range(FEWEST)]
    found = find_progress(rows)
    assert (found[-2].accuracy.value, found[-1].accuracy.value) == (0, 100)


def test_what_is_not_graded_is_counted_apart_at_every_minute():
    rows = [make(person, 1) for person in range(FEWEST)] + [make(0, 2, math.nan)]
    assert {one.accuracy.ungraded for one in find_progress(rows)} == {1}


def test_fewer_people_at_work_than_may_be_told_of_are_not_told():
    rows = [make(person, 1, sat=1800.0) for person in range(FEWEST)]
    rows += [make(person, 1, sat=3600.0) for person in range(10, 12)]
    found = {one.minutes: one.working for one in find_progress(rows)}
    assert (found[0], found[25.0], found[35.0], found[60.0]) == (7, 7, None, 0)


def test_of_few_people_nothing_is_told():
    assert find_progress([make(person, 1) for person in range(FEWEST - 1)]) == []
    assert find_progress([]) == []


def test_times_are_apart_by_what_came_of_a_problem():
    rows = [make(person, 1, seconds=60.0 * (person + 1)) for person in range(5)]
    rows += [make(person, 2, 0.0, seconds=600.0) for person in range(5)]
    rows += [make(person, 3, 0.0, outcome="GAVE_UP", seconds=1200.0) for person in range(5)]
    rows += [make(person, 4, 0.0, outcome="EMPTY", seconds=0.0) for person in range(5)]
    rows += [make(person, 5, math.nan) for person in range(5)]
    found = {one.came: one for one in find_times(rows)}
    assert list(found) == list(Came)
    assert (found[Came.RIGHT].lower, found[Came.RIGHT].upper) == (2, 4)
    assert found[Came.WRONG].median == 10
    assert found[Came.GAVE_UP].median == 20
    assert (found[Came.EMPTY].median, found[Came.EMPTY].without_time) == (None, 5)
    assert found[Came.UNGRADED].median == 1


@pytest.mark.parametrize("people", [1, FEWEST - 1])
def test_times_of_few_people_are_not_told_but_counted(people):
    rows = [make(person, problem) for person in range(people) for problem in range(4)]
    [found] = find_times(rows)
    assert (found.problems, found.people, found.median) == (4 * people, people, None)
