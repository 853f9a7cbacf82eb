r"""
The statements of an answer in a response: where they are, not yet whether they are definite.

They are boxes, `<answer>` tags, phrases such as “the answer is”, labels such as “Answer:”, a short
conclusion (“So, B.”) at the end, what takes an answer back (“Wait, no, it is B.”), a whole response
of one line, and a last line that stands out in bold.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from phybench_grader.judges.cues import CLOSINGS, EXPLAINS, TAKEN_BACK
from phybench_grader.judges.markup import MAX_BEFORE, Span, cut_closing, match_braces, unwrap
from phybench_grader.judges.thoughts import Final
from phybench_grader.judges.truth import TRUTH_WORDS

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
_TAKES_BACK = re.compile(
    r"""(?<!\w)(?:no\b[\s,.:;!…—–-]*)?
    (?:(?:wait|actually|correction|oops|sorry|hmm+|scratch\ that)\b[\s,.:;!…—–-]*)+
    (?:no\b[\s,.:;!…—–-]*)?
    (?:it\ is|it['’]s|it\ (?:must|has\ to|should)\ be)\s+""",
    re.IGNORECASE | re.VERBOSE,
)
_SHORT = (
    rf"[*_`\"“'$]{{0,3}}(?:\([A-Za-z]\)(?:[ ][^.!?\n]{{1,80}})?|(?:[Oo]ption[ ])?[A-Z]|\[[A-Z]\]"
    rf"|(?i:{TRUTH_WORDS.pattern})|[-+−]?\d[\d,./]*(?<![,./]))[*_`\"”'$]{{0,3}}"
)
"""What alone may follow a “so” that states an answer: a letter, a word for yes or no, a number."""
_CONCLUSION = re.compile(
    rf"""(?:^|(?<=[.!?]\s)|(?<=[。！？]))[ \t*_]*(?:(?i:so|therefore|thus|hence|consequently
    |in\ conclusion|(?P<de>daher|somit)|(?P<fi>siis|joten))\b,?|(?P<zh>所以|因此))
    [ \t]*[:：，]?[ \t]*(?=(?:{_SHORT})\s*(?:[.!。](?![\w.])|\n|\Z))""",
    re.MULTILINE | re.VERBOSE,
)
_GAP = re.compile(r"[\s*_$.—–-]*")
_CLOSING_MARKS = re.compile(r"[*_\"'”’$`]+")
_WORD_OF_LIST = r"[ \t]*(?:(?:[-*•]|\d{1,3}[.)])[ \t]+)?[\w'’-]+"
_LIST = re.compile(
    rf"(?:{_WORD_OF_LIST}[ \t]*,?\n){{1,100}}{_WORD_OF_LIST}\.?(?=[ \t]*(?:\n[ \t]*)?(?:\n|\Z))"
)
"""Two lines or more with a word on each."""
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

    @property
    def is_exclaimed(self) -> bool:
        """Tell whether what ends its sentence is no full stop, and may belong to the answer."""
        return self.mark not in ("", ".", "。")


def find_statements(response: str, final: Final) -> list[Statement]:
    """
    Find every statement of an answer in the part of a response that counts, in order.

    >>> from phybench_grader.judges.thoughts import find_final
    >>> response = "The answer is 7. Answer: 8."
    >>> [one.text for one in find_statements(response, find_final(response))]
    ['7', '8']
    """
    found = [*_find_boxes(response, final), *_find_tags(response, final)]
    found += _find_cues(response, final, found)
    found += _find_taking_back(response, found)
    found += _find_conclusion(response, final, found)
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


def _find_taking_back(response: str, found: list[Statement]) -> Iterator[Statement]:
    """Find “Wait, no, it is B.” right behind a statement."""
    closes = [one.closes for one in found]
    for place in closes:
        gap = _GAP.match(response, place)
        cue = _TAKES_BACK.match(response, gap.end() if gap else place)
        if cue and not any(one.opens < cue.end() < one.closes for one in found):
            statement = _read_after_cue(response, cue, "phrase")
            if not any(statement.opens < one.opens < statement.closes for one in found):
                yield statement


def _find_conclusion(response: str, final: Final, found: list[Statement]) -> Iterator[Statement]:
    """Find a “So, B.” behind all other statements and at the very end."""
    begin = max((one.closes for one in found), default=final.start)
    cues = list(islice(_CONCLUSION.finditer(response, begin), MAX_STATEMENTS))
    if cues:
        statement = _read_after_cue(response, cues[-1], "phrase")
        rest = response[statement.closes :].strip("*_`$\"'”’ \t\r\n")
        if not rest or CLOSINGS.match(rest) or EXPLAINS.match(rest):
            yield statement


def _read_after_cue(response: str, cue: re.Match[str], rule: str) -> Statement:
    """Read what follows a phrase or a label, to the end of its sentence."""
    start = cue.end()
    line_end = _find_line_end(response, start)
    is_bare = not response[start:line_end].strip(" \t*_")
    if is_bare and (rule == "label" or cue.group().rstrip("* _").endswith((":", "："))):
        # The answer stands on the next line that is not empty.
        follows = _NEXT_LINE.match(response, start)
        start = follows.end() if follows else start
        line_end = _find_line_end(response, start)
    listed = None
    if "\n" in response[cue.start() : start]:
        listed = _LIST.match(response, start, start + MAX_ANSWER)
    if listed:
        line_end = listed.end()
    stop = None if listed else _SENTENCE_END.search(response, start, line_end)
    if stop and _LETTER_ALONE.fullmatch(response, start, stop.start()):
        stop = _skip_letter(response, stop, line_end)
    end, closes, mark, may_stop = line_end, line_end, "", True
    if stop:
        end, closes, mark, may_stop = stop.start(), stop.end(), stop.group(), False
        if response[start:end] != response[start:end].rstrip():
            mark = f" {mark}"  # not directly behind the answer
        if behind := _find_closed(response, stop, line_end):
            end, closes, may_stop = behind, behind, True
    if reason := _BECAUSE.search(response, start, end):
        end, closes, mark, may_stop = reason.start(), reason.start(), "", True
    span = _cut_mark(response, unwrap(response, Span(start, end), may_stop=may_stop), mark)
    return Statement(
        text=span.of(response),
        start=span.start,
        end=span.end,
        rule=rule,
        opens=cue.start(),
        closes=closes,
        language=_name_language(cue),
        is_math=span.is_math,
        mark=mark,
    )


def _find_closed(response: str, stop: re.Match[str], line_end: int) -> int | None:
    """Return where markup ends that closes behind a full stop, with what it encloses."""
    marks = _CLOSING_MARKS.match(response, stop.end(), line_end)
    if marks is None:
        return None
    before = response[max(0, stop.start() - MAX_BEFORE) : stop.start()]
    return None if cut_closing(marks.group(), before, may_stop=False) else marks.end()


def _cut_mark(response: str, span: Span, mark: str) -> Span:
    """Leave out the mark that ends the sentence, if it is still there: it is kept by itself."""
    mark = mark.strip()
    if mark and len(mark) < span.end - span.start and span.of(response).endswith(mark):
        return Span(span.start, span.end - len(mark), span.is_math)
    return span


def _name_language(cue: re.Match[str]) -> str:
    return next((name for name, found in cue.groupdict().items() if found), "en")


def _skip_letter(response: str, stop: re.Match[str], line_end: int) -> re.Match[str] | None:
    """Find where “B. Monday” ends: there the full stop belongs to the letter."""
    rest = CLOSINGS.sub("", response[stop.end() : line_end]).strip(" \t*_$`\"'")
    if not rest or EXPLAINS.match(rest) or TAKEN_BACK.match(rest):
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
    span = unwrap(response, Span(begin, end))
    mark = span.of(response)[-1:] if span.of(response).endswith(("!", "！")) else ""
    span = _cut_mark(response, span, mark)
    yield Statement(
        text=span.of(response),
        start=span.start,
        end=span.end,
        rule="whole" if is_whole else "last_line",
        opens=begin,
        closes=end,
        is_math=span.is_math,
        mark=mark,
    )


def _find_line_end(text: str, start: int) -> int:
    """Return where the line that `start` is in ends, or where it grows too long for an answer."""
    end = text.find("\n", start, start + MAX_ANSWER)
    return min(len(text), start + MAX_ANSWER) if end < 0 else end
