r"""
Whether a translation has the formulas of its original: a comparison of what the renderer draws.

White space does not count, nor does a comment. The words in `\text{…}` may be others, but where
they belong to a symbol's name: in v_{\text{max}} they stay.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from markdown_it.token import Token

from curation.texts.rendering import parse

Pieces = tuple[str, ...]
"""A formula's commands and characters."""

_MATHEMATICS = {"math_inline", "math_inline_double", "math_block"}
_CLOSING = {r"\(": r"\)", r"\[": r"\]"}
# Between the lines of one in a quotation or a list; the renderer also cuts off white space.
_BETWEEN_LINES = r"[ \t]*\n[ \t>]*"
_PIECE = re.compile(r"\\[A-Za-z]+|\\.|%[^\n]*|\S", re.DOTALL)
_TEXT = {r"\text", r"\textrm", r"\textit", r"\textbf", r"\textsf", r"\textnormal"}
_WORDS = r"\text{…}"


@dataclass(frozen=True, slots=True)
class Formula:
    """One formula of a text, with its place: offsets in the source."""

    source: str
    start: int
    end: int
    is_display: bool = False
    """Whether it stands on its own, as `$$…$$`."""
    delimiter: int = 0
    """How long what opens it is, and what closes it."""

    def find(self, text: str, offset: int) -> int:
        """Return where in `text`, which it is a formula of, its character number `offset` is."""
        place = self.start + self.delimiter
        for character in self.source[:offset]:
            # The margins of its lines are not in it.
            while place < self.end and text[place] != character:
                place += 1
            place += 1
        while place < self.end and offset < len(self.source) and text[place] != self.source[offset]:
            place += 1
        return min(place, self.end - self.delimiter)


@dataclass(frozen=True, slots=True)
class FormulaComparison:
    """Where the formulas of an original and of its translation differ."""

    missing: tuple[Formula, ...] = ()
    """Those of the original that the translation lacks, with their places in the original."""
    added: tuple[Formula, ...] = ()
    """Those of the translation that the original lacks, with their places in the translation."""
    reworded: tuple[tuple[Formula, Formula], ...] = ()
    """Pairs that differ only in the words in them, for whoever checks to look at."""

    @property
    def is_same(self) -> bool:
        return not self.missing and not self.added


def compare_formulas(original: str, translation: str) -> FormulaComparison:
    """
    Compare the formulas of two texts, in any order but as often as they stand there.

    >>> compare_formulas("Of mass $m$.", "质量为 $ m $。").is_same
    True
    >>> [one.source for one in compare_formulas("Of mass $m$.", "质量为 $M$。").missing]
    ['m']
    """
    before, after = list_formulas(original), list_formulas(translation)
    keys_before, keys_after = Counter(map(_key, before)), Counter(map(_key, after))
    return FormulaComparison(
        missing=_choose(before, keys_before - keys_after, _key),
        added=_choose(after, keys_after - keys_before, _key),
        reworded=tuple(_pair_reworded(before, after)),
    )


def _choose(
    formulas: list[Formula], surplus: Counter[Pieces], key_of: Callable[[Formula], Pieces]
) -> tuple[Formula, ...]:
    """Return the last ones of each kind of which there are too many."""
    left = Counter(surplus)
    chosen = []
    for formula in reversed(formulas):
        key = key_of(formula)
        if left[key] > 0:
            left[key] -= 1
            chosen.append(formula)
    return tuple(reversed(chosen))


def _pair_reworded(
    before: list[Formula], after: list[Formula]
) -> Iterator[tuple[Formula, Formula]]:
    exact_before, exact_after = Counter(map(_exact, before)), Counter(map(_exact, after))
    partners: dict[Pieces, list[Formula]] = defaultdict(list)
    for other in reversed(_choose(after, exact_after - exact_before, _exact)):
        partners[_key(other)].append(other)
    for formula in _choose(before, exact_before - exact_after, _exact):
        if found := partners[_key(formula)]:
            yield formula, found.pop()


def _exact(formula: Formula) -> Pieces:
    """Return what TeX makes of it: its commands and characters, without spaces and comments."""
    return tuple(one for one in _PIECE.findall(formula.source) if not one.startswith("%"))


def _key(formula: Formula) -> Pieces:
    """Return the same without the words of each `\text{…}` outside of scripts."""
    pieces = _exact(formula)
    kept: list[str] = []
    in_script = [False]  # for each open brace
    after_sign = False
    place = 0
    while place < len(pieces):
        piece = pieces[place]
        is_script = in_script[-1] or after_sign
        after_sign = piece in {"_", "^"}
        if piece in _TEXT and not is_script and (end := _find_end_of_words(pieces, place + 1)):
            kept.append(_WORDS)
            place = end
            continue
        if piece == "{":
            in_script.append(is_script)
        elif piece == "}" and len(in_script) > 1:
            in_script.pop()
        elif piece in _TEXT:
            after_sign = is_script  # of its own braces
        kept.append(piece)
        place += 1
    return tuple(kept)


def _find_end_of_words(pieces: Pieces, start: int) -> int:
    """Return where the braces from `start` have closed; 0 if there is more than words in them."""
    if pieces[start : start + 1] != ("{",):
        return 0
    for place in range(start + 1, len(pieces)):
        if pieces[place] == "}":
            return place + 1
        if pieces[place] in {"{", "$"} or pieces[place].startswith("\\"):
            return 0
    return 0


def list_formulas(text: str) -> list[Formula]:
    """List the formulas of a text in Markdown as the renderer finds them, with their places."""
    return list(_Finder(text).find(parse(text)))


class _Finder:
    """Finds again in the source what the parser cut out of it."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.position = 0

    def find(self, tokens: list[Token]) -> Iterator[Formula]:
        for token in tokens:
            if token.children:
                yield from self.find(token.children)
            elif token.type in _MATHEMATICS:
                yield self._locate(token)
            elif token.type in {"text", "code_inline", "code_block", "fence"} and token.content:
                self._pass(token.content)

    def _locate(self, token: Token) -> Formula:
        opening, is_display = token.markup, token.type != "math_inline"
        closing = _CLOSING.get(opening, opening)
        source = token.content.strip()
        start, end = self._find(opening + token.content + closing)
        if start < 0 and "\n" in token.content:
            # Of several lines in a quotation or a list: their margins are not in the token.
            lines = (re.escape(line.strip()) for line in token.content.split("\n"))
            inside = _BETWEEN_LINES.join(lines)
            pattern = rf"{re.escape(opening)}[ \t]*{inside}[ \t]*{re.escape(closing)}"
            if found := re.compile(pattern).search(self.text, self.position):
                start, end = found.span()
        if start < 0:
            # A tab may be spaces in the token.
            start = max(self.text.find(opening, self.position), self.position)
            return Formula(source, start, min(start + 2, len(self.text)), is_display)
        self.position = end
        return Formula(source, start, end, is_display, len(opening))

    def _find(self, written: str) -> tuple[int, int]:
        start = self.text.find(written, self.position)
        return start, start + len(written)

    def _pass(self, content: str) -> None:
        found = self.text.find(content, self.position)
        if found >= 0:
            self.position = found + len(content)
