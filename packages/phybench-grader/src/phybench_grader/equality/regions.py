"""
Where an expression is another one: the regions that its absolute values, roots and the like make.

Between such places an expression is one analytic function, and what agrees with another at a few
points of chance agrees with it all over. Each region needs points of its own.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import mpmath
import sympy

from phybench_grader.numbers.domains import POSITIVE, Domain
from phybench_grader.numbers.estimates import Estimate, Undefined, Value
from phybench_grader.numbers.evaluation import Program
from phybench_grader.numbers.space import Draws, Point

MOST_TURNS = 8
"""Signs that tell regions apart; of more only the first are looked at."""
_SEARCH_PRECISION = 80
_STEPS = (0.3, 0.7, 1.5, 3.0, 6.0, 12.0, 25.0, 50.0, 100.0, 200.0)
"""How far to look for a change of sign, in powers of two, to both sides."""
_HALVINGS = 60
_DISTANCES = (4, 12, 24, 40)
"""How near to a change of sign to go, in powers of one half, on both sides."""

_EVEN = (sympy.Abs, sympy.cosh, sympy.sech, sympy.exp, sympy.acos, sympy.acosh)
"""Functions that are positive wherever they are real."""
_ODD = (sympy.sinh, sympy.tanh, sympy.asinh, sympy.atan, sympy.csch, sympy.coth)
"""Functions with the sign of their argument."""
_ANALYTIC = frozenset(
    {
        sympy.Add, sympy.Mul, sympy.exp, sympy.sin, sympy.cos, sympy.tan, sympy.cot, sympy.sec,
        sympy.csc, sympy.sinh, sympy.cosh, sympy.tanh, sympy.coth, sympy.sech, sympy.csch,
        sympy.asinh, sympy.gamma, sympy.factorial,
    }
)  # fmt: skip
"""Functions that are one and the same wherever they are finite."""


class Regions:
    """
    What tells the regions of compiled expressions apart.

    Attributes:
        real: the steps whose values must be real where a point is to be good: all those into which
            no imaginary unit goes.
        roots: the sums under roots and in logarithms of which it does not show whether they are
            ever negative; if none is, one may be a square.
        has_switches: whether there may be more than one region where all is real.
        turns: the steps whose signs tell the regions apart, the outermost first.
    """

    def __init__(self, program: Program, domains: Mapping[str, Domain]) -> None:
        self.program = program
        self._signs: list[int | None] = []
        imaginary: set[int] = set()
        for place, (head, inputs) in enumerate(program.steps):
            if head == sympy.I or not imaginary.isdisjoint(inputs):
                imaginary.add(place)
            is_real = place not in imaginary
            self._signs.append(self._find_sign(head, inputs, domains) if is_real else None)
        self.real = frozenset(range(len(program.steps))) - imaginary
        self.roots: list[int] = []
        self.has_switches = False
        turns: dict[int, None] = {}
        for place in reversed(range(len(program.steps))):
            for cause in self._list_causes(*program.steps[place]):
                self.has_switches = True
                turns.update(dict.fromkeys(self._list_turns(cause)))
        self.turns = tuple(turns)[:MOST_TURNS]

    def _find_sign(
        self, head: object, inputs: Sequence[int], domains: Mapping[str, Domain]
    ) -> int | None:
        """Find the sign that a step has at all real points, as far as it shows."""
        if not inputs:
            if isinstance(head, sympy.Symbol):
                return _find_sign_of_domain(domains.get(head.name, POSITIVE))
            return -1 if getattr(head, "is_negative", False) else 1
        signs = [self._signs[place] for place in inputs]
        if head is sympy.Pow:
            exponent = self.program.parts[inputs[1]]
            if signs[0] == 1 or (exponent.is_Rational and not exponent.is_odd):
                return 1
            return signs[0] if exponent.is_Integer else None
        if head in _EVEN:
            return 1
        if head in _ODD:
            return signs[0]
        if head is sympy.Add:
            return signs[0] if len(set(signs)) == 1 else None
        if head is sympy.Mul and None not in signs:
            return -1 if signs.count(-1) % 2 else 1
        return None

    def _list_causes(self, head: object, inputs: Sequence[int]) -> Iterator[int]:
        """List the arguments of a step at whose change of sign, or beyond, it is another one."""
        if not inputs or head in _ANALYTIC:
            return
        if head is sympy.Pow:
            exponent = self.program.parts[inputs[1]]
            if exponent.is_Integer:
                return
            yield from self._list_causes_of_root(inputs[0])
            if not exponent.is_Rational and self._signs[inputs[0]] == -1:
                yield inputs[1]
        elif head is sympy.log:
            yield from self._list_causes_of_root(inputs[0])
        elif head is sympy.Abs or head is sympy.sign:
            if self._signs[inputs[0]] is None:
                yield inputs[0]
        else:
            yield from inputs

    def _list_causes_of_root(self, base: int) -> Iterator[int]:
        """A sum under a root only bounds it; a square or several factors have sides."""
        factors = list(self._list_factors(base))
        if not factors:
            return
        if len(factors) > 1 or factors[0][1]:
            for factor, _ in factors:
                yield factor
        else:
            self.roots.append(factors[0][0])

    def _list_factors(self, place: int, is_even: bool = False) -> Iterator[tuple[int, bool]]:
        """List the factors of either sign, and which of them stand in an even power."""
        head, inputs = self.program.steps[place]
        if head is sympy.Mul:
            for one in inputs:
                yield from self._list_factors(one, is_even)
        elif head is sympy.Pow and (exponent := self.program.parts[inputs[1]]).is_Integer:
            yield from self._list_factors(inputs[0], is_even or bool(exponent.is_even))
        elif self._signs[place] is None:
            yield place, is_even

    def _list_turns(self, cause: int) -> Iterator[int]:
        """List what has either sign in an argument: sums, symbols and functions."""
        waiting = [cause]
        while waiting:
            place = waiting.pop(0)
            head, inputs = self.program.steps[place]
            if self._signs[place] is None and head not in (sympy.Mul, sympy.Pow):
                yield place
            waiting.extend(inputs)

    def describe(self, values: Sequence[Estimate]) -> tuple[bool, ...]:
        """Tell the region of a point from the values of all steps there."""
        found = []
        for place in self.turns:
            value = values[place][0]
            found.append(not isinstance(value, mpmath.mpc) and value > 0)
        return tuple(found)

    def list_edges(self, points: Sequence[Point], draws: Draws) -> Iterator[Point]:
        """
        List points close to where the signs change, on both sides.

        From the points given one symbol is moved at a time: thin regions lie along such places.
        What changes its sign nowhere on such a way may do so close to where it is least or largest.
        """
        for count, place in enumerate((*self.turns, *self.roots[:MOST_TURNS])):
            part = self.program.parts[place]
            turning = Program(part)
            start = points[count % len(points)]
            for name in draws.names:
                if name not in turning.symbols or draws.domains[name].is_integer:
                    continue
                edge = _find_edge(turning, start, name) or _find_edge(
                    _derive(part, name), start, name
                )
                for value in edge:
                    moved = {**start, name: value}
                    if draws.domains[name].holds(value) and draws.admits(moved):
                        yield moved


def _find_sign_of_domain(domain: Domain) -> int | None:
    if domain.low is not None and domain.low >= 0:
        return 1
    if domain.high is not None and domain.high <= 0:
        return -1
    return None


def _derive(part: sympy.Basic, name: str) -> Program:
    symbol = next(one for one in part.free_symbols if str(one) == name)
    slope = sympy.diff(part, symbol)
    try:
        return Program(slope)
    except Undefined:
        return Program(sympy.S.One)


def _find_edge(turning: Program, start: Point, name: str) -> list[Value]:
    """Find numbers on both sides of a change of sign, if there is one when a symbol is moved."""
    with mpmath.workprec(_SEARCH_PRECISION):
        here = start[name]
        is_positive = _is_positive(turning, start)
        if is_positive is None or not here:
            return []
        for step in _STEPS:
            for other in (here * mpmath.mpf(2) ** step, here / mpmath.mpf(2) ** step):
                beyond = _is_positive(turning, {**start, name: other})
                if beyond is (not is_positive):
                    return _approach(turning, start, name, other)
    return []


def _is_positive(turning: Program, point: Point) -> bool | None:
    try:
        value = turning.run(point)[0]
    except Undefined:
        return None
    return None if isinstance(value, mpmath.mpc) or not value else bool(value > 0)


def _approach(turning: Program, start: Point, name: str, other: Value) -> list[Value]:
    """Halve the interval down to the change of sign and step away from it on both sides."""
    here = start[name]
    is_positive = _is_positive(turning, start)
    for _ in range(_HALVINGS):
        middle = (here + other) / 2
        if max(here / other, other / here) > 2:
            # Far apart they are halved in powers of two.
            middle = mpmath.sign(here) * mpmath.sqrt(here * other)
        if _is_positive(turning, {**start, name: middle}) is is_positive:
            here = middle
        else:
            other = middle
    return [
        here * (1 + sign * mpmath.ldexp(1, -distance))
        for distance in _DISTANCES
        for sign in (-1, 1)
    ]
