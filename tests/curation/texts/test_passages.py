"""A passage is found again in a later version of its text, or is said to be gone; never guessed."""

import tomllib
from pathlib import Path

import pytest

from curation.texts.blocks import list_blocks
from curation.texts.passages import Passage, find, mark

TEXT = "A ball of mass $m$ falls.\n\nA ball of mass $M$ rises. Which is faster?"


def keep(quote: str, text: str = TEXT, nth: int = 0) -> Passage:
    start = -1
    for _ in range(nth + 1):
        start = text.index(quote, start + 1)
    return mark(text, start, start + len(quote))


def found(text: str, passage: Passage) -> str | None:
    """Return the passage with the five characters before it."""
    place = find(text, passage)
    return None if place is None else text[max(0, place[0] - 5) : place[1]]


@pytest.mark.parametrize(
    ("passage", "now", "expected"),
    [
        # Where it stood.
        (keep("mass $m$"), TEXT, "l of mass $m$"),
        (keep("A ball", nth=1), TEXT, "ls.\n\nA ball"),
        # Moved with what stands around it.
        (keep("mass $m$"), "Once more. " + TEXT, "l of mass $m$"),
        # One side of it was changed.
        (keep("Which is faster?"), "It rises or falls. Which is faster?", "lls. Which is faster?"),
        (keep("A ball", nth=1), "A ball of mass $m$ falls.\n\nA ball sinks.", "ls.\n\nA ball"),
        # All around it was changed, and it stands there once.
        (keep("Which is faster?"), "Two stones. Which is faster? Tell.", "nes. Which is faster?"),
        # Of several nothing says which.
        (keep("ball"), "One ball, another ball.", None),
        # Gone, or changed.
        (keep("mass $m$"), "A ball of mass $M$.", None),
        (keep("mass $m$"), "", None),
        # A formula of other symbols, and characters that take two units.
        (keep("𝑚 < 𝑀", "If 𝑚 < 𝑀 then"), "So: if 𝑚 < 𝑀, then", ": if 𝑚 < 𝑀"),
    ],
)
def test_a_passage_is_found_again_where_it_can_be_told(passage, now, expected):
    assert found(now, passage) == expected


def test_twice_the_same_with_the_same_around_it_is_the_one_in_the_same_place():
    text = "ab " * 60
    passage = mark(text, 90, 92)
    assert find(text, passage) == (90, 92)
    # Elsewhere it can't be told which of them it was.
    assert find("x" + text, passage) is None


@pytest.mark.parametrize(("start", "end"), [(0, 0), (5, 5), (9, 3), (1000, 2000), (25, 27)])
def test_where_nothing_stands_nothing_is_marked(start, end):
    assert mark(TEXT, start, end).quote == ""
    assert find(TEXT, mark(TEXT, start, end)) is None


@pytest.mark.parametrize(
    ("text", "blocks"),
    [
        (TEXT, TEXT.split("\n\n")),
        ("", []),
        ("\n\n  \n", []),
        (
            "# A\nb\n\n1. c\n2. d\n\n> e\n\n\\[\nx\n\\]\n",
            ["# A", "b", "1. c\n2. d", "> e", "\\[\nx\n\\]"],
        ),
        ("| a | b |\n|---|---|\n| c | d |\n\ne", ["| a | b |\n|---|---|\n| c | d |", "e"]),
        ("<script>alert(1)</script>", ["<script>alert(1)</script>"]),
    ],
)
def test_a_text_is_taken_apart_as_it_is_rendered(text, blocks):
    assert [block.text for block in list_blocks(text)] == blocks


def test_of_the_demo_each_block_stands_where_it_says_and_none_is_missing():
    folder = Path(__file__).parents[3] / "curation" / "demo"
    texts = [
        problem[name]
        for path in sorted(folder.glob("*.toml"))
        for problem in tomllib.loads(path.read_text(encoding="utf-8"))["problem"]
        for name in ("statement", "solution")
        if problem.get(name)
    ]
    assert len(texts) > 50
    for text in texts:
        blocks = list_blocks(text)
        assert [text[block.start : block.end] for block in blocks] == [one.text for one in blocks]
        assert "".join("".join(one.text for one in blocks).split()) == "".join(text.split())
