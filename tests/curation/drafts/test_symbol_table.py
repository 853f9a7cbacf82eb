"""Symbols, and what else is declared."""

import re

import pytest
from django.urls import reverse

from curation.authoring.drafts.preview import make_preview
from curation.problems.models import Problem
from curation.texts.references.reference import SymbolRow
from curation.texts.workflow import Status
from tests.conftest import STATEMENT
from tests.curation.drafts.editor import fields, rows
from tests.work import make_certificate

pytestmark = pytest.mark.django_db


def test_a_folded_row_sets_its_unit_as_a_reader_sees_it(author):
    data = {"statement": "$g$ at $h$", "answer": "g h", **rows(("g", "free fall", "m/s^2"))}
    page = author.post(
        reverse("curation:new", args=["test"]) + "?part=preview", data
    ).content.decode()
    folded = re.findall(r'class="symbol-line">(.*?)</label>', page)[0]
    assert folded == 'free fall <span class="unit">m/s<sup>2</sup></span></span>'


def test_the_table_is_filled_while_one_types_and_keeps_what_was_written(author):
    data = {"statement": "$m$ at $h$", "answer": "m g h", **rows(("m", "mass", "kg"), ("q",))}
    page = author.post(
        reverse("curation:new", args=["test"]) + "?part=preview", data
    ).content.decode()
    assert 'id="symbol-rows" hx-swap-oob="true"' in page
    assert re.findall(r'name="symbol_latex" value="([^"]*)"', page) == ["m", "g", "h", ""]
    assert 'value="mass"' in page


def test_a_table_that_needs_nothing_is_left_alone(author):
    data = {"statement": "$m$", "answer": "m", **rows(("m", "mass", "kg"))}
    assert (
        "symbol-rows"
        not in author.post(
            reverse("curation:new", args=["test"]) + "?part=preview", data
        ).content.decode()
    )


UNUSED = r'id="unused-(\d)"[^>]*>The statement and the reference answer don’t use this symbol'


@pytest.mark.parametrize(
    ("texts", "unused"),
    [
        ({}, ["4"]),
        ({"quantity": "v_{0}"}, []),
        ({"conditions": r"v_0 \ll \sqrt{g h}"}, []),
        ({"statement": "A ball of mass $m$ falls by $h$ from $v_{ 0 }$. Find its energy."}, []),
        ({"answer": "m g h + m v_0^2/2"}, []),
        # What can't be read may mention it.
        ({"answer": r"\foo v_0"}, []),
        ({"statement": ""}, []),
    ],
)
def test_a_symbol_that_nothing_mentions_is_pointed_out_at_its_row(author, texts, unused):
    table = rows(("m", "mass"), ("h", "height"), ("g", "gravity"), ("v_0", "initial speed", "m/s"))
    statement = "A ball of mass $m$ falls by $h$. Find its energy."
    data = {"statement": statement, "answer": "m g h", **table, **texts}
    page = author.post(
        reverse("curation:new", args=["test"]) + "?part=preview", data
    ).content.decode()
    assert re.findall(UNUSED, page) == unused


def test_what_is_left_of_the_worked_example_is_pointed_out_and_can_be_submitted(author, benchmark):
    table = rows(("m", "mass"), ("h", "height"), ("v_0", "initial speed", "m/s"))
    author.post(reverse("curation:new", args=["test"]), {**fields(benchmark), **table})
    problem = Problem.objects.get()
    page = author.get(reverse("curation:edit", args=[problem.pk])).content.decode()
    assert re.findall(UNUSED, page) == ["3"]
    assert make_preview({**fields(benchmark), "symbols": problem.revisions.get().symbols})


@pytest.mark.parametrize(
    ("row", "message"),
    [
        (("m", "mass", "furlong per"), "no unit"),
        (("a b",), "not a single symbol"),
        (("m", "", "", "positive", "-1"), "contradict"),
        (("m", "", "", "odd"), "Choose a sign"),
    ],
)
def test_a_row_that_is_wrong_says_so_and_is_not_submitted(author, benchmark, row, message):
    data = {**fields(benchmark, then="submit"), **rows(row)}
    answer = author.post(reverse("curation:new", args=["test"]), data, follow=True)
    assert message in answer.content.decode()
    assert Problem.objects.get().status == Status.DRAFT
    assert Problem.objects.get().revisions.get().symbols[0]["latex"] == row[0]


def test_units_that_do_not_fit_together_are_caught_while_typing(author):
    known = rows(("m", "", "kg"), ("h", "", "m"))
    data = {"statement": "$m$ $h$", "answer": "m g h", **known}
    assert (
        "kg m² s⁻²"
        in author.post(
            reverse("curation:new", args=["test"]) + "?part=preview", data
        ).content.decode()
    )
    data["answer"] = "m + h"
    page = author.post(
        reverse("curation:new", args=["test"]) + "?part=preview", data
    ).content.decode()
    assert "different units" in page


def test_what_is_declared_is_stored_and_frozen_with_the_revision(author, benchmark):
    declared = rows(("m", "mass", "kg"), (r"\theta", "an angle", "1", "positive", "", r"\pi/2"))
    statement = STATEMENT + r" The slope is $\theta$."
    data = {**fields(benchmark, statement=statement, quantity="E", then="certify"), **declared}
    author.post(reverse("curation:new", args=["test"]), data)
    problem = Problem.objects.get()
    make_certificate(problem.certificates.get().pk)
    author.post(reverse("curation:submit", args=[problem.pk]))
    revision = problem.revisions.get()
    assert revision.submitted_at is not None
    assert revision.quantity == "E"
    assert [row["latex"] for row in revision.symbols] == ["m", r"\theta", "g", "h"]
    assert dict(revision.reference.question.domains)[r"\theta"].high is not None


@pytest.mark.parametrize(
    ("statement", "found"),
    [
        (r"A $\frac{mass$ moves at $v$.", ["v"]),
        (r"A $\frac{mass and then it moves at $v$.", []),
        ("It costs $5 and moves at $v$.", []),
        (r"A mass $m$ moves at $v$.", ["m", "v"]),
    ],
)
def test_nothing_is_filled_from_a_formula_that_can_not_be_displayed(author, statement, found):
    data = {"statement": statement + " Find the speed $v$ in terms of $m$.", "answer": ""}
    preview = make_preview(data)
    names = [row.latex for row in preview.filled]
    assert set(found) <= set(names) <= {"m", "v"}
    assert preview.drafted.quantity == ("v" if found else "")


def test_a_formula_that_can_not_be_displayed_asks_for_nothing(author):
    assert make_preview({"statement": r"Find $\frac{v$ with $q$.", "answer": ""}).filled == [
        SymbolRow("q")
    ]
    drafted = make_preview({"statement": r"Find $\frac{E$, $\foo{a} < b$.", "answer": ""}).drafted
    assert not drafted
