"""What words are to a statement: whether they join, condition, define, negate, or only name."""

from __future__ import annotations

import re
from collections.abc import Sequence
from enum import StrEnum

from phybench_grader.numbers.functions import SPELLINGS
from phybench_grader.reading.vocabulary import (
    AND_WORDS,
    CASE_WORDS,
    CHANGING_CHINESE,
    CHANGING_REMARKS,
    CHANGING_WORDS,
    COMPARING_WORDS,
    CONCLUDING_WORDS,
    CONDITION_WORDS,
    DEFINING_WORDS,
    EQUALLING_WORDS,
    FILLERS,
    FORM_WORDS,
    NEGATIONS,
    OR_WORDS,
    PROSE,
    REMARK_WORDS,
    RETRACTIONS,
    UNITS,
    UPRIGHT_WORDS,
    WRONG_WORDS,
)


class Kind(StrEnum):
    """What a piece is to the statement."""

    MATH = "MATH"
    RELATION = "RELATION"
    WORDS = "WORDS"
    COMMA = "COMMA"
    SEMICOLON = "SEMICOLON"
    COLON = "COLON"
    BREAK = "BREAK"
    GAP = "GAP"
    """A wide space, a new line of the text: it parts what could stand alone."""
    FORM = "FORM"
    """What follows is the same in another form: `i.e.`."""
    OR = "OR"
    AND = "AND"
    NOT = "NOT"
    WHERE = "WHERE"
    CONDITION = "CONDITION"
    CONCLUSION = "CONCLUSION"
    CASES = "CASES"


KEYWORDS: tuple[tuple[frozenset[str], Kind], ...] = (
    (NEGATIONS, Kind.NOT),
    (CASE_WORDS, Kind.CASES),
    (FORM_WORDS, Kind.FORM),
    (OR_WORDS, Kind.OR),
    (AND_WORDS, Kind.AND),
    (DEFINING_WORDS, Kind.WHERE),
    (CONDITION_WORDS, Kind.CONDITION),
    (CONCLUDING_WORDS, Kind.CONCLUSION),
)
WORD = re.compile(r"[^\W\d_]+")
CHINESE = re.compile(r"[\u4e00-\u9fff]")
_ABBREVIATED = re.compile(
    r"\bi\.\s?e\b\.?|\bd\.\s?h\b\.?|\bthat is(?= to say|,|:|$)|\bin other words\b"
)
_WITH = ("with", "mit")
_SAYING = re.compile(r"[=<>≤≥≡]|\\(?:equiv|le|ge|ll|gg|approx)|\bis\b|\bare\b|\bbeing\b|\bist\b")
_APART = re.compile(r"(?:\\(?:text|mathrm|textrm)\s*\{)?\s*[,;(，；（]")
_BRACKETED = re.compile(r"\s*\([^()]*[^\W\d_]{3}[^()]*\)\s*")
_COMMAND = re.compile(r"\\[a-z]+")
BESIDE = "beside the formula"
"""What a remark begins with that prose made of a value."""
_NEAR = 4
"""Words beside a formula that are looked at."""
_PUNCTUATION = {",": Kind.COMMA, ";": Kind.SEMICOLON, ":": Kind.COLON}


def classify(content: str, style: str = "") -> Kind | None:
    r"""
    Say what words are to a statement: `MATH` for none at all, None for what is no words.

    >>> classify(" or "), classify("for all"), classify("max", "text"), classify("Energy")
    (<Kind.OR: 'OR'>, <Kind.CONDITION: 'CONDITION'>, None, <Kind.WORDS: 'WORDS'>)
    """
    lowered = _ABBREVIATED.sub("ie", content.lower()).replace("so that", "provided")
    words = WORD.findall(lowered)
    if not words:
        return _classify_punctuation(content) if not re.search(r"\d", content) else None
    if style != "text" and style and "\\" in content:
        return None
    if set(words) <= EQUALLING_WORDS:
        return Kind.RELATION
    place, found = _find_keyword(words)
    if found in (Kind.OR, Kind.AND) and any(Kind.FORM in _list_kinds(word) for word in words):
        found = Kind.FORM
    if found in (Kind.OR, Kind.AND, Kind.CONCLUSION) and any(
        Kind.NOT in _list_kinds(word) for word in words
    ):
        return Kind.NOT
    if found in (Kind.CONDITION, Kind.WHERE, Kind.CONCLUSION, Kind.FORM):
        # Further back it is a word among others: "serves as a lens".
        is_opening = place == len(words) - 1 or FILLERS.issuperset(words[:place])
        found = found if is_opening or CHINESE.search(words[place]) else Kind.WORDS
    if found in (None, Kind.WORDS) and _BRACKETED.fullmatch(content) and len(words[0]) > 1:
        return Kind.CONDITION
    if found is not None:
        return found
    if _is_mathematics(content.strip(), WORD.findall(content), style):
        return None
    return Kind.WORDS


