r"""
What of a statement is graded, and what is left out: the rules S1 to S13 of `docs/grading.md`.

What stands left is compared by value with what is asked for, members of a chain with one another:
so they are read here, each in the standard reading of its notation.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

import mpmath
import sympy

from phybench_grader.equality.equality import Equality, compare
from phybench_grader.numbers.estimates import Imprecise, Undefined
from phybench_grader.numbers.evaluation import Program
from phybench_grader.numbers.sentences import Sentence
from phybench_grader.reading.formulas import list_formulas
from phybench_grader.reading.lexer import Token, split_tokens
from phybench_grader.reading.names import Declared
from phybench_grader.reading.reading import Finding, Side, Unreadable
from phybench_grader.reading.rules import KNOWN_CONSTANTS
from phybench_grader.reading.stream import CLOSERS
from phybench_grader.reading.vocabulary import (
    ANNOUNCING_PHRASES,
    ANNOUNCING_WORDS,
    APPROXIMATIONS,
    ARROWS,
    CHANGING_WORDS,
    EQUALITIES,
    LIMIT_WORDS,
)
from phybench_grader.statement.clause_book import NOTES, ClauseKind
from phybench_grader.statement.definitions import Definition, read_definition, read_equations
from phybench_grader.statement.members import Value, list_names, read_euler, read_tokens
from phybench_grader.statement.phrases import WORD, Kind, is_changing, is_remark
from phybench_grader.statement.pieces import Known, match_brackets
from phybench_grader.statement.sides import (
    Fit,
    asks_for,
    fit,
    is_doubtful_name,
    name_combination,
    name_quantity,
    read_side,
)
from phybench_grader.statement.sorting import Sorted, refuse_relation, refuse_several, sort_clauses
from phybench_grader.statement.stated import is_prose, says_no_answer
from phybench_grader.statement.statement import (
    Chain,
    Clause,
    close_off,
    drop_empty_groups,
    is_valuing,
    split_clauses,
    unwrap,
)
from phybench_grader.statement.units import cut_unit, is_measure, is_rescaling, spell_indices

_ROUNDED = 0.03
"""Share by which a rounded member may differ from an exact one."""
_COMPONENT = re.compile(r"(.+)_(?:[xyzrnt]|\{?\\?(?:theta|phi|varphi|rho|perp|parallel)\}?)")
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


@dataclass(slots=True)
class _Pick:
    """What one clause says, or why that can't be read."""

    clause: Clause
    selection: Selection | None = None
    refusal: Unreadable | None = None

    @property
    def fits(self) -> Fit | None:
        return self.selection.fits if self.selection else None


def select(text: str, declared: Declared, sought: Sought) -> Selection:
    """Select what a text says the value is. Raises `Unreadable` where it says none."""
    if says_no_answer(text, declared.names):
        raise Unreadable("no_answer", 0, len(text))
    try:
        return _Selector(text, declared, sought).select()
    except Unreadable:
        if is_prose(text):
            raise Unreadable("no_answer", 0, len(text)) from None
        raise


