"""Admins’ pages of who reviews what: by hand, by a rule, conflicts, the list."""

import csv
import io
from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from curation.authoring.drafts import actions
from curation.problems.people.models import Conflict
from curation.reviewing.assignments import actions as assigning
from curation.reviewing.assignments.models import Assignment, AssignmentPlan
from curation.reviewing.rounds.models import ReviewRound
from phybench.people.models import Role, User
from tests.conftest import make_draft, make_person, submit
from tests.curation.reviewing.assignments.given import assign, open_rounds
from tests.memory import remembered

pytestmark = pytest.mark.django_db
QUEUE = reverse("curation:queue")
ASSIGN = reverse("curation:assign")


@pytest.fixture
def second(db) -> User:
    return make_person(Role.REVIEWER, "second")


@pytest.fixture
@remembered
def two(contributor) -> list[ReviewRound]:
    return open_rounds(contributor, count=2)


# --- By hand --------------------------------------------------------------------------------


def test_several_rounds_are_assigned_at_once_and_what_is_not_possible_is_said(
    client, two, reviewer, admin
):
    assign(two[0], reviewer, admin)
    client.force_login(admin)
    chosen = {"round": [one.pk for one in two]}
    page = client.get(ASSIGN, chosen)
    [candidate] = page.context["found"]
    assert candidate.can_be_chosen
    assert [why for _round, why in candidate.obstacles] == ["is already assigned"]
    page = client.post(ASSIGN, {**chosen, "reviewer": reviewer.pk})
    content = page.content.decode()
    assert "is asked for one review" in content
    assert "is already assigned" in content
    assert reviewer.assignments.open().count() == 2


def test_a_day_can_be_set_and_none_that_is_over(client, two, reviewer, admin):
    client.force_login(admin)
    sent = {"round": two[0].pk, "reviewer": reviewer.pk}
    page = client.post(ASSIGN, {**sent, "due_on": "2020-01-01"})
    assert page.context["form"].errors["due_on"] == ["This day is in the past. Choose a later one."]
    day = timezone.now().date() + timedelta(days=9)
    client.post(ASSIGN, {**sent, "due_on": day.isoformat()})
    assert Assignment.objects.get().due_at.date() == day


def test_to_exceed_the_cap_an_admin_has_to_say_so(client, settings, two, reviewer, admin):
    settings.REVIEWS_OPEN_AT_MOST = 1
    assign(two[0], reviewer, admin)
    client.force_login(admin)
    sent = {"round": two[1].pk, "reviewer": reviewer.pk}
    page = client.post(ASSIGN, sent)
    assert "To assign it anyway, tick the box below" in page.content.decode()
    assert reviewer.assignments.count() == 1
    client.post(ASSIGN, {**sent, "exceeds": "on"})
    assert reviewer.assignments.count() == 2


def test_reviewers_are_found_by_name_and_field_with_what_they_hold(
    client, two, reviewer, second, admin
):
    User.objects.filter(pk=second.pk).update(expertise=["OPTICS"], review_languages=["zh"])
    assign(two[0], reviewer, admin)
    client.force_login(admin)
    sent = {"round": two[1].pk}
    found = client.get(ASSIGN, sent).context["found"]
    assert [(str(one.person), one.load) for one in found] == [("Second", 0), ("Reviewer", 1)]
    for wanted in ({"q": "SEC"}, {"domain": "OPTICS"}):
        [one] = client.get(ASSIGN, {**sent, **wanted}).context["found"]
        assert (one.person, one.domains, one.languages) == (second, ["optics"], ["Chinese"])
    page = client.get(ASSIGN, {**sent, "q": "nobody at all"})
    assert "No reviewer matches" in page.content.decode()


@pytest.mark.parametrize(
    "asked", [{}, {"round": "x"}, {"round": "9" * 30}, {"round": "-1"}, {"round": "²"}]
)
def test_without_an_open_round_there_is_nothing_to_assign(client, two, admin, asked):
    client.force_login(admin)
    for method in (client.get, client.post):
        page = method(ASSIGN, asked, follow=True)
        assert "Tick the open rounds that need reviewers first" in page.content.decode()


@pytest.mark.parametrize("number", ["0", "999999999", "x", "9" * 30])
def test_what_is_not_assigned_is_not_passed_on(client, two, admin, number):
    client.force_login(admin)
    page = client.get(ASSIGN, {"instead_of": number}, follow=True)
    assert "That assignment is over" in page.content.decode()


