"""The queue, taking and declining, and admins' pages: by hand, by a rule, conflicts, the list."""

import csv
import io
from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from curation import actions, assigning
from curation.models import Assignment, AssignmentPlan, Conflict, ReviewRound, Translation
from phybench.models import Role, User
from tests.conftest import make_draft, make_person, submit
from tests.curation.assignments import assign, open_rounds
from tests.curation.rounds import review

pytestmark = pytest.mark.django_db
QUEUE = reverse("curation:queue")
ASSIGN = reverse("curation:assign")


@pytest.fixture
def second(db) -> User:
    return make_person(Role.REVIEWER, "second")


@pytest.fixture
def two(contributor) -> list[ReviewRound]:
    return open_rounds(contributor, count=2)


# --- The queue ------------------------------------------------------------------------------


def test_the_queue_has_ones_own_first_then_what_is_open_then_what_one_gave(
    client, contributor, reviewer, second, admin
):
    rounds = open_rounds(contributor, {"reviews_needed": 2}, count=4)
    assign(rounds[1], reviewer, admin, due_at=timezone.now() - timedelta(days=1))
    review(rounds[2], reviewer)
    assign(rounds[3], second, admin)
    assign(rounds[3], make_person(Role.REVIEWER, "third"), admin)
    client.force_login(reviewer)
    page = client.get(QUEUE)
    assert [one for _assignment, one in page.context["mine"]] == [rounds[1]]
    assert list(page.context["rounds"]) == [rounds[0]]
    assert list(page.context["given"]) == [rounds[2]]
    content = page.content.decode()
    assert "overdue" in content
    assert "1 of 2" in content
    assert "Reviews (1)" in content
    assert "0 of 1 review assigned to you is done" in content


def test_home_says_what_is_assigned_and_what_presses(client, two, reviewer, admin):
    for one, days in zip(two, (-1, 2), strict=True):
        assign(one, reviewer, admin, due_at=timezone.now() + timedelta(days=days))
    client.force_login(reviewer)
    page = client.get(reverse("home")).content.decode()
    assert "2 reviews are assigned to you. One is overdue. One is due within three days." in page
    assert reverse("curation:review", args=[two[0].pk]) in page
    client.force_login(admin)
    assert "One review overdue" in client.get(reverse("home")).content.decode()


def test_to_take_one_leads_to_it_and_taken_by_another_it_says_so(client, two, reviewer, second):
    client.force_login(reviewer)
    address = reverse("curation:take", args=[two[0].pk])
    answer = client.post(address)
    assert answer["Location"] == reverse("curation:review", args=[two[0].pk])
    assert reviewer.assignments.get().how == "TAKEN"
    client.force_login(second)
    page = client.post(address, follow=True)
    assert "Somebody else has just taken" in page.content.decode()
    assert not second.assignments.exists()


def test_to_take_the_next_takes_it_from_the_list_as_it_is_filtered(
    client, two, contributor, reviewer
):
    optics = submit(
        make_draft(contributor, two[0].revision.problem.benchmark, domain="OPTICS"), contributor
    )
    client.force_login(reviewer)
    take_next = reverse("curation:take_next")
    client.post(take_next, {"domain": "OPTICS"})
    assert reviewer.assignments.get().round == optics
    page = client.post(take_next, {"domain": "OPTICS"}, follow=True)
    assert "Nothing is left to take" in page.content.decode()
    client.post(take_next)
    assert reviewer.assignments.last().round == two[0]


def test_who_holds_all_they_may_is_told_before_and_after_they_click(
    client, settings, two, reviewer
):
    settings.REVIEWS_OPEN_AT_MOST = 1
    assigning.take(review_round=two[0], reviewer=reviewer)
    client.force_login(reviewer)
    page = client.get(QUEUE)
    assert page.context["is_full"]
    assert "One person may hold 1 open review." in page.content.decode()
    for address in (reverse("curation:take", args=[two[1].pk]), reverse("curation:take_next")):
        page = client.post(address, follow=True)
        assert "as many as one person may" in page.content.decode()
    assert reviewer.assignments.count() == 1


@pytest.mark.parametrize(
    ("asked", "found"),
    [
        ({"domain": "OPTICS"}, 1),
        ({"domain": "ALCHEMY"}, 3),
        ({"stage": "Stage 1"}, 3),
        ({"stage": "Stage 9"}, 3),
        ({"language": "zh"}, 1),
        ({"language": "en", "domain": "OPTICS"}, 1),
        ({"page": "99"}, 3),
    ],
)
def test_the_queue_is_filtered_and_what_is_not_understood_is_ignored(
    client, two, contributor, reviewer, asked, found
):
    benchmark = two[0].revision.problem.benchmark
    submit(make_draft(contributor, benchmark, domain="OPTICS"), contributor)
    Translation.objects.create(
        revision=two[0].revision,
        language="zh",
        statement="$m$",
        checked_by=contributor,
        checked_at=timezone.now(),
    )
    client.force_login(reviewer)
    assert client.get(QUEUE, asked).context["page"].paginator.count == found


