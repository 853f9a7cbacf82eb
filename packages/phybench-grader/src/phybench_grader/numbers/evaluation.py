"""
Values of whole expressions at a point.

An expression is compiled once to a list of steps and run at many points.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

import mpmath
import sympy

from phybench_grader.numbers.estimates import (
    EXACT,
    STEPS,
    Estimate,
    Smooth,
    Undefined,
    Unreal,
    Value,
    magnitude,
)
from phybench_grader.numbers.special import BesselI, BesselJ, BesselK, BesselY, Zeta

_LONG = 32
"""Bits of a number beyond which it is a long one."""
_VISIBLE = 60
"""Bits that are left of what counts as visible in a result."""
_FAINT, _STEEP = -50, 5
"""Between 2 to these powers no function forgets its argument, at the precisions used here."""
_MOST_SERIES = 24
"""Values of special functions in one expression: of more it is not told what they come to."""
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
            (place, STEPS[head], inputs)
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
            if head not in STEPS:
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
            floor = magnitude(values[place][0]) - precision + _VISIBLE
            if _loses(self.steps[place][0], [values[one] for one in inputs], floor):
                return True
        return False


def _loses(head: Any, inputs: Sequence[Estimate], floor: int) -> bool:
    if head is sympy.Add:
        # What is nothing but its error is no less than zero, which is seen.
        return any(error < magnitude(term) < floor for term, error in inputs)
    if head is sympy.Mul:
        return False
    if head is sympy.Pow:
        power = magnitude(inputs[1][0])
        return EXACT < power < _FAINT and power < floor
    value, _ = inputs[0]
    size = magnitude(value)
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
    step = STEPS[head]
    return isinstance(step, Smooth) and magnitude(step.slope(value)) + size < floor


def _evaluate_number(leaf: sympy.Basic) -> Estimate:
    precision = mpmath.mp.prec
    if isinstance(leaf, sympy.Integer):
        value = mpmath.mpf(int(leaf.p))
        exact = int(leaf.p).bit_length() <= precision
        return value, EXACT if exact else magnitude(value) - precision
    if isinstance(leaf, sympy.Rational):
        value = mpmath.mpf(int(leaf.p)) / int(leaf.q)
        return value, magnitude(value) - precision + 1
    if leaf == sympy.I:
        return mpmath.mpc(0, 1), EXACT
    if leaf in (sympy.pi, sympy.E):
        return +(mpmath.mp.pi if leaf == sympy.pi else mpmath.mp.e), 3 - precision
    raise Undefined