@pytest.mark.parametrize("chosen", ["", "0", "x", "9" * 30])
def test_who_is_no_reviewer_can_not_be_sent(client, two, admin, chosen):
    client.force_login(admin)
    page = client.post(ASSIGN, {"round": two[0].pk, "reviewer": chosen})
    assert page.context["form"].errors["reviewer"]
    assert not Assignment.objects.exists()


def test_somebody_else_is_asked_instead_with_a_reason(client, two, reviewer, second, admin):
    given = assign(two[0], reviewer, admin)
    client.force_login(admin)
    assert f"instead_of={given.pk}" in client.get(reverse("curation:assignments")).content.decode()
    sent = {"instead_of": given.pk, "reviewer": second.pk}
    assert client.post(ASSIGN, sent).context["form"].errors["reason"]
    client.post(ASSIGN, {**sent, "reason": "They are ill."})
    given.refresh_from_db()
    assert (given.state, given.passed_on_as.reviewer) == ("REVOKED", second)


def test_an_assignment_is_taken_back_with_a_reason(client, two, reviewer, admin):
    given = assign(two[0], reviewer, admin)
    client.force_login(admin)
    address = reverse("curation:revoke", args=[given.pk])
    assert client.post(address, {"reason": ""}).context["form"].errors
    page = client.post(address, {"reason": "By mistake."}, follow=True)
    assert "Withdrawn from Reviewer." in page.content.decode()
    given.refresh_from_db()
    assert given.state == "REVOKED"


# --- By a rule ------------------------------------------------------------------------------


def test_a_plan_is_shown_first_and_confirmed_twice_it_is_carried_out_once(
    client, two, reviewer, admin
):
    client.force_login(admin)
    address = reverse("curation:distribute")
    page = client.get(address, {"lacks": "some"})
    assert page.context["rounds"] == [one.pk for one in two]
    sent = {"round": [one.pk for one in two], "domain": "ANY", "language": "ANY"}
    answer = client.post(address, sent)
    plan = AssignmentPlan.objects.get()
    assert answer["Location"] == reverse("curation:assignment_plan", args=[plan.pk])
    page = client.get(answer["Location"])
    assert "Nothing is assigned yet" in page.content.decode()
    assert not Assignment.objects.exists()
    for _ in range(2):
        page = client.post(answer["Location"], follow=True)
        assert "2 reviews were assigned." in " ".join(page.content.decode().split())
    assert Assignment.objects.count() == 2


def test_a_plan_says_what_was_not_possible_any_more(client, two, contributor, reviewer, admin):
    client.force_login(admin)
    sent = {"round": [one.pk for one in two], "domain": "ANY", "language": "ANY"}
    address = client.post(reverse("curation:distribute"), sent)["Location"]
    actions.withdraw(problem=two[0].revision.problem, author=contributor)
    page = client.post(address, follow=True)
    content = " ".join(page.content.decode().split())
    assert "One review was assigned. One was no longer possible." in content
    assert "the round is closed" in content


def test_a_rule_that_is_none_is_refused(client, two, admin):
    client.force_login(admin)
    address = reverse("curation:distribute")
    page = client.post(address, {"round": two[0].pk, "domain": "SOME"})
    assert set(page.context["form"].errors) == {"domain", "language"}
    page = client.post(address, {"domain": "ANY", "language": "ANY"}, follow=True)
    assert "No open round is selected" in page.content.decode()


# --- Conflicts, lists, files ----------------------------------------------------------------


def test_a_conflict_is_marked_with_a_problem_or_an_author_and_lifted(
    client, two, contributor, reviewer, admin
):
    client.force_login(admin)
    address = reverse("curation:conflicts")
    identifier = two[0].revision.problem.identifier
    sent = {"person": reviewer.pk, "reason": "One group."}
    for wrong in ({}, {"problem": "C999999"}, {"problem": identifier, "author": contributor.pk}):
        assert client.post(address, {**sent, **wrong}).context["form"].errors
    assert client.post(address, {**sent, "author": reviewer.pk}).context["form"].errors
    client.post(address, {**sent, "problem": identifier.lower()})
    again = client.post(address, {**sent, "problem": identifier})
    assert "marked already" in again.content.decode()
    conflict = Conflict.objects.get()
    page = client.post(reverse("curation:lift_conflict", args=[conflict.pk]), follow=True)
    assert "may review it again" in page.content.decode()
    assert list(page.context["page"]) == []
    assert list(client.get(address, {"show": "all"}).context["page"]) == [conflict]


