"""What a text becomes: formulas with what touches them, and no more markup than that."""

import re

import pytest

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
