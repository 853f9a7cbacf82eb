r"""
Finding the statement in a response without a box: after its “Answer:”, in its formulas.

What is found is a text of its own: where it is part of a sentence, the sentence's words that join
or condition its formulas come along as `\text{…}`.
"""

from __future__ import annotations

import re
from bisect import bisect
from collections import deque
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from phybench_grader.numbers.functions import SPELLINGS, TYPED
from phybench_grader.numbers.symbols import GREEK
from phybench_grader.reading.formulas import list_formulas
from phybench_grader.reading.lexer import match_braces
from phybench_grader.reading.passages import Passage, Span, cut
from phybench_grader.reading.vocabulary import (
    ANNOUNCING_WORDS,
    CONCLUDING_WORDS,
    CONDITION_WORDS,
    NEGATIONS,
    NO_ANSWERS,
    PROSE,
    TYPED_KEYWORDS,
    UNITS,
    UPRIGHT_WORDS,
    WRONG_WORDS,
)
from phybench_grader.statement.phrases import WORD, Kind, classify

EMPTY = re.compile(
    r"(?:\s|\$|\\[,;:! ]|\\q?quad|[{}.?~]|\\(?:ldots|dots|cdots|text|boxed|fbox)(?![A-Za-z]))*"
)
_FENCE = re.compile(r"^[ \t]*(?:```|~~~)[^\n]*$", re.M)
_EMPHASIS = re.compile(
    r"(?<![\w)\]}*])\*\*(?=[^\s*])([^*\n]{1,2000})\*\*(?![\w(*])|`([^`\n]{1,2000})`"
)
_MARK = re.compile(
    r"(?:\b(?:answers?|result)(?:\s+is)?|答案(?:是|为)?|答|\b(?:antwort|ergebnis|endergebnis)"
    r"(?:\s+ist)?)[ \t]{0,4}(?:\*\*|__)?[ \t]{0,4}[:：][ \t]{0,4}(?:\*\*|__)?"
    r"|^#{1,6}[^\n]*\b(?:answer|result|antwort|ergebnis|答案)[^\n]*$"
    r"|\\text(?:bf)?\{\s*(?:final\s+)?answer\s*:?\s*\}\s*:?",
    re.I | re.M,
)
_OPENING = re.compile(
    r"\$\$|(?<!\\)\$|\\\[|\\\(|\\begin\{(?:equation|align|gather|multline|eqnarray)\*?\}"
)
_EMPHASISED = re.compile(r"\\(?:textbf|textit|emph|underline|section\*?|paragraph)\s*$")
_CLOSINGS = {"$$": "$$", "$": "$", r"\[": r"\]", r"\(": r"\)"}
_CONCLUDING = re.compile(
    r"\b(?:thus|therefore|hence|so|finally|consequently|folglich|also|daher)\b|所以|因此|故|最终",
    re.I,
)
_SENTENCE_END = re.compile(r"(?<!bzw)(?<!e\.g)(?<!i\.e)[.!?。！？](?=\s|$|\*)|\n\s*\n|[。！？]")
_RELATION = re.compile(r"[=≈]|\\(?:approx|simeq|equiv)(?![A-Za-z])")
_OTHER_RELATION = re.compile(
    r"[<>→∝]|\\(?:to|rightarrow|l[el]|g[eg]|leq|geq|sim|propto|in|ne)(?![A-Za-z])"
)
_TYPED_FORMULA = re.compile(r"=|\\[A-Za-z]|\^|sqrt|/")
_PROSE_WORD = re.compile(r"(?<![\\A-Za-z_^{])[A-Za-zÀ-ÿ]{2,}(?![A-Za-z_^])|[\u4e00-\u9fff]{2,}")
_COMMAND_WITH_WORDS = re.compile(
    r"\\(?:text|mathrm|operatorname|textrm|mbox|begin|end)\s*\{[^{}]*\}"
)
_DECORATION = re.compile(
    r"\\(?:text|mathrm|textrm|textbf|mbox|boxed)(?![A-Za-z])|[{}$*_\"“”„.!。！~]|\\ "
)
_APOLOGY = re.compile(
    r"(?:sorry|entschuldigung|anteeksi|抱歉|对不起)\s*[,，:;]?\s*|[,，]\s*(?:sorry|抱歉)$"
)
_LONE_SYMBOL = re.compile(r"\\?[A-Za-z]+(?:_(?:\w|\{[^{}]*\}))?'*")
_NAME = re.compile(r"(?:\\[A-Za-z]+|[A-Za-z])(?:_(?:\w|\{[^{}]*\}))?'*(?:\([^()]*\))?")
_MARKER = re.compile(
    r"^[ \t]*(?:[-*+•>–—]|\(?\d{1,2}[.)])[ \t]+"
    r"(?=\$|\\[(\[]|\*\*|`|\\?[^\W\d_]+(?:_(?:\w+|\{[^{}]*\}))?'*(?:\([^()=]{1,20}\))?\s*=)",
    re.M,
)
"""The sign of a list's item or of a quotation, before a formula or a name."""
_ROW = re.compile(r"[ \t]*\|(.*)\|[ \t]*")
_RULE = re.compile(r"[\s|:\-]+")
_NO_ANSWER = re.compile("|".join(NO_ANSWERS))
_LONGEST_NO_ANSWER = 120
_PROSE_WORDS = 3
"""Words from which on a text without an answer is prose."""
_MOST_FORMULAS = 200
"""Formulas at the end of a response in which an answer is looked for."""
_MOST_CONCLUDING = 40
_LONGEST_SENTENCE = 5_000


