"""
Passages of a source text: how one is kept, and found again in a later version of the text.

A passage is kept in the manner of a W3C TextQuoteSelector: the quote, a little of what stands
before and after it, and where it stood.
"""

from collections.abc import Iterator
from dataclasses import dataclass

CONTEXT = 40
"""Characters that are kept before and after a quote."""


@dataclass(frozen=True, slots=True)
class Passage:
    """A stretch of a text, with what tells it from others like it."""

    quote: str
    prefix: str
    suffix: str
    start: int
    end: int


def mark(text: str, start: int, end: int) -> Passage:
    """
    Keep the passage from `start` to `end`, without the white space at its ends.

    >>> mark("A ball falls.", 1, 7)
    Passage(quote='ball', prefix='A ', suffix=' falls.', start=2, end=6)
    """
    start, end = max(0, start), min(len(text), end)
    found = text[start:end]
    start += len(found) - len(found.lstrip())
    end -= len(found) - len(found.rstrip())
    end = max(start, end)
    before, after = text[max(0, start - CONTEXT) : start], text[end : end + CONTEXT]
    return Passage(text[start:end], before, after, start, end)


def find(text: str, passage: Passage) -> tuple[int, int] | None:
    """
    Find a passage in another version of its text: where it begins and ends, or None.

    With all of its context it is the one; else the quote has to stand there once, or once with
    what stood on one side of it. Which of several was meant is not guessed.

    >>> kept = mark("A ball falls. A ball rises.", 16, 20)
    >>> find("The ball falls. A ball rises.", kept)
    (18, 22)
    >>> find("A stone falls.", kept) is None
    True
    """
    if not passage.quote:
        return None
    places = list(_list_places(text, passage.quote))
    for before, after in ((True, True), (True, False), (False, True), (False, False)):
        fitting = [
            start
            for start in places
            if (not before or text.endswith(passage.prefix, 0, start))
            and (not after or text.startswith(passage.suffix, start + len(passage.quote)))
        ]
        if len(fitting) == 1:
            return fitting[0], fitting[0] + len(passage.quote)
        if before and after and passage.start in fitting:
            # The text around it is the same, too: it has not moved.
            return passage.start, passage.end
    return None


def _list_places(text: str, quote: str) -> Iterator[int]:
    start = text.find(quote)
    while start >= 0:
        yield start
        start = text.find(quote, start + 1)
