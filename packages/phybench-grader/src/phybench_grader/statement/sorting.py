"""Which clause of a statement is an answer, which a condition, which defines a symbol."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from phybench_grader.reading.lexer import Token
from phybench_grader.reading.names import Declared
from phybench_grader.reading.reading import Side, Unreadable
from phybench_grader.reading.vocabulary import ARROWS, CONDITION_WORDS
from phybench_grader.statement.members import list_names, read_tokens
from phybench_grader.statement.phrases import Kind
from phybench_grader.statement.pieces import Known
from phybench_grader.statement.sides import read_side
from phybench_grader.statement.statement import Chain, Clause

_TAILS = (Kind.AND, Kind.OR, Kind.COMMA, Kind.GAP, Kind.CONDITION, Kind.WHERE)
"""What may go on with a condition or a definition."""


@dataclass(slots=True)
class Sorted:
    """The clauses of a statement by what they are."""

    members: list[Clause] = field(default_factory=list)
    conditions: list[Clause] = field(default_factory=list)
    definitions: list[Chain] = field(default_factory=list)


def sort_clauses(text: str, clauses: Sequence[Clause], declared: Declared, known: Known) -> Sorted:
    """Sort the clauses of a statement. Raises `Unreadable` where none is an answer."""
    return _Sorter(text, declared, known).sort(clauses)


class _Sorter:
    """One pass over the clauses of one text."""

    def __init__(self, text: str, declared: Declared, known: Known) -> None:
        self.text = text
        self.declared = declared
        self.known = known
        self.members: list[Clause] = []
        self.conditions: list[Clause] = []
        self.definitions: list[Chain] = []

    def sort(self, clauses: Sequence[Clause]) -> Sorted:
        """Part the clauses into members, conditions and definitions."""
        state: Kind | None = None
        pending: Clause | None = None
        # Several inequalities, and then a value: each is an answer.
        leading = 0
        for place, clause in enumerate(clauses):
            is_opening = clause.opener in (Kind.WHERE, Kind.CONDITION)
            if is_opening:
                state = clause.opener
            elif clause.opener not in _TAILS:
                state = None
            is_last = place == len(clauses) - 1
            if is_opening and self._holds_answer(clause, is_last=is_last):
                state = None
                self.members.append(clause)
            elif is_opening or (state is not None and self._is_tail(clause, state)):
                self._take_tail(clause, state)
            elif clause.chain.refusal is not None:
                raise clause.chain.refusal
            elif not any(clause.chain.members) and not clause.chain.relations:
                self._take_words(clause)
            elif clause.chain.relations and not self._gives_value(clause.chain):
                if self.members and clause.opener is Kind.OR:
                    raise refuse_relation(self.text, clause.chain)
                if not self.members:
                    pending = pending or clause
                    leading += 1
                self.conditions.append(clause)
            elif self._is_data(clause) or self._counts(clauses, place):
                self.conditions.append(clause)
            elif self._is_definition(clause):
                self.definitions.append(clause.chain)
                self.conditions.append(clause)
            else:
                state = None
                self.members.append(clause)
        if pending is not None and not self.members:
            raise refuse_relation(self.text, pending.chain)
        if not self.members:
            raise self._refuse_rest(clauses)
        if leading > 1:
            raise refuse_several(self.members[-1])
        labels = {clause.label for clause in clauses if clause.label}
        if len(labels) > 1:
            raise refuse_several(clauses[-1])
        return Sorted(self.members, self.conditions, self.definitions)

    def _holds_answer(self, clause: Clause, *, is_last: bool) -> bool:
        r"""Whether words of condition stand right before the statement: `For small x  v = …`."""
        chain = clause.chain
        if clause.opener is not Kind.CONDITION or clause.opening is None:
            return False
        words = clause.opening.words.split()
        # “Doppler-free if” says what follows from it, not what it is.
        is_in_front = bool(words) and (
            words[0].lower() in CONDITION_WORDS or not words[0].isascii()
        )
        return (
            is_last
            and not self.members
            and is_in_front
            and len(words) > 1
            and chain.is_equation
            and chain.refusal is None
        )

    def _is_tail(self, clause: Clause, state: Kind) -> bool:
        """Whether a clause goes on with the condition or definition before it."""
        chain = clause.chain
        if chain.refusal is not None and chain.refusal.reason == "negated":
            return False
        if chain.is_bare:
            is_said = chain.refusal is not None and state is Kind.WHERE
            return self._is_counting(clause) or is_said or not any(chain.members)
        if not chain.is_equation:
            return True
        if not self.members:
            return self._is_number(chain.members[-1])
        first = self.members[0].chain
        if first.relations and _signs(first.members[0]) == _signs(chain.members[0]):
            return False
        if state is Kind.WHERE:
            return True
        return self._is_number(chain.members[-1]) or self._is_single(chain.members[-1])

    def _take_tail(self, clause: Clause, state: Kind | None) -> None:
        chain = clause.chain
        if chain.refusal is not None:
            pass  # It is kept as it was said.
        elif state is Kind.WHERE and chain.is_equation and self._is_single(chain.members[0]):
            self.definitions.append(chain)
        self.conditions.append(clause)

    def _take_words(self, clause: Clause) -> None:
        """Pass over a heading; words behind an answer are no part of one."""
        words = clause.chain.words
        if self.members and words is not None:
            raise Unreadable("words", words.start, words.end)

    def _is_data(self, clause: Clause) -> bool:
        """Whether a clause behind the answer says for which number of a symbol it holds."""
        chain = clause.chain
        if not self.members or clause.opener is Kind.OR:
            return False
        if chain.is_bare:
            return bool(self.conditions) and self._is_counting(clause)
        side = self._read_side(chain.members[0])
        is_number = all(self._is_number(member) for member in chain.members[1:])
        return is_number and bool(side.name) and side.name in self._list_symbols(self.members[-1])

    def _gives_value(self, chain: Chain) -> bool:
        """Whether a chain says a value; behind an answer an arrow says a limit."""
        return chain.is_equation and not (self.members and chain.relations[0].sign in ARROWS)

    def _counts(self, clauses: Sequence[Clause], place: int) -> bool:
        """Whether a list of whole numbers begins here: `n = 1, 2, 3`."""
        chain = clauses[place].chain
        if not self.members or place + 1 == len(clauses) or not chain.is_equation:
            return False
        following = clauses[place + 1]
        is_listed = following.opener is Kind.COMMA and following.chain.is_bare
        return is_listed and self._is_number(chain.members[-1]) and self._is_counting(following)

    def _is_definition(self, clause: Clause) -> bool:
        chain = clause.chain
        if not self.members or not chain.is_equation or clause.opener in (Kind.OR, Kind.AND):
            return False
        side = self._read_side(chain.members[0])
        return (
            bool(side.name)
            and side.name not in self.known.names
            and side.name in self._list_symbols(self.members[-1])
        )

    def _list_symbols(self, clause: Clause) -> set[str]:
        """List the symbols of a member, as far as it can be read."""
        names: set[str] = set()
        for member in clause.chain.members[1:] or clause.chain.members:
            try:
                names |= list_names(read_tokens(self.text, member, self.declared).expression)
            except Unreadable:
                continue
        return names

    def _is_counting(self, clause: Clause) -> bool:
        """Whether a clause is one of a list of whole numbers, or the dots that end it."""
        tokens = [one for one in clause.chain.members[0] if one.kind not in ("+", "-", ".")]
        return bool(tokens) and all(
            one.text in ("ldots", "pm") or (one.kind == "number" and one.text.isdigit())
            for one in tokens
        )

    def _is_number(self, member: Sequence[Token]) -> bool:
        """Whether a member is a plain number, a sign of infinity or dots."""
        kinds = ("number", "+", "-", ".", "*", "/", "{", "}")
        return bool(member) and all(
            one.kind in kinds or one.text in ("pi", "infty", "ldots", "frac", "pm")
            for one in member
        )

    def _is_single(self, member: Sequence[Token]) -> bool:
        return self._read_side(member).is_single

    def _read_side(self, member: Sequence[Token], words: str = "") -> Side:
        return read_side(self.text, member, self.declared, self.known, words)

    def _refuse_rest(self, clauses: Sequence[Clause]) -> Unreadable:
        for clause in clauses:
            if clause.chain.words is not None:
                return Unreadable("words", clause.chain.words.start, clause.chain.words.end)
        for clause in clauses:
            if clause.opening is not None:
                return Unreadable("words", clause.opening.start, clause.opening.end)
        return Unreadable("empty", 0, len(self.text))


def refuse_relation(text: str, chain: Chain) -> Unreadable:
    """Make the exception that says which sign gives no value."""
    relation = chain.relations[0]
    what = text[relation.start : relation.end].strip()
    return Unreadable("no_equality", relation.start, relation.end, what)


def refuse_several(clause: Clause) -> Unreadable:
    """Make the exception that says where a second answer stands."""
    return Unreadable("several", clause.chain.start, clause.chain.end)


def _signs(tokens: Sequence[Token]) -> list[str]:
    return [token.text for token in tokens if token.kind not in "{}"]