@dataclass(frozen=True, slots=True)
class _Formula:
    start: int
    end: int
    content: str
    is_displayed: bool


def find_stated(text: str) -> Passage:
    """Find what a text states last, and where in it: from the first formula of that to its end."""
    unfenced = _FENCE.sub("", text)
    bare = cut(_EMPHASIS.sub(lambda one: one[1] or one[2], unfenced))
    return (
        _find_in_bare(_MARKER.sub("", bare.text))
        .restore(one.span() for one in _MARKER.finditer(bare.text))
        .shift(bare.start)
        .restore(_list_emphasis(unfenced))
        .restore(one.span() for one in _FENCE.finditer(text))
    )


def _list_emphasis(text: str) -> list[Span]:
    """List the signs around what is emphasised."""
    signs: list[Span] = []
    for one in _EMPHASIS.finditer(text):
        start, end = one.span(1 if one[1] else 2)
        signs += [(one.start(), start), (end, one.end())]
    return signs


def _find_in_bare(text: str) -> Passage:
    marks = list(_MARK.finditer(text))
    for mark in reversed(marks):
        rest = cut(text, mark.end())
        if rest.text and not EMPTY.fullmatch(rest.text):
            return _find_in_marked(rest.text).shift(rest.start)
    return _find_in_prose(text)


def _find_in_marked(text: str) -> Passage:
    """Find the statement in what follows the word answer: its first paragraph with a formula."""
    formulas = _list_formulas(text)
    if not formulas:
        return next((line for line in _list_lines(text) if line.text), cut(text))
    first = formulas[0]
    if first.is_displayed:
        return _join_displayed(text, formulas, 0)
    end = _SENTENCE_END.search(text, first.end)
    stop = end.start() if end else len(text)
    return _make_statement(text, [one for one in formulas if one.end <= stop], 0, stop)


def _list_lines(text: str, around: str | None = None) -> list[Passage]:
    """List the lines of a text, without blanks at their ends, or those characters."""
    lines: list[Passage] = []
    place = 0
    for whole, line in zip(text.splitlines(keepends=True), text.splitlines(), strict=True):
        bare = line.strip(around)
        start = place + len(line) - len(line.lstrip(around))
        lines.append(Passage(bare, start, start + len(bare)))
        place += len(whole)
    return lines


def _find_in_table(text: str) -> Passage | None:
    """Find what the table states that a text ends with: a name and its value in each row."""
    lines = _list_lines(text)
    rows: list[tuple[Passage, str]] = []
    for line in reversed(lines):
        found = _ROW.fullmatch(line.text)
        is_ruled = found is not None and _RULE.fullmatch(line.text) is not None
        if found is None or is_ruled:
            break
        rows.insert(0, (line, found[1]))
    # Without a rule above it `|v|` is a size, not a cell.
    if not rows or not (is_ruled or all(row[:1] in (*" $*",) for _, row in rows)):
        return None
    said = " \n ".join(_join_cells(row) for _, row in rows)
    return Passage(said, rows[0][0].start, rows[-1][0].end)


