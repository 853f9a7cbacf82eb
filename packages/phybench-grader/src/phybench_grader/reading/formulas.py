"""Where the formulas of a text in Markdown stand."""

from __future__ import annotations

import re
from collections.abc import Iterator

_OPENING = re.compile(r"\$|\\\[|\\\(")
_DELIMITERS = (("$$", "$$"), ("$", "$"), (r"\[", r"\]"), (r"\(", r"\)"))


def list_formulas(text: str) -> list[str]:
    """List the formulas of a text in Markdown, without their dollar signs."""
    return [content for _start, _formula, content in find_formulas(text)]


def find_formulas(text: str) -> Iterator[tuple[int, str, str]]:
    """Find where each formula begins, what it is with its delimiters, and without them."""
    # What closes no more is looked for once, and not again from each that opens: it takes seconds.
    lost: set[str] = set()
    place = 0
    while opening := _OPENING.search(text, place):
        start = opening.start()
        place = start + 1
        for opens, closes in _DELIMITERS:
            if closes in lost or not text.startswith(opens, start):
                continue
            inner = start + len(opens)
            end = text.find(closes, inner + 1)
            if end < 0:
                lost.add(closes)
                continue
            place = end + len(closes)
            yield start, text[start:place], text[inner:end]
            break
