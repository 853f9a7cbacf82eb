"""
A rule that is asked of one row and of all rows is one rule.

Most rows ask the query. Where that would cost too many queries the two are held equal here, and so
are the words that say why a query leaves somebody out: over all people and problems of worlds that
have everything, with a look that each rule says yes to some and no to others.
"""

from collections.abc import Callable, Iterable
from typing import Any

import pytest
from django.db.models import QuerySet

from curation.problems.models import Problem, Revision
from curation.problems.permissions import (
    Interests,
    can_edit,
    can_see_key,
    had_part,
    is_in_charge,
    is_translator,
    is_writer,
    list_foreign,
    list_in_charge,
    list_readable_revisions,
    list_to_write,
    list_with_key,
)
from curation.reports.permissions import can_report
from curation.reviewing.assignments.permissions import Obstacles, list_assignable
from curation.reviewing.decisions.interests import say_who_decides
from curation.reviewing.decisions.permissions import can_adjudicate, list_judgeable
from curation.texts.workflow import EDITABLE, Status
from curation.versions.exchange.exports import choose, count_choosable
from phybench.people.models import Role, User
from tests.curation.varied_world import VariedWorld, make_varied_world

pytestmark = pytest.mark.django_db
Pair = tuple[bool, bool]
"""What the row says and what the query says."""


def of_problems(
    row: Callable[[User, Problem], bool], query: Callable[[User], QuerySet[Any, Any]]
) -> Callable[[VariedWorld], Iterable[Pair]]:
    """Hold a rule about a problem against the query that lists all problems."""

    def compare(world: VariedWorld) -> Iterable[Pair]:
        for user in world.people:
            listed = set(query(user).values_list("pk", flat=True))
            for problem in world.problems:
                yield row(user, problem), problem.pk in listed

    return compare


def list_translated(user: User) -> QuerySet[Problem]:
    return Problem.objects.filter(pk__in=user.credits.of_translators().values("problem"))


def compare_replaced(world: VariedWorld) -> Iterable[Pair]:
    """What is submitted and replaced is read by who may see the key, a draft by its writers."""
    current = set(Revision.objects.current().values_list("pk", flat=True))
    for user in world.people:
        listed = set(list_readable_revisions(user).values_list("pk", flat=True))
        problems = {problem.pk: problem for problem in world.problems}
        for one in world.revisions:
            if one.pk in current:
                continue
            rule = can_see_key if one.submitted_at else is_in_charge
            yield rule(user, problems[one.problem_id]), one.pk in listed


def compare_interests(world: VariedWorld) -> Iterable[Pair]:
    interests = Interests({one.pk for one in world.problems}, world.people)
    for user in world.people:
        if not user.has_role(Role.ADMIN):
            continue
        listed = set(list_judgeable(user).values_list("pk", flat=True))
        for one in world.rounds:
            problem = one.revision.problem
            is_free = not interests.had_part(problem, user)
            yield is_free and not interests.has_conflict(problem, user), one.pk in listed


def compare_words_of_interests(world: VariedWorld) -> Iterable[Pair]:
    rounds = {one.revision.problem_id: one for one in world.rounds}
    for user in world.people:
        if user.has_role(Role.ADMIN):
            for one in rounds.values():
                is_free = not say_who_decides(user, one.revision.problem)
                yield is_free, can_adjudicate(user, one)


def compare_obstacles(world: VariedWorld) -> Iterable[Pair]:
    obstacles = Obstacles(world.rounds, world.people)
    for user in world.people:
        listed = set(list_assignable(user).values_list("pk", flat=True))
        for one in world.rounds:
            yield not obstacles.find(one, user), one.pk in listed


RULES: dict[str, Callable[[VariedWorld], Iterable[Pair]]] = {
    "writes": of_problems(is_writer, Problem.objects.of),
    "is in charge": of_problems(is_in_charge, list_in_charge),
    "had no part": of_problems(lambda user, problem: not had_part(user, problem), list_foreign),
    "translates": of_problems(is_translator, list_translated),
    "sees the key": of_problems(can_see_key, list_with_key),
    "edits": of_problems(
        can_edit,
        lambda user: list_to_write(user).filter(status__in=EDITABLE),
    ),
    "reports": of_problems(can_report, lambda user: Problem.objects.accepted()),
    "reads what was replaced": compare_replaced,
    "judges": compare_interests,
    "judges, in words": compare_words_of_interests,
    "can be assigned": compare_obstacles,
}


@pytest.mark.parametrize("seed", [0, pytest.param(1, marks=pytest.mark.slow)])
def test_a_rule_says_the_same_of_a_row_and_in_a_query(seed):
    world = make_varied_world(seed)
    assert len(world.people) * len(world.problems) > 500
    for name, compare in RULES.items():
        pairs = list(compare(world))
        assert [pair for pair in pairs if pair[0] != pair[1]] == [], name
        assert {row for row, _query in pairs} == {True, False}, name


def test_what_is_counted_before_a_file_is_made_is_what_the_file_has():
    world = make_varied_world(0)
    shares = set()
    for user in world.people:
        for status in Status:
            problems = Problem.objects.filter(status=status)
            chosen = choose(problems, user)
            with_keys = sum(one.has_key for one in chosen)
            assert count_choosable(problems, user) == (len(chosen), with_keys)
            shares.add((bool(chosen), with_keys == len(chosen)))
    assert {(True, True), (True, False)} <= shares
