"""
Show in a terminal a place in a text that somebody else wrote.

Such a text may hold characters that move the cursor or hide others, wide and combining ones, and
lines of any length. What is shown here is one line in which each column is known.
"""

import unicodedata
from collections.abc import Iterable

CUT = "…"


def show(text: str) -> str:
    """
    Replace each character that does not print by a sign that does.

    >>> show("a\\x1b[2J\\tb\\u202ec")
    'a␛[2J b�c'
    """
    return "".join(map(_show_character, text))


def point_at(text: str, start: int, end: int, *, columns: int = 80) -> tuple[str, str]:
    r"""
    Return the line of a text in which a place begins, or a window on it, and the carets below.

    >>> for line in point_at("x +\n量 + \\foo y", 8, 12):
    ...     print(line)
    2 | 量 + \foo y
    2 |      ^^^^
    """
    start = min(max(start, 0), len(text))
    first = text.rfind("\n", 0, start) + 1
    last = text.find("\n", start)
    last = len(text) if last < 0 else last
    gutter = f"{text.count(chr(10), 0, first) + 1} | " if "\n" in text else ""
    width = max(columns - len(gutter), 20)
    left, right = _find_window(text, (first, last), start, width)
    before = ("" if left == first else CUT) + show(text[left:start])
    end = min(max(end, start + 1), right)
    marked = show(text[start:end])
    after = show(text[end:right]) + ("" if right == last else CUT)
    carets = "^" * max(_measure(marked), 1)
    indent = " " * (len(gutter) + _measure(before))
    return f"{gutter}{before}{marked}{after}", f"{indent}{carets}"


def _find_window(text: str, line: tuple[int, int], start: int, width: int) -> tuple[int, int]:
    """Choose what to show of a line: all of it, or what fits around a place."""
    first, last = line
    # A line of a megabyte need not be measured as a whole.
    if last - first <= width and _measure(show(text[first:last])) <= width:
        return first, last
    room = width - 2 * len(CUT)
    before, after = text[max(first, start - room) : start], text[start : min(last, start + room)]
    to_the_left = max(room // 2, room - _measure(show(after)))
    left = start - _count_fitting(reversed(before), to_the_left)
    return left, start + _count_fitting(after, room - _measure(show(text[left:start])))


def _count_fitting(characters: Iterable[str], columns: int) -> int:
    """Count how many characters, from the first on, fit into some columns."""
    count = 0
    for character in characters:
        columns -= _measure(_show_character(character))
        if columns < 0:
            break
        count += 1
    return count


def _measure(shown: str) -> int:
    """Count the columns of a text that prints."""
    return sum(
        0 if unicodedata.category(one) in ("Mn", "Me") else 1 + _is_wide(one) for one in shown
    )


def _is_wide(character: str) -> bool:
    return unicodedata.east_asian_width(character) in "WF"


def _show_character(character: str) -> str:
    if character.isprintable():
        return character
    if character == "\r":
        return ""
    if character == "\t" or unicodedata.category(character) == "Zs":
        return " "
    if character < " ":
        return chr(0x2400 + ord(character))
    return "\N{REPLACEMENT CHARACTER}"
