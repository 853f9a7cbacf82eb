"""
Building SymPy expressions from numbers that strangers typed.

SymPy multiplies out what it can (`9**9**9`, `10000!`), so every step here is checked before it is
taken and its numbers are measured after. `Overgrown` says that a limit was met.
"""

from __future__ import annotations

from collections.abc import Sequence

import sympy

from phybench_grader.numbers.estimates import Undefined
from phybench_grader.numbers.evaluation import Program
from phybench_grader.numbers.limits import (
    LARGEST_EXPONENTIAL,
    MAX_BITS,
    MAX_EXPONENT,
    MAX_FACTORIAL,
)
from phybench_grader.numbers.special import DoubleFactorial, RealRoot

_MAX_DEGREE = 12
"""Degree up to which a polynomial of Legendre or Hermite is written out."""
_MAX_ORDER = 30
"""Largest order of a Bessel function."""
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
        except Undefined:
            raise Overgrown from None
        if abs(value) > LARGEST_EXPONENTIAL:
            raise Overgrown
    return apply(sympy.exp, exponent)


def apply(function: object, *arguments: sympy.Expr) -> sympy.Expr:
    """Apply a SymPy function."""
    return _measured(function(*arguments))  # type: ignore[operator]  # SymPy is untyped


def take_root(radicand: sympy.Expr, index: sympy.Expr) -> sympy.Expr:
    """
    Take a root; the real one where the index is odd and the radicand may be negative.

    >>> x = sympy.Symbol("x", positive=True)
    >>> take_root(sympy.Integer(-8), sympy.Integer(3)), take_root(x, sympy.Integer(3))
    (-2, x**(1/3))
    """
    exponent = divide(sympy.Integer(1), index)
    is_odd = index.is_Integer and index % 2 == 1
    if not is_odd or radicand.is_nonnegative or radicand.is_extended_real is False:
        return raise_to(radicand, exponent)
    if radicand.is_negative:
        return -raise_to(-radicand, exponent)
    return apply(RealRoot, radicand, index)


def take_factorial(argument: sympy.Expr) -> sympy.Expr:
    """Take the factorial."""
    if isinstance(argument, sympy.Number) and argument > MAX_FACTORIAL:
        raise Overgrown
    return apply(sympy.factorial, argument)


def take_double_factorial(argument: sympy.Expr) -> sympy.Expr:
    """Take the product of every second number down from this one."""
    if isinstance(argument, sympy.Number):
        if argument > MAX_FACTORIAL:
            raise Overgrown
        if argument.is_Integer and argument >= -1:
            return sympy.factorial2(argument)
        raise NotFinite
    return apply(DoubleFactorial, argument)


def choose(total: sympy.Expr, chosen: sympy.Expr) -> sympy.Expr:
    """
    Count the ways to choose some of a total.

    >>> choose(sympy.Integer(5), sympy.Integer(2))
    10
    """
    if total.is_Integer and chosen.is_Integer:
        if total > MAX_EXPONENT:
            raise Overgrown
        return _measured(sympy.binomial(total, chosen))
    ways = [take_factorial(chosen), take_factorial(add([total, -chosen]))]
    return divide(take_factorial(total), multiply(ways))


def take_gamma(argument: sympy.Expr) -> sympy.Expr:
    """Take Euler's gamma function."""
    if isinstance(argument, sympy.Number) and abs(argument) > MAX_FACTORIAL:
        raise Overgrown
    return apply(sympy.gamma, argument)


def take_bessel(function: object, order: int, argument: sympy.Expr) -> sympy.Expr:
    """Take a Bessel function."""
    if order > _MAX_ORDER:
        raise Overgrown
    return apply(function, sympy.Integer(order), argument)


def expand_polynomial(polynomial: object, degree: int, argument: sympy.Expr) -> sympy.Expr:
    """Take an orthogonal polynomial."""
    if degree > _MAX_DEGREE:
        raise Overgrown
    return apply(polynomial, sympy.Integer(degree), argument)


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
