"""Reviews, solves and decisions at once: each thread has a connection of its own."""

import pytest
from django.urls import reverse

from curation.authoring.drafts import actions
from curation.problems.models import Problem
from curation.reviewing.rounds.models import Review, ReviewRound
from curation.reviewing.rounds.solves.models import BlindSolve
from curation.texts.workflow import Status
from phybench.people.models import Role
from tests.addresses import client_of
from tests.conftest import make_draft, make_person, submit
from tests.curation.at_once import at_once, with_copies
from tests.curation.reviewing.place import of_room
from tests.curation.reviewing.rounds.opened import (
    decide_round,
    list_states,
    make_benchmark,
    make_pipeline,
    review,
    solve,
)
from tests.grading.concurrency import double_click

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def two_needed(contributor) -> ReviewRound:
    pipeline = make_pipeline({"reviews_needed": 2}, {})
    return submit(make_draft(contributor, make_benchmark(pipeline)), contributor)


@pytest.mark.parametrize("turn", range(3))
def test_two_last_reviews_at_once_close_a_stage_once_and_open_the_next_once(
    two_needed, reviewer, turn
):
    second = make_person(Role.REVIEWER, "second")
    results = at_once(
        *with_copies(
            two_needed, lambda mine: review(mine, reviewer), lambda mine: review(mine, second)
        )
    )
    assert results == ["done", "done"]
    problem = two_needed.revision.problem
    assert problem.events.filter(kind="PASS").count() == 1
    assert list_states(problem) == [("Stage 1", "done"), ("Stage 2", "open")]


@pytest.mark.parametrize("turn", range(3))
def test_one_review_sent_twice_at_once_is_one_review(two_needed, reviewer, turn):
    assert at_once(*with_copies(two_needed, *[lambda mine: review(mine, reviewer)] * 2)) == [
        "done",
        "done",
    ]
    assert Review.objects.count() == 1
    two_needed.refresh_from_db()
    assert two_needed.closed_at is None


@pytest.mark.parametrize("turn", range(3))
def test_of_a_changed_review_and_the_last_one_at_once_each_counts_or_is_refused(
    two_needed, reviewer, turn
):
    second = make_person(Role.REVIEWER, "second")
    review(two_needed, reviewer)
    changed, last = at_once(
        *with_copies(
            two_needed,
            lambda mine: review(mine, reviewer, "REJECT", replaces=1),
            lambda mine: review(mine, second),
        )
    )
    assert last == "done"
    problem = Problem.objects.get()
    # What the author is told fits what was decided upon.
    two_needed.refresh_from_db()
    assert problem.status == Status.IN_REVIEW
    assert two_needed.decision == ("" if changed == "done" else "PASS")
    assert ReviewRound.objects.split().exists() is (changed == "done")


@pytest.mark.parametrize("turn", range(3))
def test_of_a_withdrawal_and_an_override_at_once_one_wins_and_a_split_closes_nothing(
    two_needed, reviewer, contributor, admin, turn
):
    review(two_needed, make_person(Role.REVIEWER, "second"))
    reviewed, *closings = at_once(
        *with_copies(
            two_needed,
            lambda mine: review(mine, reviewer, "REJECT"),
            lambda mine: actions.withdraw(problem=mine.revision.problem, author=contributor),
            lambda mine: decide_round(mine, admin, "ACCEPT", "It is."),
        )
    )
    assert sorted(closings) == ["done", "refused"]
    # The last review makes a split, which is still to decide: it may come before, never after.
    assert Review.objects.filter(reviewer=reviewer).count() == (reviewed == "done")
    assert two_needed.revision.rounds.filter(closed_at__isnull=False).count() == 1


def test_one_solve_sent_twice_at_once_is_one_solve(contributor, reviewer):
    pipeline = make_pipeline({"is_blind": True, "rule": "BLIND_SOLVES", "solves_needed": 1})
    blind = submit(make_draft(contributor, make_benchmark(pipeline)), contributor)
    assert at_once(*with_copies(blind, *[lambda mine: solve(mine, reviewer)] * 2)) == [
        "done",
        "done",
    ]
    assert BlindSolve.objects.count() == 1


def test_who_clicks_twice_to_review_or_to_decide_is_led_where_one_click_leads(
    draft, contributor, reviewer, admin
):
    reviewed = submit(draft, contributor)
    address = reverse("curation:review", args=[reviewed.pk])
    sent = {"recommendation": "REVISE", "comment": "Because.", "replaces": "0"}
    led = double_click("curation_problem", draft.pk, address, reviewer, sent)
    assert led == of_room("queue")
    assert Review.objects.count() == 1

    draft.refresh_from_db()
    actions.save_draft(problem=draft, author=contributor, saved_at="", reason="Said so.")
    decided = submit(draft, contributor)
    address = reverse("curation:decide", args=[decided.pk])
    sent = {"step": "PASS", "reason": "It is right.", "known": "0", "heard": "0"}
    led = double_click("curation_problem", draft.pk, address, admin, sent)
    assert led == draft.get_absolute_url()
    assert draft.events.filter(kind="ACCEPT").count() == 1

    client = client_of(admin)
    other = client.post(address, {**sent, "step": "RETURN"}, follow=True)
    assert "Decided." not in other.content.decode(), "another decision is not taken for the same"
