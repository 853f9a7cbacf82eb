r"""
Which member of a chain is its value, and what stands left of it: the rules S1 to S8, R3 and R7.

Members are compared by value with one another, so they are read here, each in the standard reading
of its notation.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

import mpmath
import sympy

from phybench_grader.equality.equality import Equality, compare
from phybench_grader.numbers.estimates import Imprecise, Undefined
from phybench_grader.numbers.evaluation import Program
from phybench_grader.numbers.sentences import Sentence
from phybench_grader.reading.formulas import list_formulas
from phybench_grader.reading.lexer import Token
from phybench_grader.reading.names import Declared
from phybench_grader.reading.reading import Finding, Side, Unreadable
from phybench_grader.reading.rules import KNOWN_CONSTANTS
from phybench_grader.reading.vocabulary import (
    ANNOUNCING_PHRASES,
    ANNOUNCING_WORDS,
    APPROXIMATIONS,
    ARROWS,
    CHANGING_WORDS,
    EQUALITIES,
)
from phybench_grader.statement.definitions import Definition, read_equations
from phybench_grader.statement.members import Value, list_names, read_euler, read_tokens
from phybench_grader.statement.phrases import Kind, is_remark
from phybench_grader.statement.pieces import Known
from phybench_grader.statement.sides import (
    Fit,
    asks_for,
    fit,
    is_doubtful_name,
    name_combination,
    read_side,
)
from phybench_grader.statement.sorting import refuse_relation
from phybench_grader.statement.statement import Chain, Clause, is_valuing
from phybench_grader.statement.units import cut_unit, is_measure, is_rescaling

_ROUNDED = 0.03
"""Share by which a rounded member may differ from an exact one."""
_SHOWN = 120
"""Characters of a condition that are shown."""


@dataclass(frozen=True, slots=True)
class Sought:
    """What is asked for, and the problem's symbols, as far as either is known."""

    asked: Side | None = None
    known: Known = field(default_factory=Known)
    key: sympy.Expr | None = None
    """The value of the key, beside which an answer is read."""

    @property
    def key_names(self) -> frozenset[str]:
        """The names of the key's symbols."""
        return frozenset(list_names(self.key)) if self.key is not None else frozenset()

    @property
    def is_number(self) -> bool:
        """Whether the key is a number."""
        return self.key is not None and not self.key.free_symbols


@dataclass(frozen=True, slots=True)
class Other:
    """Tokens that may be meant instead, with the kind of doubt."""

    kind: str
    tokens: tuple[Token, ...]
    doubt: str = ""
    """Why a person must say so, if they have the key's value."""


@dataclass(slots=True)
class Selection:
    """What is graded of a statement, and what was found around it."""

    value: Value
    side: Side | None = None
    is_open: bool = False
    """Whether nothing tells if what stands left is what is asked for."""
    others: list[Other] = field(default_factory=list)
    definitions: list[Definition] = field(default_factory=list)
    """What the statement says of symbols that the problem lacks."""
    findings: list[Finding] = field(default_factory=list)
    conditions: tuple[str, ...] = ()
    doubt: str = ""
    """What was cut off and may change the value."""
    fits: Fit | None = None
    """Whether its left side is what is asked for; None where it has none."""

    def leave(self, said: str) -> None:
        """Leave it to a person, for what is said, unless it is already."""
        self.doubt = self.doubt or said


