r"""
Letters that before a bracket are special functions: `J_0(x)`, `P_2(\cos\theta)`, `\Gamma(1/4)`.

`I_0(1+\cos\delta)` is a product all the same, and so is `J_1(\omega_1-\omega_2)` where the problem
has a moment of inertia J_1. What is a function by its letter alone is read as a product second.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from itertools import pairwise

import sympy

from phybench_grader.numbers import arithmetic
from phybench_grader.numbers.functions import FAMILIES
from phybench_grader.numbers.special import Zeta
from phybench_grader.reading.names import Names
from phybench_grader.reading.stream import Stream

INDEXED = re.compile(r"([A-Z])_(?:(\d)|\{(\d{1,3})\})")
"""A letter with a whole index."""
_OF_NUMBERS: dict[str, tuple[str, Callable[..., sympy.Expr]]] = {
    "Gamma": ("gamma function", arithmetic.take_gamma),
    "zeta": ("zeta function", partial(arithmetic.apply, Zeta)),
}
"""What is a function of numbers, and of anything where the statement has these words."""


def find_special(stream: Stream, names: Names, name: str) -> Callable[..., sympy.Expr] | None:
    """Find the function that a name is before the bracket that comes next; None for a symbol."""
    if not stream.sees("(", "[") or name in names.declared.names:
        return None
    if name in _OF_NUMBERS:
        words, step = _OF_NUMBERS[name]
        is_function = _holds_number(stream) or _holds_half(stream) or _is_named(names, words)
        return step if is_function else None
    match = INDEXED.fullmatch(name)
    if match is None or match[1] not in FAMILIES:
        return None
    letter, index = match[1], int(match[2] or match[3])
    words, function = FAMILIES[letter]
    if not _is_named(names, words):
        is_legendre = letter == "P" and stream.tokens[stream.position + 1].text == "cos"
        is_bessel = letter in ("J", "Y")
        if not (is_legendre or is_bessel) or name in names.usage.plain:
            return None
        place = stream.next
        if is_bessel and names.choices.pick("special", place.start, place.end):
            return None
    if letter in ("P", "H"):
        return partial(arithmetic.expand_polynomial, function, index)
    return partial(arithmetic.take_bessel, function, index)


def _is_named(names: Names, words: str) -> bool:
    return words in names.declared.question.statement.lower()


def _holds_half(stream: Stream) -> bool:
    r"""Whether the bracket that opens here holds a half, as in `\Gamma(d/2)`."""
    inside = stream.tokens[stream.position + 1 : stream.find_closer(stream.position)]
    texts = [token.text for token in inside]
    is_typed = any(pair == ("/", "2") for pair in pairwise(texts))
    return is_typed or ("frac" in texts and texts[-3:] == ["{", "2", "}"])


def _holds_number(stream: Stream) -> bool:
    """Whether the bracket that opens here holds a number."""
    inside = stream.tokens[stream.position + 1 : stream.find_closer(stream.position)]
    return bool(inside) and all(
        token.kind in ("number", "+", "-", "/", "{", "}", "^")
        or token.text in ("frac", "sqrt", "pi")
        for token in inside
    )
