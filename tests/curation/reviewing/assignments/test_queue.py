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
from tests.conftest import make_benchmark as make_other_benchmark
from tests.conftest import make_draft, make_person, submit
from tests.curation.reviewing.assignments.given import assign, open_rounds
from tests.curation.reviewing.place import of_room
from tests.curation.reviewing.rounds.opened import review
from tests.memory import remembered

pytestmark = pytest.mark.django_db
TAKE, NEXT = {"do": "take"}, {"do": "next"}


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
    page = client.get(of_room("queue"))
    assert [one for _assignment, one in page.context["mine"]] == [rounds[1]]
    assert list(page.context["rounds"]) == [rounds[0]]
    assert list(page.context["given"]) == [rounds[2]]
    content = page.content.decode()
    assert "overdue" in content
    assert "1 of 2" in content
    assert "0 of 1 review asked of you is done" in content
    # What is late, and what may be taken.
    assert client.get(reverse("inbox") + "?part=count").text == "2"


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
    address = reverse("curation:review", args=[two[0].pk])
    answer = client.post(address, TAKE)
    assert answer["Location"] == address
    assert reviewer.assignments.get().how == "TAKEN"
    client.force_login(second)
    page = client.post(address, TAKE, follow=True)
    assert "Someone else has just begun" in page.content.decode()
    assert not second.assignments.exists()


def test_to_take_the_next_takes_it_from_the_list_as_it_is_filtered(
    client, two, contributor, reviewer
):
    optics = submit(
        make_draft(contributor, two[0].revision.problem.benchmark, domain="OPTICS"), contributor
    )
    client.force_login(reviewer)
    client.post(of_room("queue"), {**NEXT, "domain": "OPTICS"})
    assert reviewer.assignments.get().round == optics
    review(optics, reviewer)
    page = client.post(of_room("queue"), {**NEXT, "domain": "OPTICS"}, follow=True)
    assert "Nothing is left to review" in page.content.decode()
    client.post(of_room("queue"), NEXT)
    assert reviewer.assignments.last().round == two[0]


def test_what_is_asked_of_somebody_is_the_next_one_whatever_is_open(client, two, reviewer, admin):
    assign(two[1], reviewer, admin)
    client.force_login(reviewer)
    answer = client.post(of_room("queue"), NEXT)
    assert answer["Location"] == reverse("curation:review", args=[two[1].pk])
    assert reviewer.assignments.count() == 1


def test_the_queue_is_of_one_benchmark(client, two, contributor, reviewer):
    other = make_other_benchmark(name="Another")
    submit(make_draft(contributor, other), contributor)
    client.force_login(reviewer)
    page = client.get(reverse("curation:queue", args=[other.slug]))
    assert [one.revision.problem.benchmark for one in page.context["rounds"]] == [other]
    assert list(client.get(of_room("queue")).context["rounds"]) == two
    assert client.get(reverse("curation:queue", args=["no-such"])).status_code == 404


def test_who_holds_all_they_may_is_told_before_and_after_they_click(
    client, settings, two, reviewer
):
    settings.REVIEWS_OPEN_AT_MOST = 1
    assigning.take(review_round=two[0], reviewer=reviewer)
    client.force_login(reviewer)
    page = client.get(of_room("queue"))
    assert page.context["is_full"]
    assert "One person may hold 1 open review." in page.content.decode()
    page = client.post(reverse("curation:review", args=[two[1].pk]), TAKE, follow=True)
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
    assert client.get(of_room("queue"), asked).context["page"].paginator.count == found


def test_to_decline_asks_why_and_only_of_ones_own(client, two, reviewer, second, admin):
    given = assign(two[0], reviewer, admin)
    address = reverse("curation:review", args=[two[0].pk])
    client.force_login(second)
    assert client.post(address, {"do": "decline", "reason": "No."}).status_code == 404
    client.force_login(reviewer)
    page = client.post(address, {"do": "decline", "reason": " "})
    assert page.context["form"].errors
    client.post(address, {"do": "decline", "reason": "Not my field."})
    given.refresh_from_db()
    assert (given.state, given.reason) == ("DECLINED", "Not my field.")
    page = client.post(address, {"do": "decline", "reason": "Not my field."}, follow=True)
    assert "This request is over" in page.content.decode()


def test_a_conflict_shows_in_the_queue_and_at_the_page_of_the_review(
    client, two, contributor, reviewer, admin
):
    assigning.mark_conflict(person=reviewer, author=contributor, admin=admin, reason="One group.")
    client.force_login(reviewer)
    page = client.get(of_room("queue"))
    assert list(page.context["rounds"]) == page.context["mine"] == []
    page = client.get(reverse("curation:review", args=[two[0].pk]), follow=True)
    assert "m g h" not in page.content.decode()
    assert page.redirect_chain


def test_the_queue_takes_as_many_queries_for_three_assigned_as_for_one(
    client, contributor, reviewer, admin, django_assert_num_queries
):
    rounds = open_rounds(contributor, count=4)
    queue = of_room("queue")
    client.force_login(reviewer)
    for more in (rounds[:1], rounds[1:3]):
        for one in more:
            assign(one, reviewer, admin)
        with django_assert_num_queries(17):
            client.get(queue)
