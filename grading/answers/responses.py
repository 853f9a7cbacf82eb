"""Show a model's response as it is meant: its formulas set, whether or not they were marked."""

import re
from dataclasses import dataclass

from curation.texts.rendering import MAX_CHARACTERS

LONGEST_FORMULA = 500
FAR_DOWN = 1_500
"""Characters before the last box of a response that are more than one screen."""
AROUND = 8_000
"""Characters of a long response that a page shows before and behind its graded part."""
_MARKED = re.compile(
    r"\$\$[^$]+\$\$|\$[^$]+\$|\\\((?:(?!\\[()]).)+\\\)|\\\[(?:(?!\\[\[\]]).)+\\\]|`[^`]+`",
    re.DOTALL,
)
"""Formulas with their marks, and code. Each stops where another begins, however many there are."""
_PROSE = re.compile(r"\$|\\\(|\\\[|\\boxed|\n|(?<![\\a-zA-Z])[a-zA-Z]{3,}\s+[a-zA-Z]{2,}")
"""What a response holds that is more than one formula."""
_BOX = re.compile(r"\\(?:boxed|fbox)\s*\{")


@dataclass(frozen=True, slots=True)
class MarkedResponse:
    """A response, or what of a long one is shown, in three parts: the graded one is the second."""

    before: str
    graded: str
    behind: str
    left_out_before: int = 0
    left_out_behind: int = 0

    @property
    def is_whole(self) -> bool:
        return not (self.left_out_before or self.left_out_behind)


def mark_graded(
    response: str, start: int | None, end: int | None, *, is_whole: bool = False
) -> MarkedResponse:
    """
    Part a response at its graded part, and leave out what stands far from it.

    Where it is not known what was graded, the end is shown: answers stand there.

    >>> mark_graded("It is x.", 6, 7)
    MarkedResponse(before='It is ', graded='x', behind='.', left_out_before=0, left_out_behind=0)
    """
    length = len(response)
    if start is None or end is None:
        start = end = length
    first, last = max(0, start - AROUND), min(length, end + AROUND)
    if is_whole or length <= 2 * AROUND:
        first, last = 0, length
    elif end - start > 2 * AROUND:
        # A part as long as that is itself cut off.
        last = end = start + 2 * AROUND
    return MarkedResponse(
        response[first:start], response[start:end], response[end:last], first, length - last
    )


def part_at_box(response: str) -> tuple[str, str]:
    r"""
    Part a response before the paragraph with its last box, where that is far down.

    A page leads to the second part from above the first. Not parted is what is short, has no box,
    or where a formula or a block of code would be cut in two.

    >>> part_at_box("Short. It is $\\boxed{x}$.")
    ('', 'Short. It is $\\boxed{x}$.')
    """
    boxes = list(_BOX.finditer(response))
    if not boxes:
        return "", response
    at = response.rfind("\n\n", 0, boxes[-1].start())
    before = response[:at]
    is_cut = any(before.count(mark) % 2 for mark in ("```", "$$")) or (
        before.count(r"\[") != before.count(r"\]")
    )
    if at < FAR_DOWN or is_cut:
        return "", response
    return before, response[at:]


def is_formula(response: str) -> bool:
    r"""
    Whether a response is one formula and nothing else, so that it can be set as one.

    >>> is_formula(r"\frac{m g}{k} + x"), is_formula("the ball stops"), is_formula("It is $x$.")
    (True, False, False)
    """
    return len(response) <= LONGEST_FORMULA and not _PROSE.search(response.strip())


def mark_boxes(response: str) -> str:
    r"""
    Put dollar signs around the boxes that stand in no formula, where models often leave them.

    >>> print(mark_boxes(r"It is \boxed{\frac{a}{b}}, or $\boxed{x}$."))
    It is $\boxed{\frac{a}{b}}$, or $\boxed{x}$.
    """
    # More of a text is not shown.
    response = response[: MAX_CHARACTERS + 1]
    parts, end = [], 0
    for formula in _MARKED.finditer(response):
        parts += [_mark(response[end : formula.start()]), formula[0]]
        end = formula.end()
    return "".join([*parts, _mark(response[end:])])


def _mark(text: str) -> str:
    parts, end = [], 0
    while box := _BOX.search(text, end):
        closes = _find_end(text, box.end())
        if closes is None:
            break
        parts.append(f"{text[end : box.start()]}${text[box.start() : closes]}$")
        end = closes
    return "".join([*parts, text[end:]])


def _find_end(text: str, start: int) -> int | None:
    """Find where the brace closes that was opened before `start`."""
    depth = 1
    for position in range(start, len(text)):
        if text[position - 1] == "\\":
            continue
        depth += {"{": 1, "}": -1}.get(text[position], 0)
        if depth == 0:
            return position + 1
    return None
