"""Lists of problems, a problem's page, the queue and the review page."""

import csv
import io
import re

import pytest
from django.urls import reverse

from curation.authoring.drafts import actions
from curation.problems.models import Problem
from curation.reviewing.rounds.models import Review, ReviewRound
from curation.texts.workflow import Status
from phybench.people.models import Role
from tests.conftest import accept, make_draft, make_person, submit
from tests.curation.reviewing.place import of_room

pytestmark = pytest.mark.django_db


@pytest.fixture
def signed_in(client):
    def sign_in(person):
        client.force_login(person)
        return client

    return sign_in


def titles(page) -> list[str]:
    return [problem.title for problem in page.context["page"]]


def test_filters_search_and_sorting_narrow_what_is_listed(
    signed_in, contributor, benchmark, reviewer
):
    pendulum = {"title": "Pendulum", "domain": "MECHANICS", "difficulty": "OLYMPIAD"}
    lens = {"title": "Lens", "domain": "OPTICS", "difficulty": "HIGH_SCHOOL"}
    make_draft(contributor, benchmark, **pendulum)
    make_draft(contributor, benchmark, **lens, statement="A prism splits light of $m$, $g$, $h$.")
    client = signed_in(contributor)
    listing = reverse("curation:problems", args=["test"])

    assert titles(client.get(listing)) == ["Pendulum", "Lens"]
    assert titles(client.get(listing, {"domain": "OPTICS"})) == ["Lens"]
    assert titles(client.get(listing, {"difficulty": "OLYMPIAD"})) == ["Pendulum"]
    assert titles(client.get(listing, {"q": "prism"})) == ["Lens"]
    assert titles(client.get(listing, {"sort": "title"})) == ["Lens", "Pendulum"]
    assert titles(client.get(listing, {"sort": "-title"})) == ["Pendulum", "Lens"]
    assert titles(client.get(listing, {"sort": "nothing", "domain": "nowhere"})) != []
    assert titles(client.get(listing, {"q": "no such"})) == []


def test_a_long_list_comes_in_pages(signed_in, contributor, benchmark):
    for number in range(27):
        make_draft(contributor, benchmark, title=f"Problem {number}")
    client = signed_in(contributor)
    listing = reverse("curation:problems", args=["test"])
    assert len(titles(client.get(listing))) == 25
    assert len(titles(client.get(listing, {"page": 2}))) == 2
    assert len(titles(client.get(listing, {"page": "999"}))) == 2


def test_the_csv_has_what_the_list_has_and_no_formula(signed_in, contributor, benchmark):
    make_draft(contributor, benchmark, title="=1+1")
    page = signed_in(contributor).get(
        reverse("curation:problems", args=["test"]), {"as": "csv", "show": "mine"}
    )
    [row] = csv.DictReader(io.StringIO(page.content.decode()))
    assert row["title"] == "'=1+1"
    assert "answer" not in row


@pytest.mark.parametrize("show", ["mine", "accepted", "review", "all"])
def test_a_list_takes_as_many_queries_for_three_rows_as_for_one(
    signed_in, contributor, reviewer, benchmark, django_assert_num_queries, show
):
    everything = make_person(Role.ADMIN, "everything")
    everything.roles = list(Role)
    everything.save()

    def fill(number: int) -> None:
        accept(make_draft(everything, benchmark, title=f"A{number}"), everything, reviewer)
        submit(make_draft(everything, benchmark), everything)

    client, listing = signed_in(everything), reverse("curation:problems", args=["test"])
    fill(1)
    client.get(listing)
    with django_assert_num_queries(16):
        client.get(listing, {"show": show})
    fill(2)
    fill(3)
    with django_assert_num_queries(16):
        client.get(listing, {"show": show})


def test_a_draft_is_seen_by_its_author_and_admins_alone(signed_in, draft, contributor, admin):
    page = draft.get_absolute_url()
    assert signed_in(contributor).get(page).status_code == 200
    assert signed_in(admin).get(page).status_code == 200
    for role in (Role.CONTRIBUTOR, Role.REVIEWER, Role.PARTICIPANT, Role.EVALUATOR):
        assert signed_in(make_person(role, f"other-{role}".lower())).get(page).status_code == 404


# --- Reviewing ------------------------------------------------------------------------------


@pytest.fixture
def review_round(draft, contributor) -> ReviewRound:
    return actions.submit(problem=draft, author=contributor)


def test_the_queue_takes_as_many_queries_for_three_rows_as_for_one(
    signed_in, reviewer, contributor, benchmark, review_round, django_assert_num_queries
):
    client, queue = signed_in(reviewer), of_room("queue")
    with django_assert_num_queries(16):
        client.get(queue)
    for _ in range(2):
        submit(make_draft(contributor, benchmark), contributor)
    with django_assert_num_queries(16):
        page = client.get(queue)
    assert len(page.context["rounds"]) == 3


def test_looking_at_a_problem_makes_no_review(signed_in, reviewer, review_round):
    page = signed_in(reviewer).get(reverse("curation:review", args=[review_round.pk]))
    assert "m g h" in page.content.decode()
    assert not Review.objects.exists()


@pytest.mark.parametrize(
    ("recommendation", "status"),
    [("ACCEPT", Status.ACCEPTED), ("REVISE", Status.RETURNED), ("REJECT", Status.IN_REVIEW)],
)
def test_the_round_decides_by_its_rule(
    signed_in, reviewer, review_round, draft, recommendation, status
):
    signed_in(reviewer).post(
        reverse("curation:review", args=[review_round.pk]),
        {"recommendation": recommendation, "comment": "Because $m > 0$."},
    )
    draft.refresh_from_db()
    assert draft.status == status


@pytest.mark.parametrize("data", [{}, {"recommendation": "REVISE"}, {"recommendation": "PERHAPS"}])
def test_an_incomplete_review_is_told_so_and_what_was_typed_stays(
    signed_in, reviewer, review_round, data
):
    page = signed_in(reviewer).post(reverse("curation:review", args=[review_round.pk]), data)
    assert page.status_code == 200
    assert page.context["form"].errors
    assert not Review.objects.exists()


def test_authors_do_not_review_their_own(signed_in, contributor, review_round):
    contributor.roles = [Role.CONTRIBUTOR, Role.REVIEWER]
    contributor.save()
    client = signed_in(contributor)
    page = reverse("curation:review", args=[review_round.pk])
    assert client.get(page).status_code == 404
    assert client.post(page, {"recommendation": "ACCEPT"}).status_code == 404
    assert list(client.get(of_room("queue")).context["rounds"]) == []


def test_a_review_of_a_closed_round_is_refused_kindly(signed_in, reviewer, review_round):
    client = signed_in(reviewer)
    page = reverse("curation:review", args=[review_round.pk])
    client.post(page, {"recommendation": "ACCEPT"})
    again = client.post(page, {"recommendation": "REJECT", "comment": "No."}, follow=True)
    assert re.search("closed|already", again.content.decode())
    assert Review.objects.count() == 1
    assert Problem.objects.get().status == Status.ACCEPTED