class _Selector:
    """One pass over the clauses of one text."""

    def __init__(self, text: str, declared: Declared, sought: Sought) -> None:
        self.text = text
        self.declared = declared
        self.sought = sought
        self.known = sought.known
        self.sorted = Sorted()
        self.definitions: list[Definition] = []
        self.cut_off: list[Clause] = []

    def select(self) -> Selection:
        tokens = unwrap(close_off(drop_empty_groups(split_tokens(self.text)[:-1])))
        if len(tokens) == 1:
            raise Unreadable("empty", 0, len(self.text))
        clauses = split_clauses(self.text, tokens, self.known)
        self._refuse_open_bracket(tokens, clauses)
        self.sorted = sort_clauses(self.text, clauses, self.declared, self.known)
        self.definitions = self._read_definitions(self.sorted.definitions)
        kept = self._choose(self._list_picks())
        self._note_around(kept, {clause.label for clause in clauses if clause.label})
        return kept

    @staticmethod
    def _refuse_open_bracket(tokens: Sequence[Token], clauses: Sequence[Clause]) -> None:
        """Refuse a bracket that nothing closes where a statement was parted behind it."""
        parted = [one.start for clause in clauses for one in clause.chain.relations]
        parted += [clause.chain.start for clause in clauses[1:]]
        last = max(parted, default=0)
        closers = match_brackets(tokens) if parted else {}
        for place, token in enumerate(tokens):
            if token.kind in CLOSERS and place not in closers and token.start < last:
                raise Unreadable("bracket", token.start, token.end)

    def _read_side(self, member: Sequence[Token], words: str = "") -> Side:
        return read_side(self.text, member, self.declared, self.known, words)

    # --- Which member of a chain ----------------------------------------------------------------

    def _select_from(self, clause: Clause) -> Selection:
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
            side = self._read_side(chain.members[first], words)
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
            side = self._read_side(chain.members[place])
            if side.name and fit(side, self.sought.asked, self.declared.domains) is Fit.SAME:
                return place
        return 0

    def _weigh_before(self, selection: Selection, chain: Chain, first: int) -> None:
        r"""Doubt a value if another stands before its name: `\sqrt{gh} = v = \sqrt{2gh}`."""
        for member in chain.members[:first]:
            side = self._read_side(member)
            if side.expression is None or side.is_single:
                continue
            one = selection.value.expression
            if compare(side.expression, one, self.declared.domains) is Equality.DIFFERENT:
                selection.doubt = selection.doubt or self._show(chain.start, chain.end)

    def _find_remark(self, chain: Chain) -> tuple[int, list[Finding]]:
        """Find how many members count: what `> 0` or `\\ll 1` says behind them is a remark."""
        for place, relation in enumerate(chain.relations[1:], start=1):
            if not is_valuing(relation.sign) or relation.sign in ARROWS:
                note = Sentence.of("remark_left_out", text=self._show(relation.start, chain.end))
                return place + 1, [Finding("remark", note, relation.start, chain.end)]
        return len(chain.members), []

    def _pick_beside(self, chain: Chain, side: Side, end: int, first: int) -> Selection:
        """Pick a value, and say what becomes of what stands left of it."""
        asked, domains = self.sought.asked, self.declared.domains
        place = chain.start, chain.relations[first].end
        start = first + 1
        if not side.is_single:
            if asked is not None and end == len(chain.members):
                last = self._read_side(chain.members[-1])
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
                selection.doubt = selection.doubt or self._show(*place)
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
        return any(
            compare(side.expression, one, self.declared.domains) is Equality.EQUAL
            for one in self._list_equated(statement)
        )

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
        if compare(one, other, self.declared.domains) is Equality.EQUAL:
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
        fitting = [place for place, value in values.items() if self._is_known(value)]
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
            said = self._show(chain.rest.start, chain.end)
            before = self.text[: chain.rest.start].rstrip()[-1:]
            if not is_remark(self.text[chain.rest.start : chain.end], before):
                selection.doubt = selection.doubt or said
            note = Sentence.of("remark_left_out", text=said)
            selection.findings.append(Finding("remark", note, chain.rest.start, chain.end))
        return selection

    def _is_known(self, value: Value) -> bool:
        """Whether a value has only symbols of the problem, or such as are defined."""
        defined = {one.name for one in self.definitions}
        return self.known.holds(list_names(value.expression) - KNOWN_CONSTANTS - defined)

    def _find_number(self, chain: Chain, exact: Sequence[int], rough: Sequence[int]) -> int | None:
        """Find the number in a chain where the key is one: an exact one, else a decimal."""
        is_asked = self.sought.is_number or self._ends_in_number(chain, rough)
        if not is_asked or len(exact) + len(rough) < 2:
            return None
        for places in (exact, rough):
            for place in reversed(places):
                tokens, unit = cut_unit(self.text, chain.members[place], self.known)
                if unit is not None:
                    continue
                try:
                    value = read_tokens(self.text, tokens, self.declared)
                except Unreadable:
                    continue
                if not value.expression.free_symbols:
                    return place
        return None

    def _ends_in_number(self, chain: Chain, rough: Sequence[int]) -> bool:
        r"""Whether a key ends in a number: `\frac{l_1}{l_2} = \frac{T_1}{T_2} = 0.5`."""
        last = len(chain.members) - 1
        if self.sought.key is not None or rough[-1:] != [last] or len(chain.members) < 3:
            return False
        is_equal = chain.relations[-1].sign in EQUALITIES
        return is_equal and not self._read_side(chain.members[0]).is_single

    def _weigh_approximations(
        self, selection: Selection, chain: Chain, after: Sequence[int]
    ) -> None:
        """Leave to a person which of two symbolic values with a ≈ between them is the answer."""
        one = selection.value.expression
        for place in after:
            try:
                value = read_tokens(self.text, chain.members[place], self.declared).expression
            except Unreadable:
                continue
            is_equal = compare(value, one, self.declared.domains) is Equality.EQUAL
            if value.free_symbols and not is_equal:
                said = self._show(chain.relations[place - 1].start, chain.end)
                selection.doubt = selection.doubt or said
                selection.others.append(Other("member", chain.members[place], said))

    def _weigh_decimals(self, selection: Selection, chain: Chain, rough: Sequence[int]) -> None:
        """Doubt an exact number that a decimal beside it misses by more than its last digit."""
        for place in rough:
            tokens, unit = cut_unit(self.text, chain.members[place], self.known)
            decimals = [len(one.text.partition(".")[2]) for one in tokens if "." in one.text]
            try:
                value = read_tokens(self.text, tokens, self.declared).expression
            except Unreadable:
                continue
            if unit is None and decimals and not value.free_symbols:
                difference = sympy.Abs(value - selection.value.expression).evalf()
                if difference > sympy.Integer(10) ** -max(decimals):
                    selection.doubt = selection.doubt or self._show(chain.start, chain.end)

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
                note = Sentence.of("unit_left_out", unit=self._show(unit.start, unit.end))
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
            unit = self._show(finding.start, finding.end)
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
                said = self._show(chain.start, chain.end)
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
                    selection.doubt = selection.doubt or self._show(chain.start, chain.end)
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

    # --- Which clause ---------------------------------------------------------------------------

    def _list_picks(self) -> list[_Pick]:
        """List what each clause says that is an answer, its forms settled."""
        clauses = [one for one in self.sorted.answers if not self._is_decimal(one)]
        self.cut_off += [one for one in self.sorted.answers if clauses and one not in clauses]
        groups: list[list[_Pick]] = []
        for clause in clauses or self.sorted.answers:
            if clause.kind is not ClauseKind.FORM or not groups:
                groups.append([])
            groups[-1].append(self._try(clause))
        return [self._settle_forms(group) for group in groups]

    def _is_decimal(self, clause: Clause) -> bool:
        """Whether a clause says only what the value is in numbers, where it is one in symbols."""
        if self.sought.is_number or len(self.sorted.answers) < 2:
            return False
        members = clause.chain.members
        lefts = [one.chain.members[0] for one in self.sorted.answers if one is not clause]
        is_same = len(members) < 2 or any(_spell(one) == _spell(members[0]) for one in lefts)
        return is_same and is_measure(self.text, members[-1], self.known)

    def _try(self, clause: Clause) -> _Pick:
        try:
            return _Pick(clause, self._select_from(clause))
        except Unreadable as unreadable:
            return _Pick(clause, refusal=unreadable)

    def _settle_forms(self, forms: Sequence[_Pick]) -> _Pick:
        """Settle which of the forms of one answer counts: one in the key's symbols."""
        readable = [one for one in forms if one.selection is not None]
        if len(readable) < 2:
            self.cut_off += [one.clause for one in forms if one.selection is None and readable]
            return readable[0] if readable else forms[0]
        readable = [one for one in readable if not _settle(one).is_open] or readable
        names = self.sought.key_names
        in_key = [one for one in readable if names and self._list_names(one) <= names]
        pool = in_key or [one for one in readable if self._is_known(_value(one))] or readable[:1]
        self._require_agreement(pool)
        self.cut_off += [one.clause for one in forms if one is not pool[0]]
        return pool[0]

    def _list_names(self, pick: _Pick) -> set[str]:
        return list_names(_value(pick).expression) - KNOWN_CONSTANTS

    def _choose(self, picks: Sequence[_Pick]) -> Selection:
        """Choose between the answers by their names, then by their values."""
        pool = [one for one in picks if one.fits is Fit.SAME] if self.sought.asked else []
        pool = pool or [one for one in picks if self._is_indexed(one)]
        if any(one.clause.opener is Kind.OR for one in picks) or not pool:
            pool = list(picks)
        pool = self._drop_unreadable(pool)
        kept = _settle(pool[-1])
        if len(pool) > 1:
            if self._agree(pool):
                start, end = pool[0].clause.chain.start, pool[-1].clause.chain.end
                kept.findings.append(Finding("several", Sentence("members_agree"), start, end))
                kept.is_open = any(_settle(one).is_open for one in pool)
                kept.doubt = next((_settle(one).doubt for one in pool if one.selection), "")
            else:
                pool = [self._choose_unequal(pool)]
                kept = _settle(pool[0])
        beside = [one.clause for one in picks if one not in pool]
        for one in picks:
            if one not in pool and one.selection is not None:
                self._weigh_beside(kept, one.selection, one.clause)
        self.cut_off += beside
        self.definitions += self._read_definitions(
            one.chain for one in (*beside, *self.sorted.left) if one.chain.is_equation
        )
        self._look_back(kept, pool[-1].clause.chain)
        return kept

    def _weigh_beside(self, kept: Selection, other: Selection, clause: Clause) -> None:
        """Doubt a value beside which another stands without a name, or with one for the same."""
        name = other.side.name if other.side is not None else ""
        # Words may name it, too: `v = x, \text{speed} = y`.
        own = _name_of(kept) or (self.sought.asked.name or "" if self.sought.asked else "")
        is_of_same = not name or name_quantity(name) == name_quantity(own)
        if is_of_same and name is not None:
            one, two = kept.value.expression, other.value.expression
            if compare(one, two, self.declared.domains) is not Equality.EQUAL:
                kept.doubt = kept.doubt or self._show_clause(clause)

    def _is_indexed(self, pick: _Pick) -> bool:
        r"""Whether a clause gives the asked name another index: `\eta_{\max}` for `\eta`."""
        asked, side = self.sought.asked, pick.selection.side if pick.selection else None
        if asked is None or side is None or not asked.name or not side.name:
            return False
        return side.name.partition("_")[0] == asked.name.partition("_")[0]

    def _drop_unreadable(self, picks: list[_Pick]) -> list[_Pick]:
        r"""Drop lists of components where the value is said, too: `a = (a_x, a_y); |a| = …`."""
        readable = [one for one in picks if one.selection is not None]
        if len(readable) == len(picks):
            return picks
        lists = [one for one in picks if _is_list(one)]
        if len(lists) + len(readable) < len(picks):
            raise next(one.refusal for one in picks if one.refusal is not None)
        if readable:
            return readable
        # Its components are what is said with it.
        clauses = [Clause(Kind.COMMA, chain=chain) for chain in self.sorted.definitions]
        components = [one for one in map(self._try, clauses) if one.selection is not None]
        if not components:
            raise lists[0].refusal or refuse_several(lists[0].clause)
        return components

    def _agree(self, picks: Sequence[_Pick]) -> bool:
        first, *rest = (_value(one).expression for one in picks)
        return all(compare(other, first, self.declared.domains) is Equality.EQUAL for other in rest)

    def _require_agreement(self, picks: Sequence[_Pick]) -> None:
        if not self._agree(picks):
            raise refuse_several(picks[-1].clause)

    def _choose_unequal(self, picks: Sequence[_Pick]) -> _Pick:
        """Choose between answers of different values, or refuse them."""
        is_joined = all(one.clause.opener is not Kind.OR for one in picks[1:])
        names = [one.selection.side for one in picks if one.selection is not None]
        others = picks[1:]
        if is_joined and (one := _find_component(picks)) is not None:
            return one
        if is_joined and self.sought.asked and names[0] is None and all(names[1:]):
            return picks[0]
        spellings = {side.signs for side in names if side is not None}
        is_told = self.sought.asked is not None or bool(self.declared.question.told)
        is_apart = len(spellings) == len(picks) and all(one.fits is not Fit.SAME for one in picks)
        if not (is_joined and is_told and (is_apart or self.sought.asked is None)):
            raise refuse_several(picks[1].clause)
        if len(spellings) < len(picks):
            raise refuse_several(picks[1].clause)
        first = _settle(picks[0])
        first.doubt = first.doubt or self._show_clause(picks[1].clause)
        said = self._show_clause(picks[0].clause)
        first.others += [Other("clause", _value(one).tokens, said) for one in others]
        return picks[0]

    def _look_back(self, kept: Selection, chain: Chain) -> None:
        """Leave it to a person if a conclusion left another value of the same quantity."""
        for clause in reversed(self.sorted.left):
            earlier = clause.chain
            if earlier.refusal is not None or not any(earlier.members):
                continue
            if earlier.is_bare != chain.is_bare or not self._is_of_same(earlier, chain):
                continue
            found = self._try(clause)
            if found.selection is None:
                continue
            one, other = found.selection.value.expression, kept.value.expression
            is_foreign = bool(self._list_names(found) - (self.sought.key_names or self.known.names))
            if is_foreign or compare(one, other, self.declared.domains) is Equality.EQUAL:
                continue
            kept.doubt = kept.doubt or self._show_clause(clause)

    def _is_of_same(self, earlier: Chain, chain: Chain) -> bool:
        """Whether two chains have one left side, or none."""
        one, other = (self._read_side(one.members[0]) for one in (earlier, chain))
        return chain.is_bare or one.signs == other.signs

    # --- What stands around it ------------------------------------------------------------------

    def _note_around(self, kept: Selection, labels: Collection[str]) -> None:
        for label in labels:
            note = Sentence.of("part_left_out", part=label)
            kept.findings.append(Finding("part", note, 0, 0))
        shown = []
        for kind, start, end in self._list_cut_off():
            if said := self._show(start, end):
                shown.append(said)
                if kind in (ClauseKind.CONDITION, ClauseKind.DEFINITION, ClauseKind.REMARK):
                    kept.doubt = kept.doubt or (said if is_changing(said) else "")
                note = Sentence.of(NOTES[kind], text=said)
                kept.findings.append(Finding("proviso", note, start, end))
        for clause in self.sorted.remarks:
            self._weigh_limit(kept, clause)
        kept.conditions = tuple(shown)
        kept.definitions = [one for one in self.definitions if one.name not in self.known.names]
        self._doubt_defined_twice(kept)
        self._doubt_redefined(kept)
        indexed = spell_indices(kept.value.tokens, self.known)
        if indexed is not None:
            kept.others.append(Other("indices", indexed))

    def _weigh_limit(self, kept: Selection, clause: Clause) -> None:
        """Leave to a person which value is meant where a remark gives one for another case."""
        said = self._show_clause(clause)
        opening = clause.opening.words if clause.opening else ""
        words = WORD.findall(
            f"{opening} {self.text[clause.chain.start : clause.chain.end]}".lower()
        )
        left = clause.chain.members[0] if clause.chain.is_equation else ()
        if left and kept.side is not None and self._read_side(left).signs == kept.side.signs:
            value = self._read_side(clause.chain.members[-1]).expression
            one = kept.value.expression
            if value is None or compare(value, one, self.declared.domains) is not Equality.EQUAL:
                kept.doubt = kept.doubt or said
        is_limit = not LIMIT_WORDS.isdisjoint(words)
        if not is_limit and (clause.kind is not ClauseKind.REMARK or not clause.chain.is_bare):
            return
        names = self.sought.key_names
        for piece in clause.pieces:
            if piece.kind is not Kind.MATH:
                continue
            try:
                value = read_tokens(self.text, piece.tokens, self.declared).expression
            except Unreadable:
                continue
            is_equal = compare(value, kept.value.expression, self.declared.domains)
            if value.is_Symbol or not value.free_symbols or is_equal is Equality.EQUAL:
                continue
            # In the key's symbols it is another value of the same, whatever the words say.
            if not is_limit and not (names and list_names(value) <= names):
                continue
            kept.doubt = kept.doubt or said
            kept.others.append(Other("member", piece.tokens, said))

    def _list_cut_off(self) -> list[tuple[ClauseKind, int, int]]:
        """List what is left out, by its kind and place; a list of numbers is one condition."""
        places: list[tuple[ClauseKind, int, int]] = []
        for clause in self.sorted.remarks:
            start = clause.opening.start if clause.opening else clause.chain.start
            end = max(clause.chain.end, clause.opening.end if clause.opening else 0)
            kind = clause.kind
            if places and clause.opening is None and clause.chain.is_bare:
                kind, start, _ = places.pop()
            places.append((kind, start, end))
        for clause in self.cut_off:
            kind = ClauseKind.DECIMAL if self._is_decimal(clause) else ClauseKind.FORM
            places.append((kind, clause.chain.start, clause.chain.end))
        return places

    def _read_definitions(self, chains: Iterable[Chain]) -> list[Definition]:
        found = []
        for chain in chains:
            if is_valuing(chain.relations[0].sign):
                self.declared.hear(self.text[chain.start : chain.end])
                one = read_definition(self.text, chain.members, self.declared, self.known)
                found += [one] if one is not None else []
        return found

    def _doubt_defined_twice(self, kept: Selection) -> None:
        """Doubt a value with a symbol that is given two values."""
        first: dict[tuple[str, str], Definition] = {}
        for one in kept.definitions:
            other = first.setdefault((one.name, one.argument), one)
            is_equal = compare(one.value, other.value, self.declared.domains) is Equality.EQUAL
            if one is not other and not is_equal:
                kept.doubt = kept.doubt or f"{one.name} = {sympy.latex(one.value)}"

    def _doubt_redefined(self, kept: Selection) -> None:
        """Doubt a value with a declared symbol of which something else is said than a number."""
        used = list_names(kept.value.expression) & self.declared.names
        for chain in self.sorted.definitions:
            name = self._read_side(chain.members[0]).name
            if name in used and not _is_number(chain.members[-1]):
                kept.doubt = kept.doubt or self._show(chain.start, chain.end)

    def _show_clause(self, clause: Clause) -> str:
        return self._show(clause.chain.start, clause.chain.end)

    def _show(self, start: int, end: int) -> str:
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