def is_changing(content: str) -> bool:
    """
    Whether words make another value of the one they stand beside.

    >>> is_changing("(times 2)"), is_changing("for all times t > 0"), is_changing("是两倍")
    (True, False, True)
    """
    lowered = content.lower()
    if any(word in lowered for word in CHANGING_CHINESE):
        return True
    if any(phrase in lowered for phrase in ("up to", "units of", "in fact", BESIDE)):
        return True
    words = WORD.findall(_COMMAND.sub(" ", lowered))
    kinds = _list_kinds(words[0]) if words else []
    # What is said of when it holds, or of a symbol, changes no value.
    if not RETRACTIONS.isdisjoint(words) and NEGATIONS.isdisjoint(words):
        return True
    is_told = Kind.CONDITION in kinds or (
        Kind.WHERE in kinds and (words[0] not in _WITH or _SAYING.search(lowered) is not None)
    )
    if is_told:
        return not WRONG_WORDS.isdisjoint(words)
    return not NEGATIONS.isdisjoint(words) or not CHANGING_REMARKS.isdisjoint(words)


def is_remark(content: str, before: str = "") -> bool:
    """
    Whether words right behind a value only say how it is meant: a sign or a listed word begins it.

    >>> is_remark(", found above"), is_remark(" downwards"), is_remark(" per mass")
    (True, True, False)
    """
    words = WORD.findall(_COMMAND.sub(" ", content.lower()))
    is_apart = before in (*".;。",) or _APART.match(content) is not None
    is_listed = bool(words) and (words[0] in REMARK_WORDS or CHINESE.search(words[0]) is not None)
    return (is_apart or is_listed) and not is_changing(content)


def find_changing(words: str, *, is_before: bool) -> str:
    """Find in prose right before or behind a formula what makes another value of it."""
    nearest = words[-12:] if is_before else words[:12]
    if found := next((one for one in CHANGING_CHINESE if one in nearest), ""):
        return found
    listed = WORD.findall(words.lower())
    near = listed[-_NEAR:] if is_before else listed[:_NEAR]
    return " ".join(word for word in near if word in CHANGING_WORDS | COMPARING_WORDS)


def _find_keyword(words: Sequence[str]) -> tuple[int, Kind | None]:
    """Find the first word that is a keyword, and what it is."""
    for place, word in enumerate(words):
        if kinds := _list_kinds(word):
            return place, kinds[0]
    return 0, None


def _list_kinds(word: str) -> list[Kind]:
    """List what a word may be; Chinese ones are found within a phrase."""
    return [
        kind
        for keywords, kind in KEYWORDS
        if word in keywords
        or (
            CHINESE.search(word)
            and any(CHINESE.search(keyword) and keyword in word for keyword in keywords)
        )
    ]


def _is_mathematics(content: str, words: Sequence[str], style: str) -> bool:
    if style == "operatorname" or content in SPELLINGS:
        return True
    if (
        re.fullmatch(r"\(?[A-Za-z]{1,4}\)?", content)
        and content.lower() not in PROSE | UPRIGHT_WORDS
    ):
        return True
    return all(word in UNITS for word in words)


def _classify_punctuation(content: str) -> Kind:
    for sign in _PUNCTUATION:
        if sign in content:
            return _PUNCTUATION[sign]
    return Kind.MATH
