"""
Values in arbitrary precision, each with a bound on its error, and what functions make of them.

Beside each value runs the exponent of a power of two that its error stays below, so that lost
digits are seen, not guessed.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import mpmath
import sympy

from phybench_grader.numbers.special import (
    BesselI,
    BesselJ,
    BesselK,
    BesselY,
    Ceiling,
    DoubleFactorial,
    Erf,
    Erfc,
    Floor,
    ImaginaryPart,
    Maximum,
    Minimum,
    RealPart,
    RealRoot,
    Zeta,
)

Value = Any
"""An mpmath number, real (`mpf`) or complex (`mpc`): mpmath is untyped."""
Estimate = tuple[Value, int]
"""A value and e where its error is below 2**e."""

EXACT = -(10**9)
"""The error's exponent of a number held exactly."""
_LARGEST_EXPONENT = 100_000
"""Values beyond 2 to this power are not computed."""
_SLACK = 3
"""Bits added to an error at each step, for mpmath's own rounding."""


class Undefined(Exception):
    """An expression has no (finite, well-determined) value at a point."""


class Unreal(Undefined):
    """A value is complex where a real one is wanted; `place` is its step."""

    def __init__(self, place: int) -> None:
        super().__init__(place)
        self.place = place


class Imprecise(Undefined):
    """A value lost its digits on the way; at a higher precision it may not."""


def magnitude(value: Value) -> int:
    """Bound a finite value: below 2**magnitude. Zero's is EXACT."""
    # What mpmath's own function does, without its detours: this is asked at each step.
    if isinstance(value, mpmath.mpf):
        _, mantissa, exponent, bits = value._mpf_
        return int(exponent + bits) if mantissa else EXACT
    if not value:
        return EXACT
    return int(mpmath.mp.mag(value))


def _checked(value: Value, error: int) -> Estimate:
    if isinstance(value, mpmath.mpc):
        if not mpmath.isfinite(value):
            raise Undefined
        if not value.imag:
            value = value.real
    elif not value._mpf_[1] and value._mpf_[2]:
        # Infinite, or no number.
        raise Undefined
    size = magnitude(value)
    if size > _LARGEST_EXPONENT:
        raise Undefined
    rounding = size - mpmath.mp.prec
    return value, max(error, rounding) + _SLACK


def _relative(estimate: Estimate) -> int:
    """Bound the relative error of a value, which must be known not to be zero."""
    value, error = estimate
    if not value:
        raise Undefined
    relative = error - magnitude(value) + 1
    if relative > -4:
        raise Imprecise
    return relative


def _add(*terms: Estimate) -> Estimate:
    value = mpmath.mpf(0)
    error = EXACT
    for term, own in terms:
        value += term
        error = max(error, own, magnitude(value) - mpmath.mp.prec)
    return _checked(value, error + len(terms).bit_length())


def _multiply(*factors: Estimate) -> Estimate:
    value, error = factors[0]
    for factor, own in factors[1:]:
        error = max(error + magnitude(factor), own + magnitude(value), error + own) + 2
        value *= factor
        error = max(error, magnitude(value) - mpmath.mp.prec)
    return _checked(value, error)


def _raise(base: Estimate, exponent: Estimate) -> Estimate:
    if exponent[1] == EXACT and exponent[0] == int(exponent[0].real):
        return _raise_integer(base, int(exponent[0].real))
    value, error = base
    power = exponent[0]
    if _is_zero(base):
        if isinstance(power, mpmath.mpf) and power > 0:
            bound = max(error, magnitude(value))
            return mpmath.mpf(0), int(bound * min(power, 1)) + 1
        raise Undefined
    relative = _relative(base)
    # The logarithm's size, from above and for nothing; itself only where that is too large.
    logarithm = (abs(magnitude(value)) + 4).bit_length()
    if magnitude(power) + logarithm > 17:
        logarithm = max(magnitude(mpmath.log(value)), 0)
        if magnitude(power) + logarithm > 17:
            raise Undefined
    result = value**power
    change = max(relative + magnitude(power), exponent[1] + logarithm) + 2
    if change > 0:
        raise Imprecise
    return _checked(result, change + magnitude(result) + 1)


def _raise_integer(base: Estimate, power: int) -> Estimate:
    value, error = base
    if power > 0 and _is_zero(base):
        return mpmath.mpf(0), max(error, magnitude(value)) * power + 1
    relative = _relative(base) + abs(power).bit_length() + 1
    if relative > 0:
        raise Imprecise
    if abs(magnitude(value) * power) > _LARGEST_EXPONENT:
        raise Undefined
    result = value**power
    return _checked(result, relative + magnitude(result) + 1)


