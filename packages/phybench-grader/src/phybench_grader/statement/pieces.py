r"""
Tokens to pieces: what is mathematics, what joins, what is said in words.

A piece is a run of tokens outside all brackets. The statement that they make is for `statement`.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from phybench_grader.numbers.functions import SPELLINGS, TYPED, split_glued
from phybench_grader.numbers.symbols import GREEK, LETTERLIKE
from phybench_grader.reading.lexer import Token
from phybench_grader.reading.stream import CLOSERS
from phybench_grader.reading.vocabulary import (
    CONCLUSIONS,
    EQUALITIES,
    FILLERS,
    LONGEST_PRODUCT,
    LONGEST_UNKNOWN,
    NEGATIONS,
    PROSE,
    RELATIONS,
    SEVERAL_WORDS,
    TYPED_KEYWORDS,
    TYPED_PREPOSITIONS,
    UNITS,
)
from phybench_grader.statement.phrases import CHINESE, KEYWORDS, WORD, Kind, classify


@dataclass(frozen=True, slots=True)
class Known:
    """The names of the problem's symbols, as far as they are known."""

    names: frozenset[str] = frozenset()
    is_told: bool = False
    """Whether the problem says them, not only its key."""
    unit: str = ""
    """The unit that the answer is asked in, as it was typed."""
    given: frozenset[str] = frozenset()
    """The names that are declared: what is asked for is none of them."""

    def spells(self, word: str) -> bool:
        """Whether the symbols spell a word."""
        return bool(self.names) and all(one in self.names or one in "de" for one in word)

    def holds(self, names: Collection[str]) -> bool:
        """Whether all of these are symbols of the problem; nothing known speaks against none."""
        return not self.names or self.names.issuperset(names)


@dataclass(frozen=True, slots=True)
class Piece:
    """Tokens that belong together; `words` is what they say, where that is words."""

    kind: Kind
    tokens: tuple[Token, ...]
    words: str = ""

    @property
    def start(self) -> int:
        """Offset where it begins."""
        return self.tokens[0].start

    @property
    def end(self) -> int:
        """Offset where it ends."""
        return self.tokens[-1].end

    @property
    def sign(self) -> str:
        """The relation that it is, as a key of the vocabulary."""
        return self.words or self.tokens[0].text


_SIGNS = {
    ",": Kind.COMMA, ";": Kind.SEMICOLON, "\\": Kind.BREAK, "newline": Kind.BREAK,
    ":": Kind.COLON, "lor": Kind.OR, "vee": Kind.OR, "land": Kind.AND, "wedge": Kind.AND,
    "lnot": Kind.NOT, "neg": Kind.NOT, "forall": Kind.CONDITION,
}  # fmt: skip
_TYPED_RELATIONS = {
    "->": "to", "=>": "Rightarrow", "<=": "le", ">=": "ge", "!=": "ne", "==": "=", "<<": "ll",
    ">>": "gg", "<>": "ne",
}  # fmt: skip
"""Relations of two characters that are typed side by side."""
_OPENERS = frozenset(kind for _, kind in KEYWORDS)
_OPERATORS = frozenset({"+", "-", "*", "/", "^", "_", "cdot", "div", "over"})
_UNFINISHED = (Kind.RELATION, Kind.WORDS, Kind.COLON)
"""What a value follows, not a remark."""
_UPRIGHT = ("text", "mathrm", "operatorname")
_VOWEL = re.compile(r"[aeiou]", re.I)
_WIDE = re.compile(r"\\q?quad(?![A-Za-z])|\\hspace|\n")


def split_pieces(text: str, tokens: Sequence[Token], known: Known) -> list[Piece]:
    """
    Split the tokens of a text (the last of kind "end") into pieces.

    What the problem's symbols spell is no word.
    """
    return Splitter(text, tokens, known).split()


