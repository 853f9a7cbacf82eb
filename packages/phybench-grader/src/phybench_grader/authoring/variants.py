r"""
Variants of a reference answer: rewritings of the same value, and mutations of another.

They are made from the expression that was read, within limits; which ones were left out, and why,
is told along with them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import islice, pairwise

import sympy

from phybench_grader.equality.equality import Equality, compare
from phybench_grader.equality.tree import is_simplifiable
from phybench_grader.numbers.limits import MAX_CHARACTERS, MAX_NODES
from phybench_grader.numbers.sentences import gettext_noop
from phybench_grader.numbers.space import Space
from phybench_grader.numbers.symbols import latex_names
from phybench_grader.reading.notations import (
    Unwritable,
    write_plainly,
    write_reordered,
    write_with_slashes,
)
from phybench_grader.reading.reading import write_latex

REWRITINGS = {
    "as_written": gettext_noop("As written"),
    "no_left": gettext_noop(r"Brackets without \left and \right"),
    "dfrac": gettext_noop(r"\dfrac for \frac"),
    "printed": gettext_noop("Printed by SymPy"),
    "slash": gettext_noop("a/b for a fraction"),
    "reordered": gettext_noop("Terms and factors in another order"),
    "expanded": gettext_noop("Multiplied out"),
    "factored": gettext_noop("Factored"),
    "combined": gettext_noop("Over one denominator"),
    "dollars": gettext_noop("Between dollar signs"),
    "double_dollars": gettext_noop("Between double dollar signs"),
    "boxed": gettext_noop("Boxed, at the end of a response"),
    "label": gettext_noop("With a name in front"),
    "plain": gettext_noop("As plain text"),
}
"""The kinds of rewritings, which must score 100, in words."""
MUTATIONS = {
    "sign": gettext_noop("A sign changed"),
    "coefficient": gettext_noop("A coefficient doubled"),
    "exponent": gettext_noop("An exponent raised by one"),
    "term": gettext_noop("A term dropped"),
    "factor": gettext_noop("A factor dropped"),
    "symbol": gettext_noop("Two symbols swapped, or one replaced"),
    "function": gettext_noop("Another function"),
    "added": gettext_noop("A term added"),
}
"""The kinds of mutations, which must score below 100, in words."""
PLACES = 2
"""Places of an expression at which each kind of mutation is made."""
MOST_TRIED = 6
"""Mutations of one kind looked at before giving up on finding different ones."""

_SIZING = re.compile(r"\\(?:left|right)(?![A-Za-z])\s*\.?")
_BAR = re.compile(r"\\left\s*(?:\||\\[lv]?vert|\\\|)")
_OTHER_FUNCTION = {
    sympy.sin: sympy.cos, sympy.cos: sympy.sin, sympy.tan: sympy.cot, sympy.cot: sympy.tan,
    sympy.sinh: sympy.cosh, sympy.cosh: sympy.sinh, sympy.tanh: sympy.coth,
    sympy.coth: sympy.tanh, sympy.asin: sympy.acos, sympy.acos: sympy.asin,
    sympy.atan: sympy.acot, sympy.asinh: sympy.acosh, sympy.acosh: sympy.asinh,
    sympy.log: sympy.atan, sympy.exp: lambda argument: sympy.exp(-argument),
}  # fmt: skip
_UNDEFINED = (sympy.zoo, sympy.nan, sympy.oo, -sympy.oo)


@dataclass(frozen=True, slots=True)
class UnusedVariant:
    """A variant that was not made into a case, and why: a key of `SENTENCES`."""

    kind: str
    reason: str
    text: str = ""


Variant = tuple[str, str]
"""A kind and a text."""


def list_rewritings(text: str, expression: sympy.Expr) -> tuple[list[Variant], list[UnusedVariant]]:
    """List the ways to write a reference; each text comes once."""
    kept: dict[str, str] = {}
    left_out: list[UnusedVariant] = []
    for kind, write in _writers(text, expression):
        try:
            written = write()
        except Unwritable:
            left_out.append(UnusedVariant(kind, "variant_untypable"))
            continue
        except _TooLarge:
            left_out.append(UnusedVariant(kind, "variant_too_large"))
            continue
        if len(written) > MAX_CHARACTERS:
            left_out.append(UnusedVariant(kind, "variant_too_long"))
        else:
            kept.setdefault(written, kind)
    return [(kind, written) for written, kind in kept.items()], left_out


class _TooLarge(Exception):
    """A transformation is too much work."""


def _writers(text: str, expression: sympy.Expr) -> Iterator[tuple[str, Callable[[], str]]]:
    yield "as_written", lambda: text.strip()
    # Bars inside bars are told apart by `\left` and `\right` alone.
    if len(_BAR.findall(text)) < 2:
        yield "no_left", lambda: _SIZING.sub("", text).strip()
    yield "dfrac", lambda: re.sub(r"\\frac(?![A-Za-z])", r"\\dfrac", text).strip()
    yield "printed", lambda: write_latex(expression)
    yield "slash", lambda: write_with_slashes(expression)
    yield "reordered", lambda: write_reordered(expression)
    for kind, transform in (
        ("expanded", sympy.expand),
        ("factored", sympy.factor),
        ("combined", sympy.together),
    ):
        yield kind, partial(_transform, transform, expression)
    yield "dollars", lambda: f"${write_latex(expression)}$"
    yield "double_dollars", lambda: f"$$\n{write_latex(expression)}.\n$$"
    yield "boxed", lambda: rf"Therefore the answer is $\boxed{{{write_latex(expression)}}}$."
    name = next((one for one in "XYZ" if one not in text), "X_9")
    yield "label", lambda: f"{name} = {write_latex(expression)}"
    yield "plain", lambda: write_plainly(expression)


def _transform(transform: Callable[[sympy.Expr], sympy.Expr], expression: sympy.Expr) -> str:
    if not is_simplifiable(expression):
        raise _TooLarge
    transformed = transform(expression)
    if _count_nodes(transformed) > MAX_NODES:
        raise _TooLarge
    return write_latex(transformed)


def _count_nodes(expression: sympy.Expr) -> int:
    return sum(1 for _ in sympy.preorder_traversal(expression))


def list_mutations(
    expression: sympy.Expr, space: Space
) -> tuple[list[Variant], list[UnusedVariant]]:
    """List mutations that surely differ by value, of each kind at most `PLACES`."""
    kept: dict[str, str] = {}
    left_out: list[UnusedVariant] = []
    for kind, mutate in _MUTATORS.items():
        count = 0
        for mutated in islice(mutate(expression), MOST_TRIED):
            if count == PLACES:
                break
            if mutated.has(*_UNDEFINED):
                continue
            written = write_latex(mutated)
            found = compare(mutated, expression, space)
            if found is Equality.EQUAL:
                left_out.append(UnusedVariant(kind, "variant_equal", written))
            elif found is Equality.UNDECIDED:
                left_out.append(UnusedVariant(kind, "variant_undecided", written))
            elif len(written) > MAX_CHARACTERS:
                left_out.append(UnusedVariant(kind, "variant_too_long"))
            elif written not in kept:
                kept[written] = kind
                count += 1
    return [(kind, written) for written, kind in kept.items()], left_out


def _list_nodes(expression: sympy.Expr, *kinds: type) -> list[sympy.Expr]:
    """List the parts of some kinds, each once, the outermost first."""
    nodes = (node for node in sympy.preorder_traversal(expression) if isinstance(node, kinds))
    return list(dict.fromkeys(nodes))


def _change_sign(expression: sympy.Expr) -> Iterator[sympy.Expr]:
    for node in _list_nodes(expression, sympy.Add):
        last = node.as_ordered_terms()[-1]
        yield expression.xreplace({node: node - 2 * last})
    yield -expression


def _double_a_coefficient(expression: sympy.Expr) -> Iterator[sympy.Expr]:
    for node in _list_nodes(expression, sympy.Add):
        first = node.as_ordered_terms()[0]
        yield expression.xreplace({node: node + first})
    yield 2 * expression


def _raise_an_exponent(expression: sympy.Expr) -> Iterator[sympy.Expr]:
    for node in _list_nodes(expression, sympy.Pow):
        yield expression.xreplace({node: node * node.base})
    for symbol in latex_names(expression):
        yield expression.xreplace({symbol: symbol**2})


def _drop_a_term(expression: sympy.Expr) -> Iterator[sympy.Expr]:
    for node in _list_nodes(expression, sympy.Add):
        yield expression.xreplace({node: node - node.as_ordered_terms()[-1]})


def _drop_a_factor(expression: sympy.Expr) -> Iterator[sympy.Expr]:
    for node in _list_nodes(expression, sympy.Mul):
        factors = [one for one in node.as_ordered_factors() if not one.is_Number]
        if factors:
            yield expression.xreplace({node: node / factors[0]})


def _swap_symbols(expression: sympy.Expr) -> Iterator[sympy.Expr]:
    symbols = list(latex_names(expression))
    for one, other in pairwise(symbols):
        yield expression.xreplace({one: other, other: one})
    for symbol in symbols:
        yield expression.xreplace({symbol: _choose_new_symbol(expression)})


def _change_a_function(expression: sympy.Expr) -> Iterator[sympy.Expr]:
    for node in _list_nodes(expression, sympy.Function):
        if (other := _OTHER_FUNCTION.get(node.func)) is not None:
            yield expression.xreplace({node: other(node.args[0])})


def _add_a_term(expression: sympy.Expr) -> Iterator[sympy.Expr]:
    yield expression + _choose_new_symbol(expression)


def _choose_new_symbol(expression: sympy.Expr) -> sympy.Symbol:
    names = {symbol.name for symbol in expression.free_symbols}
    name = next(name for name in ("x", "y", "z", "x_9") if name not in names)
    return sympy.Symbol(name, positive=True)


_MUTATORS: dict[str, Callable[[sympy.Expr], Iterator[sympy.Expr]]] = {
    "sign": _change_sign,
    "coefficient": _double_a_coefficient,
    "exponent": _raise_an_exponent,
    "term": _drop_a_term,
    "factor": _drop_a_factor,
    "symbol": _swap_symbols,
    "function": _change_a_function,
    "added": _add_a_term,
}