def _join_cells(row: str) -> str:
    cells = [cell.strip() for cell in row.split("|")]
    if "=" in (cell.strip(" $") for cell in cells):
        return " ".join(cell.replace("$", " ") for cell in cells)
    is_named = all(map(_LONE_SYMBOL.fullmatch, list_formulas(cells[0])))
    if len(cells) == 1 or (len(cells) == 2 and is_named and _RELATION.search(cells[1])):
        return cells[-1]
    if len(cells) > 2 or not is_named:
        return ", ".join(cells)
    name, value = (cell.replace("$", " ").strip() for cell in cells)
    return f"{name} = {value}" if "$" in cells[0] else rf"\text{{{_plain(name)}}} = {value}"


def _find_in_prose(text: str) -> Passage:
    if (row := _find_in_table(text)) is not None:
        return row
    formulas = _list_formulas(text)
    if not formulas:
        return _find_line(text)
    if not _PROSE_WORD.search(_blank(text, formulas)):
        return Passage(text, 0, len(text))
    displayed = [place for place, one in enumerate(formulas) if one.is_displayed]
    concluded = _find_concluding(text, formulas)
    if concluded is not None and (not displayed or concluded > displayed[-1]):
        return _make_sentence(text, formulas, concluded)
    if displayed:
        first = displayed[-1]
        while first > 0 and formulas[first - 1].is_displayed and _joins(text, formulas, first):
            first -= 1
        return _join_displayed(text, formulas, first)
    return _find_first_line(text, formulas) or _make_sentence(text, formulas, len(formulas) - 1)


def _find_first_line(text: str, formulas: Sequence[_Formula]) -> Passage | None:
    """Find a formula typed on a first line of its own, where sentences behind it state no value."""
    line = next(line for line in _list_lines(text) if line.text)
    named = (one.content.partition("=") for one in formulas)
    if line.end > formulas[0].start or any(
        is_told and _NAME.fullmatch(name.strip()) for name, is_told, _value in named
    ):
        return None
    return line if _TYPED_FORMULA.search(line.text) and not _count_words(line.text) else None


def _list_formulas(text: str) -> list[_Formula]:
    """List the last formulas of a text, in time linear in it."""
    formulas: deque[_Formula] = deque(maxlen=_MOST_FORMULAS)
    # What closes no more is looked for once.
    lost: set[str] = set()
    place = 0
    while opening := _OPENING.search(text, place):
        opens = opening[0]
        closes = _CLOSINGS.get(opens) or opens.replace("begin", "end")
        place = opening.end()
        end = -1 if closes in lost else text.find(closes, place)
        if end < 0:
            lost.add(closes)
            continue
        is_environment = opens not in _CLOSINGS
        content = text[place:end]
        place = end + len(closes)
        if not EMPTY.fullmatch(content):
            shown = text[opening.start() : place] if is_environment else content
            is_displayed = opens not in ("$", r"\(")
            formulas.append(_Formula(opening.start(), place, shown.strip(), is_displayed))
    if not formulas:
        return []
    # What stands between dollar signs within `\\text{…}` is part of a formula, or of a phrase.
    spans = _list_groups(text, formulas)
    return [one for one in formulas if not _lies_within(one, spans)]


def _list_groups(text: str, formulas: Sequence[_Formula]) -> list[tuple[int, int]]:
    """List the outermost groups in braces that are neither emphasis nor within a formula."""
    spans: list[tuple[int, int]] = []
    starts = [one.start for one in formulas]
    for opener, closer in sorted(match_braces(text).items()):
        place = bisect(starts, opener) - 1
        is_inside = place >= 0 and opener < formulas[place].end
        is_nested = bool(spans) and opener < spans[-1][1]
        if not (is_inside or is_nested or _EMPHASISED.search(text, max(0, opener - 20), opener)):
            spans.append((opener, closer))
    return spans


