"""What was read is written in the order in which it was typed, with what was implied marked."""

import json
from pathlib import Path

import pytest

from phybench_grader import read
from phybench_grader.reading.reading import Unreadable
from phybench_grader.reading.transcript import plain
from phybench_grader.statement.answer import list_readings

CASES = [
    case
    for name in ("statements", "meaning", "equality")
    for case in json.loads((Path(__file__).parent / f"{name}.json").read_text())
]
TOLD_ELSEWHERE = {"x^0", "p(T) = 3p(T)", r"r\phi(r) = 2\phi(r)"}
"""Between braces a raised zero is part of a name; a left side says what is a function."""


def list_texts(step):
    texts = {text for case in CASES for text in case.values() if isinstance(text, str)}
    for text in sorted(texts - TOLD_ELSEWHERE)[::step]:
        try:
            reading = read(text)
        except Unreadable:
            continue
        # What it says of its own symbols tells as well which are functions.
        if not reading.definitions:
            yield text, reading


@pytest.mark.parametrize("step", [4, pytest.param(1, marks=pytest.mark.slow)])
def test_what_is_written_reads_as_what_was_read(step):
    read_back = [
        (text, reading.typed)
        for text, reading in list_texts(step)
        if read(plain(reading.typed)).expression != reading.expression
    ]

    assert read_back == []


@pytest.mark.parametrize(
    ("text", "typed"),
    [
        # The order is the author's, not SymPy's.
        (
            r"L\sqrt{2g/(d(L^2-d^2))}",
            r"L\,\sqrt{2g/\left(d⋅\left(L^{2}-d^{2}\right)\right)}",
        ),
        ("sqrt(2 g L)", r"\sqrt{2g\,L}"),
        # What was taken apart into letters shows it.
        ("sqrt 2 g L", r"s⋅q⋅r⋅t⋅2g\,L"),
        # How far a slash and a function reach.
        ("e^{-E/kT}", r"\mathrm{e}^{-E/⟦k\,T⟧}"),
        (r"1/2\pi x", r"⟦1/2⟧\pi \,x"),
        ("a/b/c", "⟦a/b⟧/c"),
        (r"a/b\cdot c", r"⟦a/b⟧\cdot c"),
        (r"\sin\omega t \cos x", r"\sin⟦\omega \,t⟧\,\cos⟦x⟧"),
        (r"\sin\theta(a+b)", r"\sin⟦\theta ⟧\,\left(a+b\right)"),
        (r"\sin^{-1} x", r"\arcsin⟦x⟧"),
        (r"\sin{x}^2", r"⟦\sin⟦x⟧⟧^{2}"),
        # What a power is of, and what braces held together.
        (r"\sqrt{x}^2", r"⟦\sqrt{x}⟧^{2}"),
        ("{1/2}mv^2", r"⟦1/2⟧m\,v^{2}"),
        ("(a)^2!", r"⟦\left(a\right)^{2}⟧!"),
        ("x^-2", "x^{-2}"),
        (r"a\cdot -b", r"a\cdot ⟦-b⟧"),
        # A product that could be a value.
        ("f(x+1)", r"f⋅\left(x+1\right)"),
        (r"\psi(0) a", r"\psi(0)\,a"),
        # Constants are upright.
        (r"e^{i\omega t}", r"\mathrm{e}^{\mathrm{i}\,\omega \,t}"),
        ("3.5e8 m", r"3.5\cdot 10^{8}m"),
        (r"{a \over b}", r"\frac{a}{b}"),
        (r"\max(a, b)", r"\max\left(a, b\right)"),
        (r"v = \frac12 a t^2", r"\frac{1}{2}a\,t^{2}"),
    ],
)
def test_what_was_implied_is_marked(text, typed):
    marked = read(text).typed
    shown = marked.replace(r"\implied{\left(\typed{", "⟦").replace(r"}\right)}", "⟧")

    assert shown.replace(r"\implied{\cdot }", "⋅") == typed


@pytest.mark.parametrize(
    "text",
    [r"1/2\pi", r"\sin\theta(a+b)", r"\cos\pi/4 x", "a/b(c+d)", r"\ln x y", r"\psi(2)", "J_1(x)"],
)
def test_each_reading_of_an_ambiguous_text_has_a_spelling_that_says_it(text):
    for reading in list_readings(text):
        assert read(reading.bracketed).expression == reading.expression


def test_what_an_answer_defines_itself_is_put_in_and_so_not_as_typed():
    readings = list(list_readings("E = 2 q x where q = a b"))

    assert [reading.typed for reading in readings][-1] == ""
    assert readings[-1].bracketed == readings[-1].latex
