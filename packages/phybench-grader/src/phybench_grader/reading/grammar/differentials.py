r"""
Differentials in an answer: `dp/dT` is a derivative, and `… \,dx` is a part of an integral.

A d is as well a distance: it is a symbol where the problem has it so, or where it stands alone.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from phybench_grader.reading.lexer import Token
from phybench_grader.reading.names import Names
from phybench_grader.reading.reading import Unreadable
from phybench_grader.reading.stream import CLOSERS
from phybench_grader.reading.usage import find_name_end, is_symbol_at

_LEFT_DIFFERENTIAL = re.compile(
    r"(?<![A-Za-z\\])(d\s*(?:\\[A-Za-z]+|[A-Za-z])(?:_\w|_\{\w+\})?)\s*"
    r"(?:&\s*)?(?:=|\\approx|\\equiv)(?:\s|\\left|\\[,;!]|[&{])*$"
)


def cut_differentials(text: str, tokens: list[Token], names: Names) -> None:
    r"""
    Take a differential off the end that stands on the left side as well: it cancels.

    Raises `Unreadable` for `df/dx`, and for `… \,dx` where a differential is on the left or no d
    stands alone.
    """
    declared = names.declared
    found = _find_differentials(tokens)
    for place, end, _ in found:
        # A distance d would cancel.
        if tokens[end].kind == "/" and _is_differential(tokens, end + 1):
            raise Unreadable("derivative", tokens[place].start, tokens[end + 2].end)
    if "d" in declared.names or declared.stands_alone("d"):
        return
    before = _LEFT_DIFFERENTIAL.search(text[: tokens[0].start])
    is_free = "d" in names.usage.lone
    if is_free and before is None:
        return
    for place, end, level in found:
        if level or tokens[end].kind not in ("+", "-", "end"):
            continue
        start, stop = tokens[place].start, tokens[end - 1].end
        is_same = before is not None and _squeeze(before[1]) == _squeeze(text[start:stop])
        if is_same and tokens[end].kind == "end" and place:
            del tokens[place:end]
            return
        if before is not None or tokens[place].is_spaced:
            raise Unreadable("differential", start, stop)


def _find_differentials(tokens: Sequence[Token]) -> list[tuple[int, int, int]]:
    """Find where differentials begin and end, and how deep in brackets."""
    found = []
    level = 0
    for place, token in enumerate(tokens):
        level += (token.kind in CLOSERS) - (token.kind in CLOSERS.values())
        if _is_differential(tokens, place):
            found.append((place, find_name_end(tokens, place + 1), level))
    return found


def _is_differential(tokens: Sequence[Token], place: int) -> bool:
    is_sign = tokens[place].kind == "letter" and tokens[place].text == "d"
    return is_sign and is_symbol_at(tokens, place + 1)


def _squeeze(text: str) -> str:
    return "".join(text.split())
