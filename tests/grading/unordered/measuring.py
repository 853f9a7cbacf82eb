"""Answers graded, published and measured here and now."""

from grading.answers.submissions.models import Submission
from grading.answers.unordered import tasks, work
from grading.answers.unordered.models import UnorderedPart
from grading.board.analyses.models import Analysis
from grading.board.analyses.tasks import WORKING_OUT
from tests.organisations import publish
from tests.work import do, grade_attempt


def grade(submission: Submission) -> Submission:
    for attempt in submission.attempts.all():
        grade_attempt(attempt.pk)
    return submission


def grade_and_publish(submission: Submission) -> Submission:
    publish(grade(submission))
    return submission


def measure() -> None:
    """Do as a clock and a worker would."""
    work.queue_new()
    for part in UnorderedPart.objects.all():
        do(tasks.MEASURING, part.pk)


def work_out() -> None:
    """Answer what pages have asked."""
    for analysis in Analysis.objects.to_do():
        do(WORKING_OUT, analysis.pk)
