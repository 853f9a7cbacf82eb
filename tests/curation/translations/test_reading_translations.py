"""Translations: who reads them, and when."""

import pytest
from django.urls import reverse

from curation.authoring.translations import actions as translating
from curation.problems.models import Problem
from curation.reviewing.rounds.lifecycle import submit_review
from grading.answers import actions as grading
from grading.answers.actions import CannotAnswer
from phybench.people.models import Role
from tests.conftest import make_person
from tests.curation.translations.texts import SOLUTION, address, assign, check, translate

pytestmark = pytest.mark.django_db


@pytest.fixture
def translated(assigned, contributor, reviewer, translator) -> Problem:
    """An accepted problem with a checked translation."""
    check(assigned, contributor, translate(assigned, translator))
    submit_review(
        review_round=assigned.revisions.get().rounds.get(),
        reviewer=reviewer,
        recommendation="ACCEPT",
        comment="",
    )
    assigned.refresh_from_db()
    return assigned


def test_readers_choose_a_checked_translation_and_it_can_be_remembered(
    client, translated, participant
):
    client.force_login(participant)
    pages = [translated.get_absolute_url(), reverse("grading:answer", args=[translated.pk])]
    for path in pages:
        assert "小球" not in client.get(path).content.decode()
        assert "小球" in client.get(path, {"language": "zh"}).content.decode()
    client.post(reverse("prefer_language"), {"problem_language": "zh", "next": pages[0]})
    participant.refresh_from_db()
    assert participant.problem_language == "zh"
    for path in pages:
        assert "小球" in client.get(path).content.decode()
        assert "A ball of mass" in client.get(path, {"language": "en"}).content.decode()
        assert "小球" in client.get(path, {"language": "<b>"}).content.decode()
    # The solution is part of the key in every language.
    assert "地面" not in client.get(pages[0]).content.decode()


def test_a_reviewer_reads_it_in_either_language(
    client, assigned, contributor, translator, reviewer
):
    check(assigned, contributor, translate(assigned, translator))
    client.force_login(reviewer)
    review = reverse("curation:review", args=[assigned.revisions.get().rounds.get().pk])
    assert SOLUTION.split("$")[0] not in client.get(review).content.decode()
    assert SOLUTION.split("$")[0] in client.get(review, {"language": "zh"}).content.decode()


def test_a_draft_of_a_translation_is_no_reader_s(client, assigned, translator, reviewer):
    translate(assigned, translator)
    client.force_login(reviewer)
    review = reverse("curation:review", args=[assigned.revisions.get().rounds.get().pk])
    assert "小球" not in client.get(review, {"language": "zh"}).content.decode()
    assert client.get(address(assigned)).status_code == 404


def test_its_translator_is_asked_until_it_is_checked(assigned, contributor, translator):
    assert [one.problem for one in translating.list_to_translate(translator)] == [assigned]
    check(assigned, contributor, translate(assigned, translator))
    assert translating.list_to_translate(translator) == []


def test_a_translator_can_not_answer_what_they_translated(translated, translator):
    translator.roles = [*translator.roles, Role.PARTICIPANT]
    translator.save()
    with pytest.raises(CannotAnswer):
        grading.answer(revision=translated.revisions.get(), person=translator, response="m g h")


def test_pages_take_as_many_queries_for_three_translators_as_for_one(
    client, assigned, contributor, translator, django_assert_num_queries
):
    client.force_login(contributor)
    listing = reverse("curation:translations", args=[assigned.pk])
    client.get(listing)
    with django_assert_num_queries(9):
        client.get(listing, {"q": "trans"})
    for number in range(2):
        assign(assigned, contributor, make_person(Role.CONTRIBUTOR, f"translator {number}"))
    with django_assert_num_queries(9):
        client.get(listing, {"q": "trans"})
