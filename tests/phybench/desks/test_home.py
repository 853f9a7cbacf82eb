"""The inbox: what waits in all roles, the most urgent first, with its count, age and one button."""

from datetime import timedelta

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from curation.authoring.drafts.actions import withdraw
from curation.problems.models import Problem
from curation.reports import actions as reporting
from curation.reviewing.agreement import desk as agreement
from curation.reviewing.assignments.desk import list_new_rounds, list_unassigned
from curation.reviewing.assignments.permissions import list_stuck
from curation.reviewing.rounds.models import ReviewRound
from grading.answers.models import Attempt
from grading.samples.audits import desk as audits
from grading.samples.first_errors import desk as first_errors
from phybench.news.desks.desks import read_inbox
from phybench.news.desks.lines import Line, Urgency
from phybench.people.models import Role, User
from tests.conftest import accept, make_draft, make_person, submit
from tests.curation.reviewing.assignments.given import assign
from tests.curation.reviewing.rounds.opened import review
from tests.grading.conftest import HandIn, hand_in, problems

__all__ = ["hand_in", "problems"]
pytestmark = pytest.mark.django_db


def read(user: User) -> list[str]:
    user.refresh_from_db()
    return [line.text for line in read_inbox(user).lines]


def find(user: User, words: str) -> Line:
    user.refresh_from_db()
    [found] = [line for line in read_inbox(user).lines if words in line.text]
    return found


def send_back(problem: Problem, author: User, reviewer: User) -> None:
    review(submit(problem, author), reviewer, "REVISE")


# --- Order and news --------------------------------------------------------------------------


def test_what_is_urgent_comes_first_then_what_waits_longest_and_news_the_newest_first(
    monkeypatch, contributor
):
    now = timezone.now()
    lines = [
        Line(urgency, f"{urgency.name} {days}", "Go", "/", since=now - timedelta(days=days))
        for urgency, days in (
            *((Urgency.NEWS, 1), (Urgency.NEWS, 3), (Urgency.LATER, 9)),
            *((Urgency.SOON, 2), (Urgency.SOON, 5), (Urgency.NOW, 1)),
        )
    ]
    monkeypatch.setattr(
        "phybench.news.desks.desks.desk_lines.tell", lambda user: iter(lines), raising=True
    )
    assert read(contributor) == [*("NOW 1", "SOON 5", "SOON 2", "LATER 9", "NEWS 1", "NEWS 3")]


def test_one_inbox_holds_what_waits_in_all_roles(contributor, accepted_problem, reviewer, admin):
    contributor.roles = [Role.CONTRIBUTOR, Role.REVIEWER, Role.PARTICIPANT]
    contributor.save()
    reviewer.roles = [Role.CONTRIBUTOR, Role.REVIEWER]
    reviewer.save()
    other = make_draft(reviewer, accepted_problem.benchmark)
    assign(submit(other, reviewer), contributor, admin)
    said = " ".join(read(contributor))
    assert "You are asked to review" in said
    assert "was accepted" in said


def test_an_empty_inbox_says_so_and_the_overview_offers_what_one_does(
    client, contributor, benchmark
):
    client.force_login(contributor)
    assert "Nothing waits for you." in client.get(reverse("inbox")).text
    page = client.get(reverse("curation:overview", args=[benchmark.slug])).text
    assert "Nothing waits for you." in page
    assert f'class="button primary" href="{reverse("curation:new", args=["test"])}"' in page


def test_news_stays_until_it_is_marked_as_read_and_what_came_since_stays_news(
    client, accepted_problem, contributor, reviewer
):
    client.force_login(contributor)
    page = client.get(reverse("inbox"))
    assert '“<span lang="en">A falling ball</span>” was accepted.' in page.text
    assert "was accepted" in client.get(reverse("inbox")).text
    other = make_draft(contributor, accepted_problem.benchmark, title="A thrown ball")
    accept(other, contributor, reviewer)
    client.post(reverse("inbox") + "?do=read", {"until": page.context["as_of"]})
    page = client.get(reverse("inbox"))
    assert "A thrown ball" in page.text
    assert "A falling ball" not in page.text
    client.post(reverse("inbox") + "?do=read", {"until": page.context["as_of"]})
    assert "was accepted" not in client.get(reverse("inbox")).text


