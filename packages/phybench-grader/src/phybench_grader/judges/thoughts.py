r"""
What a response says after its thinking: think blocks in whatever form they came.

What stands inside `<think>…</think>` never counts as the answer. Real responses lack the opening
tag (the chat template wrote it), lack the closing one (the response was cut off), spell it
otherwise, nest it, or only mention it.
"""

import re
from dataclasses import dataclass
from enum import StrEnum

_NAMES = "think|thinking|thought|thoughts|reasoning|reflection|scratchpad"
_TAG = re.compile(
    rf"<\s{{0,3}}(?P<close>/?)\s{{0,3}}(?:{_NAMES})(?:\s[^<>\n]{{0,80}})?>|\[(?P<square>/?)THINK\]",
    re.IGNORECASE,
)
_CODE = re.compile(r"```.*?(?:```|\Z)|`[^`\n]+`", re.DOTALL)
_WORDLESS = re.compile(r"[\W_]*\Z")


class Thinking(StrEnum):
    """What was found of think blocks in a response."""

    NONE = "NONE"
    """No tags, or only mentioned in code: the whole text counts."""
    CLOSED = "CLOSED"
    """What follows the last closing tag counts."""
    NOTHING_AFTER = "NOTHING_AFTER"
    """Nothing follows the last closing tag: there is no answer."""
    UNCLOSED = "UNCLOSED"
    """A block was opened and never closed: the response was cut off, there is no answer."""
    EMPTY = "EMPTY"
    """The response is empty."""
    UNCLEAR = "UNCLEAR"
    """Tags stand where they can't be told from the mention of one; nothing should rest on it."""


@dataclass(frozen=True, slots=True)
class Final:
    """The part of a response that counts: from `start` to its end."""

    text: str
    start: int
    thinking: Thinking

    @property
    def has_no_answer(self) -> bool:
        """Tell whether it is certain that nothing was answered."""
        return self.thinking in (Thinking.EMPTY, Thinking.NOTHING_AFTER, Thinking.UNCLOSED)


def find_final(response: str) -> Final:
    """
    Find what a response says after its thinking.

    >>> find_final("<think>A? No.</think> It is B.").text
    ' It is B.'
    >>> find_final("<think>A? No.").thinking.value
    'UNCLOSED'
    """
    if not response.strip():
        return Final("", len(response), Thinking.EMPTY)
    code = [(one.start(), one.end()) for one in _CODE.finditer(response)]
    tags = list(_TAG.finditer(response))
    real = [tag for tag in tags if not any(a <= tag.start() < b for a, b in code)]
    if not real:
        # A mention in code is prose, unless it hides a block that code runs through.
        is_odd = any(_is_closing(tag) for tag in tags)
        return Final(response, 0, Thinking.UNCLEAR if is_odd else Thinking.NONE)
    if len(real) != len(tags) or _is_mentioned(response, real):
        return _find_unclear(response, real)
    closing = [tag for tag in real if _is_closing(tag)]
    if not closing:
        return _find_unclosed(response, real[0])
    end = closing[-1].end()
    if any(tag.start() >= end for tag in real):
        return Final(response[end:], end, Thinking.UNCLEAR)
    rest = response[end:]
    if rest.strip() and not _WORDLESS.match(rest):
        return Final(rest, end, Thinking.CLOSED)
    if rest.strip() or _says_something_between(response, real):
        return Final(rest, end, Thinking.UNCLEAR)
    return Final("", end, Thinking.NOTHING_AFTER)


def _is_closing(tag: re.Match[str]) -> bool:
    return bool(tag["close"] or tag["square"])


def _is_mentioned(response: str, tags: list[re.Match[str]]) -> bool:
    """Tell whether a block begins in the middle of a line, as a mention would."""
    for tag in tags:
        if _is_closing(tag):
            return False
        before = response[: tag.start()].rpartition("\n")[2]
        return bool(before.strip())
    return False


def _find_unclear(response: str, tags: list[re.Match[str]]) -> Final:
    start = max((tag.end() for tag in tags if _is_closing(tag)), default=0)
    return Final(response[start:], start, Thinking.UNCLEAR)


def _find_unclosed(response: str, opening: re.Match[str]) -> Final:
    if response[: opening.start()].strip():
        return Final(response[: opening.start()], 0, Thinking.UNCLEAR)
    return Final("", len(response), Thinking.UNCLOSED)


def _says_something_between(response: str, tags: list[re.Match[str]]) -> bool:
    """Tell whether there is text outside of all blocks."""
    depth, last = 0, 0
    is_opened_before = _is_closing(tags[0])
    for place, tag in enumerate(tags):
        is_outside = depth == 0 and not (place == 0 and is_opened_before)
        if is_outside and response[last : tag.start()].strip():
            return True
        depth = max(0, depth - 1) if _is_closing(tag) else depth + 1
        last = tag.end()
    return False
