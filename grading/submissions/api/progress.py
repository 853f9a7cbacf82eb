"""How far the grading of a submission is, as its page says it."""

from typing import Literal

from ninja import Schema

from grading.answers.submissions.models import Submission
from grading.submissions.api.figures import Between, Figure
from grading.submissions.results.progress import SubmissionProgress, measure_progress
from grading.submissions.results.rows import list_problems

State = Literal["queued", "grading", "incomplete", "graded", "cancelled"]


class Progress(Schema):
    state: State
    """`incomplete`: all was tried, and some could not be graded."""
    total: int
    done: int
    waiting: int
    cancelled: int
    ahead: int
    """Answers of others that are graded before the last of these."""
    counts: dict[str, int]
    """By verdict; `FAILED` could not be graded, which is no verdict."""
    missing: int
    missing_ids: list[str]
    accuracy: Figure
    """Without a value while not all answers are graded, as `eed`."""
    eed: Figure
    accuracy_range: Between | None
    """Where the mean can lie meanwhile; null while nothing is graded."""
    eed_range: Between | None


def measure(submission: Submission) -> Progress:
    found = measure_progress(submission)
    tally = found.tally
    return Progress(
        state=_name_state(found),
        total=found.total,
        done=found.done,
        waiting=found.waiting,
        cancelled=found.cancelled,
        ahead=found.ahead,
        counts=found.counts,
        missing=found.missing,
        missing_ids=_list_missing(submission),
        accuracy=Figure.of(tally.accuracy.quote(tally.accuracy_range)),
        eed=Figure.of(tally.eed.quote(tally.eed_range)),
        accuracy_range=Between.of(tally.accuracy_range),
        eed_range=Between.of(tally.eed_range),
    )


def _name_state(found: SubmissionProgress) -> State:
    if found.cancelled:
        return "cancelled"
    if found.waiting:
        return "queued" if found.waiting == found.total else "grading"
    return "incomplete" if found.counts["FAILED"] else "graded"


def _list_missing(submission: Submission) -> list[str]:
    """Name the problems without any answer."""
    missing = list_problems(submission).exclude(revisions__attempts__submission=submission)
    return [problem.identifier for problem in missing.order_by("pk")]
