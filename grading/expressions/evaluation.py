"""
Values of expressions in arbitrary precision, each with a bound on its error.

An expression is compiled once to a list of steps and run at many points. Beside each value runs the
exponent of a power of two that its error stays below, so that lost digits are seen, not guessed.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
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
_LONG = 32
"""Bits of a number beyond which it is a long one."""
_VISIBLE = 60
"""Bits that are left of what counts as visible in a result."""
_FAINT, _STEEP = -50, 5
"""Between 2 to these powers no function forgets its argument, at the precisions used here."""


class Undefined(Exception):
    """An expression has no (finite, well-determined) value at a point."""


class Unreal(Undefined):
    """A value is complex where a real one is wanted; `place` is its step."""

    def __init__(self, place: int) -> None:
        super().__init__(place)
        self.place = place


class Imprecise(Undefined):
    """A value lost its digits on the way; at a higher precision it may not."""


def _magnitude(value: Value) -> int:
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
    magnitude = _magnitude(value)
    if magnitude > _LARGEST_EXPONENT:
        raise Undefined
    rounding = magnitude - mpmath.mp.prec
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
    # The logarithm's size, from above and for nothing; itself only where that is too large.
    logarithm = (abs(_magnitude(value)) + 4).bit_length()
    if _magnitude(power) + logarithm > 17:
        logarithm = max(_magnitude(mpmath.log(value)), 0)
        if _magnitude(power) + logarithm > 17:
            raise Undefined
    result = value**power
    change = max(relative + _magnitude(power), exponent[1] + logarithm) + 2
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


@dataclass(frozen=True, slots=True)
class _smooth:
    """The step for a function whose error grows by its slope."""

    function: Callable[[Value], Value]
    slope: Callable[[Value], Value]
    largest: int = 200
    """Arguments beyond 2 to this power are not computed."""
    work: int = 1
    """How much more work it is than a sum or a sine."""

    def __call__(self, argument: Estimate) -> Estimate:
        value, error = argument
        if _magnitude(value) > self.largest:
            raise Undefined
        if error > -20:
            raise Imprecise
        result, steepness = self.function(value), self.slope(value)
        if not mpmath.isfinite(steepness):
            raise Undefined
        growth = _magnitude(steepness) if steepness else 0
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
_MOST_SERIES = 24
"""Values of special functions in one expression: of more it is not told what they come to."""


def _special(function: Callable[[Value], Value], slope: Callable[[Value], Value]) -> _smooth:
    """Make the step of a special function, for arguments of a bounded size."""
    return _smooth(function, slope, _LARGEST_ARGUMENT, work=50)


@dataclass(frozen=True, slots=True)
class _bessel:
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
    sympy.factorial: _smooth(
        _factorial, lambda x: _mp.gamma(x + 1) * (abs(_mp.psi(0, x + 1)) + 1), work=200
    ),
    sympy.gamma: _smooth(_mp.gamma, lambda x: _mp.gamma(x) * (abs(_mp.psi(0, x)) + 1), work=200),
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
_HYPERBOLIC = (sympy.sinh, sympy.cosh, sympy.tanh, sympy.coth, sympy.sech, sympy.csch)
_ODD = (
    *(sympy.sin, sympy.tan, sympy.csc, sympy.cot, sympy.asin, sympy.atan),
    *(sympy.sinh, sympy.tanh, sympy.csch, sympy.coth, sympy.asinh, sympy.atanh),
)
_ROOTED = (sympy.asinh, sympy.acosh)


class Program:
    """One expression, or several, compiled to steps that are each taken once."""

    def __init__(self, *expressions: sympy.Expr) -> None:
        self.symbols: dict[str, int] = {}
        """Each symbol's name and its step."""
        self.steps: list[tuple[Any, tuple[int, ...]]] = []
        """A number, a symbol or what is done, and the steps of what it is done with."""
        self.parts: list[sympy.Basic] = []
        """The expression of each step."""
        self._places: dict[sympy.Basic, int] = {}
        self._series = 0
        self.results = tuple(self._compile(expression) for expression in expressions)
        """The steps that have the expressions' values."""
        self._work = [
            (place, _STEPS[head], inputs)
            for place, (head, inputs) in enumerate(self.steps)
            if inputs
        ]
        self.work = sum(getattr(step, "work", 1) for _, step, _ in self._work)
        """How much work it is to run them."""
        self._constants: dict[int, list[Estimate]] = {}

    @property
    def bits(self) -> int:
        """The length of the long numbers that the expressions are written with."""
        numbers = (head for head, _ in self.steps if isinstance(head, sympy.Rational))
        lengths = (int(one.p).bit_length() + int(one.q).bit_length() for one in numbers)
        return sum(length for length in lengths if length > _LONG)

    def _compile(self, expression: sympy.Basic) -> int:
        if (place := self._places.get(expression)) is not None:
            return place
        arguments = expression.args
        inputs = tuple([self._compile(argument) for argument in arguments])
        head: Any = expression
        if arguments:
            head = expression.func
            if head not in _STEPS:
                raise Undefined
            self._series += head in _SERIES
            if self._series > _MOST_SERIES:
                raise Undefined
        place = self._places[expression] = len(self.steps)
        self.steps.append((head, inputs))
        self.parts.append(expression)
        if isinstance(expression, sympy.Symbol):
            self.symbols[expression.name] = place
        return place

    def run(self, point: Mapping[str, Value]) -> Estimate:
        """Evaluate the last expression at a point. Raises `Undefined`."""
        return self.trace(point)[self.results[-1]]

    def trace(self, point: Mapping[str, Value], real: Collection[int] = ()) -> list[Estimate]:
        """
        Evaluate all steps at a point, in mpmath's present precision.

        Raises `Undefined`, and `Unreal` as soon as one of the steps `real` is a complex number.
        """
        values = self._begin()
        for name, place in self.symbols.items():
            values[place] = point[name], EXACT
        try:
            for place, step, inputs in self._work:
                found = step(*[values[one] for one in inputs])
                if isinstance(found[0], mpmath.mpc) and place in real:
                    raise Unreal(place)
                values[place] = found
        except (ZeroDivisionError, ValueError, OverflowError, mpmath.libmp.NoConvergence):
            raise Undefined from None
        return values

    def _begin(self) -> list[Estimate]:
        """Make a list for the values that has those of the numbers at this precision."""
        precision = mpmath.mp.prec
        if precision not in self._constants:
            self._constants[precision] = [
                (mpmath.mpf(0), EXACT)
                if inputs or isinstance(head, sympy.Symbol)
                else _evaluate_number(head)
                for head, inputs in self.steps
            ]
        return self._constants[precision].copy()

    def loses(self, values: Sequence[Estimate]) -> bool:
        """
        Tell whether a step has not seen all that it was given: x + e^{-1000} at 75 digits.

        What is lost there may be the very thing in which two expressions differ.
        """
        precision = mpmath.mp.prec
        for place, _, inputs in self._work:
            floor = _magnitude(values[place][0]) - precision + _VISIBLE
            if _loses(self.steps[place][0], [values[one] for one in inputs], floor):
                return True
        return False


