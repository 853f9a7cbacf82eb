"""Answers graded, published and measured here and now."""

from grading.analyses.models import Analysis
from grading.analyses.tasks import WORKING_OUT
from grading.submissions.models import Submission
from grading.unordered import tasks, work
from grading.unordered.models import UnorderedPart
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
