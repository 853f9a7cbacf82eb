r"""
The certificate of a reference answer: what the production grader makes of variants of it.

Rewritings of the reference must score 100, mutations below 100, and so must what its author says
must be accepted or rejected. `certify` does all of it at once; with `list_cases` and `try_case` a
caller can try one case at a time, in a child process with a deadline, and show how far it is.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from enum import StrEnum

from grading.expressions.answer import find_answer, read
from grading.expressions.grade import FULL, GRADER_VERSION, Judgement, Verdict, grade
from grading.expressions.names import Declared
from grading.expressions.reading import JudgeError
from grading.expressions.sentences import Sentence, gettext_noop
from grading.expressions.variants import (
    MUTATIONS,
    REWRITINGS,
    LeftOut,
    list_mutations,
    list_rewritings,
)

CASE_KINDS = {
    **REWRITINGS,
    **MUTATIONS,
    "must_accept": gettext_noop("The author's: must be accepted"),
    "must_reject": gettext_noop("The author's: must be rejected"),
}
"""The kinds of cases, in words."""


class Expected(StrEnum):
    """What an answer must get."""

    ACCEPTED = "ACCEPTED"
    REJECTED = "REJECTED"


class Outcome(StrEnum):
    """What trying a case gave. Open is neither: it could not be told."""

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
class Plan:
    """The cases of one reference, and the variants that make none."""

    cases: tuple[Case, ...]
    left_out: tuple[LeftOut, ...] = ()


@dataclass(frozen=True, slots=True)
class Row:
    """One case with what came of it: a judgement, or the reason why there is none."""

    case: Case
    judgement: Judgement | None = None
    reason: str = ""
    message: Sentence | None = None

    @property
    def outcome(self) -> Outcome:
        """Tell whether the case got what it must get."""
        judgement, expected = self.judgement, self.case.expected
        if judgement is None:
            return Outcome.OPEN
        if judgement.verdict is Verdict.UNREADABLE and self.case.kind in MUTATIONS:
            # Nothing is learnt from a mutation that was not even read.
            return Outcome.OPEN
        is_accepted = judgement.eed == FULL
        is_right = is_accepted == (expected is Expected.ACCEPTED)
        return Outcome.PASSED if is_right else Outcome.FAILED

    @property
    def passed(self) -> bool:
        """Tell whether the case surely got what it must get."""
        return self.outcome is Outcome.PASSED


@dataclass(frozen=True, slots=True)
class Certificate:
    """
    What the grader of one version made of all cases.

    >>> certificate = certify(r"\\frac{1}{2}mv^2", accept=["mv^2/2"], reject=["mv^2"])
    >>> certificate.is_green, certificate.grader_version == GRADER_VERSION
    (True, True)
    """

    rows: tuple[Row, ...]
    left_out: tuple[LeftOut, ...] = ()
    grader_version: str = GRADER_VERSION

    @property
    def outcome(self) -> Outcome:
        """Tell how it stands: failed by one failure, else open by one open row."""
        outcomes = {row.outcome for row in self.rows}
        for outcome in (Outcome.FAILED, Outcome.OPEN):
            if outcome in outcomes:
                return outcome
        return Outcome.PASSED

    @property
    def is_green(self) -> bool:
        """Tell whether every case got what it must get."""
        return self.outcome is Outcome.PASSED


def list_cases(
    reference: str,
    *,
    declared: Collection[str] = (),
    accept: Collection[str] = (),
    reject: Collection[str] = (),
) -> Plan:
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
    mutations, unmutated = list_mutations(expression, Declared(declared).domains)
    cases = [
        *(Case(kind, text, Expected.ACCEPTED) for kind, text in rewritings),
        *(Case(kind, text, Expected.REJECTED) for kind, text in mutations),
        *(Case("must_accept", text, Expected.ACCEPTED) for text in accept),
        *(Case("must_reject", text, Expected.REJECTED) for text in reject),
    ]
    return Plan(tuple(cases), (*unwritten, *unmutated))


def try_case(case: Case, reference: str, *, declared: Collection[str] = ()) -> Row:
    """
    Try one case with the production grader.

    >>> try_case(Case("must_reject", "m g", Expected.REJECTED), "mgh").outcome
    <Outcome.PASSED: 'PASSED'>
    """
    try:
        judgement = grade(case.text, reference, declared=declared)
    except JudgeError as error:
        return Row(case, reason=error.reason, message=error.message)
    return Row(case, judgement, judgement.reason, judgement.message)


def certify(
    reference: str,
    *,
    declared: Collection[str] = (),
    accept: Collection[str] = (),
    reject: Collection[str] = (),
) -> Certificate:
    """List the cases of a reference and try them all. Raises `Unreadable`."""
    plan = list_cases(reference, declared=declared, accept=accept, reject=reject)
    rows = tuple(try_case(case, reference, declared=declared) for case in plan.cases)
    return Certificate(rows, plan.left_out)
