"""
Whether two expressions are equal, decided by their values.

Both are evaluated at random points of their symbols' domains: positive reals, unless declared, at
small, ordinary and large scales. One point at which they surely differ settles that they are
different; enough points at which they agree to 50 digits settle that they are equal.

A point is good where every step of both is real, and what is added is still seen in the sum: where
a term is lost in another, two expressions may well differ by it.
"""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Iterable, Iterator, Mapping
from enum import Enum
from itertools import islice
from typing import Literal

import mpmath
import sympy

from phybench_grader.equality.regions import Regions
from phybench_grader.equality.tree import is_simplifiable
from phybench_grader.numbers.domains import POSITIVE, Domain
from phybench_grader.numbers.estimates import EXACT, Estimate, Imprecise, Undefined, Unreal
from phybench_grader.numbers.evaluation import Program
from phybench_grader.numbers.limits import MAX_COMPARISON_WORK
from phybench_grader.numbers.space import ALL_POSITIVE, Draws, Point, Space
from phybench_grader.reading.reading import Reading

GOOD_POINTS = 6
"""Points at which two expressions must agree to count as equal."""
SCALED_POINTS = 2
"""How many of them must lie at small or large scales, where any good point does."""
MORE_POINTS = 12
"""As many must they be where an expression may have several regions."""
MOST_WANTED = 40
"""As many must they be where what stands under a root is nowhere negative: is it a square?"""
QUIET_POINTS = 8
"""Of these the last ones must have brought no new region."""
PATIENCE = 40
"""Points drawn before good ones at ordinary scales will do."""
MOST_IN_VAIN = 800
"""Points drawn without a good one before complex values are compared."""
DEPTH = 16
"""Points drawn before more digits are taken to see what is lost in sums."""
PRECISIONS = (250, 600, 1_500)
"""Bits (75 digits and more) to work with, the next ones where digits get lost."""
WORK = {250: 1, 600: 2, 1_500: 5}
"""How much more a step is at each precision."""
AGREEMENT = 170
"""Bits (50 digits) to which two values must agree."""
MARGIN = 130
"""Bits to work with beyond those of the long numbers that an expression is written with."""


_precision = threading.Lock()
"""mpmath's working precision belongs to the whole process: one comparison at a time sets it."""


class Equality(Enum):
    """Whether two expressions are equal, as far as it can be told."""

    EQUAL = "equal"
    DIFFERENT = "different"
    UNDECIDED = "undecided"


def compare(
    left: sympy.Expr, right: sympy.Expr, space: Space | Mapping[str, Domain] = ALL_POSITIVE
) -> Equality:
    """
    Compare two expressions at all points of a space: all positive ones, if nothing is said.

    >>> x = sympy.Symbol("x", positive=True)
    >>> compare(sympy.sin(2 * x), 2 * sympy.sin(x) * sympy.cos(x))
    <Equality.EQUAL: 'equal'>
    """
    space = Space.of(space)
    if space.given:
        left, right = left.xreplace(space.given), right.xreplace(space.given)
    if left == right:
        return Equality.EQUAL
    try:
        program = Program(left, right)
    except Undefined:
        return _compare_symbolically(left, right)
    with _precision:
        comparison = PointwiseComparison(program, space)
        found = comparison.decide()
    if found is None and comparison.is_nowhere:
        return Equality.UNDECIDED
    return found or _compare_symbolically(left, right)


def compare_readings(answer: Reading, reference: Reading, space: Space) -> Equality:
    """Compare two readings, whose symbols are drawn in the order in which they are written."""
    ordered = space.in_order(reference.order, answer.order)
    return compare(answer.expression, reference.expression, ordered)


def find_no_value(
    expression: sympy.Expr, space: Space | Mapping[str, Domain] = ALL_POSITIVE
) -> Literal["", "zero", "undefined"]:
    """
    Whether an expression is zero, or has no finite value, whatever its symbols are.

    >>> x = sympy.Symbol("x", positive=True)
    >>> find_no_value(sympy.sin(x) ** 2 + sympy.cos(x) ** 2 - 1), find_no_value(sympy.ln(x))
    ('zero', '')
    """
    space = Space.of(space)
    try:
        program = Program(expression.xreplace(space.given), sympy.S.Zero)
    except Undefined:
        return "undefined"
    with _precision:
        comparison = PointwiseComparison(program, space)
        found = comparison.decide()
    if found is None:
        return "" if comparison.has_values else "undefined"
    return "zero" if found is Equality.EQUAL else ""


