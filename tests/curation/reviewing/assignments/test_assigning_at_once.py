"""Assignments at once, on connections of their own: places, the cap, withdrawal, confirmation."""

from collections.abc import Callable

import pytest

from curation.authoring.drafts import actions
from curation.reviewing.assignments import actions as assigning
from curation.reviewing.assignments import distribution
from curation.reviewing.rounds.models import Assignment, ReviewRound
from curation.texts.workflow import NotAllowedNow
from phybench.people.models import Role, User
from tests.conftest import make_person
from tests.curation.at_once import at_once
from tests.curation.reviewing.assignments.given import assign, open_rounds
from tests.curation.reviewing.rounds.opened import review
from tests.grading.concurrency import hold, meanwhile

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def second(db) -> User:
    return make_person(Role.REVIEWER, "second")


@pytest.mark.parametrize("turn", range(3))
def test_of_two_who_take_the_last_place_one_gets_it(contributor, reviewer, second, turn):
    [waiting] = open_rounds(contributor)
    results = at_once(
        lambda: assigning.take(review_round=waiting, reviewer=reviewer),
        lambda: assigning.take(review_round=waiting, reviewer=second),
    )
    assert sorted(results) == ["done", "refused"]
    assert Assignment.objects.count() == 1


def test_the_last_place_is_counted_after_the_wait(contributor, reviewer, second):
    """However the threads are scheduled: one waits for the problem that the other holds."""
    [waiting] = open_rounds(contributor)
    problem = waiting.revision.problem
    sql = "select 1 from curation_problem where id = %s for update"
    with hold(sql, problem.pk) as release:
        with meanwhile(lambda: assigning.take(review_round=waiting, reviewer=reviewer)) as taken:
            assert not taken.done()
            release()
        assert taken.result().state == "OPEN"
    with pytest.raises(NotAllowedNow, match="Someone else"):
        assigning.take(review_round=waiting, reviewer=second)


@pytest.mark.parametrize("turn", range(3))
def test_two_takes_of_one_person_at_once_keep_the_cap(settings, contributor, reviewer, turn):
    settings.REVIEWS_OPEN_AT_MOST = 1
    first, other = open_rounds(contributor, count=2)
    results = at_once(
        lambda: assigning.take(review_round=first, reviewer=reviewer),
        lambda: assigning.take(review_round=other, reviewer=reviewer),
    )
    assert sorted(results) == ["done", "refused"]
    assert reviewer.assignments.open().count() == 1


@pytest.mark.parametrize("turn", range(3))
def test_one_click_on_take_sent_twice_is_one_assignment(contributor, reviewer, turn):
    [waiting] = open_rounds(contributor, {"reviews_needed": 2})
    take = [lambda: assigning.take(review_round=waiting, reviewer=reviewer)] * 2
    assert sorted(at_once(*take)) == ["done", "refused"]
    assert Assignment.objects.count() == 1


@pytest.mark.parametrize("turn", range(3))
def test_of_a_problem_withdrawn_at_that_moment_nothing_stays_assigned(
    contributor, reviewer, admin, turn
):
    [waiting] = open_rounds(contributor)
    problem = waiting.revision.problem
    _assigned, withdrawn = at_once(
        lambda: assign(waiting, reviewer, admin),
        lambda: actions.withdraw(problem=problem, author=contributor),
    )
    assert withdrawn == "done"
    assert not Assignment.objects.open().exists()


def test_who_waited_for_a_withdrawal_is_told_that_the_round_is_closed(contributor, reviewer, admin):
    [waiting] = open_rounds(contributor)
    problem = waiting.revision.problem
    sql = "select 1 from phybench_user where id = %s for no key update"
    with hold(sql, reviewer.pk) as release:
        # It holds the problem and waits for the person, so the withdrawal waits for it.
        with meanwhile(lambda: assign(waiting, reviewer, admin)) as assigned:
            with meanwhile(
                lambda: actions.withdraw(problem=problem, author=contributor)
            ) as withdrawn:
                assert not withdrawn.done()
                release()
            withdrawn.result()
        assert assigned.result().how == "BY_HAND"
    assert Assignment.objects.get().state == "ENDED"
    with pytest.raises(NotAllowedNow, match="the stage is closed"):
        assign(waiting, reviewer, admin)


def spread_all(admin: User) -> Callable[[], object]:
    """Return what asks those who would be asked as things are now."""
    rule = distribution.DistributionRule()
    proposed = distribution.propose(rounds=ReviewRound.objects.all(), rule=rule)
    pairs = [(one.round.pk, one.reviewer.pk) for one in proposed if one.reviewer]
    return lambda: distribution.carry_out(pairs=pairs, rule=rule, admin=admin)


@pytest.mark.parametrize("turn", range(3))
def test_a_proposal_confirmed_twice_at_once_is_carried_out_once(
    contributor, reviewer, second, admin, turn
):
    open_rounds(contributor, {"reviews_needed": 2}, count=3)
    assert at_once(*[spread_all(admin)] * 2) == ["done", "done"]
    assert Assignment.objects.count() == 6


@pytest.mark.parametrize(
    "turn", [0, *(pytest.param(turn, marks=pytest.mark.slow) for turn in (1, 2))]
)
def test_two_proposals_and_those_who_take_never_wait_for_each_other_in_a_ring(
    settings, contributor, reviewer, second, admin, turn
):
    settings.REVIEWS_OPEN_AT_MOST = 3
    rounds = open_rounds(contributor, count=4)
    at_once(
        spread_all(admin),
        spread_all(admin),
        lambda: assigning.take(review_round=rounds[3], reviewer=reviewer),
        lambda: assigning.take(review_round=rounds[0], reviewer=second),
    )
    assert Assignment.objects.open().count() == 4
    assert {one.assignments.open().count() for one in rounds} == {1}


@pytest.mark.parametrize("turn", range(3))
def test_a_review_and_its_being_passed_on_at_once_leave_one_outcome(
    contributor, reviewer, second, admin, turn
):
    [waiting] = open_rounds(contributor, {"reviews_needed": 2, "is_open_to_all": False})
    given = assign(waiting, reviewer, admin)
    reviewed, passed_on = at_once(
        lambda: review(waiting, reviewer),
        lambda: assign(given.round, second, admin, instead_of=given, reason="They are ill."),
    )
    assert sorted([reviewed, passed_on]) == ["done", "refused"]
    given.refresh_from_db()
    assert given.state == ("DONE" if reviewed == "done" else "REVOKED")
    assert waiting.reviews.count() == (1 if reviewed == "done" else 0)


@pytest.mark.parametrize("turn", range(3))
def test_a_conflict_marked_while_it_is_assigned_leaves_nothing_open(
    contributor, reviewer, admin, turn
):
    [waiting] = open_rounds(contributor)
    at_once(
        lambda: assign(waiting, reviewer, admin),
        lambda: assigning.mark_conflict(
            person=reviewer, author=contributor, admin=admin, reason="One group."
        ),
    )
    assert not Assignment.objects.open().exists()
