"""The line of the editor that says what is asked, and rows that its author takes out."""

import html

import pytest
from django.urls import reverse

from curation.problems.models import Problem
from curation.texts.references.reference import Wanted
from curation.texts.workflow import Status
from tests.curation.drafts.editor import fields, rows

pytestmark = pytest.mark.django_db


ASKED = {
    "quantity": "E",
    "unit": "J",
    "terms": r"m, g;$h$",
    "conditions": r"h > 0, m \neq M",
}


def test_what_is_asked_is_stored_and_shown(author, benchmark):
    author.post(reverse("curation:new", args=["test"]), fields(benchmark, then="save", **ASKED))
    problem = Problem.objects.get()
    wanted = problem.revisions.get().wanted
    assert wanted == Wanted("E", "J", ("m", "g", "h"), ("h > 0", r"m \neq M"))
    assert problem.revisions.get().reference.question.conditions == wanted.conditions
    page = author.get(problem.get_absolute_url()).content.decode()
    assert 'E</span> in <span class="unit">J</span> in terms of' in page
    edit = author.get(reverse("curation:edit", args=[problem.pk])).content.decode()
    assert 'value="m, g, h"' in edit


def test_dollar_signs_around_what_is_asked_are_left_out(author, benchmark):
    sent = fields(benchmark, then="save", quantity=r" $\\Omega$ ")
    author.post(reverse("curation:new", args=["test"]), sent)
    assert Problem.objects.get().revisions.get().quantity == r"\\Omega"


@pytest.mark.parametrize(
    ("said", "message"),
    [
        ({"quantity": "h"}, "the quantity that is asked for"),
        (
            {"unit": "m", **rows(("m", "", "kg"), ("g", "", "m/s^2"), ("h", "", "m"))},
            "has the unit",
        ),
        ({"terms": "m, g", **rows(("h", "height", "m"))}, "not in the list of allowed symbols"),
        ({"conditions": "h is small"}, "The condition"),
    ],
)
def test_what_is_asked_and_does_not_fit_the_answer_keeps_it_from_review(
    author, benchmark, said, message
):
    data = {**fields(benchmark, then="submit"), **said}
    page = author.post(reverse("curation:new", args=["test"]), data, follow=True)
    assert message in html.unescape(page.content.decode())
    assert Problem.objects.get().status == Status.DRAFT


def test_the_editor_drafts_what_is_asked_from_the_statement(author, benchmark):
    data = fields(benchmark, statement="Find $E$ in terms of $m$, $g$ and $h$.", answer="m g h")
    page = author.post(
        reverse("curation:new", args=["test"]) + "?part=preview", data
    ).content.decode()
    assert 'data-fill-terms="m, g, h"' in page
    page = author.post(
        reverse("curation:new", args=["test"]) + "?part=preview", {**data, "quantity": "E"}
    ).content.decode()
    assert "data-fill-terms" not in page


def test_what_the_page_filled_in_follows_the_statement(author, benchmark):
    statement = "Find $E$ in J in terms of $m$, $g$ and $h$."
    data = fields(benchmark, statement=statement, quantity="v", is_drafted="1")
    page = author.post(
        reverse("curation:new", args=["test"]) + "?part=preview", data
    ).content.decode()
    for name, value in (("quantity", "E"), ("unit", "J"), ("terms", "m, g, h")):
        assert f'data-fill-{name}="{value}"' in page
    assert "data-fill>" not in page


def test_a_row_that_was_emptied_stays_away_when_the_draft_is_saved_and_submitted(author, benchmark):
    taken = {**rows(("", "", "")), "symbol_was": ["h"]}
    author.post(reverse("curation:new", args=["test"]), {**fields(benchmark, then="save"), **taken})
    problem = Problem.objects.get()
    revision = problem.revisions.get()
    assert revision.left_out == ["h"]
    page = author.get(reverse("curation:edit", args=[problem.pk])).content.decode()
    assert 'name="symbol_left_out" value="h"' in page
    assert 'name="symbol_latex" value="h"' not in page
    # Typed again, it is there again.
    typed = {**rows(("h", "height", "m")), "symbol_left_out": ["h"]}
    data = {**fields(benchmark, then="save"), **typed, "saved_at": revision.saved_at.isoformat()}
    author.post(reverse("curation:edit", args=[problem.pk]), data)
    assert problem.revisions.get().left_out == []
