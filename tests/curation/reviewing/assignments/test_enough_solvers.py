"""Enough people are left to solve a problem blind: who counts, and where it is said."""

import pytest
from django.urls import reverse

from curation.authoring.drafts import actions as drafting
from curation.problems.exposures.models import Exposure
from curation.reviewing.assignments import actions as assigning
from curation.reviewing.assignments.distribution import DistributionRule, propose
from curation.reviewing.assignments.permissions import Prospects
from curation.reviewing.pipelines.shipped import make_pipeline as make_shipped
from curation.reviewing.reviews import actions as reviewing
from curation.reviewing.rounds.models import ReviewRound
from curation.reviewing.rounds.permissions import can_review
from curation.texts.prospects import Supply
from curation.texts.stage_texts import THREE_STAGES
from curation.texts.workflow import Status
from phybench.people.models import Role, User
from tests.certificates import give_certificate
from tests.conftest import make_draft, make_person, submit
from tests.curation.reviewing.assignments.given import open_rounds
from tests.curation.reviewing.place import of_plan, of_room
from tests.curation.reviewing.rounds.opened import (
    make_benchmark,
    make_pipeline,
    open_round,
    review,
    solve,
)

pytestmark = pytest.mark.django_db
SOLVING = {
    "name": "Solving",
    "rule": "BLIND_SOLVES",
    "is_blind": True,
    "reviews_needed": 2,
    "solves_needed": 2,
}


@pytest.fixture
def three() -> list[User]:
    return [make_person(Role.REVIEWER, name) for name in ("ada", "bo", "cy")]


def show(client, person: User, review_round: ReviewRound) -> str:
    """Let somebody see the answer on the page of a review."""
    client.force_login(person)
    page = client.post(
        reverse("curation:review", args=[review_round.pk]), {"do": "show"}, follow=True
    )
    return str(page.content.decode())


def submit_again(review_round: ReviewRound, author: User) -> ReviewRound:
    """Submit what the round returned, with another word in its statement."""
    problem = review_round.revision.problem
    problem.refresh_from_db()
    drafting.save_draft(
        problem=problem,
        author=author,
        saved_at="",
        reason="Plainer.",
        statement=review_round.revision.statement + " Neglect friction.",
    )
    give_certificate(problem)
    return submit(problem, author)


def find(review_round: ReviewRound) -> tuple[int, int, Supply] | None:
    outlook = Prospects([review_round]).find(review_round)
    return outlook and (outlook.possible, outlook.needed, outlook.supply)


@pytest.mark.parametrize("order", [(0, 1), (1, 1), pytest.param((2, 0), marks=pytest.mark.slow)])
def test_with_three_reviewers_a_problem_passes_what_is_shipped_whoever_takes_which_stage(
    client, contributor, three, order
):
    """Each reviews as on the pages: who is shown an answer has been."""
    problem = make_draft(contributor, make_benchmark(make_shipped(THREE_STAGES)))
    submit(problem, contributor)
    for chosen in order:
        waiting = open_round(problem)
        show(client, three[chosen], waiting)
        review(waiting, three[chosen])
    solving = open_round(problem)
    able = [one for one in three if can_review(one, solving)]
    assert len(able) == 2
    for one in able:
        solve(solving, one)
        review(solving, one)
    problem.refresh_from_db()
    assert problem.status == Status.ACCEPTED


def test_who_had_a_part_is_in_conflict_or_an_admin_can_not_be_asked_to_solve(
    contributor, three, admin
):
    [waiting] = open_rounds(contributor, {}, SOLVING)
    assert find(waiting) == (2, 2, Supply.ENOUGH)
    assigning.mark_conflict(person=three[0], admin=admin, reason="Kin.", author=contributor)
    assert find(waiting) == (1, 2, Supply.SHORT)
    admin.roles = [Role.ADMIN, Role.REVIEWER]
    admin.save()
    # Somebody who sees every answer reviews the first stage, and leaves two to solve it.
    assert find(waiting) == (2, 2, Supply.TIGHT)


