r"""
The statement around an expression: `name = exact = exact ≈ number, condition, where definition`.

Pieces become clauses, each with what opens it; a clause is a chain of members with relations
between. Which of them is graded is for `answer`, since that goes by their values.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from phybench_grader.numbers.symbols import LETTERLIKE
from phybench_grader.reading.lexer import Token
from phybench_grader.reading.reading import Unreadable
from phybench_grader.reading.vocabulary import (
    APPROXIMATIONS,
    ARROWS,
    CONTRASTING_WORDS,
    CORRECTING_WORDS,
    EQUALITIES,
    RELATIONS,
    TELLING_WORDS,
    WRONG_WORDS,
)
from phybench_grader.statement.clause_book import ClauseKind
from phybench_grader.statement.phrases import WORD, Kind, list_found
from phybench_grader.statement.pieces import Known, Piece, match_brackets, split_pieces

_PART = re.compile(r"[a-h]|i{1,3}|iv|vi?")
_DRESSED_PART = re.compile(
    r"\s*(?:part\s*)?(?:\((?P<one>[A-Ha-h]|i{1,3}|iv|vi?|[1-9])\)"
    r"|(?P<other>[A-Ha-h]|i{1,3}|iv|vi?|[1-9])\))\s*[:.]?\s*",
    re.I,
)
_UPRIGHT = ("text", "mathrm")


@dataclass(slots=True)
class Chain:
    """Members with relations between them, and the words before the first."""

    members: list[tuple[Token, ...]] = field(default_factory=list)
    relations: list[Piece] = field(default_factory=list)
    words: Piece | None = None
    start: int = 0
    end: int = 0
    rest: Piece | None = None
    """Words behind its last member, which begin a remark that goes on to its end."""
    refusal: Unreadable | None = None
    """Why it is no answer, whatever else is said."""

    def refuse(self, reason: str, piece: Piece) -> None:
        """Note why it is no answer, unless there is a reason already."""
        self.refusal = self.refusal or Unreadable(reason, piece.start, piece.end)

    @property
    def is_equation(self) -> bool:
        """Whether its first relation gives a value to what stands before it."""
        return bool(self.relations) and is_valuing(self.relations[0].sign)

    @property
    def is_bare(self) -> bool:
        """Whether it is one expression without a relation."""
        return not self.relations


@dataclass(slots=True)
class Clause:
    """A chain with what opens it, and the label of the part that it answers."""

    opener: Kind
    pieces: list[Piece] = field(default_factory=list)
    label: str = ""
    label_tokens: tuple[Token, ...] = ()
    """Those of a label without `\\text`, which may be a factor as well."""
    suspected: int = 0
    """Tokens in front that are a factor, since the problem has that symbol, or else a label."""
    opening: Piece | None = None
    chain: Chain = field(default_factory=Chain)
    kind: ClauseKind = ClauseKind.ANSWER
    is_left: bool = False
    """Whether a conclusion follows that leaves it: `⇒`, so."""


def is_valuing(sign: str) -> bool:
    """Whether a relation may join a name to its value."""
    return sign in EQUALITIES or sign in APPROXIMATIONS or sign in ARROWS


def split_clauses(text: str, tokens: Sequence[Token], known: Known) -> list[Clause]:
    """Split the tokens of a text into the clauses of its last statement."""
    clauses = _Clauses(text, split_pieces(text, tokens, known), known).split()
    for clause in clauses:
        clause.chain = _make_chain(clause, known)
    return clauses


class _Clauses:
    """One pass over pieces."""

    def __init__(self, text: str, pieces: list[Piece], known: Known) -> None:
        self.text = text
        self.pieces = pieces
        self.known = known
        self.clauses = [Clause(Kind.COMMA)]
        self.left: list[Clause] = []
        places = (place for place, one in enumerate(pieces) if one.kind is Kind.MATH)
        self.last_math = max(places, default=-1)

    def split(self) -> list[Clause]:
        for place, piece in enumerate(self.pieces):
            self._take(place, piece)
        return [clause for clause in self.left + self.clauses if clause.pieces or clause.opening]

    def _take(self, place: int, piece: Piece) -> None:
        current = self.clauses[-1]
        if not current.pieces and not current.label and self._take_label(piece):
            return
        if piece.kind is Kind.NOT and self._is_remark(place):
            self._open(Kind.CONDITION, piece)
        elif piece.kind is Kind.WORDS and self._begins_statement(place):
            self._open(Kind.COMMA)
            self.clauses[-1].pieces.append(piece)
        elif piece.kind in (Kind.MATH, Kind.WORDS, Kind.RELATION, Kind.NOT):
            current.pieces.append(piece)
        elif piece.kind is Kind.GAP:
            if self._parts(place):
                self._open(Kind.GAP)
        elif piece.kind is Kind.BREAK:
            if not self._goes_on(place):
                self._open(Kind.BREAK)
        elif piece.kind is Kind.COLON:
            self._take_colon(piece)
        elif piece.kind is Kind.CONCLUSION:
            if place < self.last_math:
                for clause in self.clauses:
                    clause.is_left = True
                self.left += self.clauses
                self.clauses = [Clause(Kind.COMMA)]
            elif piece.words:
                current.pieces.append(Piece(Kind.WORDS, piece.tokens, piece.words))
        elif piece.kind is Kind.CASES:
            raise Unreadable("piecewise", piece.start, piece.end)
        elif self._names(place):
            current.pieces.append(Piece(Kind.WORDS, piece.tokens, piece.words))
        else:
            is_said = bool(piece.words) and piece.kind is not Kind.FORM
            self._open(piece.kind, piece if is_said else None)

    def _open(self, kind: Kind, opening: Piece | None = None) -> None:
        current = self.clauses[-1]
        if not current.pieces and opening is None and not current.opening:
            # "and where", ", and": the word says more than the sign.
            if kind in (Kind.OR, Kind.AND, Kind.FORM) or current.opener is Kind.COMMA:
                current.opener = kind
            return
        if not current.pieces and not current.label and current.opening is None:
            self.clauses.pop()
        self.clauses.append(Clause(kind, opening=opening))

    def _next(self, place: int) -> Piece | None:
        return self.pieces[place + 1] if place + 1 < len(self.pieces) else None

    def _begins_statement(self, place: int) -> bool:
        r"""Whether words behind a value begin another equation: `v = x\text{, but } v = y`."""
        kinds = [one.kind for one in self.pieces[place + 1 : place + 3]]
        has_value = [one.kind for one in self.clauses[-1].pieces[-2:]] == [Kind.RELATION, Kind.MATH]
        corrects = list_found(self.pieces[place].words, CORRECTING_WORDS | CONTRASTING_WORDS)
        return has_value and (
            kinds == [Kind.MATH, Kind.RELATION] or (kinds[:1] == [Kind.MATH] and bool(corrects))
        )

    def _goes_on(self, place: int) -> bool:
        """Whether the line after a break goes on with what stands before it."""
        following = self._next(place)
        if following is None or following.kind is Kind.RELATION:
            return True
        return following.kind is Kind.MATH and following.tokens[0].text in ("+", "cdot", "*")

    def _parts(self, place: int) -> bool:
        """Whether a gap parts two statements: what follows has a left side of its own."""
        current = self.clauses[-1]
        if not current.pieces or current.pieces[-1].kind is Kind.RELATION:
            return False
        following = self._next(place)
        if following is None or following.kind not in (Kind.MATH, Kind.WORDS):
            return False
        is_whole = current.pieces[-1].kind is Kind.WORDS or (
            current.pieces[-1].tokens[-1].text not in ("+", "-", "*", "/", "cdot", "^", "_")
        )
        after = self._next(place + 1)
        is_statement = after is not None and after.kind is Kind.RELATION
        starts_anew = following.tokens[0].kind not in ("+", "-", "*", "/", "^", "_")
        has_label = following.kind is Kind.MATH and find_label(following.tokens) is not None
        is_second = any(one.kind is Kind.RELATION for one in current.pieces) or (
            current.opener in (Kind.WHERE, Kind.CONDITION)
        )
        return is_whole and starts_anew and ((is_statement and is_second) or has_label)

    def _take_colon(self, piece: Piece) -> None:
        current = self.clauses[-1]
        if self._gives_value(piece):
            current.pieces.append(Piece(Kind.RELATION, piece.tokens, "="))
        elif any(one.kind is Kind.MATH for one in current.pieces) and current.opener not in (
            Kind.CONDITION,
            Kind.WHERE,
        ):
            current.pieces.append(Piece(Kind.MATH, piece.tokens))
        elif current.opener in (Kind.CONDITION, Kind.WHERE):
            self._open(Kind.COMMA)
        else:
            # A heading.
            current.pieces.clear()

    def _gives_value(self, colon: Piece) -> bool:
        """Whether a colon stands between a name and its value: `$v$: $x$`, but not in `a:b`."""
        pieces = self.clauses[-1].pieces
        if len(pieces) != 1 or pieces[0].kind is not Kind.MATH or not _is_name(pieces[0].tokens):
            return False
        before, behind = self.text[: colon.start].rstrip(" *"), self.text[colon.end :]
        is_apart = len(before) == colon.start and behind[:1].isspace()
        # A formula ends before it, or begins behind it.
        return is_apart or before.endswith(("$", r"\)")) or behind.lstrip().startswith(("$", r"\("))

    def _is_remark(self, place: int) -> bool:
        """Whether what a negation says is a remark on the value before it: `not in air`."""
        current = self.clauses[-1]
        if not WRONG_WORDS.isdisjoint(WORD.findall(self.pieces[place].words.lower())):
            return False
        if not current.pieces:
            return any(one.kind is Kind.MATH for clause in self.clauses for one in clause.pieces)
        return current.pieces[-1].kind is Kind.MATH and place == len(self.pieces) - 1

    def _names(self, place: int) -> bool:
        """Whether words that would open a condition name what follows: `Speed at the top =`."""
        following = self._next(place)
        return (
            following is not None
            and following.kind is Kind.RELATION
            and len(self.pieces[place].words.split()) > 1
        )

    def _take_label(self, piece: Piece) -> bool:
        """Take a label off the beginning of a clause; tell whether nothing is left of its piece."""
        current = self.clauses[-1]
        if piece.kind is Kind.WORDS:
            found = _DRESSED_PART.match(piece.words)
            if found is None:
                return False
            current.label = (found["one"] or found["other"]).lower()
            rest = piece.words[found.end() :]
            if rest.strip(" :."):
                current.pieces.append(Piece(Kind.WORDS, piece.tokens, rest))
            return True
        if piece.kind is not Kind.MATH or (found_label := find_label(piece.tokens)) is None:
            return False
        label, count = found_label
        is_dressed = piece.tokens[0].kind != "("
        if not is_dressed and label in self.known.names:
            current.suspected = count
            return False
        current.label = label
        if not is_dressed and not self.known.names:
            current.label_tokens = piece.tokens[:count]
        if rest_tokens := piece.tokens[count:]:
            current.pieces.append(Piece(Kind.MATH, rest_tokens))
        return True


def _is_name(tokens: Sequence[Token]) -> bool:
    """Whether tokens are a letter with an index, primes or an argument."""
    first, *rest = tokens
    is_letter = first.kind == "letter" or (first.kind == "command" and first.text in LETTERLIKE)
    is_short = len(rest) < 8 and all(one.text not in RELATIONS for one in rest)
    return is_letter and is_short and (not rest or rest[0].kind in ("_", "'", "("))


def find_label(tokens: Sequence[Token]) -> tuple[str, int] | None:
    r"""Find a part label such as `(a)`, `\text{(a)}` or `a)` in front: itself, and its tokens."""
    kinds = [token.kind for token in tokens[:6]]
    if (tokens[0].kind == "command" and tokens[0].text in _UPRIGHT) or kinds[:2] == ["{", "("]:
        closer = next((place for place, one in enumerate(tokens[:9]) if one.kind == "}"), None)
        if closer is None:
            return None
        inner = "".join(one.text for one in tokens[1:closer] if one.kind not in "{}")
        inner = inner if kinds[:2] != ["{", "("] else "(" + inner.lstrip("(")
        found = _DRESSED_PART.fullmatch(inner)
        return ((found["one"] or found["other"]).lower(), closer + 1) if found else None
    start = 1 if kinds[:1] == ["("] else 0
    closer = next((place for place, one in enumerate(tokens[:5]) if one.kind == ")"), None)
    if closer is None or closer + 1 >= len(tokens) or closer == start:
        return None
    label = "".join(one.text for one in tokens[start:closer])
    if not _PART.fullmatch(label) or any(one.kind != "letter" for one in tokens[start:closer]):
        return None
    following = tokens[closer + 1]
    # `(a)(b + c)`, `(a)^2` and `(a) + b` are algebra.
    if following.kind in ("^", "_", "+", "*", "/", "!", "'", "-", ")") or (
        following.kind == "(" and following.start == tokens[closer].end
    ):
        return None
    return (label, closer + 1) if following.text not in ("cdot", "over", "div") else None


def _make_chain(clause: Clause, known: Known) -> Chain:
    """Put the pieces of a clause in their places: words in front, then members and relations."""
    pieces = clause.pieces
    chain = Chain()
    if pieces:
        chain.start, chain.end = pieces[0].start, pieces[-1].end
    members: list[list[Token]] = [[]]
    for piece in pieces:
        if piece.kind is Kind.NOT:
            chain.refuse("negated", piece)
        elif piece.kind is Kind.RELATION:
            if chain.relations and not members[-1]:
                chain.refuse("missing", piece)
            chain.relations.append(piece)
            members.append([])
        elif piece.kind is Kind.WORDS and _is_naming(clause, chain, members):
            chain.words = piece
        elif (
            piece.kind is Kind.WORDS
            and _is_in_symbols(members[-1], known)
            and (chain.relations or TELLING_WORDS.isdisjoint(WORD.findall(piece.words.lower())))
        ):
            chain.rest = piece
            break
        elif piece.kind is Kind.WORDS and len(chain.relations) > 1 and not members[-1]:
            # `k = 1/4\\pi is Coulomb's constant`
            members.pop()
            chain.rest = chain.relations.pop()
            break
        elif piece.kind is Kind.WORDS:
            chain.refuse("words", piece)
        else:
            members[-1] += piece.tokens
    if chain.relations and not members[-1]:
        chain.refuse("missing", chain.relations[-1])
    chain.members = [tuple(member) for member in members]
    return chain


def _is_in_symbols(member: Sequence[Token], known: Known) -> bool:
    """Whether a member is no word, and no number, behind which a word may be a unit."""
    if all(token.kind == "letter" for token in member):
        return bool(member) and known.spells("".join(token.text for token in member))
    return any(token.kind in ("letter", "command") and token.text != "cdot" for token in member)


def unwrap(tokens: list[Token]) -> list[Token]:
    """Take off the brackets around a whole statement: `(v = x)`."""
    last = len(tokens) - 2
    if tokens[0].kind not in ("(", "[") or (closers := match_brackets(tokens)).get(0) != last:
        return tokens
    position = 1
    while position < last:
        if tokens[position].text in RELATIONS and tokens[position].kind != "letter":
            return [*tokens[1:last], tokens[-1]]
        position = closers.get(position, position) + 1
    return tokens


def drop_empty_groups(tokens: Sequence[Token]) -> list[Token]:
    """Drop `{}` where it changes only the looks: behind no command, script or bracket."""
    kept: list[Token] = []
    for place, token in enumerate(tokens):
        following = tokens[place + 1] if place + 1 < len(tokens) else None
        after = tokens[place + 2] if place + 2 < len(tokens) else None
        is_empty = token.kind == "{" and following is not None and following.kind == "}"
        # Behind a fraction's half it may be the other half, unless it is the very last.
        is_argument = place > 0 and tokens[place - 1].kind in ("command", "^", "_", "}", "{", "]")
        is_last = after is None and place > 0 and tokens[place - 1].kind == "}"
        is_base = after is not None and after.kind in ("^", "_")
        if is_empty and (is_last or not is_argument) and not is_base:
            continue
        if (
            token.kind == "}"
            and place
            and tokens[place - 1].kind == "{"
            and (not kept or kept[-1] is not tokens[place - 1])
        ):
            continue
        kept.append(token)
    return kept


def _is_naming(clause: Clause, chain: Chain, members: list[list[Token]]) -> bool:
    """Whether words stand where a name does: before a relation, or before all else."""
    if chain.relations or chain.words is not None:
        return False
    has_relation = any(piece.kind is Kind.RELATION for piece in clause.pieces)
    return has_relation or not members[0]


def close_off(tokens: Iterable[Token]) -> list[Token]:
    """End a member as the reader expects it: with a token of kind "end", without a full stop."""
    inside = list(tokens)
    closers = match_brackets(inside) if inside and inside[0].kind == "{" else {}
    first, last = 0, len(inside) - 1
    while first <= last:
        if inside[last].kind in ".,;":
            last -= 1
        elif inside[first].kind == "{" and closers.get(first) == last:
            first, last = first + 1, last - 1
        else:
            break
    kept = inside[first : last + 1]
    end = kept[-1].end if kept else 0
    return [*kept, Token("end", "", end, end)]
