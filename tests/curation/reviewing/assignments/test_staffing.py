"""Plans of review and the people there are: each problem ends accepted, or what lacks is said."""

import pytest
from django.urls import reverse

from curation.problems.benchmarks.models import Benchmark
from curation.problems.models import Problem
from curation.reviewing.assignments import actions as assigning
from curation.reviewing.assignments.permissions import list_queue, list_stuck
from curation.reviewing.assignments.staffing import (
    choose_plan,
    find_larger,
    find_staffing,
    list_plans,
    settle_pipeline,
)
from curation.reviewing.pipelines.shipped import find_settings, make_pipeline
from curation.reviewing.rounds.models import ReviewRound
from curation.reviewing.rounds.permissions import must_solve
from curation.texts.stage_texts import ONE_REVIEWER, PLANS, THREE_STAGES, TWO_REVIEWERS
from curation.texts.workflow import NotAllowedNow, Status
from phybench.news.desks.desks import read_inbox
from phybench.people.models import Role, User
from tests.addresses import client_of
from tests.conftest import make_draft, make_person, set_review, submit
from tests.curation.invitations.inviting import invite
from tests.curation.reviewing.assignments.given import assign, open_rounds
from tests.curation.reviewing.rounds.opened import decide_round, open_round, review, solve

pytestmark = pytest.mark.django_db
HEAD = [Role.ADMIN, Role.CONTRIBUTOR, Role.REVIEWER]
WORKS = {
    (1, ONE_REVIEWER): False,
    (1, TWO_REVIEWERS): False,
    (1, THREE_STAGES): False,
    (2, ONE_REVIEWER): True,
    (2, TWO_REVIEWERS): False,
    (2, THREE_STAGES): False,
    (3, ONE_REVIEWER): True,
    (3, TWO_REVIEWERS): True,
    (3, THREE_STAGES): False,
    (4, ONE_REVIEWER): True,
    (4, TWO_REVIEWERS): True,
    (4, THREE_STAGES): True,
}
"""So many people, of whom the author is one, and whether a plan works with them."""
SOLVING = {
    "name": "Solving",
    "rule": "BLIND_SOLVES",
    "is_blind": True,
    "reviews_needed": 2,
    "solves_needed": 2,
}


def make_people(count: int) -> list[User]:
    """Make a group: its head, who writes the problem and is its admin, and reviewers."""
    head = make_person(Role.CONTRIBUTOR, "head")
    head.roles = HEAD
    head.save()
    return [head, *(make_person(Role.REVIEWER, f"reviewer-{n}") for n in range(1, count))]


@pytest.fixture
def new(db) -> Benchmark:
    return Benchmark.objects.create(name="New", slug="new-one")


def follow_queues(problem: Problem, people: list[User]) -> list[tuple[str, User]]:
    """Have everybody do what their queue offers until it offers nothing; return who did what."""
    done = []
    while offers := [(one, person) for person in people for one in list_queue(person)[:1]]:
        waiting, person = offers[0]
        if not person.assignments.open().filter(round=waiting).exists():
            assigning.take(review_round=waiting, reviewer=person)
        if must_solve(person, waiting):
            solve(waiting, person)
        review(waiting, person)
        done.append((waiting.version.name, person))
    problem.refresh_from_db()
    return done


@pytest.mark.parametrize(("count", "plan"), WORKS)
def test_each_plan_ends_accepted_with_one_to_four_people_or_says_before_what_is_missing(
    new, count, plan
):
    people = make_people(count)
    set_review(new, pipeline=make_pipeline(plan))
    staffing = find_staffing(new)
    assert staffing.works is WORKS[count, plan]
    assert staffing in list_plans(new)
    problem = make_draft(people[0], new)
    submit(problem, people[0])
    told = " ".join(str(line.text) for line in read_inbox(people[0]).lines)
    done = follow_queues(problem, people[::-1])
    assert people[0] not in {person for _stage, person in done}
    if staffing.works:
        assert problem.status == Status.ACCEPTED
        assert "No one can finish" not in told
        return
    assert f"Invite {staffing.missing} more reviewer" in str(staffing)
    assert "No one can finish this review" in told
    # So many are missing, and no fewer.
    for number in range(staffing.missing):
        assert not find_staffing(new).works
        make_person(Role.REVIEWER, f"invited-{number}")
    assert find_staffing(new).works


def test_two_reviewers_and_an_admin_who_takes_the_stage_that_shows_the_answer_suffice(
    new, contributor
):
    people = [make_person(Role.REVIEWER, name) for name in ("ada", "bo", "head")]
    people[2].roles = [Role.ADMIN, Role.REVIEWER]
    people[2].save()
    set_review(new, pipeline=make_pipeline(THREE_STAGES))
    assert find_staffing(new).works
    problem = make_draft(contributor, new)
    submit(problem, contributor)
    done = follow_queues(problem, people)
    assert problem.status == Status.ACCEPTED
    assert [stage for stage, person in done if person == people[2]] == ["Ambiguity"]