def give_up_solving(review_round, reviewer):
    reviewing.solve_blind(
        review_round=review_round, reviewer=reviewer, kind="CANT_SOLVE", reason="I got stuck."
    )


def test_what_was_solved_and_given_in_the_open_round_is_no_longer_asked_for(contributor, three):
    [waiting] = open_rounds(contributor, SOLVING)
    assert find(waiting) == (3, 2, Supply.ENOUGH)
    solve(waiting, three[0])
    assert find(waiting) == (2, 1, Supply.ENOUGH)
    review(waiting, three[0])
    assert find(waiting) == (2, 1, Supply.ENOUGH)
    give_up_solving(waiting, three[1])
    assert find(waiting) == (1, 1, Supply.ENOUGH)
    review(waiting, three[1])
    give_up_solving(waiting, three[2])
    # Nobody is left, and one more has to agree.
    assert find(waiting) == (0, 1, Supply.SHORT)


def test_what_waits_for_a_decision_asks_for_no_more_solvers(contributor, three):
    [waiting] = open_rounds(contributor, SOLVING)
    for person, answer in zip(three[:2], ("m g h", "2 m g h"), strict=True):
        solve(waiting, person, answer)
        review(waiting, person)
    assert find(waiting) is None


def test_after_a_return_who_solved_the_earlier_revision_is_not_counted(contributor, three):
    [waiting] = open_rounds(contributor, SOLVING)
    for one in three[:2]:
        solve(waiting, one)
    review(waiting, three[0])
    review(waiting, three[1], "REVISE")
    again = submit_again(waiting, contributor)
    assert find(again) == (1, 2, Supply.SHORT)


def test_without_a_blind_stage_to_come_nothing_is_said(contributor, three):
    [waiting] = open_rounds(contributor, {}, {})
    assert find(waiting) is None


def test_before_a_reviewer_sees_the_answer_the_page_says_that_too_few_would_be_left(
    client, contributor, three
):
    [waiting] = open_rounds(contributor, {"reviews_needed": 2}, SOLVING)
    address = reverse("curation:review", args=[waiting.pk])
    client.force_login(three[0])
    # Two have to see it anyway: then only one is left.
    page = client.get(address).content.decode()
    assert "1 of the 2 people needed for that stage are left" in page
    assert "Show the answer and review this stage" not in page
    make_person(Role.REVIEWER, "dee")
    assert "needed for that stage" not in client.get(address).content.decode()


def test_who_is_needed_to_solve_it_later_is_marked_where_an_admin_assigns(
    client, contributor, three, admin
):
    [waiting] = open_rounds(contributor, {}, SOLVING)
    client.force_login(admin)
    page = client.get(of_room("assignments"), {"show": "choose", "round": waiting.pk})
    assert all(not one.keep_away for one in page.context["found"])
    show(client, three[0], waiting)
    client.force_login(admin)
    page = client.get(of_room("assignments"), {"show": "choose", "round": waiting.pk})
    found = {one.person: one.keep_away for one in page.context["found"]}
    assert found == {three[0]: [], three[1]: [waiting], three[2]: [waiting]}
    assert page.context["found"][0].person == three[0]
    assert page.content.decode().count("needed to solve it blind in a later stage") == 2


def test_a_rule_prefers_who_has_seen_the_answer_where_it_is_to_be_solved_later(
    client, contributor, three, admin
):
    [waiting] = open_rounds(contributor, {}, SOLVING)
    show(client, three[2], waiting)
    proposed = propose(rounds=ReviewRound.objects.open(), rule=DistributionRule())
    assert [row.reviewer for row in proposed] == [three[2]]


