"""Which clause of a statement is an answer or a form of it, and which is said of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from phybench_grader.reading.lexer import Token
from phybench_grader.reading.names import Declared
from phybench_grader.reading.reading import Side, Unreadable
from phybench_grader.reading.usage import spell
from phybench_grader.reading.vocabulary import ARROWS, CONDITION_WORDS, TELLING_WORDS
from phybench_grader.statement.clause_book import ClauseKind
from phybench_grader.statement.definitions import read_definition
from phybench_grader.statement.members import list_names, read_tokens
from phybench_grader.statement.phrases import WORD, Kind
from phybench_grader.statement.pieces import Known
from phybench_grader.statement.sides import read_side
from phybench_grader.statement.statement import Chain, Clause

_TAILS = (Kind.AND, Kind.OR, Kind.COMMA, Kind.GAP, Kind.CONDITION, Kind.WHERE)
"""What may go on with a condition, a definition or a remark."""


@dataclass(slots=True)
class Sorted:
    """The clauses of a statement by what they are."""

    answers: list[Clause] = field(default_factory=list)
    """With the forms of each behind it."""
    left: list[Clause] = field(default_factory=list)
    """What a conclusion left behind."""
    remarks: list[Clause] = field(default_factory=list)
    """What is cut off and shown: conditions, definitions and remarks."""
    definitions: list[Chain] = field(default_factory=list)


def sort_clauses(text: str, clauses: Sequence[Clause], declared: Declared, known: Known) -> Sorted:
    """Sort the clauses of a statement. Raises `Unreadable` where none is an answer."""
    found = Sorted(left=[clause for clause in clauses if clause.is_left])
    return _Sorter(text, declared, known, found).sort(
        [clause for clause in clauses if not clause.is_left]
    )


class _Sorter:
    """One pass over the clauses of one text."""

    def __init__(self, text: str, declared: Declared, known: Known, found: Sorted) -> None:
        self.text = text
        self.declared = declared
        self.known = known
        self.found = found
        self.answers = found.answers
        self.remarks = found.remarks

    def sort(self, clauses: Sequence[Clause]) -> Sorted:
        """Part the clauses into answers and what is said of them."""
        state: Kind | None = None
        pending: Clause | None = None
        # Several inequalities, and then a value: each is an answer.
        leading = 0
        for place, clause in enumerate(clauses):
            chain = clause.chain
            is_opening = clause.opener in (Kind.WHERE, Kind.CONDITION)
            if is_opening:
                state = clause.opener
            elif clause.opener not in _TAILS:
                state = None
            is_last = place == len(clauses) - 1
            if is_opening and self._holds_answer(clause, is_last=is_last):
                state = None
                self.answers.append(clause)
            elif is_opening or (state is not None and self._is_tail(clause, state)):
                self._take_tail(clause, state)
            elif self._is_remark(clause):
                state = Kind.WORDS
                self._cut_off(clause, ClauseKind.REMARK)
            elif chain.refusal is not None:
                raise chain.refusal
            elif not any(chain.members) and not chain.relations:
                if self.answers and chain.words is not None:
                    # “or twice that”
                    raise refuse_several(clause)
            elif chain.relations and not self._gives_value(chain):
                if self.answers and clause.opener is Kind.OR:
                    raise refuse_relation(self.text, chain)
                if not self.answers:
                    pending = pending or clause
                    leading += 1
                self._cut_off(clause, ClauseKind.CONDITION)
            elif self._is_data(clause) or self._counts(clauses, place):
                self._cut_off(clause, ClauseKind.CONDITION)
            elif self._is_definition(clause):
                self._cut_off(clause, ClauseKind.DEFINITION)
            else:
                state = None
                is_form = clause.opener is Kind.FORM and bool(self.answers)
                clause.kind = ClauseKind.FORM if is_form else ClauseKind.ANSWER
                self.answers.append(clause)
        if pending is not None and not self.answers:
            raise refuse_relation(self.text, pending.chain)
        if not self.answers:
            raise self._refuse_rest(clauses)
        if leading > 1:
            raise refuse_several(self.answers[-1])
        labels = {clause.label for clause in clauses if clause.label}
        if len(labels) > 1:
            raise refuse_several(clauses[-1])
        return self.found

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
            and not self.answers
            and is_in_front
            and len(words) > 1
            and chain.is_equation
            and chain.refusal is None
        )

    def _is_remark(self, clause: Clause) -> bool:
        """Whether a clause behind the answer begins with words that name nothing."""
        chain = clause.chain
        if not self.answers or clause.opener is Kind.OR:
            return False
        said = WORD.findall(self.text[chain.start : chain.end].lower())
        is_of_symbol = bool(clause.pieces) and clause.pieces[0].kind is Kind.MATH
        if clause.opener is Kind.AND and is_of_symbol and not TELLING_WORDS.isdisjoint(said):
            return False
        if chain.refusal is not None:
            has_value = any(piece.kind is Kind.MATH for piece in clause.pieces)
            is_unsaid = chain.refusal.reason == "missing" and not has_value
            return chain.refusal.reason == "words" or is_unsaid
        return chain.words is not None and not chain.is_equation

    def _is_tail(self, clause: Clause, state: Kind) -> bool:
        """Whether a clause goes on with the condition, definition or remark before it."""
        chain = clause.chain
        if chain.refusal is not None and chain.refusal.reason == "negated":
            return False
        if chain.is_bare:
            has_words = chain.refusal is not None or chain.rest is not None
            is_said = has_words and state is not Kind.CONDITION
            return self._is_counting(clause) or is_said or not any(chain.members)
        if not chain.is_equation:
            return True
        if not self.answers:
            return self._is_number(chain.members[-1])
        first = self.answers[0].chain
        if first.relations and spell(first.members[0]) == spell(chain.members[0]):
            return False
        if state is Kind.WHERE:
            return True
        return self._is_number(chain.members[-1]) or self._is_single(chain.members[-1])

    def _take_tail(self, clause: Clause, state: Kind | None) -> None:
        chain = clause.chain
        # In brackets without a word it may say what a symbol is: `(k = …)`.
        defines = state is Kind.WHERE or clause.opening is None
        is_definition = chain.refusal is None and defines and chain.is_equation
        is_remark = state is Kind.WORDS
        kind = ClauseKind.REMARK if is_remark else ClauseKind.CONDITION
        self._cut_off(clause, ClauseKind.DEFINITION if is_definition else kind)

    def _cut_off(self, clause: Clause, kind: ClauseKind) -> None:
        clause.kind = kind
        self.remarks.append(clause)
        if kind is ClauseKind.DEFINITION:
            self.found.definitions.append(clause.chain)

    def _is_data(self, clause: Clause) -> bool:
        """Whether a clause behind the answer says for which number of a symbol it holds."""
        chain = clause.chain
        if not self.answers or clause.opener in (Kind.OR, Kind.FORM):
            return False
        if chain.is_bare:
            return bool(self.remarks) and self._is_counting(clause)
        side = self._read_side(chain.members[0])
        is_number = all(self._is_number(member) for member in chain.members[1:])
        return is_number and bool(side.name) and side.name in self._list_symbols(self.answers[-1])

    def _gives_value(self, chain: Chain) -> bool:
        """Whether a chain says a value; behind an answer an arrow says a limit."""
        return chain.is_equation and not (self.answers and chain.relations[0].sign in ARROWS)

    def _counts(self, clauses: Sequence[Clause], place: int) -> bool:
        """Whether a list of whole numbers begins here: `n = 1, 2, 3`."""
        chain = clauses[place].chain
        if not self.answers or place + 1 == len(clauses) or not chain.is_equation:
            return False
        following = clauses[place + 1]
        is_listed = following.opener is Kind.COMMA and following.chain.is_bare
        return is_listed and self._is_number(chain.members[-1]) and self._is_counting(following)

    def _is_definition(self, clause: Clause) -> bool:
        chain = clause.chain
        is_joined = clause.opener in (Kind.OR, Kind.AND, Kind.FORM)
        if not self.answers or not chain.is_equation or is_joined:
            return False
        name = self._read_side(chain.members[0]).name
        if name and name in self.known.names:
            return False
        used = self._list_symbols(self.answers[-1])
        for one in self.found.definitions:
            used |= self._list_names(one.members[1:])
        if name in used or used <= self.known.names:
            return name in used
        definition = read_definition(self.text, chain.members, self.declared, self.known)
        return (
            definition is not None
            and definition.name not in self.known.names
            and any(definition.find_value(one, self.declared) is not None for one in used)
        )

    def _list_symbols(self, clause: Clause) -> set[str]:
        """List the symbols of a clause, as far as it can be read."""
        return self._list_names(clause.chain.members[1:] or clause.chain.members)

    def _list_names(self, members: Sequence[Sequence[Token]]) -> set[str]:
        names: set[str] = set()
        for member in members:
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
