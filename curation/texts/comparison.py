"""What changed between two texts, by word; a formula is one word."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Literal

_WORDS = re.compile(r"\$\$.+?\$\$|\$.+?\$|\n+|[^\S\n]+|\w+|.", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of text that stayed, went or came."""

    kind: Literal["same", "removed", "added"]
    text: str


def compare_words(before: str, after: str) -> list[Piece]:
    r"""
    List what stayed, went and came between two texts, in reading order.

    Without the added pieces it is the one text, without the removed ones the other.

    >>> [(piece.kind, piece.text) for piece in compare_words("a mass $m$", "a ball $m_1$")]
    [('same', 'a '), ('removed', 'mass'), ('added', 'ball'), ('same', ' '), \
('removed', '$m$'), ('added', '$m_1$')]
    """
    old, new = _WORDS.findall(before), _WORDS.findall(after)
    return list(_list_pieces(old, new))


def _list_pieces(old: list[str], new: list[str]) -> Iterator[Piece]:
    for kind, start, end, begin, stop in SequenceMatcher(None, old, new).get_opcodes():
        if kind == "equal":
            yield Piece("same", "".join(old[start:end]))
            continue
        if end > start:
            yield Piece("removed", "".join(old[start:end]))
        if stop > begin:
            yield Piece("added", "".join(new[begin:stop]))
