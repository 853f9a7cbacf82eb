"""
Grade one attempt: judge it in a child process, keep what the judge said.

Doing it twice changes nothing: a grade is written by who holds the attempt (`phybench.work`).
"""

import dataclasses
import time

import sympy
from django.conf import settings
from django.db import transaction

from curation.exposures import ledger
from curation.exposures.ledger import Reason
from curation.people import contributions
from curation.references.reference import Reference
from grading.answers.models import Attempt, Grade
from grading.answers.symbolic import judge
from grading.expressions import (
    GRADER_VERSION,
    GradedAnswer,
    JudgeError,
    Sentence,
    Undeclarable,
    Verdict,
)
from grading.runs.models import GradingRun

JUDGE = "symbolic"


def grade(attempt: Attempt) -> None:
    """Judge a claimed attempt. A failure of ours leaves it ungraded with a reason, never a 0."""
    run = GradingRun.objects.get_adopted(attempt.revision.problem.benchmark_id)
    started = time.monotonic()
    try:
        judgement = judge_by(run.find_key(attempt.revision).reference, attempt.response)
    except JudgeError as error:
        fail(attempt, error.reason, error.message)
    else:
        keep(attempt, run, judgement, seconds=time.monotonic() - started)


def judge_by(reference: Reference, response: str) -> GradedAnswer:
    """Judge a response by a key. Raises `JudgeError` for what is ours."""
    try:
        declared = reference.question
    except Undeclarable as error:
        raise JudgeError("reference_unreadable", error.message) from None
    return judge(
        response, reference.answer, declared=declared, deadline=settings.GRADING_DEADLINE_SECONDS
    )


@transaction.atomic
def keep(attempt: Attempt, run: GradingRun, judgement: GradedAnswer, *, seconds: float) -> None:
    """Write the grade down, unless another worker has taken the attempt over meanwhile."""
    if not run.hold():
        # Another run was adopted meanwhile, which may go by another key.
        attempt.settle(status=Attempt.Status.QUEUED)
        return
    if not attempt.settle(status=Attempt.Status.GRADED):
        return
    made = write(attempt, run, judgement, seconds=seconds)
    # It may have been in the run already, which is of one mind about an answer.
    Grade.objects.bulk_create([made], ignore_conflicts=True)
    credit(attempt, made.verdict)


def write(attempt: Attempt, run: GradingRun, judgement: GradedAnswer, *, seconds: float) -> Grade:
    """Make the row that says what the grader of today said."""
    return Grade(
        run=run,
        attempt=attempt,
        judge=JUDGE,
        judge_version=GRADER_VERSION,
        verdict=judgement.verdict.value,
        accuracy=judgement.accuracy,
        eed=judgement.eed,
        distance=judgement.distance,
        size=judgement.size,
        relative=judgement.relative,
        reference_read=judgement.reference_read,
        answer_read=judgement.answer_read,
        reference_typed=judgement.reference_typed,
        answer_typed=judgement.answer_typed,
        notes=[note.write() for note in judgement.notes],
        edits=[dataclasses.asdict(edit) for edit in judgement.edits],
        reason=judgement.reason,
        message=judgement.message,
        sympy_version=sympy.__version__,
        seconds=seconds,
    )


def credit(attempt: Attempt, verdict: str) -> None:
    """Give a person the solution that their answer is, if it is one; they are told what it is."""
    person = attempt.solver.user
    # A person may also hand in a file; only what they answered themselves is a solution.
    if not person or attempt.submission_id is not None:
        return
    # Their contributions and the board tell it, whether they open the answer's page or not.
    ledger.write_verdicts(person, Reason.GRADE, [attempt.revision_id])
    if verdict == Verdict.CORRECT:
        contributions.record_solution(person, attempt.revision)


def fail(attempt: Attempt, reason: str, message: Sentence) -> None:
    """Leave the attempt ungraded, and say why."""
    attempt.settle(status=Attempt.Status.FAILED, failure_reason=reason, failure_message=message)


def give_up(attempt: Attempt) -> None:
    """Leave an attempt ungraded that takes worker after worker with it."""
    fail(attempt, "worker_lost", Sentence("grading_lost"))
