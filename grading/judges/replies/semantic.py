"""
Reading the semantic matcher's reply: one JSON object with a verdict and a score of the reasoning.

The verdict comes first: a right answer has a score of 4 or 5, a wrong one of 1 to 3. Where
the two don't go together the verdict stays and the score goes.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from grading.judges.judgement import Flag, Judgement
from grading.judges.reasons import Reason
from grading.judges.replies.json_objects import (
    find_object,
    is_placeholder,
    read_number,
    read_text,
)
from grading.judges.replies.reply import Reply

KEYS = ("id", "is_correct", "extracted_answer", "reasoning_score", "error_type", "comment")
NEVER_IN_BRACKETS = ("id", "reasoning_score", "error_type", "comment")
"""
Fields of which one such as `<a whole number from 1 to 5>` shows that the form was sent back
unfilled. An extracted answer may well be `<x, y>`.
"""
LEAST_OF_CORRECT = 4
"""Lowest reasoning score of a right answer; a wrong one has less."""

_WORDS = {"true": True, "yes": True, "false": False, "no": False}


class ErrorType(StrEnum):
    """What went wrong in the response, as the judge names it."""

    NONE = "none"
    FORMAT_ERROR = "format_error"
    HALLUCINATION = "hallucination"
    WRONG_LOGIC = "wrong_logic"
    NO_ANSWER = "no_answer"


@dataclass(frozen=True, slots=True)
class SemanticVerdict:
    """Whether the response's answer is the ground truth, and how good its reasoning is."""

    is_correct: bool
    extracted_answer: str = ""
    reasoning_score: int | None = None
    """From 1 to 5; None where the judge gave none that can stand."""
    error_type: ErrorType | None = None
    comment: str = ""


def read_semantic(
    reply: str | bytes | Reply | None, *, expected_id: str | None = None
) -> Judgement[SemanticVerdict]:
    r"""
    Read the semantic matcher's reply; `expected_id` is the one that it was to send back.

    >>> read = read_semantic(r'{"is_correct": true, "extracted_answer": "\sqrt{2}"}')
    >>> read.verdict.is_correct, read.verdict.extracted_answer
    (True, '\\sqrt{2}')
    >>> read_semantic('{"comment": "fine"}').reason.value
    'schema'
    """
    found = find_object(Reply.of(reply), KEYS, verdict=("is_correct",))
    if isinstance(found, Reason):
        return Judgement.missing(found)
    fields = found.fields
    if any(is_placeholder(fields.get(key)) for key in NEVER_IN_BRACKETS):
        return Judgement.missing(Reason.NO_VERDICT, path=found.path)
    flags = set(found.flags)
    is_correct = _read_verdict(fields.get("is_correct"), flags)
    if is_correct is None:
        return Judgement.missing(Reason.SCHEMA, *flags, path=found.path)
    _check_id(fields, expected_id, flags)
    extracted = read_text(fields.get("extracted_answer"))
    verdict = SemanticVerdict(
        is_correct=is_correct,
        extracted_answer=extracted,
        reasoning_score=_read_score(fields, is_correct, flags),
        error_type=_read_error_type(fields, is_correct, extracted, flags),
        comment=read_text(fields.get("comment")),
    )
    return Judgement(verdict=verdict, flags=frozenset(flags), path=found.path)


def _read_verdict(value: object, flags: set[Flag]) -> bool | None:
    if isinstance(value, bool):
        return value
    if isinstance(value, str) and value.strip().casefold() in _WORDS:
        flags.add(Flag.COERCED)
        return _WORDS[value.strip().casefold()]
    return None


def _check_id(fields: dict[str, Any], expected: str | None, flags: set[Flag]) -> None:
    if expected is None:
        return
    given = fields.get("id")
    if given is None:
        flags.add(Flag.ID_MISSING)
    elif isinstance(given, bool) or str(given).strip() != expected:
        flags.add(Flag.ID_MISMATCH)


def _read_score(fields: dict[str, Any], is_correct: bool, flags: set[Flag]) -> int | None:
    value = fields.get("reasoning_score")
    number = read_number(value)
    if number is None or number[0] not in (1, 2, 3, 4, 5):
        flags.add(Flag.SCORE_MISSING)
        return None
    if not isinstance(value, int):
        flags.add(Flag.COERCED)
    score = int(number[0])
    if is_correct != (score >= LEAST_OF_CORRECT):
        flags.add(Flag.INCONSISTENT)
        return None
    return score


def _read_error_type(
    fields: dict[str, Any], is_correct: bool, extracted: str, flags: set[Flag]
) -> ErrorType | None:
    try:
        error = ErrorType(str(fields.get("error_type")).strip().casefold())
    except ValueError:
        flags.add(Flag.ERROR_TYPE_MISSING)
        return None
    is_fitting = is_correct == (error in (ErrorType.NONE, ErrorType.FORMAT_ERROR))
    if error is ErrorType.FORMAT_ERROR:
        is_fitting = True  # an answer in the wrong form may be right or wrong
    if error is ErrorType.NO_ANSWER and extracted.strip():
        is_fitting = False
    if not is_fitting:
        flags.add(Flag.INCONSISTENT)
        return None
    return error