def _is_zero(estimate: Estimate) -> bool:
    value, error = estimate
    return not value or error > magnitude(value) - 4


def _exponentiate(argument: Estimate) -> Estimate:
    value, error = argument
    if magnitude(value) > 16:
        raise Undefined
    if error > 0:
        raise Imprecise
    result = mpmath.exp(value)
    return _checked(result, error + 1 + magnitude(result))


def _logarithm(argument: Estimate) -> Estimate:
    relative = _relative(argument)
    return _checked(mpmath.log(argument[0]), relative + 1)


def _absolute(argument: Estimate) -> Estimate:
    return _checked(abs(argument[0]), argument[1])


@dataclass(frozen=True, slots=True)
class Smooth:
    """The step for a function whose error grows by its slope."""

    function: Callable[[Value], Value]
    slope: Callable[[Value], Value]
    largest: int = 200
    """Arguments beyond 2 to this power are not computed."""
    work: int = 1
    """How much more work it is than a sum or a sine."""

    def __call__(self, argument: Estimate) -> Estimate:
        value, error = argument
        if magnitude(value) > self.largest:
            raise Undefined
        if error > -20:
            raise Imprecise
        result, steepness = self.function(value), self.slope(value)
        if not mpmath.isfinite(steepness):
            raise Undefined
        growth = magnitude(steepness) if steepness else 0
        # Where the slope grows within the error's reach, the bound would not hold.
        if growth + error > -8:
            raise Imprecise
        return _checked(result, error + max(growth, 0) + 2)


def _factorial(value: Value) -> Value:
    if abs(value) > _LARGEST_FACTORIAL:
        raise Undefined
    return mpmath.gamma(value + 1)


_LARGEST_ARGUMENT = 8
"""Special functions are evaluated up to 2 to this power: beyond, their series take too long."""
_LARGEST_FACTORIAL = 10_000


def _special(function: Callable[[Value], Value], slope: Callable[[Value], Value]) -> Smooth:
    """Make the step of a special function, for arguments of a bounded size."""
    return Smooth(function, slope, _LARGEST_ARGUMENT, work=50)


@dataclass(frozen=True, slots=True)
class Bessel:
    """The step of a Bessel function, whose slope is half its neighbours with these signs."""

    function: Callable[[Value, Value], Value]
    below: int
    above: int
    work: int = 200

    def __call__(self, index: Estimate, argument: Estimate) -> Estimate:
        order = int(index[0])

        def slope(x: Value) -> Value:
            lower, upper = self.function(order - 1, x), self.function(order + 1, x)
            return (self.below * lower + self.above * upper) / 2

        return _special(lambda x: self.function(order, x), slope)(argument)


def _pick(choose: Callable[..., Value]) -> Any:
    """Make the step of a largest or smallest value."""

    def step(*arguments: Estimate) -> Estimate:
        if not all(isinstance(value, mpmath.mpf) for value, _ in arguments):
            raise Undefined
        return choose(value for value, _ in arguments), max(error for _, error in arguments)

    return step


def _round_whole(estimate: Estimate) -> Value | None:
    """Return the whole number that a value is, if it is one as far as can be told."""
    value, error = estimate
    if not isinstance(value, mpmath.mpf):
        raise Undefined
    if error > -mpmath.mp.prec // 4:
        raise Imprecise
    whole = mpmath.nint(value)
    return whole if whole == value or mpmath.mp.mag(value - whole) <= error else None


def _round_off(towards: Callable[[Value], Value]) -> Any:
    """Make the step of a value rounded off."""

    def step(argument: Estimate) -> Estimate:
        whole = _round_whole(argument)
        return (towards(argument[0]) if whole is None else whole), EXACT

    return step


def _double_factorial(argument: Estimate) -> Estimate:
    """Only of whole numbers: between them nobody means a value."""
    whole = _round_whole(argument)
    if whole is None or not -1 <= whole <= _LARGEST_FACTORIAL:
        raise Undefined
    return _checked(mpmath.fac2(whole), EXACT)


def _real_root(radicand: Estimate, index: Estimate) -> Estimate:
    value, error = radicand
    power = mpmath.mpf(1) / index[0], -mpmath.mp.prec
    if isinstance(value, mpmath.mpf) and value < 0:
        root, bound = _raise((-value, error), power)
        return -root, bound
    return _raise(radicand, power)


