r"""
Which clause of a statement is graded, and what is left out: the rules S1 to S13 and R1 to R7.

They stand in `docs/grading.md`. What one clause says is for `chains`; clauses are compared by that.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

import sympy

from phybench_grader.equality.equality import Equality, compare
from phybench_grader.numbers.sentences import Sentence
from phybench_grader.reading.lexer import Token, split_tokens
from phybench_grader.reading.names import Declared
from phybench_grader.reading.reading import Finding, Unreadable
from phybench_grader.reading.rules import KNOWN_CONSTANTS
from phybench_grader.reading.stream import CLOSERS
from phybench_grader.reading.usage import spell
from phybench_grader.reading.vocabulary import (
    CONTRASTING_WORDS,
    CORRECTING_WORDS,
    LIMIT_WORDS,
)
from phybench_grader.statement.chains import Chains, Other, Selection, Sought
from phybench_grader.statement.clause_book import NOTES, ClauseKind
from phybench_grader.statement.definitions import Definition, read_definition
from phybench_grader.statement.members import Value, list_names
from phybench_grader.statement.phrases import Kind, is_changing, list_found
from phybench_grader.statement.pieces import match_brackets
from phybench_grader.statement.sides import (
    Fit,
    name_quantity,
)
from phybench_grader.statement.sorting import Sorted, refuse_several, sort_clauses
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
from phybench_grader.statement.units import is_measure, spell_indices

_COMPONENT = re.compile(r"(.+)_(?:[xyzrnt]|\{?\\?(?:theta|phi|varphi|rho|perp|parallel)\}?)")


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
        self.chains = Chains(text, declared, sought)
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
        self.chains.defined = {one.name for one in self.definitions}
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
        is_same = len(members) < 2 or any(spell(one) == spell(members[0]) for one in lefts)
        return is_same and is_measure(self.text, members[-1], self.known)

    def _try(self, clause: Clause) -> _Pick:
        try:
            return _Pick(clause, self.chains.select_from(clause))
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
        pool = (
            in_key or [one for one in readable if self.chains.is_known(_value(one))] or readable[:1]
        )
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
            if not self._equal(one, two):
                kept.leave(self._show_clause(clause))

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
        return all(self._equal(other, first) for other in rest)

    def _equal(self, one: sympy.Expr, other: sympy.Expr) -> bool:
        return compare(one, other, self.declared.domains) is Equality.EQUAL

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
        first.leave(self._show_clause(picks[1].clause))
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
            if is_foreign or self._equal(one, other):
                continue
            kept.leave(self._show_clause(clause))

    def _is_of_same(self, earlier: Chain, chain: Chain) -> bool:
        """Whether two chains have one left side, or none."""
        one, other = (self.chains.read_side(one.members[0]) for one in (earlier, chain))
        return chain.is_bare or one.signs == other.signs

    # --- What stands around it ------------------------------------------------------------------

    def _note_around(self, kept: Selection, labels: Collection[str]) -> None:
        for label in labels:
            note = Sentence.of("part_left_out", part=label)
            kept.findings.append(Finding("part", note, 0, 0))
        shown = []
        for kind, start, end in self._list_cut_off():
            if said := self.chains.show(start, end):
                shown.append(said)
                if kind in (ClauseKind.CONDITION, ClauseKind.DEFINITION, ClauseKind.REMARK):
                    kept.leave(said if is_changing(said) else "")
                note = Sentence.of(NOTES[kind], text=said)
                kept.findings.append(Finding("proviso", note, start, end))
        for clause in self.sorted.remarks:
            self._weigh_restated(kept, clause)
            self._weigh_limit(kept, clause)
        kept.conditions = tuple(shown)
        kept.definitions = [one for one in self.definitions if one.name not in self.known.names]
        self._doubt_defined_twice(kept)
        self._doubt_redefined(kept)
        indexed = spell_indices(kept.value.tokens, self.known)
        if indexed is not None:
            kept.others.append(Other("indices", indexed))

    def _weigh_restated(self, kept: Selection, clause: Clause) -> None:
        """Leave it to a person where a remark gives the name of the answer another value."""
        members = clause.chain.members
        if not clause.chain.is_equation or not members[0] or kept.side is None:
            return
        if self.chains.read_side(members[0]).signs == kept.side.signs:
            value = self.chains.read_side(members[-1]).expression
            if value is None or not self._equal(value, kept.value.expression):
                kept.leave(self._show_clause(clause))

    def _weigh_limit(self, kept: Selection, clause: Clause) -> None:
        """Leave to a person which value is meant where a remark gives one for another case."""
        opening = clause.opening.words if clause.opening else ""
        said = f"{opening} {self.text[clause.chain.start : clause.chain.end]}"
        is_limit = bool(list_found(said, LIMIT_WORDS | CORRECTING_WORDS | CONTRASTING_WORDS))
        if not is_limit and (clause.kind is not ClauseKind.REMARK or not clause.chain.is_bare):
            return
        names = self.sought.key_names
        for piece in clause.pieces:
            value = self.chains.try_to_read(piece.tokens) if piece.kind is Kind.MATH else None
            if value is None or value.is_Symbol or not value.free_symbols:
                continue
            # In the key's symbols it is another value of the same, whatever the words say.
            is_other = is_limit or (names and list_names(value) <= names)
            if is_other and not self._equal(value, kept.value.expression):
                kept.leave(self._show_clause(clause))
                kept.others.append(Other("member", piece.tokens, self._show_clause(clause)))

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
            is_equal = self._equal(one.value, other.value)
            if one is not other and not is_equal:
                kept.leave(f"{one.name} = {sympy.latex(one.value)}")

    def _doubt_redefined(self, kept: Selection) -> None:
        """Doubt a value with a declared symbol of which something else is said than a number."""
        used = list_names(kept.value.expression) & self.declared.names
        for chain in self.sorted.definitions:
            name = self.chains.read_side(chain.members[0]).name
            if name in used and not _is_number(chain.members[-1]):
                kept.leave(self.chains.show(chain.start, chain.end))

    def _show_clause(self, clause: Clause) -> str:
        return self.chains.show(clause.chain.start, clause.chain.end)


def _is_number(member: Sequence[Token]) -> bool:
    return all(one.kind not in ("letter", "command") or one.text == "infty" for one in member)


def _name_of(selection: Selection) -> str:
    return (selection.side.name or "") if selection.side is not None else ""


def _settle(pick: _Pick) -> Selection:
    """Return what a clause says; raise why it can't be read."""
    if pick.selection is None:
        raise pick.refusal or refuse_several(pick.clause)
    return pick.selection


def _value(pick: _Pick) -> Value:
    return _settle(pick).value


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