class Splitter:
    """One pass over the tokens, outside all brackets."""

    def __init__(
        self,
        text: str,
        tokens: Sequence[Token],
        known: Known,
        *,
        is_inside: bool = False,
    ) -> None:
        self.text = text
        self.is_inside = is_inside
        self.tokens = list(tokens)
        self.known = known
        self.closers = match_brackets(self.tokens)
        self.pieces: list[Piece] = []
        self._math: list[Token] = []
        relations = (place for place, one in enumerate(self.tokens) if one.text in RELATIONS)
        self._last_relation = max(relations, default=-1)

    def split(self) -> list[Piece]:
        """Go over the tokens from left to right."""
        self._split(0, len(self.tokens) - 1)
        return self.pieces

    def _split(self, position: int, end: int) -> None:
        while position < end:
            self._note_gap(position)
            position = self._step(position, end)
        self._end_math()

    def _note_gap(self, position: int) -> None:
        if position == 0 or not self._math:
            return
        token = self.tokens[position]
        if _WIDE.search(self.text, self.tokens[position - 1].end, token.start):
            self._end_math()
            self.pieces.append(Piece(Kind.GAP, (token,)))

    def _step(self, position: int, end: int) -> int:
        """Take what stands at a position; return where the next begins."""
        token = self.tokens[position]
        if self._is_script(position):
            return self._take_math(position, self._find_end(position, end))
        if (relation := self._find_relation(position, end)) is not None:
            self._add(relation)
            return position + len(relation.tokens)
        if token.kind in (",", ";", ":") or (token.kind == "command" and token.text in _SIGNS):
            self._add(Piece(_SIGNS[token.text], (token,)))
            return position + 1
        if token.kind == "command" and token.text in _UPRIGHT:
            return self._take_upright(position, end)
        if token.kind == "command" and token.text in ("begin", "end"):
            # Cases and matrices: what they are is for the reader to say.
            return self._take_math(position, end)
        if token.kind == "word":
            return self._take_letters(position, end)
        if token.kind == "-" and self._is_dash(position, end):
            self._add(Piece(Kind.COMMA, (token,)))
            return position + 1
        if (abbreviated := self._find_abbreviation(position, end)) is not None:
            self._add(abbreviated)
            return position + len(abbreviated.tokens)
        if token.kind == "letter" and token.word:
            return self._take_typed(position, end)
        if token.kind in "([" and self._is_remark(position, end):
            return self._take_remark(position)
        return self._take_math(position, self._find_end(position, end))

    def _add(self, piece: Piece) -> None:
        self._end_math()
        self.pieces.append(piece)

    def _end_math(self) -> None:
        if self._math:
            self.pieces.append(Piece(Kind.MATH, tuple(self._math)))
            self._math = []

    def _take_math(self, start: int, end: int) -> int:
        self._math += self.tokens[start:end]
        return end

    def _is_script(self, position: int) -> bool:
        return position > 0 and self.tokens[position - 1].kind in ("_", "^")

    def _find_end(self, position: int, end: int) -> int:
        """Find where the token or the bracket at a position ends."""
        return min(self.closers.get(position, position) + 1, end)

    # --- Relations ------------------------------------------------------------------------------

    def _find_relation(self, position: int, end: int) -> Piece | None:
        token = self.tokens[position]
        if token.kind == "letter":
            return None
        if position + 1 < end:
            following = self.tokens[position + 1]
            pair = _TYPED_RELATIONS.get(token.kind + following.kind)
            if pair is not None and token.end == following.start:
                return Piece(_kind_of(pair), (token, following), pair)
            behind = self.tokens[position + 2]
            signs = token.kind + following.kind + behind.kind
            if signs == "=/=" and token.end == following.start and following.end == behind.start:
                return Piece(Kind.RELATION, (token, following, behind), "ne")
            if token.text == "not" and token.kind == "command" and following.text in RELATIONS:
                return Piece(Kind.RELATION, (token, following), "ne")
        if token.text in RELATIONS and token.kind in ("command", "=", "<", ">"):
            return Piece(_kind_of(token.text), (token,), token.text)
        return None

    # --- Words ----------------------------------------------------------------------------------

    def _is_dash(self, position: int, end: int) -> bool:
        """Whether a sign is a dash between a value and words: `x — the same for both`."""
        token = self.tokens[position]
        is_long = self.text[token.start : token.end] in ("—", "–")
        if not (is_long and self._math and position + 1 < end):
            return False
        is_apart = self.text[token.start - 1].isspace() and self.text[token.end].isspace()
        following = self.tokens[position + 1]
        return is_apart and bool(following.word) and self._is_word(position + 1)

    def _find_abbreviation(self, position: int, end: int) -> Piece | None:
        """Find an `i.e.`, which no product is written as."""
        tokens = self.tokens[position : min(position + 4, end)]
        spelt = "".join(token.text for token in tokens[:3])
        if spelt != "i.e" or any(one.end != other.start for one, other in pairwise(tokens[:3])):
            return None
        count = 4 if tokens[-1].kind == "." else 3
        return Piece(Kind.FORM, tuple(tokens[:count]), "i.e.")

    def _take_upright(self, position: int, end: int) -> int:
        r"""Take a `\text{…}`: words, or a symbol, function or unit that is mathematics."""
        opener = position + 1
        if opener >= end or self.tokens[opener].kind != "{" or opener not in self.closers:
            return self._take_math(position, min(position + 2, end))
        closer = self.closers[opener]
        tokens = tuple(self.tokens[position : closer + 1])
        content = self.text[self.tokens[opener].end : self.tokens[closer].start]
        is_symbol = self._next_is_script(closer + 1)
        kind = None if is_symbol else classify(content, style=self.tokens[position].text)
        if kind is None:
            return self._take_math(position, closer + 1)
        if kind is not Kind.MATH:
            self._add_words(kind, tokens, content)
        return closer + 1

    def _add_words(self, kind: Kind, tokens: tuple[Token, ...], content: str) -> None:
        """Add words; what follows a joining word is a name: `and the energy`."""
        self._add(Piece(kind, tokens, "=" if kind is Kind.RELATION else content))
        if kind not in (Kind.AND, Kind.OR, Kind.CONCLUSION):
            return
        keywords = next(one for one, joining in KEYWORDS if joining is kind)
        words = WORD.findall(content)
        rest = [word for word in words if word.lower() not in keywords and not CHINESE.search(word)]
        if rest and not FILLERS.issuperset(word.lower() for word in rest):
            self.pieces.append(Piece(Kind.WORDS, tokens, " ".join(rest)))

    def _next_is_script(self, position: int) -> bool:
        return self.tokens[position].kind in ("_", "^", "'")

    def _take_letters(self, position: int, end: int) -> int:
        """Take letters that are no sign of mathematics, such as Chinese ones."""
        last = position
        while last < end and self.tokens[last].kind == "word":
            last += 1
        tokens = tuple(self.tokens[position:last])
        content = self.text[tokens[0].start : tokens[-1].end]
        self._add_words(classify(content) or Kind.WORDS, tokens, content)
        return last

    def _take_typed(self, position: int, end: int) -> int:
        """Take letters typed together: a word of a language, or else mathematics."""
        token = self.tokens[position]
        is_name = token.word in SPELLINGS or token.word in GREEK
        if not is_name and (glued := split_glued(token.word, self.known.spells)) is not None:
            behind = position + len(glued[0])
            self.tokens[position] = token = replace(token, word=glued[0])
            self.tokens[behind] = replace(self.tokens[behind], word=glued[1])
        last = position + self._measure(position)
        if last > end or not self._is_word(position):
            if last <= end and self._is_spelt(token.word):
                # The reader goes by symbols one by one where no word is marked.
                self._math += [replace(one, word="") for one in self.tokens[position:last]]
                return last
            return self._take_math(position, position + 1)
        kind = classify(token.word) or Kind.WORDS
        if kind is Kind.CONCLUSION and self.tokens[last].word == "that":
            kind = Kind.CONDITION  # so that
        # Words of a sentence are one piece.
        words = token.word
        if kind is Kind.WORDS:
            while last < end and (self._is_word(last) or self._goes_on(last)):
                if (classify(self.tokens[last].word) or Kind.WORDS) is not Kind.WORDS:
                    break
                last += self._measure(last)
            words = self.text[token.start : self.tokens[last - 1].end]
        tokens = tuple(self.tokens[position:last])
        self._add_words(kind, tokens, words)
        return last

    def _measure(self, position: int) -> int:
        """Count the tokens of a word with its `'s`."""
        end = position + len(self.tokens[position].word)
        is_owner = (
            self.tokens[end].kind == "'"
            and self.tokens[min(end + 1, len(self.tokens) - 1)].word == "s"
        )
        return end - position + 2 * is_owner

    def _is_word(self, position: int) -> bool:
        token = self.tokens[position]
        word = token.word
        if len(word) < 2 or self._next_is_script(position + self._measure(position)):
            return False
        if word in SPELLINGS or word in GREEK or word in LETTERLIKE or word == "pi":
            return False
        if self.known.spells(word):
            return False
        lowered = word.lower()
        if lowered in TYPED_KEYWORDS or lowered in PROSE or lowered in NEGATIONS:
            return True
        if len(word) > LONGEST_UNKNOWN and lowered in UNITS:
            return True
        if lowered in TYPED_PREPOSITIONS:
            return self._is_preposition(position)
        # A number can't be told from a word that is glued to a function: `sinx`, `costheta`.
        rests = [word[len(name) :] for name in TYPED if word.startswith(name)]
        if rests and not all(self._is_ending(rest) for rest in rests):
            return False
        if len(word) > LONGEST_UNKNOWN and (
            self._goes_on(position + len(word)) or self._names(position)
        ):
            return True
        return len(word) > (LONGEST_UNKNOWN if self.known.is_told else LONGEST_PRODUCT)

    def _is_ending(self, rest: str) -> bool:
        """Whether what follows a function's name in a word makes another word: `exp-ected`."""
        return len(rest) > LONGEST_UNKNOWN - 1 and rest not in GREEK and not self.known.spells(rest)

    def _goes_on(self, position: int) -> bool:
        """Whether another word of a phrase stands here: letters behind a blank."""
        token = self.tokens[position]
        word = token.word
        if len(word) < 2 or not self.text[token.start - 1 : token.start].isspace():
            return False
        is_mathematics = word in SPELLINGS or word in GREEK or word in LETTERLIKE or word == "pi"
        return not is_mathematics and not self.known.spells(word)

    def _names(self, position: int) -> bool:
        """Whether a word stands alone before a sign: `Speed =`, `Energy:`."""
        token = self.tokens[position]
        following = self.tokens[position + len(token.word)]
        is_pronounced = len(_VOWEL.findall(token.word)) > 1 and token.word[1:].islower()
        return position == 0 and following.kind in ("=", ":") and is_pronounced

    def _is_spelt(self, word: str) -> bool:
        """Whether the problem's symbols spell what the reader would take for a word."""
        is_refused = word.lower() in PROSE | SEVERAL_WORDS or len(word) > LONGEST_PRODUCT
        return is_refused and self.known.spells(word)

    def _is_preposition(self, position: int) -> bool:
        token = self.tokens[position]
        end = token.start + len(token.word)
        is_apart = self.text[token.start - 1 : token.start].isspace() if token.start else True
        if not is_apart or not self.text[end : end + 1].isspace():
            return False
        if position == 0:
            return token.word == "so"
        before = self.tokens[position - 1].kind
        is_behind = before not in ("=", "+", "-", "*", "/", "(", "[", "{", "<", ">")
        following = position + len(token.word)
        # Of prepositions in a row each would ask for the next, without end.
        is_other = self.tokens[following].word.lower() not in TYPED_PREPOSITIONS
        is_said = self._goes_on(following) and (
            token.word == "per" or (is_other and self._is_word(following))
        )
        return is_behind and (is_said or self._last_relation > position)

    # --- Remarks in brackets --------------------------------------------------------------------

    def _is_remark(self, position: int, end: int) -> bool:
        """Whether a bracket behind an expression holds a condition or words."""
        closer = self.closers.get(position)
        if self.is_inside or closer is None or closer == position + 1:
            return False
        behind = self.tokens[closer + 1]
        is_last = behind.kind in ("end", ",", ";", ".") or behind.text in ("\\", "text")
        if self._math:
            follows = self._math[-1].text not in _OPERATORS
        else:
            follows = bool(self.pieces) and self.pieces[-1].kind not in _UNFINISHED
        if not is_last or not follows:
            return False
        inside = self._split_inside(position, closer)
        if self.tokens[closer - 1].kind == "%":
            return True  # `0.4 (40%)`
        if any(piece.kind in (Kind.RELATION, Kind.WORDS) for piece in inside):
            return True
        return bool(inside) and inside[0].kind in _OPENERS

    def _split_inside(self, opener: int, closer: int) -> list[Piece]:
        tokens = [*self.tokens[opener + 1 : closer], self.tokens[-1]]
        return Splitter(self.text, tokens, self.known, is_inside=True).split()

    def _take_remark(self, position: int) -> int:
        opener, closer = self.tokens[position], self.closers[position]
        inside = self._split_inside(position, closer)
        self._end_math()
        kinds = [piece.kind for piece in inside]
        if kinds[0] is Kind.WORDS and Kind.COMMA in kinds:
            # A sentence of its own: `(the other root, x = -a, is unphysical)`.
            tokens = tuple(self.tokens[position : closer + 1])
            words = self.text[tokens[0].end : tokens[-1].start]
            self.pieces.append(Piece(Kind.CONDITION, tokens, words))
            self.pieces.append(Piece(Kind.SEMICOLON, (self.tokens[closer],)))
            return closer + 1
        # `(=\frac12\sin 2\theta)` goes on with the chain before it.
        goes_on = inside[0].kind is Kind.RELATION and inside[0].sign in EQUALITIES
        if inside[0].kind is Kind.MATH and self.tokens[closer - 1].kind == "%":
            self.pieces.append(Piece(Kind.FORM, (opener,)))
        elif not goes_on and inside[0].kind not in _OPENERS:
            self.pieces.append(Piece(Kind.CONDITION, (opener,)))
        self.pieces += inside
        self.pieces.append(Piece(Kind.SEMICOLON, (self.tokens[closer],)))
        return closer + 1


def _kind_of(relation: str) -> Kind:
    return Kind.CONCLUSION if relation in CONCLUSIONS else Kind.RELATION


def match_brackets(tokens: Sequence[Token]) -> dict[int, int]:
    """Map the place of each opening bracket to that of its partner, in linear time."""
    pairs: dict[int, int] = {}
    open_brackets: list[int] = []
    for position, token in enumerate(tokens):
        if token.kind in CLOSERS:
            open_brackets.append(position)
        elif token.kind in CLOSERS.values() and open_brackets:
            pairs[open_brackets.pop()] = position
    return pairs
