"""The queue: what is assigned, what may be taken, taking and declining."""

from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from curation.problems.translations.models import Translation
from curation.reviewing.assignments import actions as assigning
from curation.reviewing.assignments.permissions import list_queue, list_takeable
from curation.reviewing.rounds.models import ReviewRound
from phybench.people.models import Role, User
from tests.conftest import make_draft, make_person, submit
from tests.curation.reviewing.assignments.given import assign, open_rounds
from tests.curation.reviewing.rounds.opened import review
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
    assert "Review (1)" in content
    assert "0 of 1 review assigned to you is done" in content


def test_what_is_assigned_is_done_first_and_without_a_free_place_is_nobody_elses(
    two, reviewer, second, admin
):
    assign(two[1], reviewer, admin)
    assert list(list_queue(reviewer)) == [two[1], two[0]]
    assert list(list_queue(second)) == [two[0]]


def test_what_one_is_assigned_already_is_not_there_to_be_taken(
    contributor, reviewer, second, admin
):
    rounds = open_rounds(contributor, {"reviews_needed": 2})
    assign(rounds[0], reviewer, admin)
    assert not list_takeable(reviewer).exists()
    assert list(list_takeable(second)) == rounds


def test_home_says_what_is_assigned_and_what_presses(client, two, reviewer, admin):
    for one, days in zip(two, (-1, 2), strict=True):
        assign(one, reviewer, admin, due_at=timezone.now() + timedelta(days=days))
    client.force_login(reviewer)
    page = client.get(reverse("inbox")).content.decode()
    assert "is overdue." in page
    assert "is due within three days." in page
    assert reverse("curation:review", args=[two[0].pk]) in page
    client.force_login(admin)
    assert "1 review is late." in client.get(reverse("inbox")).content.decode()


def test_to_take_one_leads_to_it_and_taken_by_another_it_says_so(client, two, reviewer, second):
    client.force_login(reviewer)
    address = reverse("curation:take", args=[two[0].pk])
    answer = client.post(address)
    assert answer["Location"] == reverse("curation:review", args=[two[0].pk])
    assert reviewer.assignments.get().how == "TAKEN"
    client.force_login(second)
    page = client.post(address, follow=True)
    assert "Someone else has just taken" in page.content.decode()
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
    assert "Nothing is left to review" in page.content.decode()
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


def test_the_queue_takes_as_many_queries_for_three_assigned_as_for_one(
    client, contributor, reviewer, admin, django_assert_num_queries
):
    rounds = open_rounds(contributor, count=4)
    client.force_login(reviewer)
    for more in (rounds[:1], rounds[1:3]):
        for one in more:
            assign(one, reviewer, admin)
        with django_assert_num_queries(18):
            client.get(QUEUE)
