"""What a reviewer says, notes and types in an open round reaches nobody else, at any address."""

import pytest
from django.db import transaction
from django.urls import reverse

from curation.reviewing.discussion import actions as commenting
from curation.reviewing.discussion.models import Thread
from curation.reviewing.reviews import drafts
from curation.reviewing.rounds.models import ReviewRound
from phybench.people.models import Role, User
from tests.addresses import client_of, find_said, list_numbers, read_everything
from tests.conftest import make_draft, make_person, submit
from tests.curation.reviewing.discussion.talk import say
from tests.curation.reviewing.rounds.opened import make_benchmark, make_pipeline, open_round, review

pytestmark = pytest.mark.django_db

SAID = ("4417701", "4417702", "4417703", "4417704")
"""Numbers in a comment, an answer to it, a note and a draft."""


@pytest.fixture
def author(db) -> User:
    return make_person(Role.CONTRIBUTOR, "author")


@pytest.fixture
def waiting(author) -> ReviewRound:
    pipeline = make_pipeline({"reviews_needed": 3}, {"reviews_needed": 1})
    problem = make_draft(author, make_benchmark(pipeline))
    submit(problem, author)
    first = open_round(problem)
    speaker = make_person(Role.REVIEWER, "speaker")
    thread = say(first, speaker, f"I find {SAID[0]}.")
    commenting.reply(thread=thread, writer=speaker, text=f"Or {SAID[1]}.")
    commenting.write_note(review_round=first, writer=speaker, text=f"I find {SAID[2]}.")
    drafts.save(
        review_round=first,
        reviewer=speaker,
        kind="REVIEW",
        fields={"comment": f"I find {SAID[3]}.", "replaces": "0"},
        saved_at="",
    )
    return first


@pytest.mark.parametrize(
    "reader",
    [
        *("author", "reviewer"),
        *(pytest.param(one, marks=pytest.mark.slow) for one in ("reviewed", "with other roles")),
    ],
)
def test_nothing_said_in_an_open_round_is_on_any_page(waiting, reader, author, request):
    if reader == "reviewed":
        person = make_person(Role.REVIEWER, "reviewed")
        review(waiting, person)
    elif reader == "with other roles":
        person = make_person(None, "other")
        person.roles = [Role.CONTRIBUTOR, Role.PARTICIPANT, Role.EVALUATOR]
        person.save()
    else:
        person = author if reader == "author" else request.getfixturevalue(reader)
    of_round = list_numbers(waiting), waiting.revision.problem.benchmark
    for _name, address, answer in read_everything(client_of(person), *of_round):
        assert find_said(answer, SAID) == [], (reader, address)


@pytest.mark.parametrize("role", [Role.REVIEWER, Role.CONTRIBUTOR, Role.EVALUATOR])
def test_nothing_that_is_sent_tells_of_it_either(waiting, author, role):
    client = client_of(make_person(role, "asking"))
    sent = {
        "draft_of": "REVIEW",
        "kind": "REVIEW",
        "saved_over": "2026-01-01T00:00:00+00:00",
        "comment": "?",
        "text": "?",
        "resolved": "yes",
        "part": "PROBLEM",
    }
    thread = Thread.objects.get()
    buttons = {
        "talk": ("", "reply", "settle"),
        "review_draft": ("", "drop"),
        "review": ("", "show", "note", "skip", "take", "decline", "solve"),
    }
    sendings = [
        (reverse(f"curation:{name}", args=[waiting.pk]), button)
        for name, some in buttons.items()
        for button in some
    ]
    sendings.append((reverse("grading:read_as", args=[waiting.pk]) + "?of=review", ""))
    for address, button in sendings:
        for headers in ({}, {"HX-Request": "true"}):
            with transaction.atomic():
                pressed = {**sent, "thread": thread.pk, "do": button}
                answer = client.post(address, pressed, headers=headers, follow=True)
                assert find_said(answer, SAID) == [], (address, button)
                transaction.set_rollback(True)


def test_its_writer_finds_all_of_it(waiting):
    """Without this the tests above would hold for empty pages."""
    client = client_of(User.objects.get(display_name="Speaker"))
    page = reverse("curation:review", args=[waiting.pk])
    client.post(reverse("curation:review", args=[waiting.pk]), {"do": "show"})
    assert find_said(client.get(page, follow=True), SAID) == list(SAID)
