r"""
Examining a reference answer as its author writes it: how it is read, and which rules it breaks.

>>> examined = examine(r"\frac{1}{2} m u^2", statement=r"A ball of mass $m$ flies at $\nu$.")
>>> [rule.code for rule in examined.broken]
['not_introduced']
>>> str(examined.broken[0].message)
'The statement does not introduce $u$, but it does introduce $\\nu$: write the one you mean.'
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import islice

from phybench_grader.equality.equality import Equality, compare_readings, find_no_value
from phybench_grader.numbers.rounded import find_rounded
from phybench_grader.numbers.sentences import RULES, Sentence
from phybench_grader.numbers.space import Space
from phybench_grader.numbers.symbols import name_in_latex
from phybench_grader.reading.conditions import list_faults, read_space
from phybench_grader.reading.formulas import list_formulas
from phybench_grader.reading.lexer import split_tokens
from phybench_grader.reading.lookalikes import (
    describe_meant,
    find_control_characters,
    find_meant,
    list_mixed,
)
from phybench_grader.reading.names import Declared
from phybench_grader.reading.question import Question
from phybench_grader.reading.reading import Reading, Unreadable
from phybench_grader.reading.rules import BrokenRule, list_symbols
from phybench_grader.reading.vocabulary import RELATIONS
from phybench_grader.statement.answer import list_choices, read, select_tokens
from phybench_grader.statement.unknown import list_strange
from phybench_grader.verdict.references import is_relation

_READINGS = 8
_Places = dict[tuple[str, int], tuple[int, int]]
_CONSTANTS = frozenset({"e", "i"})
_CONSTANT_LETTERS = ("e", "i", "f")
"""Letters that are something else where a problem does not have them as symbols."""
_ADVICE = {
    "label": "declare_label",
    "value": "declare_value",
    "special": "name_function",
    "application": "declare_value",
    "sinc": "spell_sinc",
}
"""What makes a notation plain that no brackets do, by its kind of doubt."""
_AROUND = re.compile(r"^(?:[\s$&]|\\[,;:!]|\\q?quad(?![A-Za-z]))+|(?:[\s$&]|\\[,;:!]|\\q?quad)+$")
"""What stands between an expression and what is around it."""
_STATED = frozenset({"definition", "member", "part", "indices"})
"""Doubts about the statement around an expression, not about its notation."""


@dataclass(frozen=True, slots=True)
class Examined:
    """A reference answer as the grader reads it, with the rules that it breaks."""

    reading: Reading | None
    """None for what can't be read; `broken` says why."""
    others: tuple[Reading, ...] = ()
    """Other readings that the notation allows and that have another value."""
    spellings: tuple[str, ...] = ()
    """Of the reading and of the others, where there are some: each as nothing else can be read."""
    broken: tuple[BrokenRule, ...] = ()
    """Rules about the answer that are not kept."""
    doubts: tuple[BrokenRule, ...] = ()
    """Possible slips that break no rule: code `lookalike`."""
    introduced: tuple[str, ...] = ()
    """
    The symbols of the statement that can be declared as they stand, in LaTeX, sorted. Without e and
    i: a problem may have a charge e and an exponential, and its solvers write both.
    """

    latex: str = ""
    """The reading in SymPy's order. To write it may take long, so it is written here."""
    alone: str = ""
    """The expression as it is typed, where more than it is: a name before “=”, a remark."""

    @property
    def readings(self) -> list[tuple[Reading, str]]:
        """The reading and the others, each with its plain spelling."""
        if self.reading is None:
            return []
        return list(zip((self.reading, *self.others), self.spellings, strict=False))


