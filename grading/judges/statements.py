r"""
The statements of an answer in a response: where they are, not yet whether they are definite.

They are boxes, `<answer>` tags, phrases such as “the answer is”, labels such as “Answer:”, a whole
response of one line, and a last line that stands out in bold.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from grading.judges.cues import CLOSINGS, EXPLAINS
from grading.judges.markup import Span, match_braces, unwrap
from grading.judges.thoughts import Final

MAX_STATEMENTS = 200
"""How many statements of each sort are looked for; a response with more is no answer."""
MAX_ANSWER = 4_096
"""Longest answer that is read, in characters."""

_BOX = re.compile(r"\\boxed(?![A-Za-z])\s*")
_ANSWER_TAG = re.compile(r"<answer>((?:(?!<answer>).){0,4096}?)</answer>", re.I | re.DOTALL)
_ADVERBS = (
    r"(?:(?:therefore|thus|then|clearly|simply|obviously|indeed|hence|definitely|just|exactly"
    r"|also|daher|somit|siis)\b,?\s*)*"
)
PHRASE = re.compile(
    rf"""(?P<de>\b(?:die|meine)\s+(?:(?:endgültige|richtige|korrekte)\s+)?antwort\s+(?:ist|lautet)
        (?:\s*:)?(?=\s))
    | (?P<fi>\b(?:(?:lopullinen|oikea)\s+)?vastaus\s+on(?:\s*:)?(?=\s))
    | (?P<zh>(?:最终)?答案(?:是|为)[:：]?)
    | (?P<en>\b(?:(?:the|my|our)\s+(?:(?:final|correct|right|logical|overall|only)\s+)*)?
        (?:answer|conclusion|(?<=correct\s)(?:option|choice)|(?<=right\s)(?:option|choice))\s+is(?:\s*:|\s*=|(?=[\s*$"“'`(\[]))\s*(?:\*\*)?\s*{_ADVERBS})""",
    re.IGNORECASE | re.VERBOSE,
)
_LABEL = re.compile(
    r"""(?:^|(?<=[.!?。！？]\s)|(?<=\n))[ \t]*(?:[#>*\-]+[ \t]*)?(?:\*\*|__)?
    (?:(?P<de>(?:endgültige\ |richtige\ )?antwort)|(?P<fi>(?:lopullinen\ |oikea\ )?vastaus)
     |(?P<zh>(?:最终)?答案)|(?P<en>(?:my\ |the\ )?(?:final\ |correct\ )?(?:answer|conclusion)))
    (?:\*\*|__)?[ \t]*(?:[:：=](?:\*\*|__)?|(?=\n))[ \t]*""",
    re.IGNORECASE | re.VERBOSE,
)
_SENTENCE_END = re.compile(
    r"(?<![.!?。！？])[.!?。！？]++(?=[*_\"'”’)\]$`]*(?:\s|$))|(?<=[^\x00-\x7f])[。！？]"
)
_BECAUSE = re.compile(r",?\s(?=(?:because|since|weil|koska)\b)", re.IGNORECASE)
_LETTER_ALONE = re.compile(r"[\s*_\"'`$]*[A-Z]")
_NEXT_LINE = re.compile(r"[ \t*_]*\n\s*+")


@dataclass(frozen=True, slots=True)
class Statement:
    """A place where a response states an answer; offsets count in the whole response."""

    text: str
    """What is stated, without markup around it."""
    start: int
    end: int
    rule: str
    """How it was found: boxed, open_box, answer_tag, phrase, label, whole, last_line."""
    opens: int
    """Where the phrase, the label or the box begins."""
    closes: int
    """Where what follows the statement begins."""
    language: str = "en"
    is_math: bool = False
    """Whether it is set as mathematics."""
    mark: str = ""
    """The punctuation that ends its sentence."""


def find_statements(response: str, final: Final) -> list[Statement]:
    """
    Find every statement of an answer in the part of a response that counts, in order.

    >>> from grading.judges.thoughts import find_final
    >>> response = "The answer is 7. Answer: 8."
    >>> [one.text for one in find_statements(response, find_final(response))]
    ['7', '8']
    """
    found = [*_find_boxes(response, final), *_find_tags(response, final)]
    found += _find_cues(response, final, found)
    if not found:
        found += _find_short(response, final)
    return sorted(found, key=lambda one: one.opens)


def _find_boxes(response: str, final: Final) -> Iterator[Statement]:
    boxes = list(islice(_BOX.finditer(response, final.start), MAX_STATEMENTS))
    closers = match_braces(response) if boxes else {}
    last_end = final.start
    for box in boxes:
        if box.start() < last_end:
            continue  # a box within a box
        closer = closers.get(box.end())
        if closer is None:
            # \boxed 5, or a box that was cut off: nothing can rest on it.
            end = min(box.end() + 1, len(response))
            text = response[box.end() : end]
            yield Statement(text, box.end(), end, "open_box", box.start(), end, is_math=True)
            continue
        last_end = closer + 1
        span = unwrap(response, Span(box.end() + 1, closer))
        text = span.of(response)
        yield Statement(text, span.start, span.end, "boxed", box.start(), last_end, is_math=True)


def _find_tags(response: str, final: Final) -> Iterator[Statement]:
    for tag in islice(_ANSWER_TAG.finditer(response, final.start), MAX_STATEMENTS):
        span = unwrap(response, Span(tag.start(1), tag.end(1)))
        text = span.of(response)
        yield Statement(
            text, span.start, span.end, "answer_tag", tag.start(), tag.end(), is_math=True
        )


def _find_cues(response: str, final: Final, found: list[Statement]) -> Iterator[Statement]:
    """Find phrases and labels that lead to something that is not a box or a tag already."""
    taken = [(one.opens, one.closes) for one in found]
    for rule, pattern in (("phrase", PHRASE), ("label", _LABEL)):
        for cue in islice(pattern.finditer(response, final.start), MAX_STATEMENTS):
            statement = _read_after_cue(response, cue, rule)
            # What leads to a box or a tag was found with it.
            if not any(a < statement.closes and cue.start() < b for a, b in taken):
                taken.append((statement.opens, statement.closes))
                yield statement


def _read_after_cue(response: str, cue: re.Match[str], rule: str) -> Statement:
    """Read what follows a phrase or a label, to the end of its sentence."""
    start = cue.end()
    line_end = _find_line_end(response, start)
    if rule == "label" and not response[start:line_end].strip(" \t*_"):
        # The answer stands on the next line that is not empty.
        follows = _NEXT_LINE.match(response, start)
        start = follows.end() if follows else start
        line_end = _find_line_end(response, start)
    stop = _SENTENCE_END.search(response, start, line_end)
    if stop and _LETTER_ALONE.fullmatch(response, start, stop.start()):
        stop = _skip_letter(response, stop, line_end)
    end, mark = (stop.start(), stop.group()) if stop else (line_end, "")
    closes = stop.end() if stop else line_end
    if reason := _BECAUSE.search(response, start, end):
        end = closes = reason.start()
        mark = ""
    span = unwrap(response, Span(start, end))
    return Statement(
        text=span.of(response),
        start=span.start,
        end=span.end,
        rule=rule,
        opens=cue.start(),
        closes=closes,
        language=next(name for name in ("de", "fi", "zh", "en") if cue[name]),
        is_math=span.is_math,
        mark=mark,
    )


def _skip_letter(response: str, stop: re.Match[str], line_end: int) -> re.Match[str] | None:
    """Find where “B. Monday” ends: there the full stop belongs to the letter."""
    rest = CLOSINGS.sub("", response[stop.end() : line_end]).strip(" \t*_$`\"'")
    if not rest or EXPLAINS.match(rest):
        return stop
    return _SENTENCE_END.search(response, stop.end(), line_end)


def _find_short(response: str, final: Final) -> Iterator[Statement]:
    """Take a response of one line for its answer, or a last line that stands out in bold."""
    lines = [line for line in re.finditer(r"[^\n]+", final.text) if line.group().strip()]
    if not lines:
        return
    begin, end = (final.start + place for place in lines[-1].span())
    line = lines[-1].group().strip()
    is_whole = len(lines) == 1
    if not is_whole and not re.fullmatch(r"\*\*[^*]+\*\*\.?", line):
        return
    stop = re.search(r"[.!。](?=[*_]*\Z)", line)
    trimmed = begin + lines[-1].group().index(line) + (stop.start() if stop else len(line))
    span = unwrap(response, Span(begin, trimmed))
    yield Statement(
        text=span.of(response),
        start=span.start,
        end=span.end,
        rule="whole" if is_whole else "last_line",
        opens=begin,
        closes=end,
        is_math=span.is_math,
        mark=stop.group() if stop else "",
    )


def _find_line_end(text: str, start: int) -> int:
    """Return where the line that `start` is in ends, or where it grows too long for an answer."""
    end = text.find("\n", start, start + MAX_ANSWER)
    return min(len(text), start + MAX_ANSWER) if end < 0 else end
