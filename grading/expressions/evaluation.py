"""
Values of expressions in arbitrary precision, each with a bound on its error.

An expression is compiled once to a list of steps and run at many points. Beside each value runs the
exponent of a power of two that its error stays below, so that lost digits are seen, not guessed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import mpmath
import sympy

from grading.expressions.special import (
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


class Imprecise(Undefined):
    """A value lost its digits on the way; at a higher precision it may not."""


def _magnitude(value: Value) -> int:
    """Bound a value: below 2**magnitude. Zero's is EXACT."""
    if not value:
        return EXACT
    return int(mpmath.mp.mag(value))


def _checked(value: Value, error: int) -> Estimate:
    if not mpmath.isfinite(value) or _magnitude(value) > _LARGEST_EXPONENT:
        raise Undefined
    if isinstance(value, mpmath.mpc) and not value.imag:
        value = value.real
    rounding = _magnitude(value) - mpmath.mp.prec
    return value, max(error, rounding) + _SLACK


def _relative(estimate: Estimate) -> int:
    """Bound the relative error of a value, which must be known not to be zero."""
    value, error = estimate
    if not value:
        raise Undefined
    relative = error - _magnitude(value) + 1
    if relative > -4:
        raise Imprecise
    return relative


def _add(*terms: Estimate) -> Estimate:
    value = mpmath.mpf(0)
    error = EXACT
    for term, own in terms:
        value += term
        error = max(error, own, _magnitude(value) - mpmath.mp.prec)
    return _checked(value, error + len(terms).bit_length())


def _multiply(*factors: Estimate) -> Estimate:
    value, error = factors[0]
    for factor, own in factors[1:]:
        error = max(error + _magnitude(factor), own + _magnitude(value), error + own) + 2
        value *= factor
        error = max(error, _magnitude(value) - mpmath.mp.prec)
    return _checked(value, error)


def _raise(base: Estimate, exponent: Estimate) -> Estimate:
    if exponent[1] == EXACT and exponent[0] == int(exponent[0].real):
        return _raise_integer(base, int(exponent[0].real))
    value, error = base
    power = exponent[0]
    if _is_zero(base):
        if isinstance(power, mpmath.mpf) and power > 0:
            bound = max(error, _magnitude(value))
            return mpmath.mpf(0), int(bound * min(power, 1)) + 1
        raise Undefined
    relative = _relative(base)
    logarithm = mpmath.log(value)
    size = _magnitude(power) + _magnitude(logarithm)
    if size > 17:
        raise Undefined
    result = value**power
    change = max(relative + _magnitude(power), exponent[1] + max(_magnitude(logarithm), 0)) + 2
    if change > 0:
        raise Imprecise
    return _checked(result, change + _magnitude(result) + 1)


def _raise_integer(base: Estimate, power: int) -> Estimate:
    value, error = base
    if power > 0 and _is_zero(base):
        return mpmath.mpf(0), max(error, _magnitude(value)) * power + 1
    relative = _relative(base) + abs(power).bit_length() + 1
    if relative > 0:
        raise Imprecise
    if abs(_magnitude(value) * power) > _LARGEST_EXPONENT:
        raise Undefined
    result = value**power
    return _checked(result, relative + _magnitude(result) + 1)


def _is_zero(estimate: Estimate) -> bool:
    value, error = estimate
    return not value or error > _magnitude(value) - 4


def _exponentiate(argument: Estimate) -> Estimate:
    value, error = argument
    if _magnitude(value) > 16:
        raise Undefined
    if error > 0:
        raise Imprecise
    result = mpmath.exp(value)
    return _checked(result, error + 1 + _magnitude(result))


def _logarithm(argument: Estimate) -> Estimate:
    relative = _relative(argument)
    return _checked(mpmath.log(argument[0]), relative + 1)


def _absolute(argument: Estimate) -> Estimate:
    return _checked(abs(argument[0]), argument[1])


