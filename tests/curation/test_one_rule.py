"""
A rule that is asked of one row and of all rows is one rule.

Most rows ask the query. Where that would cost too many queries the two are held equal here, and so
are the words that say why a query leaves somebody out: over all people and problems of worlds that
have everything, with a look that each rule says yes to some and no to others.
"""

from collections.abc import Callable, Iterable
from typing import Any

import pytest
from django.db import transaction
from django.db.models import QuerySet

from curation.problems.models import Problem, Revision
from curation.problems.permissions import (
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
from curation.reviewing.assignments.actions import assign
from curation.reviewing.assignments.permissions import Prospects, list_takeable
from curation.reviewing.decisions.interests import say_who_decides
from curation.reviewing.decisions.permissions import can_adjudicate, can_override, list_to_decide
from curation.reviewing.rounds.models import ReviewRound
from curation.reviewing.rounds.permissions import OWN, Eligibility, can_review, list_awaiting
from curation.texts.workflow import EDITABLE, NotAllowedNow, Status
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
    for user in world.people:
        if user.has_role(Role.ADMIN):
            listed = set(list_to_decide(user).values_list("pk", flat=True))
            for one in world.rounds:
                yield can_override(user, one), one.pk in listed


def compare_words_of_interests(world: VariedWorld) -> Iterable[Pair]:
    rounds = {one.revision.problem_id: one for one in world.rounds}
    for user in world.people:
        if user.has_role(Role.ADMIN):
            for one in rounds.values():
                is_free = not say_who_decides(user, one.revision.problem)
                yield is_free, can_adjudicate(user, one)


def compare_giving(world: VariedWorld) -> Iterable[Pair]:
    """Who may be given a round is given it by an admin, and by the rule, and nobody else is."""
    eligibility = Eligibility(world.rounds, world.people)
    admin = next(one for one in world.people if one.email == "root@varied.example")
    for user in world.people:
        for one in world.rounds:
            yield not eligibility.list_obstacles(one, user), is_given(one, user, admin)


def is_given(review_round: ReviewRound, user: User, admin: User) -> bool:
    with transaction.atomic():
        try:
            assign(review_round=review_round, reviewer=user, admin=admin, exceeds=True)
        except NotAllowedNow:
            return False
        finally:
            transaction.set_rollback(True)
    return True


def compare_reviewing(world: VariedWorld) -> Iterable[Pair]:
    """Who is asked for a round, or has begun it, reviews it unless something else is in the way."""
    eligibility = Eligibility(world.rounds, world.people)
    splits = set(ReviewRound.objects.split().values_list("pk", flat=True))
    for user in world.people:
        listed = set(list_awaiting(user).values_list("pk", flat=True))
        for one in world.rounds:
            stand = eligibility.stand(one, user)
            theirs = stand.is_assigned or stand.has_solved or stand.has_reviewed
            is_open = one.version.is_open_to_all and one.pk not in splits
            free = not {*eligibility.list_obstacles(one, user)} - OWN
            yield free and (theirs or is_open) and not stand.has_reviewed, one.pk in listed
            yield free and (theirs or is_open), can_review(user, one)


def compare_offers(world: VariedWorld) -> Iterable[Pair]:
    """What somebody is offered they may be given, and it leaves enough to solve it blind."""
    open_rounds = [one for one in world.rounds if one.closed_at is None]
    eligibility, prospects = Eligibility(open_rounds, world.people), Prospects(open_rounds)
    free = set(ReviewRound.objects.open().with_free_places().values_list("pk", flat=True))
    others = [one for one in world.people if not one.has_role(Role.ADMIN)]
    for user in world.people:
        listed = set(list_takeable(user).values_list("pk", flat=True))
        for one in open_rounds:
            may = not eligibility.list_obstacles(one, user) and one.pk in free
            may = may and one.version.is_open_to_all and not prospects.is_needed(one, user)
            if user.has_role(Role.ADMIN):
                may = may and not any(
                    eligibility.can_be_asked(one, other) and not prospects.is_needed(one, other)
                    for other in others
                )
            yield may, one.pk in listed


def compare_staffing(world: VariedWorld) -> Iterable[Pair]:
    """Whom a forecast counts on is whom some stage of the problem could be given to."""
    open_rounds = [one for one in world.rounds if one.closed_at is None]
    eligibility = Eligibility(open_rounds, world.people)
    for one in open_rounds:
        blind = one.version.is_blind
        for user in world.people:
            stand = eligibility.stand(one, user)
            may = not {*stand.list_obstacles(is_blind=False)} - OWN and not stand.across_demo
            yield stand.is_counted_on, may
            if blind and stand.is_counted_on and not stand.has_solved:
                can = not {*eligibility.list_obstacles(one, user)} - OWN
                yield stand.is_fresh, can


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
    "can be assigned": compare_giving,
    "reviews": compare_reviewing,
    "is offered": compare_offers,
    "is counted on": compare_staffing,
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