def _lies_within(formula: _Formula, spans: Sequence[tuple[int, int]]) -> bool:
    place = bisect(spans, (formula.start, 0)) - 1
    return place >= 0 and formula.end <= spans[place][1]


def _blank(text: str, formulas: Sequence[_Formula]) -> str:
    """Return what stands outside the formulas."""
    parts, place = [], 0
    for one in formulas:
        parts.append(text[place : one.start])
        place = one.end
    return " ".join([*parts, text[place:]])


def _find_concluding(text: str, formulas: Sequence[_Formula]) -> int | None:
    """Find the last formula of the last sentence that concludes something."""
    for found in reversed(deque(_CONCLUDING.finditer(text), maxlen=_MOST_CONCLUDING)):
        if any(one.start <= found.start() < one.end for one in formulas):
            continue
        end = _find_sentence_end(text, formulas, found.end())
        inside = [
            place
            for place, one in enumerate(formulas)
            if found.end() <= one.start and one.end <= end and _states(text, formulas, place)
        ]
        if inside:
            return next((place for place in inside if formulas[place].is_displayed), inside[-1])
    return None


def _states(text: str, formulas: Sequence[_Formula], place: int) -> bool:
    """Whether a formula may be what is concluded: no lone symbol, no condition, and no limit."""
    one = formulas[place]
    if one.is_displayed:
        return True
    words = WORD.findall(text[formulas[place - 1].end if place else 0 : one.start].lower())
    if words and words[-1] in CONDITION_WORDS:
        return False
    is_value = _RELATION.search(one.content) or not _OTHER_RELATION.search(one.content)
    return bool(is_value) and _LONE_SYMBOL.fullmatch(one.content) is None


def _find_sentence_end(text: str, formulas: Sequence[_Formula], start: int) -> int:
    for found in _SENTENCE_END.finditer(text, start):
        if not any(one.start <= found.start() < one.end for one in formulas):
            return found.start()
    return len(text)


def _make_sentence(text: str, formulas: Sequence[_Formula], last: int) -> Passage:
    """Make a statement of the sentence that a formula stands in."""
    one = formulas[last]
    if one.is_displayed:
        return _join_displayed(text, formulas, last)
    begin = max(0, one.start - _LONGEST_SENTENCE)
    for found in _SENTENCE_END.finditer(text, begin, one.start):
        if not any(other.start <= found.start() < other.end for other in formulas):
            begin = found.end()
    stop = _find_sentence_end(text, formulas, one.end)
    inside = [
        other
        for other in formulas
        if begin <= other.start and other.end <= stop and not other.is_displayed
    ]
    return _make_statement(text, inside, begin, stop)


def _make_statement(text: str, formulas: Sequence[_Formula], begin: int, end: int) -> Passage:
    """Join the formulas of a sentence by those of its words that say how they belong together."""
    parts: list[str] = []
    place = first = begin
    for count, one in enumerate(formulas):
        words = text[place : one.start]
        if count and _goes_astray(words, "".join(parts), one.content):
            return cut(text, first, place, said="".join(parts).strip())
        parts += _keep_words(words, is_first=count == 0)
        if not parts:
            first = one.start
        parts.append(one.content)
        place = one.end
    tail = _keep_tail(text[place:end])
    parts += tail
    last = end if tail else place
    return cut(text, first, last, said="".join(parts).strip())


def _goes_astray(words: str, said: str, content: str) -> bool:
    """Whether words behind a statement lead to something that is no part of it: a mass $m$."""
    found = WORD.findall(words.lower())
    leads_on = set(found) & (CONCLUDING_WORDS | ANNOUNCING_WORDS)
    kind = classify(words)
    is_astray = kind is Kind.WORDS and not leads_on
    if kind is Kind.NOT:
        is_astray = (NEGATIONS | ANNOUNCING_WORDS | CONCLUDING_WORDS).isdisjoint(found[-2:])
    # “so it is independent of $m$”
    is_astray = is_astray or (
        not CONCLUDING_WORDS.isdisjoint(found) and _LONE_SYMBOL.fullmatch(content) is not None
    )
    return is_astray and bool(_RELATION.search(said))


