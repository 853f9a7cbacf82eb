r"""
Values of an answer and of its reference beside each other, for a person who looks at both.

Points are drawn as those are at which equality is decided, and rounded to the digits that are
shown, so that whoever does the sums by hand comes to the same numbers.

>>> [point] = compare_values("2 m g h", "m g h", most=1).points
>>> point.ratio, point.agrees
('2', False)
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

import mpmath
import sympy

from phybench_grader.equality.equality import AGREEMENT, PRECISIONS
from phybench_grader.numbers.estimates import EXACT, Estimate, Imprecise, Undefined, Value
from phybench_grader.numbers.evaluation import Program
from phybench_grader.numbers.space import Draws, Point, Space
from phybench_grader.numbers.symbols import name_in_latex
from phybench_grader.reading.conditions import read_space
from phybench_grader.reading.question import Question
from phybench_grader.reading.reading import Reading
from phybench_grader.reading.usage import beside
from phybench_grader.statement.answer import list_readings, read
from phybench_grader.statement.response import find_answer, locate_answer

POINTS = 5
_DIGITS = 4
_MOST_DRAWN = 400
"""Points drawn before it is said that there is none at which both have a value."""
_FIXED_FROM, _FIXED_TO = -3, 5
"""Powers of ten between which a number is written out."""


@dataclass(frozen=True, slots=True)
class PointValues:
    """What both come to at one point; numbers and symbols are LaTeX."""

    symbols: tuple[tuple[str, str], ...]
    reference: str
    answer: str
    ratio: str
    """The answer divided by the reference; "" where that is zero."""
    difference: str
    """The answer less the reference."""
    agrees: bool | None
    """Whether they agree to 50 digits; None where that can't be told."""


@dataclass(frozen=True, slots=True)
class Values:
    """An answer beside its reference; `reason` says why where there are no points."""

    answer: str
    """As it was read, in LaTeX."""
    points: tuple[PointValues, ...] = ()
    reason: Literal["", "no_point", "not_computed"] = ""
    """`no_point`: nowhere have both a value; `not_computed`: one has what has no values here."""


def compare_values(
    answer: str,
    reference: str,
    *,
    declared: Collection[str] = (),
    read_as: str = "",
    most: int = POINTS,
) -> Values:
    """
    Evaluate an answer, or the boxed one of a response, and its reference at a few points.

    Raises `Unreadable` where one of them is.

    Args:
        read_as: the LaTeX of the reading that is meant, where there are several.
    """
    question = Question.of(declared)
    told = find_answer(reference)
    against = read(told, declared=question)
    readings = list_readings(
        locate_answer(answer).text, declared=beside(question, told), beside=against
    )
    found = next(readings)
    if read_as and found.latex != read_as:
        found = next((one for one in readings if one.latex == read_as), found)
    return _evaluate(found, against, read_space(question), most)


def _evaluate(answer: Reading, reference: Reading, space: Space, most: int) -> Values:
    ordered = space.in_order(reference.order, answer.order)
    sides = answer.expression, reference.expression
    names = {symbol.name for side in sides for symbol in side.free_symbols}
    try:
        program = Program(*(side.xreplace(space.given) for side in sides))
    except Undefined:
        return Values(answer.latex, reason="not_computed")
    given = {symbol: value for symbol, value in space.given.items() if symbol.name in names}
    draws = Draws(ordered, program.symbols)
    # On the principal branch only where there are no points at which both are real.
    real: list[PointValues] = []
    others: list[PointValues] = []
    for point in _list_points(draws, most):
        if (values := _find_values(program, point)) is not None:
            is_real = not any(isinstance(value, mpmath.mpc) for value, _error in values)
            if is_real or len(others) < most:
                (real if is_real else others).append(_write_point(point, given, values))
        if len(real) == most:
            break
    points = tuple(real or others)
    return Values(answer.latex, points, "" if points else "no_point")


