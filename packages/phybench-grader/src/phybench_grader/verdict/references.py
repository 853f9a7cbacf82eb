r"""
A reference as it is graded by: its standard reading, the other ones, and what makes it none.

A key that states how quantities go together gives no value: of `x^2 + y^2 = R^2` the right side is
not what was asked for. A name, a ratio, a function or a difference of one letter is (rule R8).
"""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass
from functools import lru_cache

import sympy

from phybench_grader.equality.equality import Equality, compare_readings
from phybench_grader.numbers.sentences import Sentence
from phybench_grader.numbers.symbols import name_in_latex
from phybench_grader.reading.conditions import list_faults, read_space
from phybench_grader.reading.question import Question
from phybench_grader.reading.reading import JudgeError, Reading, Side, Unreadable
from phybench_grader.reading.rules import KNOWN_CONSTANTS
from phybench_grader.reading.usage import beside
from phybench_grader.statement.answer import list_choices, list_readings
from phybench_grader.statement.members import is_exponential, list_names
from phybench_grader.statement.response import find_answer
from phybench_grader.statement.sides import asks_for, name_combination

_DERIVATIVE = re.compile(r"d?dot\{")
_LETTER = re.compile(r"(?:[a-z]+\{)?\\?([A-Za-z]+).*", re.DOTALL)
"""The letter of a name: of `bar{P}_0(t)` the P."""
_BLANK = re.compile(r"[\s{}$]|\\[,;:! ]|\\left|\\right")


@dataclass(frozen=True, slots=True)
class ReadReference:
    """A reference as it was read; its notes name it."""

    reading: Reading
    latex: str
    notes: tuple[Sentence, ...]
    others: tuple[Reading, ...] = ()
    """What else its notation may mean, where that has another value."""


@lru_cache(maxsize=512)
def read_reference(text: str, declared: Question) -> ReadReference:
    """Read a reference, as it stands, in its standard reading. Raises `JudgeError`."""
    try:
        choices = [
            (reading, places)
            for reading, places in list_choices(find_answer(text), declared=declared)
            # Where nothing says that an i is the imaginary unit, nobody means it.
            if all(kind != "i" for kind, _ in places)
        ]
        readings = [reading for reading, _ in choices]
        if is_exponential(readings[0].expression):
            euler = [one for one, places in choices if {kind for kind, _ in places} == {"e"}]
            readings = [*euler[:1], *(one for one in readings if one not in euler[:1])]
        if is_relation(readings[0], declared):
            raise Unreadable("equation", 0, len(text))
    except Unreadable as unreadable:
        message = Sentence.of("reference_unreadable", message=unreadable.message)
        raise JudgeError("reference_unreadable", message) from None
    reading = readings[0]
    space = read_space(declared)
    others = tuple(
        other
        for other in readings[1:]
        # What is zero whatever its symbols are can be no key.
        if not other.expression.is_zero
        and compare_readings(other, reading, space) is not Equality.EQUAL
    )
    notes = [Sentence.of("of_reference", note=note) for note in reading.notes]
    if others:
        notes.append(Sentence("reference_ambiguous"))
    notes += list_faults(declared)
    return ReadReference(reading, reading.latex, tuple(notes), others)


@dataclass(frozen=True, slots=True)
class Readings:
    """What an answer and a reference may mean, in LaTeX without another reading."""

    answer: tuple[str, ...] = ()
    reference: tuple[str, ...] = ()


def list_readings_of(answer: str, reference: str, *, declared: Collection[str] = ()) -> Readings:
    r"""
    List the readings of an answer, or of a whole response, and of its reference by value.

    What can't be read has none.

    >>> found = list_readings_of("1/2a", r"\ln x^2")
    >>> found.answer
    ('\\left(1/2\\right)a', '1/\\left(2a\\right)')
    >>> found.reference
    ('\\ln\\left(x^{2}\\right)', '\\left(\\ln\\left(x\\right)\\right)^{2}')
    """
    question = Question.of(declared)
    try:
        found = read_reference(reference, question)
    except JudgeError:
        key: list[Reading] = []
        against = None
    else:
        key, against = [found.reading, *found.others], found.reading
    different: list[Reading] = []
    try:
        told = beside(question, find_answer(reference))
        for one in list_readings(find_answer(answer), declared=told, beside=against):
            if all(
                compare_readings(one, known, read_space(question)) is not Equality.EQUAL
                for known in different
            ):
                different.append(one)
    except Unreadable:
        pass
    return Readings(*(tuple(one.bracketed for one in side) for side in (different, key)))