class PointwiseComparison:
    """Two expressions, compiled together, compared point by point."""

    def __init__(self, program: Program, space: Space) -> None:
        self.program = program
        self.draws = Draws(space, program.symbols)
        self.regions = Regions(program, space.domains)
        self.needed = program.bits + MARGIN
        """Bits without which the numbers that it is written with are not seen whole."""
        enough = tuple(bits for bits in PRECISIONS if bits >= self.needed)
        self.precisions = enough or PRECISIONS[-1:]
        self.good: list[Point] = []
        self.has_values = False
        self.is_nowhere = True
        """Whether no point was drawn at all, for none meets the conditions."""
        self._work = 0
        self._drawn = 0
        self._scaled = 0
        self._unreal = 0
        self._newest = 0
        self._met: set[tuple[bool, ...]] = set()

    def decide(self) -> Equality | None:
        """Draw points until they settle it; None if they do not."""
        if (points := self.draws.list_all()) is not None:
            return self._compare_at_all(points)
        found = self._compare_at_each(self._draw_points())
        has_edges = self.regions.has_switches or self._may_have_squares()
        if found is Equality.EQUAL and has_edges:
            found = self._compare_at_edges() or found
        if found is None and not self.good:
            found = self._compare_complex_values(point for point, _ in self._draw_points())
        return found

    def _compare_at_all(self, points: list[Point]) -> Equality | None:
        """Compare at all points there are, with as many digits as it takes."""
        self._drawn = DEPTH
        found = self._compare_at_each((point, False) for point in points)
        if found is None and self.good:
            return Equality.EQUAL
        return found or self._compare_complex_values(points)

    def _draw_points(self) -> Iterator[tuple[Point, bool]]:
        # The first point is the same for all expressions, for most that differ do so there. What
        # the others are nobody knows before both are written.
        yield from islice(self.draws.draw(b""), 1)
        yield from self.draws.draw(self._fingerprint())

    def _fingerprint(self) -> bytes:
        """
        Describe both expressions in a few bytes, the same ones in every process.

        Without signs, for SymPy makes `a - b` of `b - a` where names are in another order.
        """
        numbers = {name: str(number) for number, name in enumerate(self.draws.names)}
        prints: list[bytes] = []
        for head, inputs in self.program.steps:
            if inputs:
                below = [prints[place] for place in inputs]
                if head is not sympy.Pow:
                    below = sorted(one for one in below if one)
                if head is sympy.Mul and len(below) == 1:
                    prints.append(below[0])
                    continue
                parts = [head.__name__.encode(), *below]
            elif isinstance(head, sympy.Symbol):
                parts = [b"symbol", numbers[head.name].encode()]
            elif (number := str(abs(head))) == "1":
                prints.append(b"")
                continue
            else:
                parts = [number.encode()]
            prints.append(hashlib.blake2b(b"|".join(parts), digest_size=16).digest())
        sides = sorted(prints[place] for place in self.program.results)
        declared = [repr(one) for one in self.draws.domains.values() if one != POSITIVE]
        return b"|".join([*sides, *(one.encode() for one in declared)])

    def _compare_at_each(self, points: Iterable[tuple[Point, bool]]) -> Equality | None:
        for point, is_scaled in points:
            agrees = self._compare_at(point)
            if agrees is False:
                return Equality.DIFFERENT
            self._drawn += 1
            if agrees:
                self._scaled += is_scaled
                if self._is_enough():
                    return Equality.EQUAL
            if self._work > MAX_COMPARISON_WORK or (self._drawn > MOST_IN_VAIN and not self.good):
                return None
        return None

    def _is_enough(self) -> bool:
        count = len(self.good)
        if count < GOOD_POINTS or (self._scaled < SCALED_POINTS and self._drawn < PATIENCE):
            return False
        if self.regions.has_switches:
            return count >= MORE_POINTS and count - self._newest >= QUIET_POINTS
        # A sum under a root that is negative nowhere may be a square, and the root of it another
        # on each side of zero.
        return not self._may_have_squares() or count >= MOST_WANTED

    def _may_have_squares(self) -> bool:
        return bool(self.regions.roots) and not self._unreal

    def _compare_at(self, point: Point) -> bool | None:
        """Whether the values agree; None where that can't be told, or the point is not good."""
        self.is_nowhere = False
        for precision in self.precisions:
            work = self.program.work * WORK[precision]
            self._work += work
            try:
                with mpmath.workprec(precision):
                    values = self.program.trace(point, self.regions.real)
                    agrees = _agree(*(values[place] for place in self.program.results))
                    self.has_values = True
                    is_lost = agrees and (precision < self.needed or self.program.loses(values))
            except Unreal as unreal:
                self._work += min(unreal.place, work) - work
                self._unreal += 1
                return None
            except Imprecise:
                continue
            except Undefined:
                return None
            if is_lost and self._drawn < DEPTH:
                return None
            if agrees is not None and not is_lost:
                if agrees:
                    self._keep(point, values)
                return agrees
        return None

    def _keep(self, point: Point, values: list[Estimate]) -> None:
        self.good.append(point)
        region = self.regions.describe(values)
        if region not in self._met:
            self._met.add(region)
            self._newest = len(self.good)

    def _compare_at_edges(self) -> Equality | None:
        for point in self.regions.list_edges(self.good, self.draws):
            if self._work > MAX_COMPARISON_WORK:
                break
            if self._compare_at(point) is False:
                return Equality.DIFFERENT
        return None

    def _compare_complex_values(self, points: Iterable[Point]) -> Equality | None:
        """Compare on the principal branch, where there are no points at which all is real."""
        self._work = 0
        self._drawn = DEPTH
        self.regions.real = frozenset()
        for point in points:
            if self._compare_at(point) is False:
                return Equality.DIFFERENT
            if len(self.good) >= MORE_POINTS or self._work > MAX_COMPARISON_WORK:
                break
        return Equality.EQUAL if self.good else None


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
