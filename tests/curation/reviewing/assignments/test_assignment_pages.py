"""Admins’ pages of who reviews what: by hand, by a rule, conflicts, the list."""

import csv
import io
import re
from datetime import timedelta

import pytest
from django.utils import timezone

from curation.authoring.drafts import actions
from curation.problems.people.models import Conflict
from curation.reviewing.assignments import actions as assigning
from curation.reviewing.assignments.views import MOST_IN_A_REQUEST
from curation.reviewing.rounds.models import Assignment, ReviewRound
from phybench.news.jobs.models import Job
from phybench.news.jobs.tasks import CARRYING_OUT
from phybench.people.models import Role, User
from tests.conftest import make_draft, make_person, submit
from tests.curation.reviewing.assignments.given import assign, open_rounds
from tests.curation.reviewing.place import of_room
from tests.memory import remembered
from tests.work import do

pytestmark = pytest.mark.django_db


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
    page = client.get(of_room("assignments"), {"show": "choose", **chosen})
    [candidate] = page.context["found"]
    assert candidate.can_be_chosen
    assert [why for _round, why in candidate.obstacles] == ["is already asked"]
    page = client.post(of_room("assignments") + "?show=choose", {**chosen, "reviewer": reviewer.pk})
    content = page.content.decode()
    assert "is asked for one review" in content
    assert "is already asked" in content
    assert reviewer.assignments.open().count() == 2


def test_a_day_can_be_set_and_none_that_is_over(client, two, reviewer, admin):
    client.force_login(admin)
    sent = {"round": two[0].pk, "reviewer": reviewer.pk}
    page = client.post(of_room("assignments") + "?show=choose", {**sent, "due_on": "2020-01-01"})
    assert page.context["form"].errors["due_on"] == ["This day is in the past. Choose a later one."]
    day = timezone.now().date() + timedelta(days=9)
    client.post(of_room("assignments") + "?show=choose", {**sent, "due_on": day.isoformat()})
    assert Assignment.objects.get().due_at.date() == day


def test_to_exceed_the_cap_an_admin_has_to_say_so(client, settings, two, reviewer, admin):
    settings.REVIEWS_OPEN_AT_MOST = 1
    assign(two[0], reviewer, admin)
    client.force_login(admin)
    sent = {"round": two[1].pk, "reviewer": reviewer.pk}
    page = client.post(of_room("assignments") + "?show=choose", sent)
    assert "To ask anyway, tick the box below" in page.content.decode()
    assert reviewer.assignments.count() == 1
    client.post(of_room("assignments") + "?show=choose", {**sent, "exceeds": "on"})
    assert reviewer.assignments.count() == 2


def test_reviewers_are_found_by_name_and_field_with_what_they_hold(
    client, two, reviewer, second, admin
):
    User.objects.filter(pk=second.pk).update(expertise=["OPTICS"], review_languages=["zh"])
    assign(two[0], reviewer, admin)
    client.force_login(admin)
    sent = {"round": two[1].pk}
    found = client.get(of_room("assignments"), {"show": "choose", **sent}).context["found"]
    assert [(str(one.person), one.load) for one in found] == [("Second", 0), ("Reviewer", 1)]
    for wanted in ({"q": "SEC"}, {"domain": "OPTICS"}):
        [one] = client.get(of_room("assignments"), {"show": "choose", **sent, **wanted}).context[
            "found"
        ]
        assert (one.person, one.domains, one.languages) == (second, ["optics"], ["Chinese"])
    page = client.get(of_room("assignments"), {"show": "choose", **sent, "q": "nobody at all"})
    assert "No reviewer matches" in page.content.decode()


@pytest.mark.parametrize(
    "asked", [{}, {"round": "x"}, {"round": "9" * 30}, {"round": "-1"}, {"round": "²"}]
)
def test_without_an_open_round_there_is_nothing_to_assign(client, two, admin, asked):
    client.force_login(admin)
    there = of_room("assignments")
    for page in (
        client.get(there, {"show": "choose", **asked}, follow=True),
        client.post(f"{there}?show=choose", asked, follow=True),
    ):
        assert "Tick the open problems that need reviewers first" in page.content.decode()


@pytest.mark.parametrize("number", ["0", "999999999", "x", "9" * 30])
def test_what_is_not_assigned_is_not_passed_on(client, two, admin, number):
    client.force_login(admin)
    page = client.get(of_room("assignments"), {"show": "choose", "instead_of": number}, follow=True)
    assert "That request is over" in page.content.decode()