@pytest.mark.parametrize(
    "until",
    [
        *("", "yesterday", "2026-13-40T00:00Z", "2026-01-01T00:00", "9" * 99),
        "0001-01-01T00:00:00+23:59",
    ],
)
def test_a_time_that_is_none_marks_nothing_as_read(client, contributor, until):
    client.force_login(contributor)
    assert client.post(reverse("inbox") + "?do=read", {"until": until}).status_code == 302
    before = contributor.news_read_at
    contributor.refresh_from_db()
    assert contributor.news_read_at == before


def test_what_is_to_come_can_not_be_marked_as_read(client, contributor, draft, reviewer):
    client.force_login(contributor)
    client.post(reverse("inbox") + "?do=read", {"until": "2999-01-01T00:00:00Z"})
    accept(draft, contributor, reviewer)
    assert "was accepted" in client.get(reverse("inbox")).text


def test_the_header_says_how_much_waits_and_counts_anew_after_a_step(
    client, accepted_problem, contributor, reviewer
):
    def header() -> str:
        return client.get("/me/").text.partition("</header>")[0]

    client.force_login(contributor)
    count = reverse("inbox") + "?part=count"
    assert count in header()
    assert client.get(count).text == ""
    assert count not in header()
    send_back(make_draft(contributor, accepted_problem.benchmark), contributor, reviewer)
    assert '<span class="number"></span>' in header()
    client.post(reverse("inbox") + "?do=read", {"until": ""})
    assert count in header()
    assert client.get(count).text == "1"
    assert '<span class="number">1</span>' in header()


def test_what_several_roles_are_told_stands_once(admin, problems, hand_in):
    admin.roles = list(Role.values)
    admin.save()
    texts = read(admin)
    assert len(texts) == len(set(texts))


# --- Authors ---------------------------------------------------------------------------------


def test_an_author_is_told_what_came_back_what_waits_and_what_is_reported(
    draft, contributor, reviewer, participant, benchmark
):
    assert "is not submitted yet" in find(contributor, "draft").text
    send_back(draft, contributor, reviewer)
    line = find(contributor, "came back from review")
    assert (line.action, line.url) == ("Revise it", reverse("curation:edit", args=[draft.pk]))
    other = accept(make_draft(contributor, benchmark), contributor, reviewer)
    report = reporting.report_error(
        problem=other, reporter=participant, kind="STATEMENT", text="Which ball?"
    )
    line = find(contributor, "An error was reported")
    assert (line.action, line.url) == ("Read it", report.get_absolute_url())
    # Whoever reported it knows.
    reporting.report_error(problem=other, reporter=contributor, kind="OTHER", text="Which ball?")
    assert find(contributor, "An error was reported").count == 1


def test_what_its_author_withdrew_did_not_come_back(draft, contributor):
    submit(draft, contributor)
    withdraw(problem=draft, author=contributor)
    said = " ".join(read(contributor))
    assert "was withdrawn from review" in said
    assert "came back" not in said


def test_on_an_empty_site_home_and_board_lead_an_admin_to_the_first_benchmark(
    client, admin, contributor
):
    create = reverse("curation:new_benchmark")
    line = find(admin, "no benchmark yet")
    assert line.url == create
    client.force_login(contributor)
    assert create not in client.get(reverse("board")).text
    client.force_login(admin)
    assert create in client.get(reverse("home"), follow=True).text
    assert create in client.get(reverse("board")).text


# --- Reviewers -------------------------------------------------------------------------------


def test_a_reviewer_is_told_what_is_overdue_due_and_new(contributor, reviewer, admin, benchmark):
    rounds = [submit(make_draft(contributor, benchmark), contributor) for _each in range(3)]
    assert find(reviewer, "need a reviewer").count == 3
    for one, days in zip(rounds, (-2, 1, 9), strict=True):
        assign(one, reviewer, admin, due_at=timezone.now() + timedelta(days=days))
    user = User.objects.get(pk=reviewer.pk)
    inbox = read_inbox(user).lines
    assert [line.urgency for line in inbox] == [Urgency.NOW, Urgency.SOON, Urgency.SOON]
    assert inbox[0].url == reverse("curation:review", args=[rounds[0].pk])
    assert inbox[0].age == "waiting for 2\xa0days"


# --- Admins ----------------------------------------------------------------------------------


