"""Blocks of a text as they are rendered, with the passages marked that somebody speaks of."""

import pytest

from curation.texts.blocks import CLOSE, OPEN, TRIED, list_blocks
from curation.texts.rendering import render_markdown

TEXT = (
    "A **ball** of mass $m$ rests.\n\n$$\nE = m g h\n$$\n\n- the first, at $h$\n- the *second*\n\n"
    "See [there](https://example.org).\n"
)


def html_of(text: str, *quotes: str) -> list[str]:
    places = [(text.index(one), text.index(one) + len(one)) for one in quotes]
    return [str(block.html).strip() for block in list_blocks(text, places)]


def test_all_blocks_together_are_the_text_as_it_is_rendered_at_once():
    assert "".join(str(block.html) for block in list_blocks(TEXT)) == render_markdown(TEXT)


@pytest.mark.parametrize(
    ("quote", "marked"),
    [
        ("rests", "<mark>rests</mark>"),
        ("$m$", '<mark><span class="math inline">m</span></mark>'),
        ("m$ rests", '<mark><span class="math inline">m</span> rests</mark>'),
        ("**ball** of", "<mark><strong>ball</strong> of</mark>"),
        ("first", "<mark>first</mark>"),
        ("there", "<mark>there</mark>"),
    ],
)
def test_a_passage_is_marked_where_it_is_read_and_formulas_as_a_whole(quote, marked):
    assert marked in "".join(html_of(TEXT, quote))


@pytest.mark.parametrize("quote", ["ll** of", "E = m", "first, at $h$\n- the", "example.org"])
def test_what_can_not_be_marked_within_its_block_marks_the_block(quote):
    start = TEXT.index(quote)
    blocks = list_blocks(TEXT, [(start, start + len(quote))])
    assert "<mark>" not in "".join(str(block.html) for block in blocks)
    assert [quote in block.text for block in blocks if block.is_marked] == [True]


def test_one_that_can_not_be_marked_does_not_keep_others_from_it():
    start = TEXT.index("E = m")
    rests = TEXT.index("rests")
    blocks = list_blocks(TEXT, [(start, start + 5), (rests, rests + 5)])
    assert "<mark>rests</mark>" in blocks[0].html
    assert [block.is_marked for block in blocks[:2]] == [False, True]


def test_of_very_many_that_can_not_be_marked_the_last_are_shown_by_their_blocks():
    # Each is tried with all of the text: somebody could comment on every sign of it.
    bad = [(TEXT.index("E = m"), TEXT.index("E = m") + length) for length in range(1, TRIED + 1)]
    rests = TEXT.index("rests")
    text = f"{TEXT}{'And so on. ' * 9}"
    for count, is_whole in ((TRIED - 1, False), (TRIED, True)):
        blocks = list_blocks(text, [*bad[:count], (rests, rests + 5)])
        assert ("<mark>rests</mark>" not in blocks[0].html) == is_whole
        assert blocks[0].is_marked == is_whole


@pytest.mark.parametrize(
    "text",
    [
        "<mark>no</mark> <script>alert(1)</script>",
        f"A {OPEN}ball{CLOSE} of <mark>",
        "[a](javascript:alert(1)) <img src=x onerror=alert(1)>",
    ],
)
def test_nobody_writes_marks_or_markup_of_their_own(text):
    for block in list_blocks(text, [(0, 3)]):
        plain = str(block.html).replace("<mark>", "", 1).replace("</mark>", "", 1)
        assert "<mark" not in plain
        assert "<script" not in plain
        assert "<img" not in plain
        assert 'href="javascript' not in plain