def _is_number(member: Sequence[Token]) -> bool:
    return all(one.kind not in ("letter", "command") or one.text == "infty" for one in member)


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


def _name_of(selection: Selection) -> str:
    return (selection.side.name or "") if selection.side is not None else ""


def _settle(pick: _Pick) -> Selection:
    """Return what a clause says; raise why it can't be read."""
    if pick.selection is None:
        raise pick.refusal or refuse_several(pick.clause)
    return pick.selection


def _value(pick: _Pick) -> Value:
    return _settle(pick).value


def _spell(tokens: Sequence[Token]) -> list[str]:
    return [token.text for token in tokens if token.kind not in "{}"]


def _is_list(pick: _Pick) -> bool:
    """Whether a clause is refused for a list of components in brackets: `(a_x, a_y)`."""
    last = pick.clause.chain.members[-1]
    is_refused = pick.refusal is not None and pick.refusal.reason == "several"
    is_bracket = bool(last) and last[0].kind == "(" and last[-1].kind == ")"
    return (
        is_refused
        and is_bracket
        and all(one.kind in ("letter", "command", *"_{}(,)") for one in last)
    )


def _find_component(picks: Sequence[_Pick]) -> _Pick | None:
    """Find the one component that is not 0, where components of one vector are said."""
    found = [_COMPONENT.fullmatch(side.name or "") for one in picks if (side := _settle(one).side)]
    bases = {match[1] for match in found if match}
    if len(found) < len(picks) or None in found or len(bases) > 1:
        return None
    others = [one for one in picks if _value(one).expression != 0]
    return others[0] if len(others) == 1 else None
