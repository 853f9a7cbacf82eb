"""
Finding the final statement in a whole response: in its box, or where it is stated (see `stated`).

It comes with its place in the response as it was given, for a page to mark.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from phybench_grader.numbers.sentences import Sentence
from phybench_grader.reading.formulas import list_formulas
from phybench_grader.reading.lexer import match_braces
from phybench_grader.reading.passages import Passage, Span, cut
from phybench_grader.reading.vocabulary import RETRACTIONS
from phybench_grader.statement.phrases import WORD, Kind, classify
from phybench_grader.statement.stated import EMPTY, find_stated

_BOX = re.compile(r"\\(?:boxed|fbox|framebox|bbox)(?![A-Za-z])\s*(?:\[[^]\[{}]{0,80}\]\s*)?(?=\{)")
_OPENED_BOX = re.compile(_BOX.pattern + r"\{\s*\Z")
_CLOSED_BOX = re.compile(r"[\s,;.]*\}?")
_THOUGHT = "</think>"
_CLOSED = re.compile(r"\$|\\[\])]|\n\s*\n")
_TAG = re.compile(r"<answer>(.*?)(?:</answer>|\Z)", re.I | re.S)
_DOUBLED = re.compile(r"\\\\(?:[dt]?frac|sqrt|boxed|text|mathrm|left|mathbf)\s*[\[{(]")
_SINGLE = re.compile(r"(?<!\\)\\[A-Za-z]")
_BORDER = re.compile(r"\$\$?|\\[\[\]()]|\n|</?[A-Za-z]+>|[.。:：!?](?=\s|$)|\*\*")
"""Where the formula ends that a box stands in."""
_MARKUP = re.compile(
    r"\\[\[\]()]|\$+|\\[,;:! ]|\\q?quad|\*\*|\\(?:text|mathrm|left|right)(?![A-Za-z])|[{}\s]"
)
_SENTENCE = re.compile(r"[.。!?](?=\s|$)")
_WORDS_ALONE = re.compile(r"\\(?:text|mathrm|textbf)\s*\{[^{}$\d]*\}")
_GOES_ON = re.compile(r"(?:\\[,;:! ]|\s)*(?:[,;]|\\q?quad)")
_EQUATION = re.compile(r"=|\\equiv(?![A-Za-z])")
_FORMULA_END = re.compile(r"[\s.,]*(?:\$\$?|\\[\])])?")
_DEFINING = re.compile(r"[\s,.]*(?:where|with|here|wobei|mit|其中|式中|这里)(?![A-Za-z])", re.I)
_PARAGRAPH = re.compile(r"\n\s*\n")
_THAT_IS = re.compile(r"i\.\s*e\.?")
_JOINING_SIGNS = frozenset({",", ";", "/", "，", "；", "、"})
_DENYING = frozenset({("rather", "than"), ("instead", "of")})
_DOUBTING = frozenset({"otherwise", "else", "possibly", "perhaps", "maybe", "vs", "versus", "否则"})
"""Between two boxes these leave open which of them is the answer."""
_MOST_JOINED = 8
_MOST_JOINING = 12
"""Words between two boxes that may join them."""
_MOST_BEHIND = 1_000
"""Characters behind a box in which its symbols are explained."""
_TYPED_WORD = re.compile(r"(?<![\\A-Za-z{])[^\W\d_]{2,}(?![A-Za-z}])")
_MOST_AROUND = 300
_MOST_SAID = 2_000
"""Characters behind an answer in which it may be taken back."""
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
    before: str = ""
    """What stands in the response before it, as far as it may be said of it."""
    behind: str = ""
    """What stands behind it, likewise; both begin and end where its box does."""

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
    found = _find_box(text)
    if found is None:
        found = FoundAnswer.of(_find_unboxed(text))
        found = replace(found, text=found.text + _define(_find_behind(text, found.end)))
    found = _look_around(text, found)
    place = Passage("", found.start, found.end)
    if len(text) < len(behind):
        place = place.restore(_list_doubled(behind))
    place = place.shift(len(response) - len(behind))
    return replace(found, start=place.start, end=place.end)


def _look_around(text: str, found: FoundAnswer) -> FoundAnswer:
    """Note what stands around an answer, or around its box, where there is no answer beside it."""
    start, end = found.start, found.end
    if (box := _OPENED_BOX.search(text, max(0, start - _MOST_AROUND), start)) is not None:
        start = box.start()
        closed = _CLOSED_BOX.match(text, end)
        end = closed.end() if closed is not None else end
    before, behind = text[max(0, start - _MOST_AROUND) : start], text[end : end + _MOST_SAID]
    return replace(found, before=before, behind=behind)


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


@dataclass(frozen=True, slots=True)
class _Box:
    """What a box holds, and where it stands with its command and its braces."""

    content: Passage
    start: int
    end: int


def _find_box(text: str) -> FoundAnswer | None:
    """Find the last box that answers, with those joined to it; a cut off one only alone."""
    openers = [(box.start(), box.end()) for box in _BOX.finditer(text)]
    if not openers:
        return None
    closers = match_braces(text)
    boxes: list[_Box] = []
    for start, opener in openers:
        closer = closers.get(opener)
        if closer is None or (boxes and opener < boxes[-1].end):
            continue
        content = cut(text, opener + 1, closer)
        if not EMPTY.fullmatch(content.text):
            boxes.append(_Box(content, start, closer + 1))
    if boxes:
        return _join_boxes(text, boxes)
    opener = openers[-1][1]
    cut_off = cut(text, opener + 1)
    if closers.get(opener) is not None or EMPTY.fullmatch(cut_off.text):
        return None
    if _CLOSED.search(cut_off.text):
        # Its formula ends, so a brace is missing, not the rest of the response.
        return FoundAnswer.of(cut(text, opener))
    return FoundAnswer.of(cut_off, (Sentence("box_cut_off"),))


def _join_boxes(text: str, boxes: list[_Box]) -> FoundAnswer:
    """Join to the last box that holds no mere words those before it that are its clauses."""
    saying = [box for box in boxes if not EMPTY.fullmatch(_WORDS_ALONE.sub("", box.content.text))]
    last = (saying or boxes)[-1]
    group = [last]
    said = _unbox(last.content.text)
    for box in reversed(boxes[: boxes.index(last)]):
        joint = _find_joint(text[box.end : group[0].start])
        if not joint or len(group) == _MOST_JOINED:
            break
        said = f"{_unbox(box.content.text)}{joint}{said}"
        group.insert(0, box)
    place = Passage(said, group[0].content.start, last.content.end)
    spellings = {"".join(box.content.text.split()) for box in boxes if box not in group[:-1]}
    notes = (Sentence("several_boxes"),) if len(spellings) > 1 else ()
    beside, stop = _find_beside(text, last.end)
    tail = _define([*beside, *_find_behind(text, stop)])
    around = "" if len(group) > 1 or tail else _find_around(text, last)
    return FoundAnswer.of(replace(place, text=said + tail), notes, around)


def _find_joint(between: str) -> str:
    """Find what joins two boxes as clauses of one answer; "" where the second stands alone."""
    signs = _THAT_IS.sub("ie", _MARKUP.sub(" ", between).strip().lower())
    words = WORD.findall(signs)
    if not words:
        is_side_by_side = not signs and "quad" in between and "\n" not in between
        return " , " if signs in _JOINING_SIGNS or is_side_by_side else ""
    if len(words) > _MOST_JOINING:
        return ""
    if words[-1] == "not" or tuple(words[-2:]) in _DENYING or words[0] in _DOUBTING:
        return r"\text{ or }"
    if not RETRACTIONS.isdisjoint(words):
        return ""
    first = " ".join(words[:3])
    if classify(first) is Kind.FORM:
        return r"\text{ i.e. }"
    if _SENTENCE.search(signs) is not None and len(words) > 2:
        return ""
    kind = classify(words[0])
    if kind is Kind.AND:
        return r"\text{ and }"
    return r"\text{ or }" if kind in (Kind.OR, Kind.CONDITION) else ""


def _find_beside(text: str, end: int) -> tuple[list[str], int]:
    """Find what stands behind a box in its formula, `, L = \\frac{N}{S}`, and where that ends."""
    border = _CLOSED.search(text, end)
    stop = border.start() if border else len(text)
    beside = _GOES_ON.match(text, end, stop)
    if beside is None or _EQUATION.search(text, beside.end(), stop) is None:
        return [], stop
    rest = text[beside.end() : stop].rstrip("} .\\,\n")
    return [rest + "}" * (rest.count("{") - rest.count("}"))], stop


def _find_behind(text: str, end: int) -> list[str]:
    """Find the formulas of a sentence behind an answer that says what its symbols are."""
    behind = _FORMULA_END.sub("", text[end : end + _MOST_BEHIND], count=1)
    if _DEFINING.match(behind) is None:
        return []
    paragraph = _PARAGRAPH.split(behind.lstrip(), maxsplit=1)[0]
    return [one for one in list_formulas(paragraph) if _EQUATION.search(one)]


def _define(said: Sequence[str]) -> str:
    return r"\text{ where }" + r"\text{ and }".join(said) if said else ""


def _find_around(text: str, box: _Box) -> str:
    """Return the formula around a box if there is more of it: `2\\boxed{x}`, `E < \\boxed{x}`."""
    command, closer = box.start, box.end - 1
    before = _BORDER.split(text[max(0, command - _MOST_AROUND) : command])[-1]
    behind = _BORDER.split(text[closer + 1 : closer + 1 + _MOST_AROUND], maxsplit=1)[0]
    # Of a sentence only what is no word stands beside the box.
    before = _TYPED_WORD.split(before)[-1]
    behind = _TYPED_WORD.split(behind, maxsplit=1)[0]
    if EMPTY.fullmatch(before) and EMPTY.fullmatch(behind.rstrip(",;")):
        return ""
    return f"{before}{{{box.content.text}}}{behind}".strip()


def _unbox(content: str) -> str:
    """Take inner boxes off what a box holds."""
    box = _BOX.match(content)
    while box is not None and match_braces(content).get(box.end()) == len(content) - 1:
        content = content[box.end() + 1 : -1].strip()
        box = _BOX.match(content)
    return content