def is_relation(reading: Reading, question: Question) -> bool:
    r"""
    Whether what stands left of a key's value makes it a relation between quantities.

    >>> from phybench_grader import read
    >>> texts = (r"\ddot x + \omega^2 x = 0", "x^2 + y^2 = R^2", "S_D - S_A = k", "y^2 = 2ax")
    >>> [is_relation(read(text), Question()) for text in texts]
    [True, True, False, False]
    """
    side = reading.side
    if side is None or _is_asked(side, question):
        return False
    codes = {finding.code for finding in reading.findings}
    if reading.expression.is_zero and "members_disagree" in codes:
        # `F = ma = 0`
        return True
    named = list_names(reading.expression)
    if side.is_single:
        spelled = {re.sub(r"[{}\s]", "", name_in_latex(name)) for name in named}
        return "".join(side.signs) in spelled
    if side.expression is None:
        return r"\frac" in side.signs and not {"d", r"\partial"}.isdisjoint(side.signs)
    left = list_names(side.expression)
    if any(_DERIVATIVE.match(name) for name in left):
        return True
    if _compares_like(side.expression):
        return False
    one = side.expression
    is_zero = reading.expression.is_zero or one.is_zero
    is_sum = one.is_Add and not _adds_number(one)
    is_law = _is_law(one, named) and not _asks_for(one, question)
    return bool(is_zero or is_sum or is_law or (left and left <= named))


def _is_law(left: sympy.Expr, named: Collection[str]) -> bool:
    """Whether it is a product of unlike quantities, a reciprocal, or a ratio to one at right."""
    above, below = left.as_numer_denom()
    if below.free_symbols:
        # `V_1/T_1 = V_2/T_2` has the same letters on both sides.
        letters, others = (
            {_LETTER.sub(r"\1", name) for name in names} for names in (list_names(left), named)
        )
        is_same = len(letters) > 1 and letters == others
        return not above.free_symbols or is_same or not list_names(left).isdisjoint(named)
    return left.is_Mul and len(list_names(left) - KNOWN_CONSTANTS) > 1


def _asks_for(expression: sympy.Expr, question: Question) -> bool:
    kind = name_combination(expression)
    return bool(kind) and asks_for(question.told, kind)


def _is_asked(side: Side, question: Question) -> bool:
    """Whether a problem asks for what stands left, or has it in its statement as it stands."""
    signs = "".join(side.signs)
    told = (question.asked, question.statement)
    return len(side.signs) > 1 and any(signs in _BLANK.sub("", text) for text in told if text)


def _compares_like(expression: sympy.Expr) -> bool:
    """Whether it is a sum, a difference or a ratio of quantities that have one letter."""
    parts = sympy.Add.make_args(expression)
    if len(parts) == 1:
        parts = sympy.Mul.make_args(expression)
    symbols = [symbol for part in parts for symbol in part.free_symbols]
    letters = {_LETTER.sub(r"\1", symbol.name) for symbol in symbols}
    is_plain = all(part.free_symbols and _is_plain(part) for part in parts)
    return is_plain and len(parts) > 1 and len(letters) == 1


def _is_plain(part: sympy.Expr) -> bool:
    return bool(part.is_Symbol or (-part).is_Symbol or (1 / part).is_Symbol)


def _adds_number(expression: sympy.Expr) -> bool:
    """Whether it is one quantity and a number, as in `\\gamma - 1`."""
    others = [part for part in expression.args if part.free_symbols]
    return len(others) == 1 and _is_plain(others[0])