def examine(
    answer: str,
    *,
    statement: str = "",
    declared: Collection[str] = (),
    is_declaring_enough: bool = True,
) -> Examined:
    """
    Read a reference answer and check it against every rule.

    Args:
        declared: the problem's symbols in LaTeX, as names or as a mapping to their domains.
        is_declaring_enough: whether a symbol that is declared counts as introduced, though the
            statement does not mention it. It does not where solvers see the statement alone.
    """
    introduced = list_symbols(statement, declared=declared)
    symbols = declare_introduced(introduced, declared)
    names = Declared(symbols)
    control = tuple(
        BrokenRule("control_character", message, start, end)
        for start, end, message in find_control_characters(answer)
    )
    to_declare = list_symbols(statement, declared=declared, counts_upright=False) - _CONSTANTS
    # Of a value such as U(r) the function is declared.
    to_declare = {name.partition("(")[0] for name in to_declare}
    in_latex = tuple(sorted(map(name_in_latex, to_declare)))
    try:
        readings = list(islice(list_choices(answer, declared=symbols), _READINGS))
    except Unreadable as unreadable:
        place = unreadable.start, unreadable.end
        why = BrokenRule(unreadable.reason, unreadable.message, *place)
        # What is left of an eaten escape is why it can't be read.
        return Examined(None, broken=control or (why,), introduced=in_latex)
    standard = readings[0][0]
    if control:
        # Whatever else may be said is about letters that were not meant.
        return Examined(standard, broken=control, introduced=in_latex)
    broken = _list_findings(standard)
    rest = _find_rest(answer, names)
    if rest is not None and not broken:
        broken.append(rest)
    space = read_space(symbols)
    faults = list_faults(symbols)
    broken += [BrokenRule("condition", fault, 0, len(answer)) for fault in faults]
    # Where no values meet the conditions, that is all there is to say of its value.
    if not faults and (no_value := find_no_value(standard.expression, space)):
        broken.append(BrokenRule(no_value, Sentence(no_value), 0, len(answer)))
    elif not standard.expression.free_symbols:
        broken.append(BrokenRule("without_symbol", Sentence("without_symbol"), 0, len(answer)))
    broken += [
        BrokenRule("rounded", Sentence.of("is_it_exact", number=number), start, end)
        for start, end, number in find_rounded(answer)
    ]
    others = _list_different(readings, space)
    if others:
        broken.append(_describe_ambiguity(standard, *others[0]))
    if not others and _is_read_otherwise_by_graders(answer, standard, declared):
        broken.append(BrokenRule("ambiguous", Sentence("constant_or_symbol"), 0, len(answer)))
    if statement.strip():
        known = introduced | (names.names if is_declaring_enough else set())
        broken += _list_unknown_symbols(answer, standard, known)
    formulas = " ".join(list_formulas(statement))
    doubts = tuple(
        BrokenRule("lookalike", message, start, end)
        for start, end, message in list_mixed(answer, formulas)
    )
    different = tuple(other for other, _ in others)
    spellings = _spell([standard, *different], symbols) if others else ()
    return Examined(
        standard,
        different,
        spellings,
        tuple(broken),
        doubts,
        in_latex,
        standard.latex,
        alone=_find_alone(answer, standard, names) if rest is not None else "",
    )


def _find_rest(answer: str, declared: Declared) -> BrokenRule | None:
    """Find what is typed before or behind the expression: it stands alone in a reference."""
    every, kept = split_tokens(answer)[:-1], select_tokens(answer, declared)[:-1]
    before = [token for token in every if token.start < kept[0].start and token.kind != "{"]
    behind = [token for token in every if token.start >= kept[-1].end and token.kind not in "}.,;"]
    rest = before or behind
    if not rest:
        return None
    is_equation = any(token.text in RELATIONS for token in rest if token.kind != "letter")
    code = "equation" if is_equation else "words"
    return BrokenRule(code, Sentence(code), rest[0].start, rest[-1].end)


def _find_alone(answer: str, reading: Reading, declared: Declared) -> str:
    """Find the expression alone, if it then is the same, and if the key states no relation."""
    if is_relation(reading, declared.question):
        return ""
    every, kept = split_tokens(answer), select_tokens(answer, declared)[:-1]
    start = max((one.end for one in every if one.end <= kept[0].start), default=0)
    end = min(one.start for one in every if one.start >= kept[-1].end)
    alone = _AROUND.sub("", answer[start:end])
    try:
        again = read(alone, declared=declared.question)
        is_alone = _find_rest(alone, declared) is None
    except Unreadable:
        return ""
    return alone if is_alone and again.expression == reading.expression else ""


