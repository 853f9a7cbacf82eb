r"""
What a response says around its answer that speaks against it: “twice `x`”, “`\boxed{x}` or `y`”.

An answer that equals the reference is left to a person where the words right beside it deny or
scale it, or where another value is put in its place. The kinds are data: `clause_book.AROUND_BOOK`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from phybench_grader.equality.equality import Equality, compare_readings
from phybench_grader.reading.conditions import read_space
from phybench_grader.reading.formulas import find_formulas
from phybench_grader.reading.question import Question
from phybench_grader.reading.reading import Reading, Side, Unreadable
from phybench_grader.reading.rules import list_symbols
from phybench_grader.reading.vocabulary import (
    ANNOUNCING_WORDS,
    CONDITION_WORDS,
    CONTRASTING_WORDS,
    CORRECTING_WORDS,
    FILLERS,
    FORM_WORDS,
    OR_WORDS,
    UNITS,
)
from phybench_grader.statement.answer import read
from phybench_grader.statement.members import list_names
from phybench_grader.statement.phrases import (
    SENTENCE_END,
    find_denial,
    find_scale,
    list_found,
    takes_back,
)
from phybench_grader.statement.response import FoundAnswer
from phybench_grader.statement.sides import list_asking, name_quantity
from phybench_grader.statement.units import is_rescaling
from phybench_grader.verdict.constants import describe

_SAYING_ELSE = frozenset({"no_equality", "other_quantity", "negated", "missing"})
"""Why a formula around a box can't be read, where it says that the box is not all of it."""
_MOST_VALUES = 6
"""Formulas behind an answer that are read."""
_CLOSER = re.compile(r"\s*(?:\$\$?|\\[\])])")
_UPRIGHT = re.compile(r"\\(?:text|textbf|mathrm|mbox)\s*\{([^{}]*)\}")
_TAG = re.compile(r"</?[A-Za-z]+>|\*\*|\\(?:q?quad|[,;:! ])(?![A-Za-z])")
_TYPED = re.compile(r"\d")
_TYPED_INSIDE = re.compile(r"=|\\(?:frac|sqrt)|sqrt|\^")
_OPENED = re.compile(r"\$\$?|\\[\[(]|\\[\])]")
_LONGEST_TYPED = 200
_CORRECTING = "|".join(sorted(CORRECTING_WORDS | CONTRASTING_WORDS | OR_WORDS, key=len)[::-1])
_PUTTING = re.compile(
    rf"\b(?:{_CORRECTING})\b|(?:{_CORRECTING})(?<=[\u4e00-\u9fff])|[A-Za-z]{{3,}}\s*=", re.I
)
_NAMED = re.compile(r"[A-Za-z]{3,}\s*=\s*\$*\Z")
"""A name in words: `the speed = `."""


@dataclass(frozen=True, slots=True)
class _Said:
    """A formula behind an answer, with the words between it and what stands before it."""

    words: str
    content: str
    is_first: bool


def find_doubt(found: FoundAnswer, answer: Reading, reference: Reading, question: Question) -> str:
    """Find what stands around an answer and may change its value; "" where nothing does."""
    behind = _leave_formula(found)
    said = find_scale(_TAG.sub(" ", _cut_words(found.before)))
    said = said or find_denial(_TAG.sub(" ", behind))
    return (
        said
        or _find_unit(behind, reference, question)
        or _find_formula(found, reference, question)
        or _find_given(answer, reference, question)
        or _find_other_value(behind, answer, reference, question)
    )


def _cut_words(before: str) -> str:
    r"""Cut the words before an answer off from its formula: “thus” of `thus $v = `."""
    parts = _OPENED.split(before)
    while len(parts) > 1 and not list_found(parts[-1]):
        parts.pop()
    return parts[-1]


def _leave_formula(found: FoundAnswer) -> str:
    """Return what stands behind an answer; what is left of its formula is one of its own."""
    behind = found.behind
    opened = _OPENED.findall(found.before)
    is_inside = bool(opened) and (
        opened[-1] in (r"\[", r"\(") or (opened[-1].startswith("$") and len(opened) % 2 == 1)
    )
    if not is_inside or (closer := _OPENED.search(behind)) is None:
        return behind
    rest = behind[: closer.start()].strip(" .,\n")
    parted = _UPRIGHT.sub(r"$ \1 $", rest)
    inside = f"${parted}$".replace("$$", "") if rest.strip("}") else ""
    return inside + behind[closer.end() :]


def _find_unit(behind: str, reference: Reading, question: Question) -> str:
    """Find a unit right behind an answer that is not of the size asked for: `$x$ kJ`."""
    sentence = SENTENCE_END.split(behind.replace("$", " ").strip(), maxsplit=1)[0].strip(" .,")
    plain = _UPRIGHT.sub(r"\1", sentence).strip(" []()")
    words = re.findall(r"[^\W\d_]+", plain)
    if not words or not UNITS.issuperset(words):
        return ""
    asked = question.unit or reference.unit
    return plain if is_rescaling(plain, asked) else ""