def test_an_admin_is_told_of_a_round_that_too_few_may_review(
    draft, contributor, reviewer, admin, client
):
    waiting = submit(draft, contributor)
    assert list_stuck() == []
    User.objects.filter(pk=reviewer.pk).update(roles=[])
    assert list_stuck() == [waiting]
    line = find(admin, "No one can finish")
    assert line.urgency == Urgency.NOW
    client.force_login(admin)
    assert client.get(line.url).status_code == 200


def test_an_admin_is_told_what_is_late_reported_failed_and_who_has_no_role(
    problems, hand_in: HandIn, contributor, reviewer, participant, admin, benchmark
):
    reporting.report_error(
        problem=problems[0], reporter=participant, kind="STATEMENT", text="Which?"
    )
    hand_in((problems[0], "m g h"))
    Attempt.objects.update(status="FAILED", failure_reason="timeout")
    round_ = submit(make_draft(contributor, benchmark), contributor)
    assign(round_, reviewer, admin, due_at=timezone.now() - timedelta(days=1))
    make_person(None)
    text = " ".join(read(admin))
    for words in (
        "1 review is late.",
        "1 answer could not be graded.",
        "1 error report to decide.",
        "1 person has no role yet.",
    ):
        assert words in text


# --- Queries ---------------------------------------------------------------------------------


def count_queries(user: User) -> int:
    client = Client()
    client.force_login(user)
    client.get(reverse("inbox"))
    with CaptureQueriesContext(
        connection,
    ) as queries:
        assert client.get(reverse("inbox")).status_code == 200
    return len(queries)


def test_home_takes_as_many_queries_for_any_number_of_rows(
    problems, hand_in: HandIn, contributor, reviewer, participant, evaluator, admin, benchmark
):
    def add(number: int) -> None:
        send_back(make_draft(contributor, benchmark), contributor, reviewer)
        make_draft(contributor, benchmark)
        submit(make_draft(contributor, benchmark), contributor)
        late = submit(make_draft(contributor, benchmark), contributor)
        assign(late, reviewer, admin, due_at=timezone.now() - timedelta(days=1))
        accepted = accept(make_draft(contributor, benchmark), contributor, reviewer)
        reporting.report_error(
            problem=accepted, reporter=participant, kind="STATEMENT", text="Which ball?"
        )
        hand_in((problems[0], "m g h"), model=f"Model {number}")
        make_person(None, f"nobody-{number}")

    def count() -> dict[Role, int]:
        return {
            role: count_queries(User.objects.filter(roles=[role]).earliest("pk")) for role in Role
        }

    add(0)
    one = count()
    add(1)
    assert count() == one


def test_what_a_reviewer_may_take_is_found_once_and_named_where_it_is_one(
    contributor, reviewer, admin, benchmark, django_assert_num_queries
):
    drafts = [make_draft(contributor, benchmark) for _ in range(3)]
    submit(drafts[0], contributor)
    for more, said in (((), drafts[0].title), (drafts[1:], "3 problems need a reviewer.")):
        for one in more:
            submit(one, contributor)
        with django_assert_num_queries(6):
            [line] = list_new_rounds(reviewer)
        assert said in line.text
    with django_assert_num_queries(1):
        [line] = list_unassigned(admin)
    assert (line.count, line.since) == (3, ReviewRound.objects.earliest("opened_at").opened_at)


@pytest.mark.parametrize("list_samples", [audits.list_samples, first_errors.list_samples])
def test_where_no_sample_is_open_nothing_is_asked_of_one(
    admin, django_assert_num_queries, list_samples
):
    with django_assert_num_queries(1):
        assert list(list_samples(admin)) == []


def test_what_all_reject_and_what_is_split_are_told_apart_of_one_list(
    contributor, reviewer, admin, benchmark
):
    other = make_person(Role.REVIEWER, "other")
    rejected, split = (make_draft(contributor, benchmark) for _ in range(2))
    for draft, first in ((rejected, "REJECT"), (split, "ACCEPT")):
        opened = submit(draft, contributor)
        ReviewRound.objects.filter(pk=opened.pk).update(reviews_needed=2)
        for person, said in ((reviewer, first), (other, "REJECT")):
            review(opened, person, said)
    told = [line.text for line in agreement.list_to_decide(admin)]
    assert [draft.title in text for draft, text in zip((split, rejected), told, strict=True)] == [
        True,
        True,
    ]
    assert "All reviewers reject" in told[1]