def test_the_list_of_assignments_says_how_many_could_still_solve_each(
    client, contributor, three, admin
):
    waiting = open_rounds(contributor, {}, SOLVING)[0]
    assigning.mark_conflict(person=three[0], admin=admin, reason="Kin.", author=contributor)
    client.force_login(admin)
    content = client.get(of_room("assignments")).content.decode()
    assert "Blind solvers left" in content
    assert "1 of 2 blind solvers left" in content
    make_person(Role.REVIEWER, "dee")
    assert "2 left, 2 needed" in client.get(of_room("assignments")).content.decode()
    assert waiting.closed_at is None


@pytest.mark.parametrize("count", [1, 3])
def test_the_list_of_assignments_asks_as_often_however_many_rounds_there_are(
    client, contributor, three, admin, count, django_assert_max_num_queries
):
    open_rounds(contributor, {}, SOLVING, count=count)
    client.force_login(admin)
    client.get(of_room("assignments"))
    with django_assert_max_num_queries(42):
        client.get(of_room("assignments"))


# --- A stage that is reviewed from the statement alone --------------------------------------


def test_a_stage_that_shows_no_answer_shows_none_and_its_reviewer_can_still_solve_blind(
    client, contributor, three
):
    [waiting] = open_rounds(contributor, {"shows_key": False}, SOLVING)
    address = reverse("curation:review", args=[waiting.pk])
    client.force_login(three[0])
    content = client.get(address).content.decode()
    assert "Submit and next" in content
    assert "Show the answer" not in content
    for told in ("above the ground", "as read", "Certificate"):
        assert told not in content
    # Nor by the address that shows it in other stages.
    content = show(client, three[0], waiting)
    assert "above the ground" not in content
    assert not Exposure.objects.telling_key().exists()
    review(waiting, three[0])
    solving = open_round(waiting.revision.problem)
    assert can_review(three[0], solving)


def test_who_has_seen_the_answer_sees_it_there_as_well(client, contributor, three):
    [waiting] = open_rounds(contributor, {"shows_key": False}, {})
    Exposure.objects.create(
        revision=waiting.revision,
        person=three[0],
        part="ANSWER",
        reason="REVIEW",
        slot=waiting.opened_at,
    )
    client.force_login(three[0])
    content = client.get(reverse("curation:review", args=[waiting.pk])).content.decode()
    assert "above the ground" in content


def test_there_the_next_revision_shows_what_changed_of_the_statement_alone(
    client, contributor, three
):
    [waiting] = open_rounds(contributor, {"shows_key": False}, SOLVING)
    review(waiting, three[0], "REVISE")
    again = submit_again(waiting, contributor)
    client.force_login(three[0])
    content = client.get(reverse("curation:review", args=[again.pk])).content.decode()
    assert "What changed since your review of revision 1" in content
    assert "m g h" not in content
    assert "above the ground" not in content


# --- Pipelines ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("stages", "reviewers", "said"),
    [
        (
            ({}, {}, SOLVING),
            2,
            "some reviewers the answer: 1 of 2 can still solve blind. Invite 1 more",
        ),
        (({}, {}, SOLVING), 3, ""),
        (({"shows_key": False}, {}, SOLVING), 3, ""),
        (({}, {}), 0, "you have 0. Invite 1 more reviewer."),
    ],
)
def test_a_pipeline_says_where_problems_could_get_stuck_in_it(
    client, admin, stages, reviewers, said
):
    for number in range(reviewers):
        make_person(Role.REVIEWER, f"reviewer{number}")
    found = make_pipeline(*stages)
    make_benchmark(found)
    client.force_login(admin)
    page = client.get(of_plan(found.pk))
    assert bool(page.context["warnings"]) is bool(said)
    assert said in page.content.decode()


def test_admins_are_no_blind_solvers_of_a_pipeline(client, admin, three):
    three[0].roles = [Role.REVIEWER, Role.ADMIN]
    three[0].save()
    found = make_pipeline(SOLVING, {**SOLVING, "solves_needed": 1, "reviews_needed": 1})
    make_benchmark(found)
    client.force_login(admin)
    page = client.get(of_plan(found.pk)).content.decode()
    assert "0 of 2 can still solve blind" in page
