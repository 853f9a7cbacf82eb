"""
Grade one attempt: judge it in a child process, keep what the judge said.

Doing it twice changes nothing: a grade is written by who holds the attempt (`phybench.work`).
"""

import dataclasses
import time

import sympy
from django.conf import settings
from django.db import transaction

from curation.people import contributions
from grading.answers.models import Attempt, Grade
from grading.answers.symbolic import judge
from grading.expressions import (
    GRADER_VERSION,
    JudgeError,
    Judgement,
    Sentence,
    Undeclarable,
    Verdict,
)

JUDGE = "symbolic"


def grade(attempt: Attempt) -> None:
    """Judge a claimed attempt. A failure of ours leaves it ungraded with a reason, never a 0."""
    started = time.monotonic()
    reference = attempt.revision.reference
    try:
        judgement = judge(
            attempt.response,
            reference.answer,
            declared=reference.symbols,
            deadline=settings.GRADING_DEADLINE_SECONDS,
        )
    except JudgeError as error:
        fail(attempt, error.reason, error.message)
    except Undeclarable as error:
        fail(attempt, "reference_unreadable", error.message)
    else:
        keep(attempt, judgement, seconds=time.monotonic() - started)


@transaction.atomic
def keep(attempt: Attempt, judgement: Judgement, *, seconds: float) -> None:
    """Write the grade down, unless another worker has taken the attempt over meanwhile."""
    if not attempt.settle(status=Attempt.Status.GRADED):
        return
    Grade.objects.get_or_create(
        attempt=attempt,
        judge=JUDGE,
        judge_version=GRADER_VERSION,
        defaults={
            "verdict": judgement.verdict.value,
            "accuracy": judgement.accuracy,
            "eed": judgement.eed,
            "distance": judgement.distance,
            "size": judgement.size,
            "relative": judgement.relative,
            "reference_read": judgement.reference_read,
            "answer_read": judgement.answer_read,
            "notes": [note.write() for note in judgement.notes],
            "edits": [dataclasses.asdict(edit) for edit in judgement.edits],
            "reason": judgement.reason,
            "message": judgement.message,
            "sympy_version": sympy.__version__,
            "seconds": seconds,
        },
    )
    person = attempt.solver.user
    # A person may also hand in a file; only what they answered themselves is a solution.
    if person and attempt.submission_id is None and judgement.verdict is Verdict.CORRECT:
        contributions.record_solution(person, attempt.revision)


def fail(attempt: Attempt, reason: str, message: Sentence) -> None:
    """Leave the attempt ungraded, and say why."""
    attempt.settle(status=Attempt.Status.FAILED, failure_reason=reason, failure_message=message)


def give_up(attempt: Attempt) -> None:
    """Leave an attempt ungraded that takes worker after worker with it."""
    fail(attempt, "worker_lost", Sentence("grading_lost"))
