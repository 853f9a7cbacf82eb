r"""
The certificate of a reference answer: what the production grader makes of variants of it.

Rewritings of the reference must score 100, mutations below 100, and so must what its author says
must be accepted or rejected. `list_cases` and then `try_case` let a caller try one case at a time,
in a child process with a deadline, and show how far it is.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from enum import StrEnum

from phybench_grader.authoring.variants import (
    MUTATIONS,
    REWRITINGS,
    UnusedVariant,
    list_mutations,
    list_rewritings,
)
from phybench_grader.eed.distance import FULL
from phybench_grader.numbers.sentences import Sentence, gettext_noop
from phybench_grader.reading.conditions import read_space
from phybench_grader.reading.reading import JudgeError
from phybench_grader.statement.answer import read
from phybench_grader.statement.response import find_answer
from phybench_grader.verdict.grade import GradedAnswer, Verdict, grade

CASE_KINDS = {
    **REWRITINGS,
    **MUTATIONS,
    "must_accept": gettext_noop("Chosen by the author: must be accepted"),
    "must_reject": gettext_noop("Chosen by the author: must be rejected"),
}
"""The kinds of cases, in words."""


class Expected(StrEnum):
    """Whether an answer must be accepted or rejected."""

    ACCEPTED = "ACCEPTED"
    REJECTED = "REJECTED"


class CaseOutcome(StrEnum):
    """Whether a case got what it must get. Open is neither: it could not be told."""

    PASSED = "PASSED"
    FAILED = "FAILED"
    OPEN = "OPEN"


@dataclass(frozen=True, slots=True)
class Case:
    """One answer to be tried, and what it must get; `kind` is a key of `CASE_KINDS`."""

    kind: str
    text: str
    expected: Expected


@dataclass(frozen=True, slots=True)
class Cases:
    """The cases of one reference, and the variants that make none."""

    cases: tuple[Case, ...]
    left_out: tuple[UnusedVariant, ...] = ()


@dataclass(frozen=True, slots=True)
class TriedCase:
    """One case with what came of it: a judgement, or the reason why there is none."""

    case: Case
    judgement: GradedAnswer | None = None
    reason: str = ""
    message: Sentence | None = None

    @property
    def outcome(self) -> CaseOutcome:
        """Whether the case got what it must get."""
        judgement, expected = self.judgement, self.case.expected
        if judgement is None:
            # A symbol that the problem lacks is never accepted: a person would see it.
            is_doubted = self.message is not None and self.message.code == "symbol_doubtful"
            is_rejected = is_doubted and expected is Expected.REJECTED
            return CaseOutcome.PASSED if is_rejected else CaseOutcome.OPEN
        if judgement.verdict is Verdict.UNREADABLE and self.case.kind in MUTATIONS:
            # Nothing is learnt from a mutation that was not even read.
            return CaseOutcome.OPEN
        is_accepted = judgement.eed == FULL
        is_right = is_accepted == (expected is Expected.ACCEPTED)
        return CaseOutcome.PASSED if is_right else CaseOutcome.FAILED


def list_cases(
    reference: str,
    *,
    declared: Collection[str] = (),
    accept: Collection[str] = (),
    reject: Collection[str] = (),
) -> Cases:
    r"""
    List what is to be tried on a reference. Raises `Unreadable` where that can't be read.

    >>> plan = list_cases("mgh", reject=["mg"])
    >>> plan.cases[0]
    Case(kind='as_written', text='mgh', expected=<Expected.ACCEPTED: 'ACCEPTED'>)
    >>> plan.cases[-1]
    Case(kind='must_reject', text='mg', expected=<Expected.REJECTED: 'REJECTED'>)
    """
    expression = read(find_answer(reference), declared=declared).expression
    rewritings, unwritten = list_rewritings(reference, expression)
    mutations, unmutated = list_mutations(expression, read_space(declared))
    cases = [
        *(Case(kind, text, Expected.ACCEPTED) for kind, text in rewritings),
        *(Case(kind, text, Expected.REJECTED) for kind, text in mutations),
        *(Case("must_accept", text, Expected.ACCEPTED) for text in accept),
        *(Case("must_reject", text, Expected.REJECTED) for text in reject),
    ]
    return Cases(tuple(cases), (*unwritten, *unmutated))


def try_case(case: Case, reference: str, *, declared: Collection[str] = ()) -> TriedCase:
    """
    Try one case with the production grader.

    >>> try_case(Case("must_reject", "m g", Expected.REJECTED), "mgh").outcome
    <CaseOutcome.PASSED: 'PASSED'>
    """
    try:
        judgement = grade(case.text, reference, declared=declared)
    except JudgeError as error:
        return TriedCase(case, reason=error.reason, message=error.message)
    return TriedCase(case, judgement, judgement.reason, judgement.message)
