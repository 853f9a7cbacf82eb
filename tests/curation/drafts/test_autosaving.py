"""Saving while one types."""

import re

import pytest
from django.urls import reverse

from curation.problems.models import Problem
from curation.texts.titles import make_title
from phybench.people.models import Role
from tests.conftest import STATEMENT, make_person
from tests.curation.drafts.editor import fields

pytestmark = pytest.mark.django_db


def stored(page) -> dict[str, str]:
    """Return what the answer to a saving puts into the form."""
    return dict(re.findall(r'name="(problem|saved_at)" value="([^"]*)"', page.content.decode()))


def test_the_first_saving_makes_the_draft_and_the_next_go_on_with_it(author, benchmark):
    autosave = reverse("curation:new", args=["test"]) + "?part=save"
    first = author.post(autosave, fields(benchmark, answer="m g"))
    assert first["HX-Replace-Url"] == reverse("curation:edit", args=[Problem.objects.get().pk])
    second = author.post(autosave, {**fields(benchmark, answer="m g h"), **stored(first)})
    assert "HX-Replace-Url" not in second
    assert Problem.objects.get().revisions.get().answer == "m g h"
    # A browser that could not be told the new address saves to the same problem too.
    author.post(
        reverse("curation:new", args=["test"]), {**fields(benchmark, answer="2"), **stored(second)}
    )
    assert Problem.objects.get().revisions.get().answer == "2"


def test_what_can_not_be_stored_yet_is_said_and_nothing_made(author, benchmark):
    page = author.post(
        reverse("curation:new", args=["test"]) + "?part=save",
        fields(benchmark, title="", statement=" "),
    )
    assert "not saved yet: see Title" in page.content.decode()
    assert not Problem.objects.exists()


def test_what_is_written_first_is_stored_before_anything_is_chosen(author, benchmark):
    data = fields(benchmark, title="", domain="", difficulty="", answer="")
    author.post(reverse("curation:new", args=["test"]) + "?part=save", data)
    problem = Problem.objects.get()
    # Its first words, until it gets a title.
    assert problem.title == make_title(STATEMENT)
    assert (problem.domain, problem.difficulty) == ("", "")
    page = author.post(reverse("curation:submit", args=[problem.pk]), follow=True).content.decode()
    for field, what in (("domain", "Choose a domain."), ("difficulty", "Choose a difficulty.")):
        assert f'<a href="#id_{field}">' in page
        assert what in page
    assert Problem.objects.get().status == "DRAFT"


def test_also_a_field_that_nobody_sees_has_a_name(author, benchmark):
    sent = fields(benchmark, saved_at="a\0b")
    page = author.post(reverse("curation:new", args=["test"]) + "?part=save", sent).content.decode()
    assert "not saved yet: see Saved at" in page


def test_of_two_tabs_the_older_one_is_told_that_it_is_not_saved(author, benchmark):
    autosave = reverse("curation:new", args=["test"]) + "?part=save"
    start = stored(author.post(autosave, fields(benchmark)))
    author.post(autosave, {**fields(benchmark, solution="First tab."), **start})
    second = author.post(autosave, {**fields(benchmark, solution="Second tab."), **start})
    assert "changed elsewhere" in second.content.decode()
    assert stored(second) == {}
    assert Problem.objects.get().revisions.get().solution == "First tab."


def test_nobody_saves_into_the_problem_of_another(client, draft, benchmark):
    client.force_login(make_person(Role.CONTRIBUTOR, "another"))
    data = {**fields(benchmark), "problem": str(draft.pk)}
    assert (
        client.post(reverse("curation:new", args=["test"]) + "?part=save", data).status_code == 404
    )
    assert client.post(reverse("curation:new", args=["test"]), data).status_code == 404


def test_what_is_in_review_is_not_saved_into(author, draft, contributor, benchmark):
    author.post(reverse("curation:submit", args=[draft.pk]))
    data = {**fields(benchmark, answer="0"), "problem": str(draft.pk), "saved_at": ""}
    assert (
        "Not saved"
        in author.post(reverse("curation:new", args=["test"]) + "?part=save", data).content.decode()
    )
    assert draft.revisions.get().answer == "m g h"
