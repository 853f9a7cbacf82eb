"""
Grade one attempt: claim it, judge it in a child process, keep what the judge said.

The database row is the truth, the broker's message only wakes a worker: doing it twice changes
nothing, and a worker that is killed leaves a lease that runs out.
"""

import dataclasses
import time
from datetime import timedelta

import sympy
from django.conf import settings
from django.db import transaction
from django.db.models import F, Q
from django.utils import timezone

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


def claim(attempt_id: int) -> Attempt | None:
    """Take an attempt that waits, or whose worker died; None when there is nothing to do."""
    now = timezone.now()
    free = Q(status=Attempt.Status.QUEUED) | Q(status=Attempt.Status.GRADING, lease_until__lt=now)
    # One statement: of two workers that get the same message, one updates the row.
    claimed = Attempt.objects.filter(free, pk=attempt_id).update(
        status=Attempt.Status.GRADING,
        lease_until=now + timedelta(seconds=settings.GRADING_LEASE_SECONDS),
        tries=F("tries") + 1,
    )
    if not claimed:
        return None
    return Attempt.objects.select_related("revision__problem", "solver__user").get(pk=attempt_id)


def grade(attempt: Attempt) -> None:
    """Judge a claimed attempt. A failure of ours leaves it ungraded with a reason, never a 0."""
    if attempt.tries > settings.GRADING_TRIES:
        fail(
            attempt,
            "worker_lost",
            Sentence("grading_lost"),
        )
        return
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
    if not _settle(attempt, Attempt.Status.GRADED):
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
    _settle(attempt, Attempt.Status.FAILED, failure_reason=reason, failure_message=message)


def _settle(attempt: Attempt, status: Attempt.Status, **fields: str | Sentence) -> bool:
    """End our lease; False when it was no longer ours (`tries` tells one claim from the next)."""
    return bool(
        Attempt.objects.filter(
            pk=attempt.pk, status=Attempt.Status.GRADING, tries=attempt.tries
        ).update(status=status, lease_until=None, **fields)
    )
