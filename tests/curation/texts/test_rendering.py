"""What a text becomes: formulas with what touches them, and no more markup than that."""

import re
import sys
from types import FrameType

import pytest

from curation.texts.formulas import list_formulas
from curation.texts.rendering import render_line, render_markdown

LONG = "a_1 + a_2 + a_3 + a_4 + a_5 + a_6"


def list_boxes(html: str) -> list[str]:
    """Return what is held together, as it is read."""
    boxes = re.findall(r'<span class="together">(.*?</span>[^<]*)</span>', html)
    return [re.sub(r"<.*?>", "", box) for box in boxes]


@pytest.mark.parametrize(
    ("text", "boxes"),
    [
        ("It is $m$.", ["m."]),
        ("It is ($m$), or $h$;", ["(m),", "h;"]),
        ("The $n$-th, the $n$th; of $n$'s.", ["n-th,", "nth;", "n's."]),
        ("Along the $x$-axis.", ["x-"]),
        ("设质量为$m$，速度（$v$）。", ["m，", "（v）。"]),
        ("Its $v$（此处$c$ is known", []),
        ("With $m$ and $h$ given", []),
        (f"A sum ${LONG}$.", []),
        ("Of a call f($x$) only what follows", ["x)"]),
        ("Not `$m$`. in code", []),
        ("No end: $m$" + 50 * ".", ["m..."]),
    ],
)
def test_a_short_formula_is_held_together_with_what_may_not_begin_a_line(text, boxes):
    assert list_boxes(render_markdown(text)) == boxes


def test_so_it_is_in_a_message_of_one_line():
    assert list_boxes(render_line("Write $m$, not ($M$).")) == ["m,", "(M)."]


def test_a_box_can_not_be_written_by_hand():
    html = render_markdown(
        '<span class="together">x</span> and `<span class="math inline">x</span>.`'
    )
    assert "<span" not in html


def count_calls(text: str) -> int:
    """Count all that is called to render a text: the work, however busy the machine is."""
    calls = 0

    def count(frame: FrameType, event: str, argument: object) -> None:
        nonlocal calls
        calls += event in {"call", "c_call"}

    sys.setprofile(count)
    try:
        render_markdown(text)
    finally:
        sys.setprofile(None)
    return calls


@pytest.mark.parametrize(
    "unit", ["\\[\n", "$$a\n\n", "> $$a\n>\n", "*_", "\\[ \\(", "$a ", "`` ` ", "[a](b", "**a* "]
)
@pytest.mark.parametrize("end", ["", "\n\nx $$", "\n\nx \\] y"])
def test_twice_the_text_is_no_more_than_twice_the_work(unit, end):
    render_markdown(unit)  # makes the parser
    once, twice = (count_calls(times * unit + end) for times in (400, 800))
    assert twice < 2.5 * once


def test_a_few_signs_make_no_table_of_many_thousand_cells():
    wide = "|".join(1000 * "a") + "\n" + "|".join(1000 * "-") + "\n"
    assert render_markdown(wide + 5000 * "|\n").count("<td") < 5000


@pytest.mark.parametrize(
    ("text", "formulas"),
    [
        ("> $$a\n\n$$b$$\n\n$$\nc\n$$", ["b", "c"]),
        ("\\[a\n\n\\[b\\] c\n\n\\[\nd\n\\]", ["b", "d"]),
    ],
)
def test_what_is_never_closed_does_not_hide_what_is(text, formulas):
    assert [one.source for one in list_formulas(text)] == formulas
