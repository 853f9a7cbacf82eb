"""Formulas that can't be displayed and LaTeX outside of formulas are found, with their places."""

import pytest

from curation.texts.rendering import MAX_CHARACTERS
from curation.texts.typesetting import SHOWN, check_typesetting

DEADLINE = 20.0


def found(text: str) -> list[tuple[str, str]]:
    [broken] = check_typesetting(text, deadline=DEADLINE)
    return [(rule.code, text[rule.start : rule.end]) for rule in broken]


BROKEN = {
    "an unknown command": (r"The speed $\foo{v}$ of it.", [("formula", r"\foo")]),
    "half a fraction": ("It is\n\n$$\\frac{1}{$$", [("formula", "{")]),
    "in brackets": (r"of \( x^1^2 \) and \[ \bla \]", [("formula", "^"), ("formula", r"\bla")]),
    "in a list": ("- of mass\n  $a +\n  \\foo b$", [("formula", r"\foo")]),
    "in a quotation": ("> $$\n> a  \n>   \\foo c\n> $$", [("formula", r"\foo")]),
    "in a table": ("| a | $\\foo$ |\n|---|---|\n| b | c |", [("formula", r"\foo")]),
    "after wide letters": ("𝑥𝑥 质 $𝑥 \\foo$", [("formula", r"\foo")]),
    "a heading": (r"\section{Motion} A ball falls.", [("bare_latex", r"\section")]),
    "emphasis": (
        r"A \textbf{smooth} ball and \emph{no} air.",
        [("bare_latex", r"\textbf"), ("bare_latex", r"\emph")],
    ),
    "an environment": (
        "Then\n\\begin{equation}\nx = \\frac12\n\\end{equation}\nholds.",
        [("bare_latex", r"\begin{equation}")],
    ),
    "an environment without end": (
        r"Then \begin{align} x",
        [("bare_latex", r"\begin{align}")],
    ),
    "a forgotten dollar sign": (r"The angle \theta is small.", [("bare_latex", r"\theta")]),
    "a line end of a file": (
        r"It moves.\n\nNow it stops.",
        [("bare_latex", r"\n"), ("bare_latex", r"\nNow")],
    ),
}


@pytest.mark.parametrize(("text", "expected"), BROKEN.values(), ids=BROKEN)
def test_what_readers_would_see_as_source_is_found_at_its_place(text, expected):
    assert found(text) == expected


SOUND = {
    "prose": "A ball of mass $m$ falls from $h$; it costs \\$5 and 100 %.",
    "code": "Write `\\section` or ``a ` \\foo`` so.\n\n```\n\\foo\n```\n\n    \\foo\n",
    "an escaped backslash": r"A backslash is \\foo.",
    "escaped signs": r"Not \*emphasis\*, not \_this\_, not \[that\].",
    "lines that end in spaces": "\\[\n\\begin{cases} \n a \\\\\n  b \n\\end{cases}\n\\]",
    "lines in a list": "1. so\n\n   $$\n   \\begin{aligned}\n   a &= b\n   \\end{aligned}\n   $$",
    "nothing": "",
}


@pytest.mark.parametrize("text", SOUND.values(), ids=SOUND)
def test_what_displays_as_it_is_meant_is_left_alone(text):
    assert found(text) == []


def test_each_of_several_texts_is_told_its_own():
    listed = check_typesetting(r"$\foo$", "", r"\section", deadline=DEADLINE)
    assert [[rule.code for rule in broken] for broken in listed] == [
        ["formula"],
        [],
        ["bare_latex"],
    ]


def test_of_many_the_first_are_listed():
    assert len(found(r"$\foo$ " * 100)) == SHOWN


def test_what_could_not_be_tried_in_time_is_said_once():
    long = r"$\sqrt{x^{2}}$ " * 1000
    # A busy machine wakes who waits late: by then it may be done, if it is not much.
    broken, *others = check_typesetting(*[long] * 50, deadline=0.01)
    assert others == [[]] * 49
    assert [(rule.code, rule.message.code) for rule in broken] == [
        ("formula_not_tried", "formula_not_tried")
    ]


HOSTILE = {
    "dollars": "$" * MAX_CHARACTERS,
    "opened": r"\(" * (MAX_CHARACTERS // 2),
    "ticks": "`" * MAX_CHARACTERS,
    "many ticks": "`` ` " * (MAX_CHARACTERS // 5),
    "commands": r"\a" * (MAX_CHARACTERS // 2),
    "environments": r"\begin{a}" * (MAX_CHARACTERS // 9),
    "formulas": "$x$ " * (MAX_CHARACTERS // 4),
    "lines in a formula": "> $$\n" + "> >\n" * (MAX_CHARACTERS // 5) + "> $$",
    "a deep one": "$" + "{" * (MAX_CHARACTERS - 2) + "$",
}


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_whatever_is_pasted_is_answered_soon(text):
    listed = check_typesetting(text, deadline=DEADLINE)
    assert all(0 <= rule.start < rule.end <= len(text) for broken in listed for rule in broken)
