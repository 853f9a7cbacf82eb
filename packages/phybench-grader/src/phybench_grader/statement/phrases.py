"""What words are to a statement: whether they join, condition, define, negate, or only name."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from enum import StrEnum
from itertools import pairwise

from phybench_grader.numbers.functions import SPELLINGS
from phybench_grader.reading.vocabulary import (
    ADMISSIONS,
    AND_WORDS,
    BETWEEN_WORDS,
    BOUNDING_WORDS,
    CASE_WORDS,
    CHANGING_CHINESE,
    CHANGING_REMARKS,
    CHANGING_WORDS,
    COHERENT_UNITS,
    CONCLUDING_WORDS,
    CONDITION_WORDS,
    CORRECTING_WORDS,
    DEFINING_WORDS,
    EQUALLING_WORDS,
    FILLERS,
    FORM_WORDS,
    NEGATIONS,
    OR_WORDS,
    POINTING_WORDS,
    PREDICATING_WORDS,
    PROSE,
    REMARK_WORDS,
    RESCALING_CHINESE,
    RETRACTIONS,
    RIGHT_WORDS,
    SCALING_PHRASES,
    SCALING_WORDS,
    UNITS,
    UPRIGHT_WORDS,
    WANTING_WORDS,
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
_OTHER_UNITS = "|".join(sorted(UNITS - COHERENT_UNITS - {"h"}))
_IN_UNIT = re.compile(
    rf"\b(?:measured |expressed |given )?in\s+(?:\\\w+\{{)?(?:{_OTHER_UNITS})(?![\w\\])"
)
"""The unit of a number, which an expression in symbols has by them."""
_NEAR = 12
"""Words beside a formula that are looked at."""
_DENIED = re.compile(r"n['’]t\b")
_CLAUSE = re.compile(r"[.。!！?？:：;；,，—]|\n\s*\n")
SENTENCE_END = re.compile(r"[.。!！?？;；](?=\s|$|[\u4e00-\u9fff])|[。！？；]|\n\s*\n")
_FORMULA = re.compile(r"(?<=.)(?:\$|\\[\[(])", re.DOTALL)
_SHARE = re.compile(r"%\s*(?:of\s*)?\Z")
_BY_PHRASE = re.compile(rf"[\s(]*(?:{'|'.join(SCALING_PHRASES)})\b")
_SCALED = re.compile(
    rf"\bshould be ((?:{'|'.join(sorted(SCALING_WORDS))})(?: of)? (?:this|that|it))\b"
)
_ATTACHED = re.compile(r"\s*[\u4e00-\u9fff]+")
_SCALING_CHINESE = (*sorted(filter(CHINESE.search, NEGATIONS)), *CHANGING_CHINESE)
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
    if any(word in lowered for word in CHANGING_CHINESE + RESCALING_CHINESE):
        return True
    if _IN_UNIT.search(content):
        return True
    if any(phrase in lowered for phrase in ("up to", "units of", "in fact")):
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


def list_found(text: str, words: Collection[str] | None = None) -> list[str]:
    """
    List the words of a text, or those of them that are given; Chinese ones within its phrases.

    >>> list_found("It isn't so"), list_found("答案不是", NEGATIONS)
    (['it', 'is', 'not', 'so'], ['答案不是'])
    """
    listed = WORD.findall(_DENIED.sub(" not", text.lower()))
    if words is None:
        return listed
    return [one for one in listed if one in words or _holds_chinese(one, words)]


def takes_back(words: str) -> bool:
    """Whether words take back what was said before them: “wait”, “I was wrong”."""
    said = words.lower()
    return bool(list_found(said, CORRECTING_WORDS)) or any(one in said for one in ADMISSIONS)


def find_scale(before: str) -> str:
    """
    Find in words right before a formula what denies or scales it.

    >>> find_scale("The speed is twice the"), find_scale("It is not zero, but")
    ('twice', '')
    >>> find_scale("The square of the speed is"), find_scale("as given below")
    ('square', '')
    """
    words = list_found(_CLAUSE.split(before)[-1])
    if not words:
        # “Wrong: x”
        announced = _CLAUSE.split(before.rstrip().removesuffix(":"))[-1]
        near = [word for word in list_found(announced) if word not in BETWEEN_WORDS][-1:]
        return " ".join(word for word in near if word in NEGATIONS)
    if _SHARE.search(before):
        return "%"
    if CHINESE.search(words[-1]):
        last = words[-1].removesuffix("等于").rstrip("是为")
        last = words[-1] if words[-1].endswith("不是") else last
        return next((one for one in _SCALING_CHINESE if last.endswith(one)), "")
    changing = CHANGING_WORDS | {"root", "power"}
    of = [one for one, behind in pairwise(words) if one in changing and behind == "of"]
    if words[-1] in EQUALLING_WORDS and of:
        return of[0]
    near = [word for word in words if word not in BETWEEN_WORDS][-1:]
    is_before = NEGATIONS | SCALING_WORDS | BOUNDING_WORDS | frozenset(of)
    return " ".join(word for word in near if word in is_before)


def find_denial(behind: str) -> str:
    """
    Find in words right behind a formula what denies or scales it.

    >>> find_denial(" is not the answer."), find_denial(", which does not depend on m.")
    ('not the answer', '')
    >>> find_denial(" times two"), find_denial(". This is wrong."), find_denial("的两倍")
    ('times', 'wrong', '倍')
    >>> find_denial(". It should be half of this."), find_denial(". It is twice that of v_0.")
    ('half of this', '')
    """
    sentences = SENTENCE_END.split(_FORMULA.split(behind, maxsplit=1)[0].lstrip("$ "), maxsplit=2)
    if found := _BY_PHRASE.match(sentences[0].lower()) or _IN_UNIT.match(sentences[0].strip(" (")):
        return found[0].strip()
    attached = _ATTACHED.match(sentences[0])
    if attached and (scaled := [one for one in CHANGING_CHINESE if one in attached[0]]):
        return scaled[0]
    words = [word for word in list_found(sentences[0])[:_NEAR] if word not in BETWEEN_WORDS]
    if words and words[0] in SCALING_WORDS:
        return words[0]
    for count, sentence in enumerate(sentences[:2]):
        listed = list_found(sentence)[:_NEAR]
        is_of_it = bool(listed) and (not count or list_found(listed[0], POINTING_WORDS))
        if is_of_it and (denial := _find_denial_in(listed)):
            return denial
        if corrected := _SCALED.search(sentence.lower()):
            return corrected[1]
    return ""


def _find_denial_in(words: Sequence[str]) -> str:
    """Find the words that call something wrong, or not right."""
    for place, word in enumerate(words):
        before = words[place - 1] if place else "is"
        is_said = before in PREDICATING_WORDS or CHINESE.search(word) is not None
        if list_found(word, WRONG_WORDS | {"不对", "有误", "错的"}) and is_said:
            return word
        if word not in NEGATIONS and not _holds_chinese(word, {"不"}):
            continue
        rest = [one for one in words[place + 1 :] if one not in BETWEEN_WORDS - {"answer"}]
        is_denied = bool(rest) and (
            rest[0] in RIGHT_WORDS or (rest[0] == "what" and not WANTING_WORDS.isdisjoint(rest))
        )
        if is_denied or _holds_chinese(word, {"不正确", "不是答案"}):
            return " ".join(words[place : place + 3])
    return ""


def _holds_chinese(phrase: str, words: Collection[str]) -> bool:
    return CHINESE.search(phrase) is not None and any(
        CHINESE.search(word) and word in phrase for word in words
    )


def _find_keyword(words: Sequence[str]) -> tuple[int, Kind | None]:
    """Find the first word that is a keyword, and what it is."""
    for place, word in enumerate(words):
        if kinds := _list_kinds(word):
            return place, kinds[0]
    return 0, None


def _list_kinds(word: str) -> list[Kind]:
    """List what a word may be; Chinese ones are found within a phrase."""
    return [
        kind for keywords, kind in KEYWORDS if word in keywords or _holds_chinese(word, keywords)
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
