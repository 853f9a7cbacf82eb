"""Formulas survive a translation: which differences are found, and what is none."""

import time

import pytest

from curation.texts.formulas import compare_formulas, list_formulas
from curation.texts.rendering import MAX_CHARACTERS


def compared(original: str, translation: str) -> tuple[list[str], list[str]]:
    found = compare_formulas(original, translation)
    return [one.source for one in found.missing], [one.source for one in found.added]


SAME = [
    ("Of mass $m$ and $g$.", "$g$ 与质量 $m$。"),
    (r"$\frac{a}{ b }$", r"\( \frac { a } {b} \)"),
    ("$$E = m c^2$$", "$E=mc^2$"),
    ("\\[\n  x\n\\]", "所以\n\n$$\nx\n$$"),
    (r"$x\text{ if }a>0$", r"$x\text{ 若 }a>0$"),
    ("$a + % the first\nb$", "$a + % 第一\nb$"),
    ("It costs \\$5 and `$x$`.", "`$y$` 要 \\$5。"),
    ("| $a$ | $b$ |\n|---|---|\n| $c$ | d |", "- $c$\n- $b$\n  > $a$"),
    ("no formula", "没有公式"),
    ("", ""),
]


@pytest.mark.parametrize(("original", "translation"), SAME)
def test_the_same_formulas_in_other_words_and_spaces_are_the_same(original, translation):
    assert compared(original, translation) == ([], [])


DIFFERENT = {
    "a letter": ("$m$", "$M$", ["m"], ["M"]),
    "a missing one": ("$m$ and $g$", "$m$", ["g"], []),
    "once instead of twice": ("$m$, $m$", "$m$", ["m"], []),
    "twice instead of once": ("$m$", "$m$, $m$", [], ["m"]),
    "glued to a command": (r"$\alpha x$", r"$\alphax$", [r"\alpha x"], [r"\alphax"]),
    "out of a comment": ("$a + % c\nb$", "$a + % c b$", ["a + % c\nb"], ["a + % c b"]),
    "into code": ("$x$", "`$x$`", ["x"], []),
    "behind a backslash": ("$x$ y", r"\$x\$ y", ["x"], []),
    "wide dollars": ("$x$", "＄x＄", ["x"], []),
    "wide brackets": ("$f(x)$", "$f（x）$", ["f(x)"], ["f（x）"]),
    "an invisible character": ("$x$", "$x\u200b$", ["x"], ["x\u200b"]),
    "a lookalike": ("$v$", "$ν$", ["v"], ["ν"]),
    "never closed": ("$x$", "质量 $x", ["x"], []),
    "a symbol's name": (
        r"$v_{\text{max}}$",
        r"$v_{\text{最大}}$",
        [r"v_{\text{max}}"],
        [r"v_{\text{最大}}"],
    ),
    "a name without braces": (r"$v_\text{a}$", r"$v_\text{b}$", [r"v_\text{a}"], [r"v_\text{b}"]),
    "a name in a name": (
        r"$x^{a_{1}\text{b}}$",
        r"$x^{a_{1}\text{c}}$",
        [r"x^{a_{1}\text{b}}"],
        [r"x^{a_{1}\text{c}}"],
    ),
    "mathematics in words": (
        r"\(\text{if $a$}\)",
        r"\(\text{若 $b$}\)",
        [r"\text{if $a$}"],
        [r"\text{若 $b$}"],
    ),
    "a command in words": (
        r"$\text{if \alpha}$",
        r"$\text{若 \beta}$",
        [r"\text{if \alpha}"],
        [r"\text{若 \beta}"],
    ),
}


@pytest.mark.parametrize(
    ("original", "translation", "missing", "added"), DIFFERENT.values(), ids=DIFFERENT
)
def test_what_is_missing_or_new_is_named(original, translation, missing, added):
    assert compared(original, translation) == (missing, added)


def test_each_is_found_at_its_place_also_after_the_same_in_code():
    text = "`$x$` is $x$, and \\(y\\)\n\n> $$\n> z + 1\n> $$\n\nthen $x$"
    places = [text[one.start : one.end] for one in list_formulas(text)]
    assert places == ["$x$", "\\(y\\)", "$$\n> z + 1\n> $$", "$x$"]
    assert list_formulas(text)[0].start == 9


def test_other_words_are_shown_to_whoever_checks():
    found = compare_formulas(r"$5\,\text{kg}$, $m$", r"$m$, $5\,\text{g}$")
    assert found.is_same
    assert [(a.source, b.source) for a, b in found.reworded] == [(r"5\,\text{kg}", r"5\,\text{g}")]


HOSTILE = {
    "dollars": "$" * MAX_CHARACTERS,
    "brackets": r"\(" * (MAX_CHARACTERS // 2),
    "braces": "$" + "{" * (MAX_CHARACTERS - 2) + "$",
    "words": r"$\text{a}$ " * (MAX_CHARACTERS // 11),
    "open words": "$" + r"\text{" * (MAX_CHARACTERS // 7) + "$",
    "scripts": "$" + "_{" * (MAX_CHARACTERS // 3) + r"\text{a}$",
    "formulas": "".join(f"${number}$ " for number in range(2500)),
    "quotations": "> " * 1000 + "$x$",
    "far too much": "$x$ " * 100_000,
    "nothing visible": "\x00\u200b\r\n",
}


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_hostile_texts_are_compared_in_a_moment(text):
    began_at = time.monotonic()
    assert compare_formulas(text, text).is_same
    compare_formulas(text, text.replace("a", "b").replace("1", "2")[::-1])
    assert time.monotonic() - began_at < 10
