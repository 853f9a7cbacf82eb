"""Which problems are like another, and that nobody learns of others' drafts by asking."""

import pytest
from django.urls import reverse

from curation.problems.similarity import list_similar
from phybench.models import Role
from tests.conftest import STATEMENT, accept, make_draft, make_person

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
    assert "much like this one" in page


def test_the_page_costs_the_same_for_one_and_for_three(
    client, bank, draft, contributor, django_assert_num_queries
):
    client.force_login(contributor)
    page = reverse("curation:similar", args=[draft.pk])
    client.get(page)
    with django_assert_num_queries(11):
        client.get(page)