class Chains:
    """Reads the chains of one text."""

    def __init__(self, text: str, declared: Declared, sought: Sought) -> None:
        self.text = text
        self.declared = declared
        self.sought = sought
        self.known = sought.known
        self.defined: set[str] = set()
        """The names of the symbols that the text defines."""

    def read_side(self, member: Sequence[Token], words: str = "") -> Side:
        return read_side(self.text, member, self.declared, self.known, words)

    def select_from(self, clause: Clause) -> Selection:
        """Select the member of one clause that is its value."""
        chain = clause.chain
        words = chain.words.words if chain.words is not None else ""
        if chain.is_bare:
            if words and not self._announces(words) and clause.opener is not Kind.FORM:
                assert chain.words is not None
                raise Unreadable("words", chain.words.start, chain.words.end)
            selection = self._pick(chain, 0, len(chain.members), first_relation=0)
            self._add_part_readings(selection, clause)
            return selection
        if not chain.is_equation:
            raise refuse_relation(self.text, chain)
        end, remark = self._find_remark(chain)
        first = self._find_asked(chain, end)
        if not chain.members[first] and not words:
            selection = self._pick(chain, 1, end, first_relation=1)
        else:
            side = self.read_side(chain.members[first], words)
            is_arrow = chain.relations[0].sign in ARROWS
            if is_arrow and (not side.is_single or _has_charges(chain)):
                raise refuse_relation(self.text, chain)
            selection = self._pick_beside(chain, side, end, first)
            if first:
                self._weigh_before(selection, chain, first)
        selection.findings += remark
        return selection

    def _find_asked(self, chain: Chain, end: int) -> int:
        r"""Find where in a chain the asked name stands: `\beta = v(\omega) = …`; else the first."""
        if self.sought.asked is None or not self.sought.asked.is_single:
            return 0
        for place in range(1, end - 1):
            side = self.read_side(chain.members[place])
            if side.name and fit(side, self.sought.asked, self.declared.domains) is Fit.SAME:
                return place
        return 0

    def _weigh_before(self, selection: Selection, chain: Chain, first: int) -> None:
        r"""Doubt a value if another stands before its name: `\sqrt{gh} = v = \sqrt{2gh}`."""
        for member in chain.members[:first]:
            side = self.read_side(member)
            if side.expression is None or side.is_single:
                continue
            one = selection.value.expression
            if compare(side.expression, one, self.declared.domains) is Equality.DIFFERENT:
                selection.leave(self.show(chain.start, chain.end))

    def _find_remark(self, chain: Chain) -> tuple[int, list[Finding]]:
        """Find how many members count: what `> 0` or `\\ll 1` says behind them is a remark."""
        for place, relation in enumerate(chain.relations[1:], start=1):
            if not is_valuing(relation.sign) or relation.sign in ARROWS:
                note = Sentence.of("remark_left_out", text=self.show(relation.start, chain.end))
                return place + 1, [Finding("remark", note, relation.start, chain.end)]
        return len(chain.members), []

    def _pick_beside(self, chain: Chain, side: Side, end: int, first: int) -> Selection:
        """Pick a value, and say what becomes of what stands left of it."""
        asked, domains = self.sought.asked, self.declared.domains
        place = chain.start, chain.relations[first].end
        start = first + 1
        if not side.is_single:
            if asked is not None and end == len(chain.members):
                last = self.read_side(chain.members[-1])
                if fit(last, asked, domains) is Fit.SAME:
                    selection = self._pick(chain, 0, end - 1, first_relation=0)
                    selection.side, selection.fits = last, Fit.SAME
                    self._note_name(selection, (chain.relations[-1].start, chain.end))
                    return selection
            if self._is_unnamed(chain) or self._has_only_decimals(chain, end):
                return self._pick(chain, 0, end, first_relation=0)
        fits = fit(side, asked, domains)
        if fits in (Fit.OPEN, Fit.OTHER) and self._is_asked_in_words(side):
            fits = Fit.SAME
        if fits is Fit.OTHER:
            raise Unreadable("other_quantity", *place)
        selection = self._pick(chain, start, end, first_relation=start)
        selection.side, selection.fits = side, fits
        selection.is_open = fits is Fit.OPEN
        if side.is_single:
            if is_doubtful_name(side, asked, self.known, self.sought.key):
                selection.leave(self.show(*place))
            self._note_name(selection, place)
        else:
            code = "last_side_read" if fits is Fit.OPEN else "quantity_left_out"
            kind = "equation" if fits is Fit.OPEN else "label"
            selection.findings.append(Finding(kind, Sentence(code), *place))
        return selection

    def _is_asked_in_words(self, side: Side) -> bool:
        """Whether the statement asks for this product or ratio, or equates it to what is asked."""
        if side.is_single or side.expression is None:
            return False
        statement = self.declared.question.told
        if self.sought.asked is None:
            kind = name_combination(side.expression)
            return bool(kind) and asks_for(statement, kind)
        return any(self._equal(side.expression, one) for one in self._list_equated(statement))

    def _list_equated(self, statement: str) -> Iterator[sympy.Expr]:
        """List what the formulas of a statement equate to the asked name."""
        assert self.sought.asked is not None
        for formula in list_formulas(statement):
            for one in read_equations(formula, self.declared):
                if one.name == self.sought.asked.name:
                    yield one.value

    def _note_name(self, selection: Selection, place: tuple[int, int]) -> None:
        is_other = selection.fits is Fit.RENAMED
        note = Sentence("other_name_left_out" if is_other else "name_left_out")
        selection.findings.append(Finding("label", note, *place))

    def _is_unnamed(self, chain: Chain) -> bool:
        """Whether a chain begins with a value: its first two members are equal, or nearly."""
        try:
            first, second = (
                read_tokens(self.text, cut_unit(self.text, member, self.known)[0], self.declared)
                for member in chain.members[:2]
            )
        except Unreadable:
            return False
        one, other = read_euler(first.expression), second.expression
        if self._equal(one, other):
            return True
        is_rounded = chain.relations[0].sign in APPROXIMATIONS or not one.free_symbols
        return is_rounded and _is_near(one, other)

    def _has_only_decimals(self, chain: Chain, end: int) -> bool:
        r"""Whether only decimals with units follow a value in symbols: `\frac{E}{2} = 13.6` eV."""
        if self.sought.key is None or self.sought.is_number:
            return False
        return all(
            is_measure(self.text, member, self.known)
            and cut_unit(self.text, member, self.known)[1] is not None
            for member in chain.members[1:end]
        )

    def _announces(self, words: str) -> bool:
        """Whether words only say that an answer follows: `The speed is`."""
        found = [word.strip(":.,*") for word in words.lower().split()]
        found = [word for word in found if word]
        if not found or not CHANGING_WORDS.isdisjoint(found):
            return False
        if found[-1] in ANNOUNCING_WORDS or " ".join(found[-2:]) in ANNOUNCING_PHRASES:
            return True
        if words.rstrip().endswith((":", "：")):
            return True
        return any(found[-1].endswith(word) for word in ANNOUNCING_WORDS if not word.isascii())

    def _pick(self, chain: Chain, start: int, end: int, *, first_relation: int) -> Selection:
        """Pick the last exact member in the problem's symbols, else the last."""
        nearly = self._find_approximation(chain, first_relation)
        exact: list[int] = []
        after: list[int] = []
        rough: list[int] = []
        for place in range(start, end):
            group = rough
            if not is_measure(self.text, chain.members[place], self.known):
                group = exact if place < nearly else after
            group.append(place)
        number = self._find_number(chain, exact + after, rough)
        pool = [number] if number is not None else exact or after or rough
        values = self._read_members(chain, pool)
        fitting = [place for place, value in values.items() if self.is_known(value)]
        chosen = fitting[-1] if fitting else list(values)[-1]
        selection = Selection(values[chosen])
        selection.doubt = self._doubt_unit(values[chosen])
        if end - start > 1:
            code = "last_side_read" if chosen == len(chain.members) - 1 else "member_read"
            selection.findings.append(Finding("equation", Sentence(code), chain.start, chain.end))
        if exact and number is None:
            self._weigh_approximations(selection, chain, after)
        if number in exact:
            self._weigh_decimals(selection, chain, rough)
        self._weigh_definition(selection, chosen, values, chain)
        self._note_disagreement(selection, chosen, values, chain)
        if chain.rest is not None:
            said = self.show(chain.rest.start, chain.end)
            before = self.text[: chain.rest.start].rstrip()[-1:]
            if not is_remark(self.text[chain.rest.start : chain.end], before):
                selection.leave(said)
            note = Sentence.of("remark_left_out", text=said)
            selection.findings.append(Finding("remark", note, chain.rest.start, chain.end))
        return selection

    def is_known(self, value: Value) -> bool:
        """Whether a value has only symbols of the problem, or such as are defined."""
        return self.known.holds(list_names(value.expression) - KNOWN_CONSTANTS - self.defined)

    def _find_number(self, chain: Chain, exact: Sequence[int], rough: Sequence[int]) -> int | None:
        """Find the number in a chain where the key is one: an exact one, else a decimal."""
        is_asked = self.sought.is_number or self._ends_in_number(chain, rough)
        if not is_asked or len(exact) + len(rough) < 2:
            return None
        for places in (exact, rough):
            for place in reversed(places):
                tokens, unit = cut_unit(self.text, chain.members[place], self.known)
                value = self.try_to_read(tokens) if unit is None else None
                if value is not None and not value.free_symbols:
                    return place
        return None

    def _ends_in_number(self, chain: Chain, rough: Sequence[int]) -> bool:
        r"""Whether a key ends in a number: `\frac{l_1}{l_2} = \frac{T_1}{T_2} = 0.5`."""
        last = len(chain.members) - 1
        if self.sought.key is not None or rough[-1:] != [last] or len(chain.members) < 3:
            return False
        is_equal = chain.relations[-1].sign in EQUALITIES
        return is_equal and not self.read_side(chain.members[0]).is_single

    def _weigh_approximations(
        self, selection: Selection, chain: Chain, after: Sequence[int]
    ) -> None:
        """Leave to a person which of two symbolic values with a ≈ between them is the answer."""
        one = selection.value.expression
        for place in after:
            value = self.try_to_read(chain.members[place])
            if value is not None and value.free_symbols and not self._equal(value, one):
                said = self.show(chain.relations[place - 1].start, chain.end)
                selection.leave(said)
                selection.others.append(Other("member", chain.members[place], said))

    def _weigh_decimals(self, selection: Selection, chain: Chain, rough: Sequence[int]) -> None:
        """Doubt an exact number that a decimal beside it misses by more than its last digit."""
        for place in rough:
            tokens, unit = cut_unit(self.text, chain.members[place], self.known)
            decimals = [len(one.text.partition(".")[2]) for one in tokens if "." in one.text]
            value = self.try_to_read(tokens) if unit is None and decimals else None
            if value is not None and not value.free_symbols:
                difference = sympy.Abs(value - selection.value.expression).evalf()
                if difference > sympy.Integer(10) ** -max(decimals):
                    selection.leave(self.show(chain.start, chain.end))

    def try_to_read(self, tokens: Sequence[Token]) -> sympy.Expr | None:
        """Read tokens as a value, if they are one."""
        try:
            return read_tokens(self.text, tokens, self.declared).expression
        except Unreadable:
            return None

    def _equal(self, one: sympy.Expr, other: sympy.Expr) -> bool:
        return compare(one, other, self.declared.domains) is Equality.EQUAL

    def _find_approximation(self, chain: Chain, first: int) -> int:
        """Find the first member behind a ≈."""
        for place, relation in enumerate(chain.relations):
            if relation.sign in APPROXIMATIONS or relation.sign in ARROWS:
                return place + 1
        return len(chain.members)

    def _read_members(self, chain: Chain, pool: Sequence[int]) -> dict[int, Value]:
        """Read members; the last of them must be readable, of the others only what can be."""
        values: dict[int, Value] = {}
        refused: Unreadable | None = None
        for place in reversed(pool):
            tokens, unit = cut_unit(self.text, chain.members[place], self.known)
            try:
                value = read_tokens(self.text, tokens, self.declared)
            except Unreadable as unreadable:
                if not values and (place == pool[-1] or refused is None):
                    if unreadable.reason != "units" or place == pool[0]:
                        raise
                    refused = unreadable
                continue
            if unit is not None and (value.expression.free_symbols or self._is_radian(unit)):
                note = Sentence.of("unit_left_out", unit=self.show(unit.start, unit.end))
                found = Finding("units", note, unit.start, unit.end)
                value = replace(value, findings=(*value.findings, found))
            elif unit is not None:
                raise Unreadable("units", unit.start, unit.end)
            values[place] = value
        return dict(sorted(values.items()))

    def _is_radian(self, unit: Token) -> bool:
        """Whether a unit is that of angles, which is none."""
        return re.search(r"rad(?:ians?)?\W*\Z", self.text[unit.start : unit.end]) is not None

    def _doubt_unit(self, value: Value) -> str:
        """Return the unit that was cut off a value, if it is not of the size asked for."""
        for finding in value.findings:
            unit = self.show(finding.start, finding.end)
            is_told = self.sought.key is not None
            if finding.code == "units" and is_told and is_rescaling(unit, self.known.unit):
                return unit
        return ""

    def _weigh_definition(
        self, selection: Selection, chosen: int, values: Mapping[int, Value], chain: Chain
    ) -> None:
        r"""Leave to a person what goes on in other symbols than the key's: `mgh = \frac12 mv^2`."""
        names = self.sought.key_names
        if not names or list_names(values[chosen].expression) <= names:
            return
        for place, value in values.items():
            if place < chosen and list_names(value.expression) <= names:
                said = self.show(chain.start, chain.end)
                selection.others.append(Other("member", chain.members[place], said))

    def _note_disagreement(
        self, selection: Selection, chosen: int, values: Mapping[int, Value], chain: Chain
    ) -> None:
        one = selection.value.expression
        domains = self.declared.domains
        for place, value in values.items():
            if place == chosen or not self.known.holds(
                list_names(value.expression) - KNOWN_CONSTANTS
            ):
                continue
            if compare(value.expression, one, domains) is Equality.DIFFERENT:
                if self.sought.key is not None and value.expression.is_Symbol:
                    # `E = m = x` gives another quantity the value.
                    selection.leave(self.show(chain.start, chain.end))
                note = Sentence("members_disagree")
                found = Finding("members_disagree", note, chain.start, chain.end)
                selection.findings.append(found)
                return

    def _add_part_readings(self, selection: Selection, clause: Clause) -> None:
        """A letter in brackets in front is a part's label or a factor."""
        tokens = selection.value.tokens
        if clause.label_tokens:
            selection.others.append(Other("part", (*clause.label_tokens, *tokens)))
        elif clause.suspected:
            selection.others.append(Other("part", tokens[clause.suspected :]))

    def show(self, start: int, end: int) -> str:
        """Show a piece of the text in a note."""
        shown = " ".join(self.text[start:end].split())
        shown = shown.removeprefix("(").strip(" ,;")
        return shown if len(shown) <= _SHOWN else shown[:_SHOWN] + "…"


def _has_charges(chain: Chain) -> bool:
    r"""Whether the members are particles with charges: `\mu^- \to e^- + \nu`."""
    return any(
        one.kind == "^" and other.kind in ("+", "-")
        for member in chain.members
        for one, other in pairwise(member)
    )


def _is_near(one: sympy.Expr, other: sympy.Expr) -> bool:
    """Whether two expressions differ by a few per cent at some points, whatever is rounded."""
    names = sorted(list_names(one) | list_names(other))
    for step in (1, 2):
        point = {name: mpmath.mpf(2 * place + step + 1) / 3 for place, name in enumerate(names)}
        try:
            (first, _), (second, _) = Program(one).run(point), Program(other).run(point)
        except (Undefined, Imprecise):
            return False
        if abs(first - second) > _ROUNDED * abs(second):
            return False
    return True
