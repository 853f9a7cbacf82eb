r"""
Where something stands in a text, also after parts of that text were taken out.

A response is cleaned before its answer is looked for: fences, emphasis and doubled backslashes go.
Each of these only takes characters out, so a place in what is left leads back to one before.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

Span = tuple[int, int]
"""From the first character to behind the last."""


@dataclass(frozen=True, slots=True)
class Passage:
    """What a place in a text says; where it was put together, `text` is not what stands there."""

    text: str
    start: int
    end: int

    def shift(self, by: int) -> Passage:
        """Tell its place in a text that has `by` characters more in front."""
        return replace(self, start=self.start + by, end=self.end + by)

    def restore(self, taken: Iterable[Span]) -> Passage:
        r"""
        Tell its place in the text as it was before these spans were taken out of it.

        >>> Passage("bd", 1, 3).restore([(0, 1), (3, 5)])
        Passage(text='bd', start=2, end=6)
        """
        spans = list(taken)
        start = _restore(self.start, spans)
        # The last character leads back, not the one behind it: what was taken there is outside.
        end = _restore(self.end - 1, spans) + 1 if self.end > self.start else start
        return replace(self, start=start, end=end)


def _restore(place: int, taken: list[Span]) -> int:
    for start, end in taken:
        if start > place:
            break
        place += end - start
    return place


def cut(text: str, start: int = 0, end: int | None = None, *, said: str | None = None) -> Passage:
    """
    Cut a passage out of a text, without the blanks at its ends.

    >>> cut("so  a + b ", 2)
    Passage(text='a + b', start=4, end=9)
    """
    piece = text[start:end]
    bare = piece.strip()
    first = start + (len(piece) - len(piece.lstrip()) if bare else 0)
    return Passage(bare if said is None else said, first, first + len(bare))
