"""What reviewers asked for, ticked and answered beside the editor."""

import re
from functools import partial

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from curation.problems.models import Problem
from curation.reviewing.discussion import actions as commenting
from curation.reviewing.discussion.models import Comment, ReviewResponse
from curation.reviewing.discussion.threads import find_letters
from curation.reviewing.reviews import remarks
from curation.reviewing.rounds.models import ReviewRound
from phybench.people.models import Role
from tests.conftest import make_draft, make_person, submit
from tests.curation.at_once import at_once
from tests.curation.reviewing.discussion.talk import say, write_next
from tests.curation.reviewing.rounds.opened import make_benchmark, make_pipeline, review, solve

pytestmark = pytest.mark.django_db
HTMX = {"HX-Request": "true"}


@pytest.fixture
def second(db):
    return make_person(Role.REVIEWER, "second")


@pytest.fixture
def returned(contributor, reviewer, second) -> Problem:
    """Two reviewers want it revised; one of them said something of a passage as well."""
    pipeline = make_pipeline({"reviews_needed": 2})
    problem = make_draft(contributor, make_benchmark(pipeline))
    opened = submit(problem, contributor)
    say(opened, reviewer, "Of which body?", quote="mass $m$")
    review(opened, reviewer, "REVISE", comment="Name the planet.")
    review(opened, second, "REVISE", comment="Say which height.")
    problem.refresh_from_db()
    return problem


def waiting(problem: Problem) -> ReviewRound:
    return ReviewRound.objects.open().get(revision__problem=problem)


def address_of(problem: Problem, remark: remarks.Remark) -> str:
    return reverse("curation:answer_remark", args=[problem.pk, remark.kind, remark.pk])


def listed(problem: Problem) -> list[remarks.Remark]:
    return remarks.list_remarks(problem.author, problem)


def test_all_that_was_asked_for_stands_beside_the_editor_without_names(client, returned, reviewer):
    assert [(one.kind, one.text, one.is_done) for one in listed(returned)] == [
        ("thread", "Of which body?", False),
        ("review", "Name the planet.", False),
        ("review", "Say which height.", False),
    ]
    client.force_login(returned.author)
    page = client.get(reverse("curation:edit", args=[returned.pk])).content.decode()
    for text in ("Of which body?", "Name the planet.", "Say which height.", "What this revision"):
        assert text in page
    assert reviewer.email not in page
    assert f"<strong>{reviewer}</strong>" not in page
    assert re.search(r"reviewer [A-Z] · statement", page)


@pytest.mark.parametrize("headers", [{}, HTMX], ids=["without scripts", "with htmx"])
def test_each_is_ticked_and_unticked(client, returned, headers):
    client.force_login(returned.author)
    ticked = listed(returned)[:2]
    assert {one.kind for one in ticked} == {"thread", "review"}
    for one in ticked:
        for done, is_done in (("yes", True), ("yes", True), ("no", False), ("yes", True)):
            answer = client.post(address_of(returned, one), {"done": done}, headers=headers)
            assert answer.status_code == (200 if headers else 302)
            [found] = [this for this in listed(returned) if this.key == one.key]
            assert found.is_done == is_done
    assert ReviewResponse.objects.count() == 3
    assert [one.is_done for one in listed(returned)] == [True, True, False]


def test_an_answer_is_kept_once_and_leaves_the_tick_as_it_is(client, returned):
    client.force_login(returned.author)
    thread, first, _other = listed(returned)
    for one in (thread, first):
        for _ in range(2):
            client.post(address_of(returned, one), {"text": "It holds on each of them."})
    thread, first, _other = listed(returned)
    for one in (thread, first):
        assert [text for _who, text, _at in one.answers] == ["It holds on each of them."]
        assert not one.is_done


@pytest.mark.parametrize("sent", [{}, {"text": " "}, {"text": "x" * 5001}, {"text": "a\x00b"}])
def test_what_says_nothing_or_too_much_is_refused_at_its_place(client, returned, sent):
    client.force_login(returned.author)
    for one in listed(returned):
        page = client.post(address_of(returned, one), sent, headers=HTMX).content.decode()
        assert 'role="alert"' in page
    assert not ReviewResponse.objects.exists()
    assert Comment.objects.count() == 1


