"""What the editor says of a draft that may be meant, and does not keep it from review."""

import html

import pytest
from django.urls import reverse

from curation.authoring.drafts.preview import make_preview
from curation.problems.models import Problem
from tests.curation.drafts.editor import fields, rows

pytestmark = pytest.mark.django_db

GOOD = {
    "statement": "A ball of mass $m$ falls by $h$ with $g$. Find its energy $E$.",
    "answer": "m g h",
    "language": "en",
    "quantity": "E",
    "unit": "J",
    "terms": "m, g, h",
}
CHINESE = "质量为 $m$ 的小球下落高度 $h$，重力加速度为 $g$。求它的能量 $E$。"
HINTS = [
    ({"statement": GOOD["statement"] + " It is $E = mgh$."}, "The statement gives the answer"),
    (
        {"statement": r"It falls; $\sqrt{2 g h} < c$ holds. Find $v$.", "answer": r"\sqrt{2gh}"},
        "The statement gives the answer",
    ),
    ({"statement": CHINESE}, "written in Chinese, but its language is English"),
    ({"language": "zh"}, "written in English, but its language is Chinese"),
    ({"quantity": "the energy"}, "“Find” takes a symbol"),
    (rows(("E", "energy", "N")), "J is asked for, but the table gives"),
    ({"terms": "m, g, h, q"}, "Neither the statement nor the answer mentions"),
]


def hints(data) -> list[str]:
    preview = make_preview(data)
    return [*preview.hints_of_statement(), *preview.hints_of_wanted()]


@pytest.mark.parametrize(("changed", "said"), HINTS)
def test_what_may_be_a_slip_is_said_while_one_types(author, changed, said):
    page = author.post(
        reverse("curation:new", args=["test"]) + "?part=preview", {**GOOD, **changed}
    ).content.decode()
    assert said in html.unescape(page)
    assert said not in html.unescape(
        author.post(reverse("curation:new", args=["test"]) + "?part=preview", GOOD).text
    )


@pytest.mark.parametrize(
    "data",
    [
        GOOD,
        {**GOOD, "statement": CHINESE, "language": "zh"},
        # A part of the answer may well be given.
        {**GOOD, "statement": GOOD["statement"] + " Its weight is $m g$."},
        {**GOOD, "quantity": r"\sin \alpha"},
        {**GOOD, "quantity": r"v_{\text{max}}", "unit": ""},
        {"statement": "Find $m$.", "answer": "m"},
        {},
    ],
)
def test_what_is_as_it_should_be_is_left_alone(data):
    assert hints(data) == []


def test_a_hint_keeps_nothing_from_review(author, benchmark):
    said = {**fields(benchmark), **GOOD, "quantity": "the energy", "unit": ""}
    author.post(reverse("curation:new", args=["test"]), {**said, "then": "submit"})
    assert Problem.objects.get().certificates.exists()


@pytest.mark.parametrize(("answer", "unit"), [(r"2 \mathrm{g}", ""), ("2 m", "m")])
def test_a_letter_that_could_be_a_unit_is_asked_about(author, answer, unit):
    data = {"statement": "A ball of mass $M$.", "answer": answer, "unit": unit}
    page = author.post(reverse("curation:new", args=["test"]) + "?part=preview", data).text
    said = html.unescape(page)
    assert "a symbol? Introduce it in the statement, or in the table." in said
    assert "Leave the units out" not in said


def test_units_are_still_to_be_left_out(author):
    page = author.post(
        reverse("curation:new", args=["test"]) + "?part=preview", {"answer": r"5 \text{ m/s}"}
    ).text
    assert "Leave the units out" in page


@pytest.mark.parametrize(
    "picture",
    [
        "![](ball.png)",
        "![The ball](https://example.org/a/ball.png)",
        r"\includegraphics[width=3cm]{ball.png}",
        "See https://example.org/ball.png",
    ],
)
def test_one_picture_is_one_error(picture):
    checked = make_preview({"statement": f"A ball of mass $m$. {picture}", "answer": "m"}).checked
    assert len(checked.statement) == 1


def test_two_pictures_are_two(author):
    text = "![](a.png) and ![](b.png)"
    assert len(make_preview({"statement": text, "answer": "m"}).checked.statement) == 2
