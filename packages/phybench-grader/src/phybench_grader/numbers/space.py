"""
Where two expressions are compared: what their symbols may be, and how points of that are drawn.

Nothing here depends on what a symbol is called. Points are drawn symbol by symbol in the order in
which they are first written, so that other names for them lead to the same points.
"""

from __future__ import annotations

import hashlib
import math
import operator
import random
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import product

import mpmath
import sympy

from phybench_grader.numbers.domains import POSITIVE, Domain
from phybench_grader.numbers.estimates import Undefined, Value
from phybench_grader.numbers.evaluation import Program

Point = dict[str, Value]
MOST_POINTS = 3_000
"""Points drawn before giving up on finding good ones."""
MOST_DRAWN = 8_000
"""As many may be drawn where conditions rule most of them out."""
_MOST_LISTED = 64
"""Points of a few whole numbers that are all looked at, not drawn."""
_CONDITION_PRECISION = 80
_LEAST_SCALE, _SCALE, _LARGEST_SCALE = 5, 16, 200
"""Powers of two by which symbols are moved: to this at first, and in the end to the last."""

RELATIONS: Mapping[str, Callable[[Value, Value], bool]] = {
    "<": operator.lt,
    ">": operator.gt,
    "<=": operator.le,
    ">=": operator.ge,
    "!=": operator.ne,
}
"""What may stand between two sides of a condition."""


@dataclass(frozen=True, slots=True)
class Condition:
    """A relation that holds between two expressions."""

    left: sympy.Expr
    relation: str
    right: sympy.Expr


@dataclass(frozen=True, slots=True)
class Space:
    """
    The domains of symbols by name, conditions between them, and their order.

    What is in no `domains` is positive. What is not in the `order` comes after it, by name. Symbols
    that equations give have their value in `given`, written without any such symbol.
    """

    domains: Mapping[str, Domain] = field(default_factory=dict)
    conditions: tuple[Condition, ...] = ()
    given: Mapping[sympy.Symbol, sympy.Expr] = field(default_factory=dict)
    order: tuple[str, ...] = ()

    @classmethod
    def of(cls, given: Space | Mapping[str, Domain]) -> Space:
        """Make it of domains alone."""
        return given if isinstance(given, Space) else cls(given)

    def in_order(self, *orders: Collection[str]) -> Space:
        """Take the symbols in the order of the first text, then of the next."""
        return replace(self, order=tuple(dict.fromkeys(name for one in orders for name in one)))

    def list_names(self, names: Collection[str]) -> list[str]:
        """List symbols with those that they have conditions with, in the order of the space."""
        related = [*self.given.values(), *(condition.left for condition in self.conditions)]
        related += [condition.right for condition in self.conditions]
        symbols = {symbol for one in related for symbol in one.free_symbols}
        wanted = {*names, *(symbol.name for symbol in symbols.difference(self.given))}
        known = [name for name in self.order if name in wanted]
        return known + sorted(wanted.difference(known))


ALL_POSITIVE = Space()
"""Where nothing is said of any symbol."""


class Draws:
    """Draws points of a space for some symbols; `unmet` are points drawn where it has none."""

    def __init__(self, space: Space, names: Collection[str]) -> None:
        self.names = space.list_names(names)
        self.domains = {name: space.domains.get(name, POSITIVE) for name in self.names}
        symbols = _list_interchangeable(space, self.domains)
        self._given = [
            (symbol.name, space.domains.get(symbol.name, POSITIVE), Program(value))
            for symbol, value in space.given.items()
        ]
        self._orders = [
            (RELATIONS[one.relation], one.left.name, one.right.name)
            for one in space.conditions
            if one.left in symbols and one.right in symbols
        ]
        self._checks = [
            (RELATIONS[one.relation], Program(one.left, one.right)) for one in space.conditions
        ]

    def draw(self, seed: bytes) -> Iterator[tuple[Point, bool]]:
        """
        Draw different points, every second one at other scales, and say which is such a one.

        Symbols are moved to smaller and larger scales each by itself, further as time goes by.
        """
        source = random.Random(int.from_bytes(hashlib.sha256(seed).digest()[:8], "big"))
        drawn: set[tuple[Value, ...]] = set()
        for count in range(MOST_DRAWN if self._checks or self._given else MOST_POINTS):
            point = self._put_in_order(self._draw_point(source, count))
            # Whole numbers come again; at the same point nothing new is seen.
            if (values := tuple(point.values())) not in drawn and self.admits(point):
                drawn.add(values)
                yield point, bool(count % 2)

    def list_all(self) -> list[Point] | None:
        """List all points where they are a few, as where there are no symbols; else None."""
        sizes = [domain.size for domain in self.domains.values()]
        if math.prod(_MOST_LISTED + 1 if size is None else size for size in sizes) > _MOST_LISTED:
            return None
        ranges = [domain.list_all() for domain in self.domains.values()]
        points = [dict(zip(self.names, values, strict=True)) for values in product(*ranges)]
        return [point for point in points if self.admits(point)]

    def _draw_point(self, source: random.Random, count: int) -> Point:
        # Wider and wider, so that domains such as a > 3b are met.
        width = 1 + count // 2 % 4
        reach = min(_SCALE + count // 4, _LARGEST_SCALE) if count % 2 else 0
        point = {}
        for name, domain in self.domains.items():
            side = source.randint(-1, 1) if reach else 0
            scale = side * source.randint(_LEAST_SCALE, reach) if side else 0
            point[name] = domain.draw(source, width, scale)
        return point

    def _put_in_order(self, point: Point) -> Point:
        """Let symbols change places that are drawn the wrong way round: `a < b < c < d`."""
        for _ in self._orders:
            for holds, left, right in self._orders:
                if not holds(point[left], point[right]):
                    point[left], point[right] = point[right], point[left]
        return point

    def admits(self, point: Point) -> bool:
        """Whether the conditions hold at a point, and what equations give lies in its domain."""
        if not (self._given or self._checks):
            return True
        point = {**point}
        try:
            with mpmath.workprec(_CONDITION_PRECISION):
                for name, domain, program in self._given:
                    point[name] = program.run(point)[0]
                    if not domain.holds(point[name]):
                        return False
                for holds, program in self._checks:
                    values = program.trace(point)
                    left, right = (values[place][0] for place in program.results)
                    if isinstance(left, mpmath.mpc) or isinstance(right, mpmath.mpc):
                        return False
                    if not holds(left, right):
                        return False
        except Undefined:
            return False
        return True


def _list_interchangeable(space: Space, domains: Mapping[str, Domain]) -> set[sympy.Symbol]:
    """List the symbols in conditions that may have one another's values: the positive ones."""
    sides = {side for one in space.conditions for side in (one.left, one.right)}
    return {one for one in sides if one.is_Symbol and domains.get(one.name) == POSITIVE}