def _loses(head: Any, inputs: Sequence[Estimate], floor: int) -> bool:
    if head is sympy.Add:
        # What is nothing but its error is no less than zero, which is seen.
        return any(error < _magnitude(term) < floor for term, error in inputs)
    if head is sympy.Mul:
        return False
    if head is sympy.Pow:
        power = _magnitude(inputs[1][0])
        return EXACT < power < _FAINT and power < floor
    value, _ = inputs[0]
    size = _magnitude(value)
    if _FAINT < size <= _STEEP or size == EXACT:
        return False
    if head is sympy.exp:
        return size < floor
    visible = mpmath.mp.prec - _VISIBLE
    # Seen from far away or from close by, these can't be told from an exponential, a logarithm, x.
    if head in _HYPERBOLIC and 3 * abs(value) > visible:
        return True
    if (head in _ODD and 2 * size < -visible) or (head in _ROOTED and 2 * size > visible):
        return True
    step = _STEPS[head]
    return isinstance(step, _smooth) and _magnitude(step.slope(value)) + size < floor


def _evaluate_number(leaf: sympy.Basic) -> Estimate:
    precision = mpmath.mp.prec
    if isinstance(leaf, sympy.Integer):
        value = mpmath.mpf(int(leaf.p))
        exact = int(leaf.p).bit_length() <= precision
        return value, EXACT if exact else _magnitude(value) - precision
    if isinstance(leaf, sympy.Rational):
        value = mpmath.mpf(int(leaf.p)) / int(leaf.q)
        return value, _magnitude(value) - precision + 1
    if leaf == sympy.I:
        return mpmath.mpc(0, 1), EXACT
    if leaf in (sympy.pi, sympy.E):
        return +(mpmath.mp.pi if leaf == sympy.pi else mpmath.mp.e), 3 - precision
    raise Undefined
