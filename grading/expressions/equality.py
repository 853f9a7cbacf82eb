"""
Whether two expressions are equal, decided by their values.

Both are evaluated at random points of their symbols' domains: positive reals, unless declared. One
point at which they surely differ settles that they are different; enough points at which they agree
to 50 digits settle that they are equal.
"""

from __future__ import annotations

import hashlib
import math
import random
import threading
from collections.abc import Iterator, Mapping
from enum import Enum
from types import MappingProxyType
from typing import Literal

import mpmath
import sympy

from grading.expressions.domains import POSITIVE, Domain
from grading.expressions.evaluation import EXACT, Estimate, Imprecise, Program, Undefined
from grading.expressions.tree import is_simplifiable

GOOD_POINTS = 5
"""Points at which two expressions must agree to count as equal."""
MOST_POINTS = 200
"""Points drawn before giving up on finding good ones."""
MOST_COMPLEX_POINTS = 40
"""Points drawn before complex values are accepted too."""
PRECISIONS = (250, 600, 1_500)
"""Bits (75 digits and more) to work with, the next ones where digits get lost."""
AGREEMENT = 170
"""Bits (50 digits) to which two values must agree."""


_NONE_DECLARED: Mapping[str, Domain] = MappingProxyType({})

_precision = threading.Lock()
"""mpmath's working precision belongs to the whole process: one comparison at a time sets it."""


class Equality(Enum):
    """Whether two expressions are equal, as far as it can be told."""

    EQUAL = "equal"
    DIFFERENT = "different"
    UNDECIDED = "undecided"


def compare(
    left: sympy.Expr, right: sympy.Expr, domains: Mapping[str, Domain] = _NONE_DECLARED
) -> Equality:
    """
    Compare two expressions for all values of their symbols: positive ones, unless `domains` has
    another domain for a symbol's name.

    >>> x = sympy.Symbol("x", positive=True)
    >>> compare(sympy.sin(2 * x), 2 * sympy.sin(x) * sympy.cos(x))
    <Equality.EQUAL: 'equal'>
    """
    if left == right:
        return Equality.EQUAL
    try:
        programs = Program(left), Program(right)
    except Undefined:
        return _compare_symbolically(left, right)
    with _precision:
        found = PointwiseComparison(*programs, domains).decide()
    return found or _compare_symbolically(left, right)


def find_no_value(
    expression: sympy.Expr, domains: Mapping[str, Domain] = _NONE_DECLARED
) -> Literal["", "zero", "undefined"]:
    """
    Whether an expression is zero, or has no finite value, whatever its symbols are.

    >>> x = sympy.Symbol("x", positive=True)
    >>> find_no_value(sympy.sin(x) ** 2 + sympy.cos(x) ** 2 - 1), find_no_value(sympy.ln(x))
    ('zero', '')
    """
    try:
        programs = Program(expression), Program(sympy.S.Zero)
    except Undefined:
        return "undefined"
    with _precision:
        found = PointwiseComparison(*programs, domains).decide()
    if found is None:
        return "undefined"
    return "zero" if found is Equality.EQUAL else ""


class PointwiseComparison:
    """Two compiled expressions, compared point by point."""

    def __init__(
        self, left: Program, right: Program, domains: Mapping[str, Domain] = _NONE_DECLARED
    ) -> None:
        self.left = left
        self.right = right
        self.symbols = sorted({*left.symbols, *right.symbols})
        self.domains = {name: domains.get(name, POSITIVE) for name in self.symbols}
        self.real_points = 0
        self.complex_points = 0
        self.complex_differences = 0

    def decide(self) -> Equality | None:
        """Draw points until they settle it; None if they do not."""
        wanted = self._count_points_wanted()
        for count, point in enumerate(self._draw_points()):
            with mpmath.workprec(PRECISIONS[0]):
                agrees, is_real = self._compare_at(point)
            if agrees is None:
                continue
            if is_real:
                if not agrees:
                    return Equality.DIFFERENT
                self.real_points += 1
            else:
                self.complex_points += 1
                self.complex_differences += not agrees
            if self.real_points >= wanted:
                return Equality.EQUAL
            if (
                not self.real_points
                and self.complex_points >= wanted
                and (count >= MOST_COMPLEX_POINTS or not self.symbols)
            ):
                return Equality.DIFFERENT if self.complex_differences else Equality.EQUAL
        return None

    def _count_points_wanted(self) -> int:
        """Count the points at which they must agree: of a few whole numbers, no more than all."""
        sizes = [domain.size for domain in self.domains.values()]
        all_points = math.prod(size for size in sizes if size is not None)
        return GOOD_POINTS if None in sizes else min(GOOD_POINTS, all_points)

    def _draw_points(self) -> Iterator[dict[str, object]]:
        declared = {name: one for name, one in self.domains.items() if one != POSITIVE}
        keys = (self.left.keys + self.right.keys + (repr(declared) if declared else "")).encode()
        source = random.Random(int.from_bytes(hashlib.sha256(keys).digest()[:8], "big"))
        drawn: set[tuple[object, ...]] = set()
        for count in range(MOST_POINTS if self.symbols else 1):
            # Wider and wider, so that domains such as a > 3b are met.
            width = 1 + count % 4
            point = {name: one.draw(source, width) for name, one in self.domains.items()}
            # Whole numbers come again; at the same point nothing new is seen.
            if (values := tuple(point.values())) not in drawn:
                drawn.add(values)
                yield point

    def _compare_at(self, point: dict[str, object]) -> tuple[bool | None, bool]:
        """Whether the values agree (None: cannot be told), and whether both are real."""
        for precision in PRECISIONS:
            try:
                with mpmath.workprec(precision):
                    left, right = self.left.run(point), self.right.run(point)
                    agrees = _agree(left, right)
            except Imprecise:
                continue
            except Undefined:
                break
            if agrees is not None:
                is_real = all(isinstance(side[0], mpmath.mpf) for side in (left, right))
                return agrees, is_real
        return None, False


def _agree(left: Estimate, right: Estimate) -> bool | None:
    """Compare two values as far as their errors allow."""
    difference = abs(left[0] - right[0])
    error = max(left[1], right[1]) + 2
    if difference and error < mpmath.mp.mag(difference) - 8:
        return False
    size = max(abs(left[0]), abs(right[0]))
    known = mpmath.mp.mag(size) - error if size else EXACT
    if known >= AGREEMENT:
        return True
    # Both are nothing but their error: zero, once that is small beyond accident.
    if mpmath.mp.prec == PRECISIONS[-1] and error < -PRECISIONS[1]:
        return True
    return True if error < EXACT // 2 else None


def _compare_symbolically(left: sympy.Expr, right: sympy.Expr) -> Equality:
    difference = left - right
    if not is_simplifiable(difference):
        return Equality.UNDECIDED
    difference = sympy.simplify(difference)
    if difference == 0:
        return Equality.EQUAL
    if difference.is_zero is False:
        return Equality.DIFFERENT
    return Equality.UNDECIDED
