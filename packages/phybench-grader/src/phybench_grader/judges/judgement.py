"""What a judge's reply came to: a verdict, or the reason why there is none."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Generic, TypeVar

from phybench_grader.judges.reasons import Reason, Retry

Verdict = TypeVar("Verdict")
Other = TypeVar("Other")


class Flag(StrEnum):
    """What a person should know of how a judgement came about. No flag changes a verdict."""

    NON_INTEGER = "NON_INTEGER"
    LENIENT_PARSE = "LENIENT_PARSE"
    FALLBACK_PARSE = "FALLBACK_PARSE"
    MULTIPLE_RATINGS = "MULTIPLE_RATINGS"
    INJECTION_SUSPECTED = "INJECTION_SUSPECTED"
    FENCED = "FENCED"
    SURROUNDED = "SURROUNDED"
    LATEX_REPAIRED = "LATEX_REPAIRED"
    JSON_REPAIRED = "JSON_REPAIRED"
    REPEATED_VERDICT = "REPEATED_VERDICT"
    COERCED = "COERCED"
    # Only older judgements have these two: a verdict without its call's code is none now.
    ID_MISMATCH = "ID_MISMATCH"
    ID_MISSING = "ID_MISSING"
    SCORE_MISSING = "SCORE_MISSING"
    ERROR_TYPE_MISSING = "ERROR_TYPE_MISSING"
    INCONSISTENT = "INCONSISTENT"
    TRUNCATED_AFTER_VERDICT = "TRUNCATED_AFTER_VERDICT"
    OVERALL_IGNORED = "OVERALL_IGNORED"
    CANDIDATE_CUT = "CANDIDATE_CUT"
    STAGES_DISAGREE = "STAGES_DISAGREE"
    UNFENCED = "UNFENCED"
    RESPONSE_CUT_OFF = "RESPONSE_CUT_OFF"
    SAME_FAMILY = "SAME_FAMILY"
    RUN_ON = "RUN_ON"


@dataclass(frozen=True, slots=True)
class Judgement(Generic[Verdict]):
    """
    A verdict or a reason for there being none: never both, never neither.

    >>> Judgement.missing(Reason.EMPTY).is_scored
    False
    >>> Judgement(verdict=7, reason=Reason.EMPTY)
    Traceback (most recent call last):
    ...
    ValueError: a judgement has a verdict or a reason, and not both
    """

    verdict: Verdict | None = None
    reason: Reason | None = None
    flags: frozenset[Flag] = frozenset()
    path: str = ""
    """How the reply was read: rating, labelled, json, fenced, scanned."""

    def __post_init__(self) -> None:
        if (self.verdict is None) == (self.reason is None):
            raise ValueError("a judgement has a verdict or a reason, and not both")

    @classmethod
    def missing(cls, reason: Reason, *flags: Flag, path: str = "") -> "Judgement[Verdict]":
        """Make the judgement that there is none."""
        return cls(reason=reason, flags=frozenset(flags), path=path)

    @property
    def is_scored(self) -> bool:
        return self.verdict is not None

    @property
    def asks_again(self) -> bool:
        """Tell whether one more call, with a reminder of the form, is worth its price."""
        if self.reason is not None:
            return self.reason.rule.retry in (Retry.REMINDED, Retry.ADAPTED)
        return bool({Flag.INCONSISTENT, Flag.SCORE_MISSING} & self.flags)

    def map(self, value: Callable[[Verdict], Other]) -> "Judgement[Other]":
        """
        Turn the verdict into something else, and leave the rest as it is.

        >>> Judgement("seven").map(len).verdict
        5
        """
        verdict = None if self.verdict is None else value(self.verdict)
        return Judgement(verdict, self.reason, self.flags, self.path)

    def flagged(self, *flags: Flag) -> "Judgement[Verdict]":
        """Return the same judgement with more flags."""
        return Judgement(self.verdict, self.reason, self.flags | frozenset(flags), self.path)
