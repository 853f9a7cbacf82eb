"""
SymPy's `simplify`, with the same results in less time.

EED is made of what `simplify` returns, so nothing here may change that: its steps and their order
are SymPy's own. Only work whose outcome is known already is left out. What is here goes by SymPy's
source at the version that is pinned; `test_simplification` compares with SymPy untouched.
"""

from __future__ import annotations

import sys

import sympy
from sympy.core.cache import cacheit
from sympy.core.numbers import Integer, One

from phybench_grader.numbers.parts import visit_parts_once

_REMEMBERED = {
    "sympy.core.exprtools": ("gcd_terms",),
    "sympy.core.function": ("count_ops",),
    "sympy.polys.polytools": ("cancel",),
    "sympy.simplify.fu": ("L", "TR1", "TR2", "TR2i", "TR5", "TR6", "TR12", "TR14"),
    "sympy.simplify.powsimp": ("powsimp",),
    "sympy.simplify.radsimp": ("fraction",),
    "sympy.simplify.simplify": ("cancel", "powsimp", "signsimp", "together"),
    "sympy.simplify.trigsimp": ("_futrig", "factor"),
}
"""
By module, functions that `simplify` asks the same thing again and again.

It measures each expression at every step where it may choose; it goes through the terms of a sum,
and the parts that hold a sine, several times each; and a wrong answer shares most of its parts with
the reference. What these functions return depends on what they are given and on nothing else.
"""


def simplify(expression: sympy.Expr) -> sympy.Expr:
    """
    Simplify an expression as SymPy does.

    >>> x = sympy.Symbol("x", positive=True)
    >>> simplify((x**2 + x) / x)
    x + 1
    """
    # The measure is the usual one, but that which remembers.
    return sympy.simplify(expression, measure=sys.modules["sympy.core.function"].count_ops)


def _equals(self: One, other: object) -> object:
    """
    Compare the number 1 as SymPy does, but see at once that it is no dictionary.

    `cancel` and `factor_terms` ask so for every product they meet (`Factors.__init__`), and SymPy
    would sort each dictionary into an expression of its own before it answers: up to two fifths of
    the time of `simplify`.
    """
    if isinstance(other, dict):
        return NotImplemented
    return Integer.__eq__(self, other)


def _remember() -> None:
    """Give these functions the cache, bounded, that SymPy gives many others of its own."""
    for module, names in _REMEMBERED.items():
        # Not `import`: some of these modules have a function of their name in their place.
        functions = vars(sys.modules[module])
        for name in names:
            functions[name] = cacheit(functions[name])
    sympy.Add.as_content_primitive = cacheit(sympy.Add.as_content_primitive)


One.__eq__ = _equals
visit_parts_once()
_remember()
