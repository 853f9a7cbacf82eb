"""The preview: what it says of a text while it is typed, and what it withstands."""

import re

import pytest
from django.urls import reverse

from curation.authoring.drafts.preview import make_preview
from tests.conftest import STATEMENT, make_draft
from tests.curation.drafts.editor import fields, rows

pytestmark = pytest.mark.django_db


def test_the_preview_shows_the_reading_and_broken_rules(author):
    page = author.post(
        reverse("curation:new", args=["test"]) + "?part=preview",
        {"statement": STATEMENT, "answer": "E=mgh=1", "solution": ""},
    )
    text = page.content.decode()
    assert "<html" not in text
    assert "falling" in text
    assert "equation" in text


@pytest.mark.parametrize(
    ("answer", "alone"),
    [("E = m g h", "m g h"), (r"m g h\text{ at the top}", "m g h"), ("m g h", None)],
)
def test_of_an_answer_with_a_name_or_a_remark_the_expression_alone_is_offered(
    author, answer, alone
):
    page = author.post(
        reverse("curation:new", args=["test"]) + "?part=preview",
        {"statement": STATEMENT, "answer": answer},
    )
    text = page.content.decode()
    assert ("breaks 1 rule" in text) is (alone is not None)
    assert (f'data-write="{alone}"' in text) is (alone is not None)


ANYTHING = {
    "tower": "9^{9^{9^9}}",
    "brackets": "(" * 3000,
    "a megabyte": "x" * 1_000_000,
    "control characters": "\x00\x01",
    "half a fraction": r"\frac{",
    "code": "__import__('os')",
}


@pytest.mark.parametrize("answer", ANYTHING.values(), ids=ANYTHING)
def test_the_preview_answers_whatever_is_typed(author, answer):
    data = {"statement": "<script>alert(1)</script> $x", "answer": answer, "solution": "$$\\frac{"}
    page = author.post(reverse("curation:new", args=["test"]) + "?part=preview", data)
    assert page.status_code == 200
    assert "<script>" not in page.content.decode()


def test_the_preview_underlines_what_can_not_be_displayed(author):
    texts = {"statement": r"A speed $\foo{v}$.", "answer": "m", "solution": "$$\\frac{1}{$$"}
    page = author.post(
        reverse("curation:new", args=["test"]) + "?part=preview", texts
    ).content.decode()
    assert r"A speed $<mark>\foo</mark>{v}$." in page
    assert r"$$\frac{1}<mark>{</mark>$$" in page
    stands = dict(make_preview(texts).checks)
    assert stands["The statement is complete without a figure or link"] == "kept"
    assert stands["The statement does not display correctly"] == "broken"
    assert stands["The solution does not display correctly"] == "broken"
    assert "The statement displays correctly" not in stands


def test_the_checks_say_how_many_rules_an_answer_breaks():
    checks = make_preview({"statement": "A mass $m$.", "answer": "42", "solution": ""}).checks
    assert ("The answer breaks 1 rule", "broken") in checks
    assert ("The answer keeps every rule", "open") in make_preview({"answer": " "}).checks


def test_a_preview_asks_the_database_only_who_is_there_and_what_they_have_used(
    author, contributor, benchmark, django_assert_num_queries
):
    data = {"statement": STATEMENT, "answer": "m g h"}
    for problems in (1, 2):
        for _ in range(problems):
            make_draft(contributor, benchmark)
        with django_assert_num_queries(4):
            author.post(reverse("curation:new", args=["test"]) + "?part=preview", data)


def test_of_an_ambiguous_answer_each_reading_can_be_taken_over(author):
    page = author.post(
        reverse("curation:new", args=["test"]) + "?part=preview", {"answer": r"1/2\pi"}
    ).content.decode()
    assert re.findall(r'data-write="([^"]*)"', page) == [
        r"\left(1/2\right)\pi",
        r"1/\left(2\pi \right)",
    ]


HOSTILE = {
    "a paste of 1 MB": {"statement": "a" * 1_000_000, "answer": "x" * 1_000_000},
    "an unbalanced dollar": {"statement": "The mass $m is", "answer": "m"},
    "all formula": {"statement": "$$" + "x+" * 3000 + "x$$", "answer": "x"},
    "400 formulas": {"statement": "$m$", "answer": "m", "solution": "$m$ " * 400},
    "LaTeX that can't be drawn": {"statement": r"$\frac{a$ and $\unknown{x}$", "answer": "x"},
    "control characters": {"statement": "$\theta$", "answer": "\theta\x00", "quantity": "\x00"},
    "many symbols": {"answer": "x", "symbol_latex": ["x"] * 150},
    "a tower": {"answer": "9^{9^{9^9}}", **rows(("x", "", "", "any", "9^{9^{9^9}}", ""))},
}


@pytest.mark.parametrize("name", HOSTILE)
def test_the_preview_answers_whatever_is_pasted(author, name):
    page = author.post(reverse("curation:new", args=["test"]) + "?part=preview", HOSTILE[name])
    assert page.status_code == 200
    assert "Answer, as it is read" in page.content.decode()


@pytest.mark.parametrize("name", HOSTILE)
def test_nothing_pasted_breaks_saving(author, benchmark, name):
    answer = author.post(
        reverse("curation:new", args=["test"]), {**fields(benchmark), **HOSTILE[name]}
    )
    assert answer.status_code in {200, 302}