def _find_formula(found: FoundAnswer, reference: Reading, question: Question) -> str:
    r"""Find in the formula around a box more than the box: `2\boxed{x}`, `E < \boxed{x}`."""
    if not found.around:
        return ""
    try:
        around = read(found.around, declared=question, beside=reference)
    except Unreadable as unreadable:
        return found.around if unreadable.reason in _SAYING_ELSE else ""
    is_same = compare_readings(around, reference, read_space(question)) is Equality.EQUAL
    return "" if is_same and not around.is_open and not around.doubt else found.around


def _find_given(answer: Reading, reference: Reading, question: Question) -> str:
    """Find that the answer's name is what the statement gives, and none that it asks for."""
    name = answer.side.name if answer.side is not None else ""
    if not name or reference.side is not None or question.asked or not question.told:
        return ""
    return name if _is_given(question.told, name) else ""


@lru_cache(maxsize=512)
def _is_given(statement: str, name: str) -> bool:
    """
    Whether a statement has a symbol alone in its sentences, but not where it asks for something.

    >>> text = "A mass $m$ falls. Find its speed $v$."
    >>> _is_given(text, "m"), _is_given(text, "v"), _is_given(text, "u")
    (True, False, False)
    """
    asking = list_asking(statement)
    is_asked = any(name in list_symbols(sentence) for sentence in asking)
    return bool(asking) and not is_asked and bool(describe(statement, name))


def _find_other_value(behind: str, answer: Reading, reference: Reading, question: Question) -> str:
    """Find another value of the same quantity that is put in the answer's place."""
    side = answer.side or reference.side
    is_taken_back = False
    for count, one in enumerate(_list_said(behind)):
        if count == _MOST_VALUES:
            break
        is_taken_back = is_taken_back or takes_back(one.words)
        if not (is_taken_back or _puts(one) or _NAMED.search(one.words)):
            continue
        try:
            other = read(one.content, declared=question, beside=reference)
        except Unreadable:
            continue
        is_value = _is_of_same(other.side, side) if other.side else _is_announced(one, other)
        if not is_value or other.is_open or _is_decimal(other):
            continue
        names = list_names(reference.expression)
        if list_found(one.words, FORM_WORDS) and not list_names(other.expression) <= names:
            continue  # by a definition it may be the same
        if compare_readings(other, reference, read_space(question)) is not Equality.EQUAL:
            return f"{one.words.strip()} {one.content}".strip()
    return ""


def _list_said(behind: str) -> Iterator[_Said]:
    """List the formulas behind an answer, those typed without dollar signs, too."""
    place, is_first = 0, True
    for start, formula, content in find_formulas(behind):
        yield from _list_typed(behind[place:start], is_first=is_first)
        yield _Said(behind[place:start], content, is_first)
        place, is_first = start + len(formula), False
    yield from _list_typed(behind[place:], is_first=is_first)


def _list_typed(words: str, *, is_first: bool) -> Iterator[_Said]:
    """Find what is typed plainly behind a word that puts another value in the answer's place."""
    for found in list(_PUTTING.finditer(words))[:_MOST_VALUES]:
        rest = words[found.end() : found.end() + _LONGEST_TYPED]
        content = SENTENCE_END.split(rest, maxsplit=1)[0].strip(" :,：，\n").removeprefix("be ")
        if content.count(")") > content.count("("):
            content = content.removesuffix(")")
        if _TYPED.match(content) or _TYPED_INSIDE.search(content):
            yield _Said(words[: found.end()], content, is_first)


def _puts(one: _Said) -> bool:
    """Whether the words before a value put it in the answer's place."""
    sentence = SENTENCE_END.split(one.words.strip())[-1]
    words = list_found(sentence)
    if one.is_first and list_found(" ".join(words[:1] + words[-1:]), OR_WORDS | FORM_WORDS):
        return True
    if list_found(sentence, CONDITION_WORDS - {"in", "at"}):
        return False
    return bool(list_found(sentence, CONTRASTING_WORDS))


def _is_of_same(one: Side, side: Side | None) -> bool:
    """Whether a left side is the quantity of another, as far as either is known."""
    if side is not None and one.signs == side.signs:
        return True
    name = name_quantity(side.name or "") if side is not None else ""
    own = name_quantity(one.name or "")
    return one.is_single and (not name or not own or own == name)


def _is_announced(one: _Said, other: Reading) -> bool:
    """Whether a value without a name is said to be the answer: right behind “or”, “is”, a colon."""
    if other.expression.is_Symbol:
        return False
    if _NAMED.search(one.words):
        return True
    words = list_found(one.words)
    putting = CORRECTING_WORDS | CONTRASTING_WORDS | OR_WORDS | FORM_WORDS | FILLERS
    is_colon = one.words.rstrip(" $*\n").endswith((":", "：", "—"))
    last = words[-1:] and words[-1]
    return is_colon or bool(
        last and (list_found(last, ANNOUNCING_WORDS | {"be"}) or list_found(last, putting))
    )


def _is_decimal(other: Reading) -> bool:
    is_number = not list_names(other.expression)
    return is_number and any(one.code in ("float", "units") for one in other.findings)