def test_the_plan_of_a_benchmark_is_the_largest_that_its_members_can_staff_and_then_stays(
    new, contributor
):
    assert choose_plan(list_plans(new)).plan == ONE_REVIEWER
    two = [make_person(Role.REVIEWER, name) for name in ("ada", "bo")]
    submit(make_draft(contributor, new), contributor)
    assert find_settings(new).pipeline.name == TWO_REVIEWERS
    assert find_larger(new) is None
    make_person(Role.REVIEWER, "cy")
    # Offered, not imposed.
    assert find_larger(new).plan == THREE_STAGES
    assert settle_pipeline(new).name == TWO_REVIEWERS
    assert len(two) == 2


def test_whose_problems_lack_somebody_is_said(new):
    ann, bo, cy = (make_person(Role.REVIEWER, name) for name in ("ann", "bo", "cy"))
    for person in (ann, make_person(Role.CONTRIBUTOR, "dee")):
        person.roles = [*person.roles, Role.CONTRIBUTOR]
        person.save()
        make_draft(person, new)
    set_review(new, pipeline=make_pipeline(TWO_REVIEWERS))
    assert find_staffing(new).works
    assert str(find_staffing(new)) == "Needs 2 people who solve blind; you have 2."
    cy.is_active = False
    cy.save()
    said = str(find_staffing(new))
    assert said.startswith(f"For problems by {ann}: Needs 2 people who solve blind; you have 1.")
    assert bo.is_active


def test_demo_people_staff_nothing_else(new):
    User.objects.filter(pk=make_person(Role.REVIEWER, "demo").pk).update(is_demo=True)
    assert not find_staffing(new).works


def test_the_page_offers_the_three_plans_with_their_staffing_and_says_what_open_rounds_do(
    new, contributor, admin
):
    make_person(Role.REVIEWER, "ada")
    submit(make_draft(contributor, new), contributor)
    client, address = client_of(admin), reverse("curation:review_settings", args=[new.slug])
    page = client.get(address)
    text = page.content.decode()
    for plan in PLANS:
        assert f'value="{plan}"' in text
    assert f'value="{ONE_REVIEWER}" checked' in text
    assert "Needs 2 people who solve blind; you have 1. Invite 1 more reviewer." in text
    assert "1 problem is in review now and goes on by the plan that it began with." in text
    known = page.context["form"]["known"].value()
    client.post(address, {"known": known, "plan": TWO_REVIEWERS})
    assert find_settings(new).pipeline.name == TWO_REVIEWERS
    assert ReviewRound.objects.get().version.stage.pipeline.name == ONE_REVIEWER


# --- Who is needed blind --------------------------------------------------------------------


@pytest.fixture
def two(db) -> list[User]:
    return [make_person(Role.REVIEWER, name) for name in ("ada", "bo")]


def test_who_is_needed_blind_is_offered_no_stage_that_shows_the_answer(contributor, two, admin):
    helper = make_person(Role.REVIEWER, "helper")
    [waiting] = open_rounds(contributor, {}, SOLVING)
    for person in two:
        assert waiting in list_queue(person)
    helper.is_active = False
    helper.save()
    # Nothing helps now.
    assert "No one can finish" in " ".join(str(line.text) for line in read_inbox(admin).lines)
    admin.roles = [Role.ADMIN, Role.REVIEWER]
    admin.save()
    for person in two:
        assert waiting not in list_queue(person)
        with pytest.raises(NotAllowedNow, match="needed to solve the problem blind"):
            assigning.take(review_round=waiting, reviewer=person)
        client = client_of(person)
        page = client.get(reverse("curation:review", args=[waiting.pk])).content.decode()
        assert "Show the answer and review this stage" not in page
        client.post(reverse("curation:review", args=[waiting.pk]), {"do": "show"})
        assert not person.exposures.telling_key().exists()
    # An admin takes what only an admin can, and may still ask somebody by hand.
    assert list(list_queue(admin)) == [waiting]
    assign(waiting, two[0], admin)
    page = client_of(two[0]).get(reverse("curation:review", args=[waiting.pk])).content.decode()
    assert "Show the answer and review this stage" in page


def test_an_admin_is_offered_only_what_only_an_admin_can_do(contributor, two, admin):
    admin.roles = [Role.ADMIN, Role.REVIEWER]
    admin.save()
    [waiting] = open_rounds(contributor, {})
    assert waiting in list_queue(two[0])
    assert not list_queue(admin)
    for person in two:
        person.is_active = False
        person.save()
    assert list(list_queue(admin)) == [waiting]