def _keep_words(words: str, *, is_first: bool) -> list[str]:
    """Keep of the words before a formula what they say of it."""
    kind = classify(words)
    found = WORD.findall(words.lower())
    if not NEGATIONS.isdisjoint(found[-2:]):
        return [rf"\text{{{_plain(words)}}}"]
    if is_first:
        return []
    if kind in (None, Kind.WORDS) or not CONCLUDING_WORDS.isdisjoint(found):
        return [r"\Rightarrow "] if words.strip(" \n*_-:") else [" "]
    if kind in (Kind.MATH, Kind.COLON):
        return [words.rstrip(" *")[-1:] + " " if kind is Kind.COLON else words]
    return [rf"\text{{{_plain(words)}}}"]


def _keep_tail(words: str) -> list[str]:
    """Keep behind the last formula a unit, which must not get lost, or that it is wrong."""
    found = WORD.findall(words)
    is_unit = bool(found) and all(word in UNITS for word in found)
    if is_unit or not WRONG_WORDS.isdisjoint(word.lower() for word in found):
        return [rf"\text{{ {_plain(words)}}}"]
    return []


def _plain(words: str) -> str:
    words = re.sub(r"[^\w\s,;:.()/^\-]", "", words)
    if words.count("(") != words.count(")"):
        words = re.sub(r"[()]", "", words)
    return " " + " ".join(words.split()) + " "


def _joins(text: str, formulas: Sequence[_Formula], place: int) -> bool:
    """Whether only a word such as “or” stands between two displayed formulas."""
    between = text[formulas[place - 1].end : formulas[place].start]
    words = WORD.findall(between)
    return len(words) <= 2 and classify(between) in (Kind.OR, Kind.AND)


def _join_displayed(text: str, formulas: Sequence[_Formula], first: int) -> Passage:
    """Return a displayed formula, with those that “or” and “and” join to it."""
    parts = [formulas[first].content]
    last = first
    for place in range(first + 1, len(formulas)):
        if not (formulas[place].is_displayed and _joins(text, formulas, place)):
            break
        between = text[formulas[place - 1].end : formulas[place].start]
        parts += [rf"\text{{{_plain(between)}}}", formulas[place].content]
        last = place
    return Passage("".join(parts), formulas[first].start, formulas[last].end)


def _find_line(text: str) -> Passage:
    """Of several lines of prose, return the last one that states something."""
    whole = Passage(text, 0, len(text))
    if "\\begin" in text or not is_prose(text):
        return whole
    lines = _list_lines(text, " *_`#")
    stating = [line for line in lines if _RELATION.search(line.text)]
    return stating[-1] if len(lines) > 1 and stating else whole


def says_no_answer(text: str, symbols: Collection[str] = ()) -> bool:
    """
    Whether a text says, and says nothing else, that there is no answer.

    What is spelt with the problem's own symbols alone is a product of them.

    >>> says_no_answer("I don’t know."), says_no_answer("idk"), says_no_answer("idk", ["d", "k"])
    (True, True, False)
    """
    if len(text) > _LONGEST_NO_ANSWER:
        return False
    bare = " ".join(_DECORATION.sub(" ", text.replace("’", "'")).split()).lower()
    bare = _APOLOGY.sub("", bare)
    if _NO_ANSWER.fullmatch(bare) is None:
        return False
    return not symbols or not set(bare) - {"i", "e"} <= set(symbols)


def is_prose(text: str) -> bool:
    """
    Whether a text is sentences rather than one statement.

    >>> is_prose("I do not know, sorry about this"), is_prose("2*pi*sqrt(l/g) for small x")
    (True, False)
    """
    return _count_words(text[:20_000]) > _PROSE_WORDS


def _count_words(text: str) -> int:
    """Count the words of sentences in a text: no names of functions, letters or few symbols."""
    outside = _COMMAND_WITH_WORDS.sub(" ", text)
    count = 0
    for found in _PROSE_WORD.finditer(outside):
        word = found[0]
        lowered = word.lower()
        if word in GREEK or word in SPELLINGS or word in TYPED:
            continue
        is_listed = lowered in PROSE | TYPED_KEYWORDS | UPRIGHT_WORDS
        count += is_listed or len(word) > 4 or not word.isascii()
    return count