_mp = mpmath
STEPS: dict[type, Callable[..., Estimate]] = {
    sympy.exp: _exponentiate,
    sympy.log: _logarithm,
    sympy.Abs: _absolute,
    sympy.sin: Smooth(_mp.sin, _mp.cos),
    sympy.cos: Smooth(_mp.cos, _mp.sin),
    sympy.tan: Smooth(_mp.tan, lambda x: _mp.sec(x) ** 2),
    sympy.cot: Smooth(_mp.cot, lambda x: _mp.csc(x) ** 2),
    sympy.sec: Smooth(_mp.sec, lambda x: _mp.sec(x) * _mp.tan(x)),
    sympy.csc: Smooth(_mp.csc, lambda x: _mp.csc(x) * _mp.cot(x)),
    sympy.sinh: Smooth(_mp.sinh, _mp.cosh),
    sympy.cosh: Smooth(_mp.cosh, _mp.sinh),
    sympy.tanh: Smooth(_mp.tanh, lambda x: _mp.sech(x) ** 2),
    sympy.coth: Smooth(_mp.coth, lambda x: _mp.csch(x) ** 2),
    sympy.sech: Smooth(_mp.sech, lambda x: _mp.sech(x) * _mp.tanh(x)),
    sympy.csch: Smooth(_mp.csch, lambda x: _mp.csch(x) * _mp.coth(x)),
    sympy.asin: Smooth(_mp.asin, lambda x: 1 / _mp.sqrt(1 - x * x)),
    sympy.acos: Smooth(_mp.acos, lambda x: 1 / _mp.sqrt(1 - x * x)),
    sympy.atan: Smooth(_mp.atan, lambda x: 1 / (1 + x * x)),
    sympy.acot: Smooth(_mp.acot, lambda x: 1 / (1 + x * x)),
    sympy.asec: Smooth(_mp.asec, lambda x: 1 / (x * x * _mp.sqrt(1 - 1 / (x * x)))),
    sympy.acsc: Smooth(_mp.acsc, lambda x: 1 / (x * x * _mp.sqrt(1 - 1 / (x * x)))),
    sympy.asinh: Smooth(_mp.asinh, lambda x: 1 / _mp.sqrt(1 + x * x)),
    sympy.acosh: Smooth(_mp.acosh, lambda x: 1 / (_mp.sqrt(x - 1) * _mp.sqrt(x + 1))),
    sympy.atanh: Smooth(_mp.atanh, lambda x: 1 / (1 - x * x)),
    sympy.acoth: Smooth(_mp.acoth, lambda x: 1 / (1 - x * x)),
    sympy.asech: Smooth(_mp.asech, lambda x: 1 / (x * _mp.sqrt(1 - x * x))),
    sympy.acsch: Smooth(_mp.acsch, lambda x: 1 / (x * _mp.sqrt(1 + x * x))),
    sympy.factorial: Smooth(
        _factorial, lambda x: _mp.gamma(x + 1) * (abs(_mp.psi(0, x + 1)) + 1), work=200
    ),
    sympy.gamma: Smooth(_mp.gamma, lambda x: _mp.gamma(x) * (abs(_mp.psi(0, x)) + 1), work=200),
    Erf: _special(_mp.erf, lambda x: 2 * _mp.exp(-x * x)),
    Erfc: _special(_mp.erfc, lambda x: 2 * _mp.exp(-x * x)),
    Zeta: _special(_mp.zeta, lambda x: _mp.zeta(x, derivative=1)),
    BesselJ: Bessel(_mp.besselj, 1, -1),
    BesselY: Bessel(_mp.bessely, 1, -1),
    BesselI: Bessel(_mp.besseli, 1, 1),
    BesselK: Bessel(_mp.besselk, -1, -1),
    Maximum: _pick(max),
    Minimum: _pick(min),
    Floor: _round_off(_mp.floor),
    Ceiling: _round_off(_mp.ceil),
    DoubleFactorial: _double_factorial,
    RealRoot: _real_root,
    RealPart: lambda argument: (_mp.re(argument[0]), argument[1]),
    ImaginaryPart: lambda argument: (_mp.im(argument[0]), argument[1]),
    sympy.re: lambda argument: (_mp.re(argument[0]), argument[1]),
    sympy.im: lambda argument: (_mp.im(argument[0]), argument[1]),
    sympy.arg: Smooth(_mp.arg, lambda x: 1 / abs(x)),
    sympy.conjugate: lambda argument: (_mp.conj(argument[0]), argument[1]),
    sympy.sign: lambda argument: (_mp.sign(argument[0]), EXACT + _relative(argument) * 0),
    sympy.Add: _add,
    sympy.Mul: _multiply,
    sympy.Pow: _raise,
}
