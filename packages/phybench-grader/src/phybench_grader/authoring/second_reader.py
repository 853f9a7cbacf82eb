"""
A second reader for references: latex2sympy2_extended, another project's grammar.

It reads along while somebody writes a reference, and grades nothing. Where both readers find other
values, the notation is one that people too may read otherwise, and its author is shown both. Its
habits with names (`M` is its `m`, `e^2` its exponential) are no disagreement: see `respelling`.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from enum import StrEnum

import sympy

from phybench_grader.authoring.respelling import Unspellable, respell
from phybench_grader.equality.equality import Equality, compare
from phybench_grader.numbers import arithmetic
from phybench_grader.reading.conditions import read_space
from phybench_grader.reading.names import Declared
from phybench_grader.reading.reading import Unreadable, write_latex
from phybench_grader.statement.answer import read


class Accord(StrEnum):
    """Whether two readers find the same in one text."""

    AGREES = "AGREES"
    DISAGREES = "DISAGREES"
    UNREAD = "UNREAD"


@dataclass(frozen=True, slots=True)
class SecondReading:
    """How the second reader read a text, beside our reading; both in LaTeX."""

    agreement: Accord
    ours: str
    theirs: str = ""
    reason: str = ""
    """Why it was not read, or not compared: `notation`, `refused`, `undecided`."""


class _NotRead(Exception):
    """The second reader's result is no expression in the symbols it was given."""


def read_twice(text: str, *, declared: Collection[str] = ()) -> SecondReading:
    r"""
    Read a text with both readers. Raises `Unreadable` where ours can't read it, and nothing else.

    >>> read_twice(r"\frac{M}{m}").agreement
    <Accord.AGREES: 'AGREES'>
    >>> read_twice(r"\sin\theta(a+b)").theirs
    '\\sin{\\left(\\theta \\left(a + b\\right) \\right)}'
    """
    ours = read(text, declared=declared)
    symbols = Declared(declared)
    try:
        theirs = _read_second(text, symbols, ours.expression)
    except (Unspellable, Unreadable):
        return SecondReading(Accord.UNREAD, ours.bracketed, reason="notation")
    except _NotRead:
        return SecondReading(Accord.UNREAD, ours.bracketed, reason="refused")
    written = write_latex(theirs)
    found = compare(ours.expression, theirs, read_space(declared).in_order(ours.order))
    if found is Equality.UNDECIDED:
        return SecondReading(Accord.UNREAD, ours.bracketed, written, "undecided")
    agreement = Accord.AGREES if found is Equality.EQUAL else Accord.DISAGREES
    return SecondReading(agreement, ours.bracketed, written)


def _read_second(text: str, declared: Declared, expression: sympy.Expr) -> sympy.Expr:
    spelling = respell(text, declared, expression)
    parsed = _parse(spelling.text)
    meanings = {
        alias.replace("{", "").replace("}", ""): one for alias, one in spelling.meanings.items()
    }
    try:
        return _rebuild(parsed, meanings)
    except (arithmetic.Overgrown, arithmetic.NotFinite):
        raise _NotRead from None


def _parse(text: str) -> object:
    # It takes a third of a second to import, and grading must never pay that.
    from latex2sympy2_extended.latex2sympy2 import ConversionConfig, latex2sympy

    config = ConversionConfig(interpret_as_mixed_fractions=False, lowercase_symbols=False)
    try:
        return latex2sympy(text, normalization_config=None, conversion_config=config)
    except Exception:
        # Its grammar raises bare exceptions, and its own mistakes come in all kinds.
        raise _NotRead from None


def _rebuild(parsed: object, meanings: dict[str, sympy.Expr]) -> sympy.Expr:
    """Put our symbols in, and take the steps that the other reader left untaken."""
    if not isinstance(parsed, sympy.Expr):
        raise _NotRead
    if parsed.is_Symbol:
        name = parsed.name.replace("{", "").replace("}", "")
        if name not in meanings:
            raise _NotRead
        return meanings[name]
    if isinstance(parsed, sympy.Float):
        return sympy.Rational(str(parsed))
    if not parsed.args:
        return parsed
    arguments = [_rebuild(argument, meanings) for argument in parsed.args]
    if isinstance(parsed, sympy.Pow):
        return arithmetic.raise_to(*arguments)
    if isinstance(parsed, (sympy.Add, sympy.Mul)):
        return (arithmetic.add if parsed.is_Add else arithmetic.multiply)(arguments)
    if not isinstance(parsed, sympy.Function):
        raise _NotRead
    return arithmetic.apply(lambda _: parsed.func(*arguments), arguments[0])
