"""
Building SymPy expressions from numbers that strangers typed.

SymPy multiplies out what it can (`9**9**9`, `10000!`), so every step here is checked before it is
taken and its numbers are measured after. `Overgrown` says that a limit was met.
"""

from __future__ import annotations

from collections.abc import Sequence

import sympy

from grading.expressions import evaluation
from grading.expressions.evaluation import Program
from grading.expressions.limits import LARGEST_EXPONENTIAL, MAX_BITS, MAX_EXPONENT, MAX_FACTORIAL

_MOST_FACTORS = 16
"""How often the largest number may stand in a product: some may cancel."""
_UNDEFINED = (sympy.zoo, sympy.nan, sympy.oo, -sympy.oo)


class Overgrown(Exception):
    """A number became too large."""


class NotFinite(Exception):
    """A step has no finite value."""


def add(terms: Sequence[sympy.Expr]) -> sympy.Expr:
    """Add terms."""
    return _measured(sympy.Add(*terms))


def multiply(factors: Sequence[sympy.Expr]) -> sympy.Expr:
    """Multiply factors."""
    # One product of thousands of long numbers would take seconds, before it is found too large.
    if sum(_bits(factor) for factor in factors) > _MOST_FACTORS * MAX_BITS:
        raise Overgrown
    return _measured(sympy.Mul(*factors))


def divide(numerator: sympy.Expr, denominator: sympy.Expr) -> sympy.Expr:
    """Divide one expression by another."""
    return multiply([numerator, raise_to(denominator, sympy.Integer(-1))])


def raise_to(base: sympy.Expr, exponent: sympy.Expr) -> sympy.Expr:
    """Raise a base to an exponent."""
    if base == sympy.E:
        return exponentiate(exponent)
    for number in exponent.atoms(sympy.Rational):
        if abs(number) > MAX_EXPONENT:
            raise Overgrown
    if isinstance(exponent, sympy.Rational):
        coefficient = base if isinstance(base, sympy.Rational) else base.as_coeff_Mul()[0]
        if _bits(coefficient) * abs(exponent) > MAX_BITS:
            raise Overgrown
    power = _measured(sympy.Pow(base, exponent))
    if isinstance(power, sympy.Pow) and isinstance(power.base, sympy.Rational):
        # Such powers are multiplied out once their exponents' symbols cancel.
        for number in power.exp.atoms(sympy.Rational):
            if abs(number) > MAX_EXPONENT:
                raise Overgrown
    return power


def exponentiate(exponent: sympy.Expr) -> sympy.Expr:
    """Take the exponential."""
    if exponent.is_number:
        # `exp(exp(exp(100)))` can be written, but not even its digits counted.
        try:
            value, _ = Program(exponent).run({})
        except evaluation.Undefined:
            raise Overgrown from None
        if abs(value) > LARGEST_EXPONENTIAL:
            raise Overgrown
    return apply(sympy.exp, exponent)


def apply(function: object, argument: sympy.Expr) -> sympy.Expr:
    """Apply a SymPy function to one argument."""
    return _measured(function(argument))  # type: ignore[operator]  # SymPy is untyped


def take_factorial(argument: sympy.Expr) -> sympy.Expr:
    """Take the factorial."""
    if isinstance(argument, sympy.Number) and argument > MAX_FACTORIAL:
        raise Overgrown
    return apply(sympy.factorial, argument)


def _bits(number: sympy.Expr) -> int:
    if not isinstance(number, sympy.Rational):
        return 1
    return max(int(number.p).bit_length(), int(number.q).bit_length())


def _measured(expression: sympy.Expr) -> sympy.Expr:
    """Pass an expression on if it is finite and its own number is small."""
    if expression in _UNDEFINED:
        raise NotFinite
    number = expression
    if isinstance(expression, (sympy.Add, sympy.Mul)):
        number = expression.args[0]
    if isinstance(number, sympy.Pow):
        number = number.base
    if _bits(number) > MAX_BITS:
        raise Overgrown
    return expression