def test_to_decline_asks_why_and_only_of_ones_own(client, two, reviewer, second, admin):
    given = assign(two[0], reviewer, admin)
    address = reverse("curation:decline", args=[given.pk])
    client.force_login(second)
    assert client.post(address, {"reason": "No."}).status_code == 404
    client.force_login(reviewer)
    page = client.post(address, {"reason": " "})
    assert page.context["form"].errors
    client.post(address, {"reason": "Not my field."})
    given.refresh_from_db()
    assert (given.state, given.reason) == ("DECLINED", "Not my field.")
    page = client.post(address, {"reason": "Not my field."}, follow=True)
    assert "This assignment is over" in page.content.decode()


def test_a_conflict_shows_in_the_queue_and_at_the_page_of_the_review(
    client, two, contributor, reviewer, admin
):
    assigning.mark_conflict(person=reviewer, author=contributor, admin=admin, reason="One group.")
    client.force_login(reviewer)
    page = client.get(QUEUE)
    assert list(page.context["rounds"]) == page.context["mine"] == []
    page = client.get(reverse("curation:review", args=[two[0].pk]), follow=True)
    assert "m g h" not in page.content.decode()
    assert page.redirect_chain


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
    assert [why for _round, why in candidate.obstacles] == ["is assigned already"]
    page = client.post(ASSIGN, {**chosen, "reviewer": reviewer.pk})
    content = page.content.decode()
    assert "is asked for one review" in content
    assert "is assigned already" in content
    assert reviewer.assignments.open().count() == 2


def test_a_day_can_be_set_and_none_that_is_over(client, two, reviewer, admin):
    client.force_login(admin)
    sent = {"round": two[0].pk, "reviewer": reviewer.pk}
    page = client.post(ASSIGN, {**sent, "due_on": "2020-01-01"})
    assert page.context["form"].errors["due_on"] == ["This day is over. Choose a later one."]
    day = timezone.now().date() + timedelta(days=9)
    client.post(ASSIGN, {**sent, "due_on": day.isoformat()})
    assert Assignment.objects.get().due_at.date() == day


def test_to_exceed_the_cap_an_admin_has_to_say_so(client, settings, two, reviewer, admin):
    settings.REVIEWS_OPEN_AT_MOST = 1
    assign(two[0], reviewer, admin)
    client.force_login(admin)
    sent = {"round": two[1].pk, "reviewer": reviewer.pk}
    page = client.post(ASSIGN, sent)
    assert "To assign it all the same, tick so below" in page.content.decode()
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
    assert "No reviewer fits" in page.content.decode()


@pytest.mark.parametrize(
    "asked", [{}, {"round": "x"}, {"round": "9" * 30}, {"round": "-1"}, {"round": "²"}]
)
def test_without_an_open_round_there_is_nothing_to_assign(client, two, admin, asked):
    client.force_login(admin)
    for method in (client.get, client.post):
        page = method(ASSIGN, asked, follow=True)
        assert "Choose open rounds first" in page.content.decode()


@pytest.mark.parametrize("number", ["0", "999999999"])
def test_what_is_not_assigned_is_not_passed_on(client, two, admin, number):
    client.force_login(admin)
    assert client.get(ASSIGN, {"instead_of": number}).status_code == 404


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
    assert "Taken back from Reviewer." in page.content.decode()
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
    assert "One review was assigned. One was not possible any more." in content
    assert "the round is closed" in content


def test_a_rule_that_is_none_is_refused(client, two, admin):
    client.force_login(admin)
    address = reverse("curation:distribute")
    page = client.post(address, {"round": two[0].pk, "domain": "SOME"})
    assert set(page.context["form"].errors) == {"domain", "language"}
    page = client.post(address, {"domain": "ANY", "language": "ANY"}, follow=True)
    assert "No open round was chosen" in page.content.decode()


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
    [("assignments", 7), ("assign", 13), ("assignment_list", 4), ("conflicts", 6), ("queue", 8)],
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


def test_the_queue_takes_as_many_queries_for_three_assigned_as_for_one(
    client, contributor, reviewer, admin, django_assert_num_queries
):
    rounds = open_rounds(contributor, count=4)
    client.force_login(reviewer)
    for more in (rounds[:1], rounds[1:3]):
        for one in more:
            assign(one, reviewer, admin)
        with django_assert_num_queries(10):
            client.get(QUEUE)