def _smooth(function: Callable[[Value], Value], slope: Callable[[Value], Value]) -> Any:
    """Make the step for a function whose error grows by its slope."""

    def step(argument: Estimate) -> Estimate:
        value, error = argument
        if _magnitude(value) > 200:
            raise Undefined
        if error > -20:
            raise Imprecise
        result, steepness = function(value), slope(value)
        if not mpmath.isfinite(steepness):
            raise Undefined
        growth = _magnitude(steepness) if steepness else 0
        # Where the slope grows within the error's reach, the bound would not hold.
        if growth + error > -8:
            raise Imprecise
        return _checked(result, error + max(growth, 0) + 2)

    return step


def _factorial(value: Value) -> Value:
    if abs(value) > _LARGEST_FACTORIAL:
        raise Undefined
    return mpmath.gamma(value + 1)


_LARGEST_ARGUMENT = 8
"""Special functions are evaluated up to 2 to this power: beyond, their series take too long."""
_LARGEST_FACTORIAL = 10_000
_MOST_SERIES = 24
"""Values of special functions in one expression: of more it is not told what they come to."""


def _special(function: Callable[[Value], Value], slope: Callable[[Value], Value]) -> Any:
    """Make the step of a special function, which is `_smooth` for arguments of a bounded size."""
    step = _smooth(function, slope)

    def bounded(argument: Estimate) -> Estimate:
        if _magnitude(argument[0]) > _LARGEST_ARGUMENT:
            raise Undefined
        return step(argument)  # type: ignore[no-any-return]

    return bounded


def _bessel(function: Callable[[Value, Value], Value], below: int, above: int) -> Any:
    """Make the step of a Bessel function, whose slope is half its neighbours with these signs."""

    def step(index: Estimate, argument: Estimate) -> Estimate:
        order = int(index[0])

        def slope(x: Value) -> Value:
            return (below * function(order - 1, x) + above * function(order + 1, x)) / 2

        evaluate = _special(lambda x: function(order, x), slope)
        return evaluate(argument)  # type: ignore[no-any-return]

    return step


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
_STEPS: dict[type, Callable[..., Estimate]] = {
    sympy.exp: _exponentiate,
    sympy.log: _logarithm,
    sympy.Abs: _absolute,
    sympy.sin: _smooth(_mp.sin, _mp.cos),
    sympy.cos: _smooth(_mp.cos, _mp.sin),
    sympy.tan: _smooth(_mp.tan, lambda x: _mp.sec(x) ** 2),
    sympy.cot: _smooth(_mp.cot, lambda x: _mp.csc(x) ** 2),
    sympy.sec: _smooth(_mp.sec, lambda x: _mp.sec(x) * _mp.tan(x)),
    sympy.csc: _smooth(_mp.csc, lambda x: _mp.csc(x) * _mp.cot(x)),
    sympy.sinh: _smooth(_mp.sinh, _mp.cosh),
    sympy.cosh: _smooth(_mp.cosh, _mp.sinh),
    sympy.tanh: _smooth(_mp.tanh, lambda x: _mp.sech(x) ** 2),
    sympy.coth: _smooth(_mp.coth, lambda x: _mp.csch(x) ** 2),
    sympy.sech: _smooth(_mp.sech, lambda x: _mp.sech(x) * _mp.tanh(x)),
    sympy.csch: _smooth(_mp.csch, lambda x: _mp.csch(x) * _mp.coth(x)),
    sympy.asin: _smooth(_mp.asin, lambda x: 1 / _mp.sqrt(1 - x * x)),
    sympy.acos: _smooth(_mp.acos, lambda x: 1 / _mp.sqrt(1 - x * x)),
    sympy.atan: _smooth(_mp.atan, lambda x: 1 / (1 + x * x)),
    sympy.acot: _smooth(_mp.acot, lambda x: 1 / (1 + x * x)),
    sympy.asec: _smooth(_mp.asec, lambda x: 1 / (x * x * _mp.sqrt(1 - 1 / (x * x)))),
    sympy.acsc: _smooth(_mp.acsc, lambda x: 1 / (x * x * _mp.sqrt(1 - 1 / (x * x)))),
    sympy.asinh: _smooth(_mp.asinh, lambda x: 1 / _mp.sqrt(1 + x * x)),
    sympy.acosh: _smooth(_mp.acosh, lambda x: 1 / (_mp.sqrt(x - 1) * _mp.sqrt(x + 1))),
    sympy.atanh: _smooth(_mp.atanh, lambda x: 1 / (1 - x * x)),
    sympy.acoth: _smooth(_mp.acoth, lambda x: 1 / (1 - x * x)),
    sympy.asech: _smooth(_mp.asech, lambda x: 1 / (x * _mp.sqrt(1 - x * x))),
    sympy.acsch: _smooth(_mp.acsch, lambda x: 1 / (x * _mp.sqrt(1 + x * x))),
    sympy.factorial: _smooth(_factorial, lambda x: _mp.gamma(x + 1) * (abs(_mp.psi(0, x + 1)) + 1)),
    sympy.gamma: _smooth(_mp.gamma, lambda x: _mp.gamma(x) * (abs(_mp.psi(0, x)) + 1)),
    Erf: _special(_mp.erf, lambda x: 2 * _mp.exp(-x * x)),
    Erfc: _special(_mp.erfc, lambda x: 2 * _mp.exp(-x * x)),
    Zeta: _special(_mp.zeta, lambda x: _mp.zeta(x, derivative=1)),
    BesselJ: _bessel(_mp.besselj, 1, -1),
    BesselY: _bessel(_mp.bessely, 1, -1),
    BesselI: _bessel(_mp.besseli, 1, 1),
    BesselK: _bessel(_mp.besselk, -1, -1),
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
    sympy.arg: _smooth(_mp.arg, lambda x: 1 / abs(x)),
    sympy.conjugate: lambda argument: (_mp.conj(argument[0]), argument[1]),
    sympy.sign: lambda argument: (_mp.sign(argument[0]), EXACT + _relative(argument) * 0),
    sympy.Add: _add,
    sympy.Mul: _multiply,
    sympy.Pow: _raise,
}


