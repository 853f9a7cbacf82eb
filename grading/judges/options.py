"""Options of a multiple-choice question: reading them from its text, resolving answers to them."""

import re
import unicodedata
from collections.abc import Mapping

_LINE = re.compile(r"^[ \t]*(?:\(([A-Z])\)|([A-Z])[).:])[ \t]*([^\n]*)$", re.MULTILINE)
_MARK = re.compile(r"\(([A-Z])\)")
_LETTER = re.compile(
    r"(?:(?:option|choice|letter|answer)\s+)?(?:\(\s*([A-Za-z])\s*\)|\[\s*([A-Za-z])\s*\]"
    r"|([A-Za-z])(?=[).:\s]|$)[).:]?)\s*(.*)",
    re.IGNORECASE | re.DOTALL,
)


def read_options(question: str) -> dict[str, str]:
    r"""
    Read the options of a question: letters, from A on without a gap, each with its text.

    >>> read_options("Which day?\nOptions:\n(A) Sunday\n(B) Monday")
    {'A': 'Sunday', 'B': 'Monday'}
    >>> read_options("Which day? (A) Sunday (B) Monday")
    {'A': 'Sunday', 'B': 'Monday'}
    """
    for found in (
        [(one[1] or one[2], one[3]) for one in _LINE.finditer(question)],
        _split_inline(question),
    ):
        letters = [letter for letter, _ in found]
        is_row = letters == [chr(ord("A") + place) for place in range(len(letters))]
        # A line that holds several options is no line of one.
        is_mixed = any(re.search(r"\([A-Z]\)", text) for _, text in found)
        if len(letters) > 1 and is_row and not is_mixed:
            return {letter: text.strip() for letter, text in found}
    return {}


def _split_inline(question: str) -> list[tuple[str, str]]:
    marks = list(_MARK.finditer(question))
    found = []
    for place, mark in enumerate(marks):
        end = marks[place + 1].start() if place + 1 < len(marks) else len(question)
        found.append((mark[1], question[mark.end() : end].strip()))
    return found


def read_option(text: str, options: Mapping[str, str]) -> str | None:
    """
    Resolve an answer to the letter of an option; None where it is none or more than one.

    >>> options = {"A": "Sunday", "B": "Monday"}
    >>> read_option("(b) Monday", options), read_option("monday", options)
    ('B', 'B')
    >>> read_option("(B) Sunday", options) is read_option("B or A", {}) is None
    True
    """
    text = unicodedata.normalize("NFKC", text)
    by_text = [letter for letter, option in options.items() if fold(option) == fold(text)]
    by_letter = _read_letter(text, options)
    if by_letter and by_text:
        return by_letter if by_text == [by_letter] else None
    if by_letter:
        return by_letter
    return by_text[0] if len(by_text) == 1 else None


def fold(text: str) -> str:
    """
    Bring a text into the form in which two are compared: case, white space, a final full stop.

    >>> fold(" On  Monday.")
    'on monday'
    """
    text = " ".join(unicodedata.normalize("NFKC", text).casefold().split())
    return text.removesuffix(".").strip()


def _read_letter(text: str, options: Mapping[str, str]) -> str | None:
    found = _LETTER.fullmatch(text.strip())
    if not found or not text.isascii():
        return None
    letter = (found[1] or found[2] or found[3]).upper()
    rest = found[4]
    if options and letter not in options:
        return None
    if any(fold(option) == letter.casefold() for option in options.values()):
        # The options are letters themselves: one can't tell which is meant.
        return None
    if rest and (letter not in options or fold(options[letter]) != fold(rest.strip("*_ "))):
        return None
    return letter
