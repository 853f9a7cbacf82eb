r"""
What of a statement is graded, and what is left out: the rules S1 to S13 of `docs/grading.md`.

What stands left is compared by value with what is asked for, members of a chain with one another:
so they are read here, each in the standard reading of its notation.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

import mpmath
import sympy

from phybench_grader.equality.equality import Equality, compare
from phybench_grader.numbers.estimates import Imprecise, Undefined
from phybench_grader.numbers.evaluation import Program
from phybench_grader.numbers.sentences import Sentence
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
)
from phybench_grader.statement.members import Value, list_names, read_tokens
from phybench_grader.statement.phrases import is_changing
from phybench_grader.statement.pieces import Known, match_brackets
from phybench_grader.statement.sides import Fit, fit, is_doubtful_name, read_side
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
_SHOWN = 120
"""Characters of a condition that are shown."""


@dataclass(frozen=True, slots=True)
class Sought:
    """What is asked for, and the problem's symbols, as far as either is known."""

    asked: Side | None = None
    known: Known = field(default_factory=Known)


@dataclass(slots=True)
class Selection:
    """What is graded of a statement, and what was found around it."""

    value: Value
    side: Side | None = None
    is_open: bool = False
    """Whether nothing tells if what stands left is what is asked for."""
    others: list[tuple[str, tuple[Token, ...]]] = field(default_factory=list)
    """Tokens that may be meant instead, each with the kind of doubt."""
    definitions: dict[str, sympy.Expr] = field(default_factory=dict)
    """Symbols that the statement defines and the problem lacks."""
    findings: list[Finding] = field(default_factory=list)
    conditions: tuple[str, ...] = ()
    doubt: str = ""
    """What was cut off and may change the value."""


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
        self.findings: list[Finding] = []

    def select(self) -> Selection:
        tokens = unwrap(close_off(drop_empty_groups(split_tokens(self.text)[:-1])))
        if len(tokens) == 1:
            raise Unreadable("empty", 0, len(self.text))
        clauses = split_clauses(self.text, tokens, self.known)
        self._refuse_open_bracket(tokens, clauses)
        self.sorted = sort_clauses(self.text, clauses, self.declared, self.known)
        selections = [self._select_from(clause) for clause in self.sorted.members]
        kept = self._agree(selections)
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
            if words and not self._announces(words):
                assert chain.words is not None
                raise Unreadable("words", chain.words.start, chain.words.end)
            selection = self._pick(chain, 0, len(chain.members), first_relation=0)
            self._add_part_readings(selection, clause)
            return selection
        if not chain.is_equation:
            raise refuse_relation(self.text, chain)
        end = self._find_remark(chain)
        first = chain.members[0]
        if not first and not words:
            return self._pick(chain, 1, end, first_relation=1)
        side = self._read_side(first, words)
        is_arrow = chain.relations[0].sign in ARROWS
        if is_arrow and (not side.is_single or _has_charges(chain)):
            raise refuse_relation(self.text, chain)
        return self._pick_beside(chain, side, end)

    def _find_remark(self, chain: Chain) -> int:
        """Find how many members count: what `> 0` or `\\ll 1` says behind them is a remark."""
        for place, relation in enumerate(chain.relations[1:], start=1):
            if not is_valuing(relation.sign) or relation.sign in ARROWS:
                note = Sentence.of("remark_left_out", text=self._show(relation.start, chain.end))
                self.findings.append(Finding("remark", note, relation.start, chain.end))
                return place + 1
        return len(chain.members)

    def _pick_beside(self, chain: Chain, side: Side, end: int) -> Selection:
        """Pick a value, and say what becomes of what stands left of it."""
        asked, domains = self.sought.asked, self.declared.domains
        place = chain.start, chain.relations[0].end
        if side.is_single:
            fits = fit(side, asked, domains)
            if fits is Fit.OTHER:
                raise Unreadable("other_quantity", *place)
            selection = self._pick(chain, 1, end, first_relation=1)
            selection.side, selection.is_open = side, fits is Fit.OPEN
            if fits is Fit.RENAMED and is_doubtful_name(side, asked, self.known.names):
                selection.doubt = selection.doubt or self._show(*place)
            self._note_name(selection, fits, place)
            return selection
        if asked is not None and end == len(chain.members):
            last = self._read_side(chain.members[-1])
            if fit(last, asked, domains) is Fit.SAME:
                selection = self._pick(chain, 0, end - 1, first_relation=0)
                selection.side = last
                self._note_name(selection, Fit.SAME, (chain.relations[-1].start, chain.end))
                return selection
        if self._is_unnamed(chain):
            return self._pick(chain, 0, end, first_relation=0)
        fits = fit(side, asked, domains)
        if fits is Fit.OTHER:
            raise Unreadable("other_quantity", *place)
        selection = self._pick(chain, 1, end, first_relation=1)
        selection.side, selection.is_open = side, fits is Fit.OPEN
        if fits is Fit.OPEN:
            note = Sentence("last_side_read")
            selection.findings.append(Finding("equation", note, *place))
        else:
            note = Sentence("quantity_left_out")
            selection.findings.append(Finding("label", note, *place))
        return selection

    def _note_name(self, selection: Selection, fits: Fit, place: tuple[int, int]) -> None:
        note = Sentence("name_left_out")
        if fits is Fit.RENAMED:
            note = Sentence("other_name_left_out")
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
        if compare(first.expression, second.expression, self.declared.domains) is Equality.EQUAL:
            return True
        return chain.relations[0].sign in APPROXIMATIONS and _is_near(
            first.expression, second.expression
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
        pool = exact or after or rough
        values = self._read_members(chain, pool, has_rest=len(pool) < end - start)
        defined = self._list_defined()
        fitting = [
            place
            for place, value in values.items()
            if self.known.holds(list_names(value.expression) - KNOWN_CONSTANTS - defined)
        ]
        chosen = fitting[-1] if fitting else list(values)[-1]
        selection = Selection(values[chosen])
        selection.doubt = self._doubt_unit(values[chosen])
        if end - start > 1:
            code = "last_side_read" if chosen == len(chain.members) - 1 else "member_read"
            selection.findings.append(Finding("equation", Sentence(code), chain.start, chain.end))
        if exact:
            selection.others += [("member", chain.members[place]) for place in after]
        self._note_disagreement(selection, chosen, values, chain)
        return selection

    def _find_approximation(self, chain: Chain, first: int) -> int:
        """Find the first member behind a ≈."""
        for place, relation in enumerate(chain.relations):
            if relation.sign in APPROXIMATIONS or relation.sign in ARROWS:
                return place + 1
        return len(chain.members)

    def _read_members(
        self, chain: Chain, pool: Sequence[int], *, has_rest: bool
    ) -> dict[int, Value]:
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
        asked = self.declared.question.unit
        for finding in value.findings:
            unit = self._show(finding.start, finding.end)
            if finding.code == "units" and is_rescaling(unit, asked):
                return unit
        return ""

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
                note = Sentence("members_disagree")
                found = Finding("members_disagree", note, chain.start, chain.end)
                selection.findings.append(found)
                return

    def _list_defined(self) -> set[str]:
        sides = (self._read_side(chain.members[0]) for chain in self.sorted.definitions)
        return {side.name for side in sides if side.name}

    def _add_part_readings(self, selection: Selection, clause: Clause) -> None:
        """A letter in brackets in front is a part's label or a factor."""
        tokens = selection.value.tokens
        if clause.label_tokens:
            selection.others.append(("part", (*clause.label_tokens, *tokens)))
        elif clause.suspected:
            selection.others.append(("part", tokens[clause.suspected :]))

    # --- What becomes of the whole --------------------------------------------------------------

    def _agree(self, selections: Sequence[Selection]) -> Selection:
        """Keep the last of several members if all have one value; refuse those that have not."""
        kept = selections[-1]
        for clause, other in zip(self.sorted.members[1:], selections[1:], strict=True):
            first = selections[0].value.expression
            if compare(other.value.expression, first, self.declared.domains) is not Equality.EQUAL:
                raise refuse_several(clause)
        if len(selections) > 1:
            start, end = self.sorted.members[0].chain.start, self.sorted.members[-1].chain.end
            kept.findings.append(Finding("several", Sentence("members_agree"), start, end))
            kept.is_open = any(one.is_open for one in selections)
        return kept

    def _note_around(self, kept: Selection, labels: Collection[str]) -> None:
        kept.findings += self.findings
        for label in labels:
            note = Sentence.of("part_left_out", part=label)
            kept.findings.append(Finding("part", note, 0, 0))
        shown = []
        for start, end in self._list_condition_places():
            if said := self._show(start, end):
                shown.append(said)
                if is_changing(said):
                    kept.doubt = kept.doubt or said
                note = Sentence.of("condition_left_out", text=said)
                kept.findings.append(Finding("proviso", note, start, end))
        kept.conditions = tuple(shown)
        kept.definitions = self._read_definitions(kept)
        indexed = spell_indices(kept.value.tokens, self.known)
        if indexed is not None:
            kept.others.append(("indices", indexed))

    def _list_condition_places(self) -> list[tuple[int, int]]:
        """List where conditions stand; a list of numbers is one."""
        places: list[tuple[int, int]] = []
        for clause in self.sorted.conditions:
            start = clause.opening.start if clause.opening else clause.chain.start
            end = max(clause.chain.end, clause.opening.end if clause.opening else 0)
            if places and clause.opening is None and clause.chain.is_bare:
                start = places.pop()[0]
            places.append((start, end))
        return places

    def _read_definitions(self, kept: Selection) -> dict[str, sympy.Expr]:
        expression = kept.value.expression
        found: dict[str, sympy.Expr] = {}
        for chain in self.sorted.definitions:
            side = self._read_side(chain.members[0])
            if not side.name or not is_valuing(chain.relations[0].sign):
                continue
            if side.name in self.known.names:
                # One that is declared has a meaning of its own.
                is_used = side.name in list_names(expression)
                if (
                    is_used
                    and side.name in self.declared.names
                    and not _is_number(chain.members[-1])
                ):
                    kept.doubt = kept.doubt or self._show(chain.start, chain.end)
                continue
            try:
                value = read_tokens(self.text, chain.members[-1], self.declared)
            except Unreadable:
                continue
            found[side.name] = value.expression
        return found

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