def test_all_assignments_are_listed_with_what_came_of_them_and_as_a_file(
    client, two, reviewer, admin
):
    declined = assign(two[0], reviewer, admin)
    assigning.decline(assignment=declined, reviewer=reviewer, reason="=1+1")
    assign(two[1], reviewer, admin, due_at=timezone.now() - timedelta(days=1))
    client.force_login(admin)
    address = reverse("curation:assignment_list")
    counts = [
        client.get(address, {"state": state}).context["page"].paginator.count
        for state in ("", "DECLINED", "overdue", "DONE", "unknown")
    ]
    assert counts == [2, 1, 1, 0, 2]
    content = client.get(reverse("curation:assignments_csv")).content.decode()
    rows = list(csv.DictReader(io.StringIO(content)))
    assert [(row["state"], row["reason"], row["is_overdue"]) for row in rows] == [
        ("OPEN", "", "True"),
        ("DECLINED", "'=1+1", "False"),
    ]
    assert "m g h" not in content


SORTED = {
    "title": ["Ampère", "Zeeman"],
    "-title": ["Zeeman", "Ampère"],
    "waiting": ["Zeeman", "Ampère"],
    "-waiting": ["Ampère", "Zeeman"],
    "colour": ["Zeeman", "Ampère"],
}


def test_tables_are_sorted_as_asked(client, contributor, benchmark, reviewer, admin):
    for title in ("Zeeman", "Ampère"):
        submit(make_draft(contributor, benchmark, title=title), contributor)
    for name, person in (("queue", reviewer), ("assignments", admin)):
        client.force_login(person)
        for sort, titles in SORTED.items():
            page = client.get(reverse(f"curation:{name}"), {"sort": sort}).context["page"]
            assert [one.revision.problem.title for one in page] == titles, sort
    rounds = ReviewRound.objects.order_by("pk")
    for one in rounds:
        assign(one, reviewer, admin)
    address = reverse("curation:assignment_list")
    for name in ("title", "stage", "reviewer", "assigned", "due", "state"):
        for sign in ("", "-"):
            page = client.get(address, {"sort": f"{sign}{name}"}).context["page"]
            assert {one.round for one in page} == set(rounds)
    page = client.get(address, {"sort": "-title"}).context["page"]
    assert [one.round for one in page] == list(rounds)


@pytest.mark.parametrize(
    ("asked", "found"),
    [({}, 2), ({"lacks": "some"}, 1), ({"lacks": "time"}, 1), ({"benchmark": "three"}, 2)],
)
def test_admins_find_rounds_that_lack_somebody_or_are_late(
    client, two, reviewer, admin, asked, found
):
    assign(two[0], reviewer, admin, due_at=timezone.now() - timedelta(days=1))
    client.force_login(admin)
    page = client.get(reverse("curation:assignments"), asked)
    assert page.context["page"].paginator.count == found


@pytest.mark.parametrize(
    ("name", "queries"),
    [
        ("assignments", 17),
        ("assign", 28),
        ("assignment_list", 12),
        ("conflicts", 14),
        ("queue", 17),
    ],
)
def test_admins_pages_take_as_many_queries_for_three_rows_as_for_one(
    client, contributor, reviewer, admin, django_assert_num_queries, name, queries
):
    rounds = open_rounds(contributor, {"reviews_needed": 2})

    def fill(number: int) -> None:
        person = make_person(Role.REVIEWER, f"reviewer-{number}")
        if number:
            benchmark = rounds[0].revision.problem.benchmark
            rounds.append(submit(make_draft(contributor, benchmark), contributor))
        assign(rounds[-1], person, admin)
        assigning.mark_conflict(
            person=reviewer, problem=rounds[-1].revision.problem, admin=admin, reason="One group."
        )

    client.force_login(admin)
    address = reverse(f"curation:{name}")
    fill(0)
    for more in (0, 2):
        for number in range(1, 1 + more):
            fill(number)
        with django_assert_num_queries(queries):
            page = client.get(address, {"round": [one.pk for one in rounds]})
        assert page.status_code == 200