@pytest.mark.parametrize("chosen", ["", "0", "x", "9" * 30])
def test_who_is_no_reviewer_can_not_be_sent(client, two, admin, chosen):
    client.force_login(admin)
    page = client.post(
        of_room("assignments") + "?show=choose", {"round": two[0].pk, "reviewer": chosen}
    )
    assert page.context["form"].errors["reviewer"]
    assert not Assignment.objects.exists()


def test_somebody_else_is_asked_instead_with_a_reason(client, two, reviewer, second, admin):
    given = assign(two[0], reviewer, admin)
    client.force_login(admin)
    assert f"instead_of={given.pk}" in client.get(of_room("assignments")).content.decode()
    sent = {"instead_of": given.pk, "reviewer": second.pk}
    assert (
        client.post(of_room("assignments") + "?show=choose", sent).context["form"].errors["reason"]
    )
    client.post(of_room("assignments") + "?show=choose", {**sent, "reason": "They are ill."})
    given.refresh_from_db()
    assert (given.state, given.passed_on_as.reviewer) == ("REVOKED", second)


def test_an_assignment_is_taken_back_with_a_reason(client, two, reviewer, admin):
    given = assign(two[0], reviewer, admin)
    client.force_login(admin)
    sent = {"do": "revoke", "assignment": given.pk}
    assert "The draft of Reviewer is kept" in client.post(of_room("assignments"), sent).text
    page = client.post(of_room("assignments"), {**sent, "reason": ""})
    assert page.context["form"].errors
    page = client.post(of_room("assignments"), {**sent, "reason": "By mistake."}, follow=True)
    assert "Withdrawn from Reviewer." in page.content.decode()
    given.refresh_from_db()
    assert given.state == "REVOKED"


# --- Spread over reviewers ------------------------------------------------------------------


def list_pairs(page) -> list[str]:
    return re.findall(r'name="pair" value="([^"]*)"', page.content.decode())


def test_who_would_be_asked_is_shown_first_and_asked_twice_it_is_done_once(
    client, two, reviewer, admin
):
    client.force_login(admin)
    chosen = "?show=spread&lacks=some&by_domain=ANY&by_language=ANY"
    page = client.get(of_room("assignments") + chosen)
    pairs = list_pairs(page)
    assert pairs == [f"{one.pk}-{reviewer.pk}" for one in two]
    assert not Assignment.objects.exists()
    page = client.post(of_room("assignments") + chosen, {"pair": pairs}, follow=True)
    assert "2 reviews are asked for." in page.content.decode()
    page = client.post(of_room("assignments") + chosen, {"pair": pairs}, follow=True)
    assert "0 reviews are asked for." in page.content.decode()
    assert Assignment.objects.count() == 2


def test_what_changed_since_it_was_shown_is_left_out_and_said(
    client, two, contributor, reviewer, admin
):
    client.force_login(admin)
    pairs = list_pairs(client.get(of_room("assignments") + "?show=spread"))
    actions.withdraw(problem=two[0].revision.problem, author=contributor)
    page = client.post(of_room("assignments") + "?show=spread", {"pair": pairs}, follow=True)
    content = " ".join(page.content.decode().split())
    assert "1 review is asked for. 1 changed meanwhile:" in content
    assert "the stage is closed" in content


def test_problems_and_people_are_chosen(client, two, reviewer, second, admin):
    client.force_login(admin)
    asked = {"round": two[1].pk, "people": second.pk}
    assert list_pairs(client.get(of_room("assignments"), {"show": "spread", **asked})) == [
        f"{two[1].pk}-{second.pk}"
    ]
    nothing = client.get(of_room("assignments"), {"show": "spread", "domain": "OPTICS"})
    assert "No problem in review matches." in nothing.content.decode()


@pytest.mark.parametrize("wrong", [{"by_domain": "SOME"}, {"people": "x"}])
def test_a_choice_that_is_none_is_refused(client, two, admin, wrong):
    client.force_login(admin)
    page = client.get(of_room("assignments"), {"show": "spread", **wrong})
    assert set(page.context["form"].errors) == set(wrong)
    assert list_pairs(page) == []


@pytest.mark.parametrize("pair", ["", "-", "x-y", "1", "9-9", f"{'9' * 30}-1"])
def test_a_pair_that_is_none_asks_nobody(client, two, admin, pair):
    client.force_login(admin)
    page = client.post(of_room("assignments") + "?show=spread", {"pair": pair}, follow=True)
    assert "0 reviews are asked for." in page.content.decode()


