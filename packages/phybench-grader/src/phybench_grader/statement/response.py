"""
Finding the final statement in a whole response: in its box, or where it is stated (see `stated`).

It comes with its place in the response as it was given, for a page to mark.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from phybench_grader.numbers.sentences import Sentence
from phybench_grader.reading.lexer import match_braces
from phybench_grader.reading.passages import Passage, Span, cut
from phybench_grader.statement.stated import EMPTY, find_stated

_BOX = re.compile(r"\\(?:boxed|fbox|framebox|bbox)(?![A-Za-z])\s*(?:\[[^]\[{}]{0,80}\]\s*)?(?=\{)")
_THOUGHT = "</think>"
_CLOSED = re.compile(r"\$|\\[\])]|\n\s*\n")
_TAG = re.compile(r"<answer>(.*?)(?:</answer>|\Z)", re.I | re.S)
_DOUBLED = re.compile(r"\\\\(?:[dt]?frac|sqrt|boxed|text|mathrm|left|mathbf)\s*[\[{(]")
_SINGLE = re.compile(r"(?<!\\)\\[A-Za-z]")
_BORDER = re.compile(r"\$\$?|\\[\[\]()]|\n|[.。:：!?](?=\s|$)|\*\*")
"""Where the formula ends that a box stands in."""
_TYPED_WORD = re.compile(r"(?<![\\A-Za-z{])[^\W\d_]{2,}(?![A-Za-z}])")
_MOST_AROUND = 300
_MOST_LOOKED_AT = 200_000
"""Characters at the end of a response in which an answer is looked for."""


@dataclass(frozen=True, slots=True)
class FoundAnswer:
    """A text that holds the final statement, and what was noticed while finding it."""

    text: str
    notes: tuple[Sentence, ...] = ()
    around: str = ""
    """The formula that the box stands in, where there is more of it than the box."""
    start: int = 0
    """Where in the response it stands, or the first formula that it was made of."""
    end: int = 0

    @classmethod
    def of(
        cls, passage: Passage, notes: tuple[Sentence, ...] = (), around: str = ""
    ) -> FoundAnswer:
        return cls(passage.text, notes, around, passage.start, passage.end)


def find_answer(response: str) -> str:
    r"""
    Find the answer in a whole response; without a box or a formula, the text itself.

    >>> find_answer(r"First \boxed{1}, then \boxed{\frac{a}{b}}.")
    '\\frac{a}{b}'
    """
    return locate_answer(response).text


def locate_answer(response: str) -> FoundAnswer:
    r"""
    Find the answer in a whole response, with notes.

    What a model thought before `</think>` does not count.

    >>> locate_answer("Thus the speed is $v = a$ for $a > 0$.").text
    'v = a\\text{ for }a > 0'
    """
    behind = response.rpartition(_THOUGHT)[2]
    text = unescape(behind)
    found = _find_box(text) or FoundAnswer.of(_find_unboxed(text))
    place = Passage("", found.start, found.end)
    if len(text) < len(behind):
        place = place.restore(_list_doubled(behind))
    place = place.shift(len(response) - len(behind))
    return replace(found, start=place.start, end=place.end)


def _find_unboxed(text: str) -> Passage:
    skipped = max(0, len(text) - _MOST_LOOKED_AT)
    text = text[skipped:]
    tags = list(_TAG.finditer(text))
    start, end = tags[-1].span(1) if tags else (0, len(text))
    return find_stated(text[start:end]).shift(skipped + start)


def unescape(text: str) -> str:
    r"""
    Undo doubled backslashes, if no command has a single one.

    >>> unescape(r"\\frac{a}{b}"), unescape(r"\frac{1}{2} \\ \alpha"), unescape(r"1\\alpha")
    ('\\frac{a}{b}', '\\frac{1}{2} \\\\ \\alpha', '1\\\\alpha')
    """
    if _DOUBLED.search(text) and not _SINGLE.search(text):
        return text.replace("\\\\", "\\")
    return text


def _list_doubled(text: str) -> list[Span]:
    """List the backslashes that `unescape` takes out."""
    return [(found.start() + 1, found.end()) for found in re.finditer(r"\\\\", text)]


# --- Boxes --------------------------------------------------------------------------------------


def _find_box(text: str) -> FoundAnswer | None:
    """Find the last box that is not empty; one that is cut off only where no other is."""
    openers = [box.end() for box in _BOX.finditer(text)]
    if not openers:
        return None
    closers = match_braces(text)
    contents: list[Passage] = []
    behind = last = -1
    for opener in openers:
        closer = closers.get(opener)
        if closer is None or opener < behind:
            continue
        content = cut(text, opener + 1, closer)
        if not EMPTY.fullmatch(content.text):
            contents.append(content)
            behind, last = closer, opener
    if contents:
        spellings = {"".join(content.text.split()) for content in contents}
        notes = (Sentence("several_boxes"),) if len(spellings) > 1 else ()
        found = replace(contents[-1], text=_unbox(contents[-1].text))
        return FoundAnswer.of(found, notes, _find_around(text, last, behind))
    cut_off = cut(text, openers[-1] + 1)
    if closers.get(openers[-1]) is not None or EMPTY.fullmatch(cut_off.text):
        return None
    if _CLOSED.search(cut_off.text):
        # Its formula ends, so a brace is missing, not the rest of the response.
        return FoundAnswer.of(cut(text, openers[-1]))
    return FoundAnswer.of(cut_off, (Sentence("box_cut_off"),))


def _find_around(text: str, opener: int, closer: int) -> str:
    """Return the formula around a box if there is more of it: `2\\boxed{x}`, `E < \\boxed{x}`."""
    command = text.rfind("\\", 0, opener)
    before = _BORDER.split(text[max(0, command - _MOST_AROUND) : command])[-1]
    behind = _BORDER.split(text[closer + 1 : closer + 1 + _MOST_AROUND], maxsplit=1)[0]
    # Of a sentence only what is no word stands beside the box.
    before = _TYPED_WORD.split(before)[-1]
    behind = _TYPED_WORD.split(behind, maxsplit=1)[0]
    if EMPTY.fullmatch(before) and EMPTY.fullmatch(behind.rstrip(",;")):
        return ""
    return f"{before}{text[opener : closer + 1]}{behind}".strip()


def _unbox(content: str) -> str:
    """Take inner boxes off what a box holds."""
    box = _BOX.match(content)
    while box is not None and match_braces(content).get(box.end()) == len(content) - 1:
        content = content[box.end() + 1 : -1].strip()
        box = _BOX.match(content)
    return content