def _list_points(draws: Draws, most: int) -> Iterator[Point]:
    """List points at ordinary scales, and at other ones where too few of those have values."""
    if (listed := draws.list_all()) is not None:
        yield from listed
        return
    scaled: list[Point] = []
    for count, (point, is_scaled) in enumerate(draws.draw(b"")):
        if is_scaled:
            scaled.append(point)
        else:
            yield _round(point, draws)
        if count == _MOST_DRAWN:
            break
    yield from scaled[: most * 10]


def _round(point: Point, draws: Draws) -> Point:
    """Round a point to the digits that are shown, where that leaves it in the space."""
    with mpmath.workprec(PRECISIONS[0]):
        rounded = {name: mpmath.mpf(mpmath.nstr(value, _DIGITS)) for name, value in point.items()}
    holds = all(draws.domains[name].holds(value) for name, value in rounded.items())
    return rounded if holds and draws.admits(rounded) else point


def _find_values(program: Program, point: Point) -> tuple[Estimate, Estimate] | None:
    """Evaluate both with as many digits as it takes; None where one has no value."""
    for precision in PRECISIONS:
        try:
            with mpmath.workprec(precision):
                values = program.trace(point)
        except Imprecise:
            continue
        except Undefined:
            return None
        answer, reference = (values[place] for place in program.results)
        return answer, reference
    return None


def _write_point(
    point: Point, given: Mapping[sympy.Symbol, sympy.Expr], values: tuple[Estimate, Estimate]
) -> PointValues:
    known = dict(point)
    answer, reference = values
    with mpmath.workprec(PRECISIONS[-1]):
        for symbol, value in given.items():
            known[symbol.name] = Program(value).run(point)[0]
        agrees = _agree(answer, reference)
        difference = mpmath.mpf(0) if agrees else answer[0] - reference[0]
        return PointValues(
            tuple((name_in_latex(name), write_number(value)) for name, value in known.items()),
            reference=write_number(reference[0]),
            answer=write_number(answer[0]),
            ratio=_write_ratio(answer[0], reference[0], difference),
            difference=write_number(difference),
            agrees=agrees,
        )


def _agree(answer: Estimate, reference: Estimate) -> bool | None:
    difference = abs(answer[0] - reference[0])
    error = max(answer[1], reference[1]) + 2
    if difference and mpmath.mag(difference) > error + 8:
        return False
    size = max(abs(answer[0]), abs(reference[0]))
    known = mpmath.mag(size) - error if size else -error
    return True if known >= AGREEMENT or error <= EXACT // 2 else None


def _write_ratio(answer: Value, reference: Value, difference: Value) -> str:
    if not reference:
        return ""
    beyond = difference / reference
    if not beyond:
        return "1"
    if abs(beyond) < 10.0**-_DIGITS and not isinstance(beyond, mpmath.mpc):
        # 1.000 would say that they are the same.
        return f"1 {'-' if beyond < 0 else '+'} {write_number(abs(beyond))}"
    return write_number(answer / reference)


def write_number(value: Value) -> str:
    r"""
    Write a number in LaTeX, to four digits.

    >>> write_number(mpmath.mpf(3)), write_number(mpmath.mpf("0.12347"))
    ('3', '0.1235')
    >>> write_number(mpmath.mpf("-1.5e-7")), write_number(mpmath.mpc(1, -2.5))
    ('-1.500 \\times 10^{-7}', '1 - 2.500\\,\\mathrm{i}')
    """
    if isinstance(value, mpmath.mpc):
        if not value.imag:
            return write_number(value.real)
        sign = "-" if value.imag < 0 else "+"
        imaginary = rf"{write_number(abs(value.imag))}\,\mathrm{{i}}"
        return f"{write_number(value.real)} {sign} {imaginary}" if value.real else imaginary
    if value == mpmath.nint(value) and abs(value) < 10**_DIGITS:
        return str(int(value))
    written = mpmath.nstr(
        value, _DIGITS, strip_zeros=False, min_fixed=_FIXED_FROM, max_fixed=_FIXED_TO
    )
    digits, _sign, power = written.partition("e")
    return rf"{digits} \times 10^{{{int(power)}}}" if power else digits.rstrip(".")
