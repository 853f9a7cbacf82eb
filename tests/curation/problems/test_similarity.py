"""Which problems are like another, and that nobody learns of others' drafts by asking."""

import pytest
from django.urls import reverse
from django.utils import timezone

from curation.problems.exposures.models import Exposure
from curation.problems.similarity import list_similar
from curation.reviewing.rounds.models import ReviewRound
from phybench.people.models import Role
from tests.conftest import STATEMENT, accept, make_draft, make_person, submit
from tests.rules import make_texts

pytestmark = pytest.mark.django_db

NEARLY = STATEMENT.replace("ball", "stone").replace("at rest", "held")
OTHER = "Light of wavelength $m$ passes two slits $h$ apart in a field $g$. Where are the fringes?"


@pytest.fixture
def bank(contributor, reviewer, benchmark):
    return [
        accept(make_draft(contributor, benchmark, statement=text, **more), contributor, reviewer)
        for text, more in (
            (NEARLY, {"domain": "OPTICS"}),
            (OTHER, {}),
            (NEARLY, {"domain": "MECHANICS"}),
        )
    ]


def test_the_most_similar_come_first_and_of_equals_the_one_of_the_same_domain(
    bank, draft, contributor
):
    found = list_similar(draft, STATEMENT, seen_by=contributor)
    assert [revision.problem for revision in found] == [bank[2], bank[0]]
    assert 0.6 < found[0].similarity < 1


def test_drafts_and_reviews_of_others_are_not_found_by_asking(draft, benchmark):
    another = make_person(Role.CONTRIBUTOR, "another")
    asked = make_draft(another, benchmark)
    assert list_similar(asked, STATEMENT, seen_by=another) == []


def test_the_page_shows_both_side_by_side(client, bank, draft, contributor):
    client.force_login(contributor)
    page = client.get(reverse("curation:similar", args=[draft.pk])).content.decode()
    assert "A stone of mass" in page
    assert "two slits" not in page


def test_nothing_like_it_is_said(client, draft, contributor):
    client.force_login(contributor)
    page = client.get(reverse("curation:similar", args=[draft.pk])).content.decode()
    assert "resembles this one" in page


def test_the_page_costs_the_same_for_one_and_for_three(
    client, bank, draft, contributor, django_assert_num_queries
):
    client.force_login(contributor)
    page = reverse("curation:similar", args=[draft.pk])
    client.get(page)
    with django_assert_num_queries(12):
        client.get(page)


# --- Counted for reviewers -------------------------------------------------------------------


def count_page(client, reviewer, problem) -> str:
    client.force_login(reviewer)
    # The review's page shows the answer; before that nothing is told.
    address = reverse("curation:similar", args=[problem.pk]) + "?part=count"
    assert client.get(address).status_code == 404
    review_round = ReviewRound.objects.open().get(revision__problem=problem)
    page = client.get(reverse("curation:review", args=[review_round.pk])).content.decode()
    assert f'hx-get="{address}"' in page
    return " ".join(client.get(address).content.decode().split())


def test_a_reviewer_is_told_how_many_are_similar_and_how_many_have_an_equal_answer(
    client, contributor, reviewer, benchmark
):
    equal, other = (
        accept(make_draft(contributor, benchmark, statement=NEARLY, **more), contributor, reviewer)
        for more in ({"answer": "g h m"}, {"answer": "2 m g h"})
    )
    asked = make_draft(contributor, benchmark)
    submit(asked, contributor)
    fresh = make_person(Role.REVIEWER, "fresh")
    page = count_page(client, fresh, asked)
    assert "2 similar problems." in page
    assert "1 has an equal answer." in page
    # That tells the answer of the one, and of the other a verdict: so each is written down.
    told = Exposure.objects.telling_key().filter(person=fresh).exclude(revision__problem=asked)
    assert set(told.values_list("revision__problem", "part")) == {
        (equal.pk, "ANSWER"),
        (other.pk, "VERDICT"),
    }


def test_nobody_finds_the_answers_of_others_by_drafts_of_their_own(
    client, contributor, reviewer, benchmark
):
    accept(make_draft(contributor, benchmark, statement=NEARLY), contributor, reviewer)
    guesser = make_person(Role.CONTRIBUTOR, "guesser")
    guesser.roles = [Role.CONTRIBUTOR, Role.REVIEWER, Role.EVALUATOR]
    guesser.save()
    client.force_login(guesser)
    for answer in ("2 m g h", "m g h"):
        guess = make_draft(guesser, benchmark, answer=answer)
        address = reverse("curation:similar", args=[guess.pk]) + "?part=count"
        assert client.get(address).status_code == 404
        submit(guess, guesser)
        assert client.get(address).status_code == 404


def test_what_a_reviewer_may_yet_be_asked_to_solve_is_not_compared(
    client, contributor, reviewer, benchmark
):
    waiting = make_draft(contributor, benchmark, statement=NEARLY)
    submit(waiting, contributor)
    asked = make_draft(contributor, benchmark)
    submit(asked, contributor)
    page = count_page(client, reviewer, asked)
    assert "1 similar problem." in page
    assert "equal answer" not in page
    assert "1 answer was not compared" in page
    told = Exposure.objects.telling_key().filter(person=reviewer)
    assert set(told.values_list("revision__problem", flat=True)) == {asked.pk}


def test_that_nothing_is_similar_is_said_too(client, contributor, reviewer, benchmark):
    asked = make_draft(contributor, benchmark, statement=OTHER, answer="m g h")
    submit(asked, contributor)
    assert "No similar problem was found." in count_page(client, reviewer, asked)


@pytest.mark.parametrize("length", [5_000, 19_500])
def test_a_statement_of_any_letters_is_saved_and_one_of_words_is_found(
    contributor, benchmark, draft, length
):
    for text in make_texts(length):
        other = make_draft(contributor, benchmark, statement=text)
        other.revisions.update(submitted_at=timezone.now())
        found = list_similar(draft, text, seen_by=contributor)
        # What else is a letter depends on how the database sorts.
        if text.isascii():
            assert [revision.problem for revision in found] == [other]