@pytest.mark.django_db(transaction=True)
def test_many_are_asked_by_a_worker(client, contributor, reviewer, admin, settings):
    settings.REVIEWS_OPEN_AT_MOST = 0
    open_rounds(contributor, count=MOST_IN_A_REQUEST + 1)
    client.force_login(admin)
    pairs = list_pairs(client.get(of_room("assignments") + "?show=spread"))
    client.post(of_room("assignments") + "?show=spread", {"pair": pairs})
    assert not Assignment.objects.exists()
    do(CARRYING_OUT, Job.objects.get().pk)
    assert Assignment.objects.filter(how="BY_RULE").count() == len(pairs)
    assert "21 reviews are asked for." in Job.objects.get().said


# --- Conflicts, lists, files ----------------------------------------------------------------


def test_a_conflict_is_marked_with_a_problem_or_an_author_and_lifted(
    client, two, contributor, reviewer, admin
):
    client.force_login(admin)
    address = of_room("review_settings") + "?show=conflicts"
    identifier = two[0].revision.problem.identifier
    sent = {"do": "mark", "person": reviewer.pk, "reason": "One group."}
    for wrong in ({}, {"problem": "C999999"}, {"problem": identifier, "author": contributor.pk}):
        assert client.post(address, {**sent, **wrong}).context["form"].errors
    assert client.post(address, {**sent, "author": reviewer.pk}).context["form"].errors
    client.post(address, {**sent, "problem": identifier.lower()})
    again = client.post(address, {**sent, "problem": identifier})
    assert "marked already" in again.content.decode()
    conflict = Conflict.objects.get()
    page = client.post(address, {"do": "lift", "conflict": conflict.pk}, follow=True)
    assert "may review it again" in page.content.decode()
    assert list(page.context["page"]) == []
    assert list(client.get(f"{address}&of=all").context["page"]) == [conflict]


def test_all_assignments_are_listed_with_what_came_of_them_and_as_a_file(
    client, two, reviewer, admin
):
    declined = assign(two[0], reviewer, admin)
    assigning.decline(assignment=declined, reviewer=reviewer, reason="=1+1")
    assign(two[1], reviewer, admin, due_at=timezone.now() - timedelta(days=1))
    client.force_login(admin)
    address = of_room("assignments") + "?show=asked"
    counts = [
        client.get(f"{address}&state={state}").context["page"].paginator.count
        for state in ("", "DECLINED", "overdue", "DONE", "unknown")
    ]
    assert counts == [2, 1, 1, 0, 2]
    content = client.get(of_room("assignments") + "?show=asked&as=csv").content.decode()
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
            page = client.get(of_room(name), {"sort": sort}).context["page"]
            assert [one.revision.problem.title for one in page] == titles, sort
    rounds = ReviewRound.objects.order_by("pk")
    for one in rounds:
        assign(one, reviewer, admin)
    address = of_room("assignments") + "?show=asked"
    for name in ("title", "stage", "reviewer", "assigned", "due", "state"):
        for sign in ("", "-"):
            page = client.get(f"{address}&sort={sign}{name}").context["page"]
            assert {one.round for one in page} == set(rounds)
    page = client.get(f"{address}&sort=-title").context["page"]
    assert [one.round for one in page] == list(rounds)


@pytest.mark.parametrize(
    ("asked", "found"),
    [({}, 2), ({"lacks": "some"}, 1), ({"lacks": "time"}, 1), ({"lacks": "three"}, 2)],
)
def test_admins_find_rounds_that_lack_somebody_or_are_late(
    client, two, reviewer, admin, asked, found
):
    assign(two[0], reviewer, admin, due_at=timezone.now() - timedelta(days=1))
    client.force_login(admin)
    page = client.get(of_room("assignments"), asked)
    assert page.context["page"].paginator.count == found


@pytest.mark.parametrize(
    ("name", "queries"),
    [
        ("assignments", 17),
        ("assignments?show=asked", 13),
        ("assignments?show=choose", 17),
        ("assignments?show=spread", 24),
        ("review_settings?show=conflicts", 15),
        ("queue", 18),
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
    page, _mark, query = name.partition("?")
    fill(0)
    address = f"{of_room(page)}?{query}"
    for more in (0, 2):
        for number in range(1, 1 + more):
            fill(number)
        with django_assert_num_queries(queries):
            chosen = "&".join(f"round={one.pk}" for one in rounds)
            answer = client.get(f"{address}&{chosen}")
        assert answer.status_code == 200
