r"""
Where in a response the words stand that somebody selected on its page, or typed.

A page shows each end of a line as one character, "\n", and what a form sends has "\r\n": places are
counted as the page shows the response, and led back to it as it was handed in.
"""

import re
from dataclasses import dataclass

LINE_END = re.compile(r"\r\n?")


class NotThere(Exception):
    """The words stand nowhere in the response."""


class NotOnce(Exception):
    """The words stand more than once in the response, and no place was said."""


@dataclass(frozen=True, slots=True)
class Found:
    """A passage as it stands in the response that was handed in."""

    text: str
    start: int
    """In characters."""


def find_passage(response: str, words: str, start: int | None = None) -> Found:
    r"""
    Find words in a response.

    Args:
        start: where they begin in the response as a page shows it, if somebody selected them.

    Raises:
        NotThere: they stand nowhere in it.
        NotOnce: they stand more than once in it, and not where `start` says.

    >>> find_passage("so\r\nF = m v\r\n", "F = m v")
    Found(text='F = m v', start=4)
    >>> find_passage("a + a", "a", 4)
    Found(text='a', start=4)
    """
    shown = LINE_END.sub("\n", response)
    words = LINE_END.sub("\n", words)
    if start is not None:
        # What is selected may begin or end with blanks.
        start += len(words) - len(words.lstrip())
    words = words.strip()
    if not words or words not in shown:
        raise NotThere
    if start is None or not shown.startswith(words, start):
        start = shown.index(words)
        if shown.find(words, start + 1) >= 0:
            raise NotOnce
    first, end = _lead_back(response, start), _lead_back(response, start + len(words))
    return Found(response[first:end], first)


def _lead_back(response: str, place: int) -> int:
    """Return the place in the response of one in what is shown: two characters may be one there."""
    for double in re.finditer("\r\n", response):
        if double.start() >= place:
            break
        place += 1
    return place