def test_what_spends_somebody_comes_last(contributor, two):
    make_person(Role.REVIEWER, "cy")
    [spending] = open_rounds(contributor, {}, SOLVING)
    set_review(spending.revision.problem.benchmark, pipeline=make_pipeline(ONE_REVIEWER))
    blind = submit(
        make_draft(contributor, spending.revision.problem.benchmark, title="Later"), contributor
    )
    assert list(list_queue(two[0])) == [blind, spending]


# --- No one can finish it -------------------------------------------------------------------


def test_what_its_last_reviewer_has_solved_and_not_reviewed_yet_is_not_called_stuck(
    new, contributor, admin
):
    ada = make_person(Role.REVIEWER, "ada")
    set_review(new, pipeline=make_pipeline(ONE_REVIEWER))
    waiting = submit(make_draft(contributor, new), contributor)
    solve(waiting, ada, "2 m g h")
    assert list_stuck() == []
    review(waiting, ada)
    # It is accepted though the solve differs: nobody is left to solve it again.
    assert list_stuck() == [waiting]


def test_who_is_invited_and_has_not_joined_yet_is_counted(new, contributor, admin):
    make_person(Role.REVIEWER, "ada")
    set_review(new, pipeline=make_pipeline(TWO_REVIEWERS))
    submit(make_draft(contributor, new), contributor)

    def tell() -> str:
        return " ".join(str(line.text) for line in read_inbox(admin).lines)

    assert find_staffing(new).missing == 1
    assert "No one can finish" in tell()
    invite(admin, "bo@new.example", benchmark=new)
    staffing = find_staffing(new)
    assert (staffing.missing, staffing.invited, staffing.works) == (0, 1, False)
    assert "1 more is invited and has not joined yet." in str(staffing)
    assert "Invite 1 more" not in str(staffing)
    assert "No one can finish" not in tell()


def test_a_smaller_plan_lets_pass_what_one_person_solved_where_nobody_else_is_left(
    new, contributor, admin
):
    ada, bo = (make_person(Role.REVIEWER, name) for name in ("ada", "bo"))
    set_review(new, pipeline=make_pipeline(TWO_REVIEWERS))
    problem = make_draft(contributor, new)
    waiting = submit(problem, contributor)
    solve(waiting, ada)
    review(waiting, ada)
    with pytest.raises(NotAllowedNow, match="Fewer reviews do not help"):
        decide_round(waiting, admin, "SHRINK", "Only one.")
    bo.is_active = False
    bo.save()
    [line] = [one for one in read_inbox(admin).lines if "No one can" in str(one.text)]
    client = client_of(admin)
    page = client.get(line.url)
    text = page.content.decode()
    assert "No one can finish this review." in text
    assert reverse("curation:invite", args=[new.slug]) in text
    assert "Take it yourself" not in text
    assert "Go on with 1 agreeing solve" in text
    sent = {**page.context["form"].initial, "step": "SHRINK", "reason": "Bo left."}
    client.post(line.url, sent)
    problem.refresh_from_db()
    assert problem.status == Status.ACCEPTED
    assert problem.events.get(kind="SHRINK").note == "Bo left."


def test_a_smaller_plan_is_without_the_stage_that_would_cost_a_solver(new, contributor, admin):
    two = [make_person(Role.REVIEWER, name) for name in ("ada", "bo")]
    set_review(new, pipeline=make_pipeline(THREE_STAGES))
    problem = make_draft(contributor, new)
    submit(problem, contributor)
    review(open_round(problem), two[0])
    ambiguity = open_round(problem)
    assert not list_queue(two[0])
    decide_round(ambiguity, admin, "SHRINK", "Two of us.")
    follow_queues(problem, two)
    assert problem.status == Status.ACCEPTED


def test_an_admin_who_reviews_takes_it_themselves(new, contributor, admin):
    two = [make_person(Role.REVIEWER, name) for name in ("ada", "bo")]
    set_review(new, pipeline=make_pipeline(THREE_STAGES))
    problem = make_draft(contributor, new)
    submit(problem, contributor)
    review(open_round(problem), two[0])
    ambiguity = open_round(problem)
    address = reverse("curation:decide", args=[ambiguity.pk])
    page = client_of(admin).get(address).content.decode()
    assert "Take it yourself" in page
    assert reverse("curation:member", args=[admin.pk]) in page
    admin.roles = [Role.ADMIN, Role.REVIEWER]
    admin.save()
    assert list(list_queue(admin)) == [ambiguity]