_SERIES = frozenset({Zeta, BesselJ, BesselY, BesselI, BesselK})


class Program:
    """An expression compiled to steps; `keys` describes it the same way in every process."""

    def __init__(self, expression: sympy.Expr) -> None:
        self.symbols = sorted(symbol.name for symbol in expression.free_symbols)
        self._steps: list[tuple[Any, tuple[int, ...]]] = []
        self._places: dict[sympy.Basic, int] = {}
        self._series = 0
        self._compile(expression)
        self.keys = repr([(getattr(a, "__name__", str(a)), b) for a, b in self._steps])

    def _compile(self, expression: sympy.Basic) -> int:
        if (place := self._places.get(expression)) is not None:
            return place
        inputs = tuple(self._compile(argument) for argument in expression.args)
        head: Any = expression
        if expression.args:
            head = expression.func
            if head not in _STEPS:
                raise Undefined
            self._series += head in _SERIES
            if self._series > _MOST_SERIES:
                raise Undefined
        self._steps.append((head, inputs))
        place = self._places[expression] = len(self._steps) - 1
        return place

    def run(self, point: Mapping[str, Value]) -> Estimate:
        """Evaluate at a point, in mpmath's present precision. Raises `Undefined`."""
        values: list[Estimate] = []
        try:
            for head, inputs in self._steps:
                if inputs:
                    values.append(_STEPS[head](*[values[place] for place in inputs]))
                else:
                    values.append(_evaluate_leaf(head, point))
        except (ZeroDivisionError, ValueError, OverflowError, mpmath.libmp.NoConvergence):
            raise Undefined from None
        return values[-1]


def _evaluate_leaf(leaf: sympy.Basic, point: Mapping[str, Value]) -> Estimate:
    if isinstance(leaf, sympy.Symbol):
        return point[leaf.name], EXACT
    if isinstance(leaf, sympy.Integer):
        value = mpmath.mpf(int(leaf.p))
        exact = int(leaf.p).bit_length() <= mpmath.mp.prec
        return value, EXACT if exact else _magnitude(value) - mpmath.mp.prec
    if isinstance(leaf, sympy.Rational):
        value = mpmath.mpf(int(leaf.p)) / int(leaf.q)
        return value, _magnitude(value) - mpmath.mp.prec + 1
    if leaf == sympy.I:
        return mpmath.mpc(0, 1), EXACT
    if leaf in (sympy.pi, sympy.E):
        return +(mpmath.mp.pi if leaf == sympy.pi else mpmath.mp.e), 3 - mpmath.mp.prec
    raise Undefined