def test_a_reviewer_of_the_next_round_reads_what_was_said_to_their_own_and_no_others(
    client, returned, second, reviewer
):
    _thread, first, other = listed(returned)
    for one, text in ((first, "It holds on each."), (other, "It is in the text.")):
        remarks.answer(remark=one, writer=returned.author, is_done=False, text=text)
    write_next(returned, returned.author)
    client.force_login(reviewer)
    address = reverse("curation:review", args=[waiting(returned).pk])
    page = client.get(address).content.decode()
    assert "It holds on each." in page
    assert "It is in the text." not in page
    # Who comes anew reads none before their own review, as of all that others said.
    client.force_login(make_person(Role.REVIEWER, "third"))
    page = client.get(address).content.decode()
    assert "It holds on each." not in page


def test_who_has_not_seen_the_answer_learns_nothing_of_it_from_what_the_author_replies(
    client, contributor, reviewer
):
    stages = make_pipeline({"shows_key": False}, {"is_blind": True})
    problem = make_draft(contributor, make_benchmark(stages))
    review(submit(problem, contributor), reviewer, "REVISE", comment="A factor 2 is missing.")
    [one] = listed(problem)
    text = "No: the answer is the height times the weight."
    remarks.answer(remark=one, writer=contributor, is_done=False, text=text)
    write_next(problem, contributor)
    client.force_login(reviewer)
    address = reverse("curation:review", args=[waiting(problem).pk])
    page = client.get(address).content.decode()
    assert "A factor 2 is missing." in page
    assert text not in page
    assert "You can read the reply once you have seen the reference answer." in page
    # Solved blind, it tells nothing any more.
    review(waiting(problem), reviewer)
    solve(waiting(problem), reviewer)
    page = client.get(reverse("curation:review", args=[waiting(problem).pk])).content.decode()
    assert text in page


def test_a_reviewer_has_one_letter_in_their_review_and_in_their_comments(
    contributor, reviewer, second
):
    problem = make_draft(contributor, make_benchmark(make_pipeline({"reviews_needed": 1})))
    review(submit(problem, contributor), reviewer, "REVISE", comment="Name the planet.")
    opened = write_next(problem, contributor)
    say(opened, second, "Of which body?", quote="mass $m$")
    review(opened, second, "REVISE", comment="Say which height.")
    problem.refresh_from_db()
    name = f"reviewer {find_letters([problem.pk])[problem.pk, second.pk]}"
    assert [(one.who, one.text) for one in listed(problem)] == [
        (name, "Of which body?"),
        (name, "Say which height."),
    ]


def test_nobody_else_ticks_it_and_after_it_is_submitted_nobody(client, returned, reviewer):
    thread, first, _other = listed(returned)
    for person in (make_person(Role.CONTRIBUTOR, "another"), reviewer):
        client.force_login(person)
        for one in (thread, first):
            answer = client.post(address_of(returned, one), {"done": "yes"})
            assert answer.status_code in {403, 404}
    write_next(returned, returned.author)
    client.force_login(returned.author)
    assert client.post(address_of(returned, first), {"done": "yes"}).status_code == 404
    assert not ReviewResponse.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_ticked_twice_at_once_it_is_kept_once(returned):
    review_of_it = returned.revisions.get().rounds.get().reviews.first()
    tick = partial(commenting.respond, review=review_of_it, writer=returned.author, is_done=True)
    assert at_once(tick, tick) == ["done", "done"]
    assert ReviewResponse.objects.count() == 1


def test_the_editor_takes_as_many_queries_for_three_remarks_as_for_one(
    client, contributor, reviewer
):
    client.force_login(contributor)
    benchmark = make_benchmark(make_pipeline({"reviews_needed": 1}))
    counts = []
    for quotes in (["mass $m$"], ["mass $m$", "at rest", "the height $h$"]):
        problem = make_draft(contributor, benchmark)
        opened = submit(problem, contributor)
        for quote in quotes:
            say(opened, reviewer, quote=quote)
        review(opened, reviewer, "REVISE", comment="Change it.")
        address = reverse("curation:edit", args=[problem.pk])
        client.get(address)
        with CaptureQueriesContext(connection) as found:
            page = client.get(address).content.decode()
        assert page.count('class="remark"') == len(quotes) + 1
        counts.append(len(found))
    assert counts[0] == counts[1]