def _spell(readings: Sequence[Reading], declared: Question) -> tuple[str, ...]:
    """Spell each reading so that it has no other; "" where brackets and signs can't do that."""
    space = read_space(declared)
    spellings = []
    for reading in readings:
        try:
            again = list(islice(list_choices(reading.bracketed, declared=declared), _READINGS))
        except Unreadable:
            again = []
        is_plain = bool(again) and all(
            compare_readings(one, reading, space) is Equality.EQUAL for one, _ in again
        )
        spellings.append(reading.bracketed if is_plain else "")
    return tuple(spellings)


def _is_read_otherwise_by_graders(
    answer: str, standard: Reading, declared: Collection[str]
) -> bool:
    """Whether without the statement, which solvers' graders don't read, it is another."""
    graders = read(answer, declared=declared)
    return (
        graders.expression != standard.expression
        and compare_readings(graders, standard, read_space(declared)) is not Equality.EQUAL
    )


def check_reference(
    answer: str, *, statement: str = "", declared: Collection[str] = ()
) -> list[BrokenRule]:
    r"""
    List the rules that a reference answer breaks; none means it can be submitted.

    >>> [rule.code for rule in check_reference("y^2 = 0.5x")]
    ['equation', 'float']
    """
    return list(examine(answer, statement=statement, declared=declared).broken)


def list_different_readings(text: str, *, declared: Collection[str] = ()) -> list[Reading]:
    r"""
    List the standard reading of a text and those others that have another value.

    Raises `Unreadable`.

    >>> [reading.latex for reading in list_different_readings(r"1/2\pi")]
    ['\\frac{\\pi}{2}', '\\frac{1}{2 \\pi}']
    """
    readings = list(islice(list_choices(text, declared=declared), _READINGS))
    others = _list_different(readings, read_space(declared))
    return [readings[0][0], *(other for other, _ in others)]


def declare_introduced(introduced: Collection[str], declared: Collection[str]) -> Question:
    """Add to the declared symbols the letters that mean something else unless introduced."""
    letters = [letter for letter in _CONSTANT_LETTERS if letter in introduced]
    return Question.of(declared).including(letters)


def _list_findings(reading: Reading) -> list[BrokenRule]:
    # In an answer the terms of higher order are left out; a reference says what it is.
    codes = [("dots" if one.code == "order" else one.code, one) for one in reading.findings]
    return [
        BrokenRule(code, Sentence(code), finding.start, finding.end)
        for code, finding in codes
        if code in RULES
    ]


def _list_different(
    readings: list[tuple[Reading, _Places]], space: Space
) -> list[tuple[Reading, _Places]]:
    """List the readings that have another value than those before them."""
    different = readings[:1]
    for other, places in readings[1:]:
        # What is zero whatever its symbols are can be no key: nobody means `x^1 0` by `x^10`.
        if not other.expression.is_zero and all(
            compare_readings(other, known, space) is not Equality.EQUAL for known, _ in different
        ):
            different.append((other, places))
    return different[1:]


def _describe_ambiguity(standard: Reading, other: Reading, places: _Places) -> BrokenRule:
    start = min(start for _, start in places)
    end = max(end for _, end in places.values())
    kinds = {kind for kind, _ in places}
    advice = Sentence("add_brackets")
    if kinds <= _STATED:
        advice = Sentence("write_one")
    elif kinds <= {"e", "i"}:
        advice = Sentence.of("introduce_letter", letter=min(kinds))
    elif len(kinds) == 1 and min(kinds) in _ADVICE:
        advice = Sentence(_ADVICE[min(kinds)])
    message = Sentence.of(
        "two_readings", one=standard.bracketed, other=other.bracketed, advice=advice
    )
    return BrokenRule("ambiguous", message, start, end)


def _list_unknown_symbols(answer: str, reading: Reading, known: set[str]) -> list[BrokenRule]:
    broken = []
    for name in sorted(list_strange(reading, known)):
        latex = name_in_latex(name)
        message = Sentence.of("symbol_not_introduced", symbol=latex)
        if (meant := find_meant(name, known)) is not None:
            message = describe_meant(name, meant)
        start = max(answer.find(latex.partition("_")[0]), 0)
        broken.append(BrokenRule("not_introduced", message, start, start + 1))
    return broken
