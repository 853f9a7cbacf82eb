"""Where a submission stands, in one word, by its answers and by what was done with it."""

from django.db.models import TextChoices
from django.utils.translation import gettext_lazy as _

from grading.answers.submissions.models import Submission


class SubmissionState(TextChoices):
    QUEUED = "QUEUED", _("queued")
    GRADING = "GRADING", _("being graded")
    GRADED = "GRADED", _("graded")
    FAILED = "FAILED", _("partly not graded")
    CANCELLED = "CANCELLED", _("cancelled")
    PUBLISHED = "PUBLISHED", _("published")
    WITHDRAWN = "WITHDRAWN", _("withdrawn")


def find_state(
    submission: Submission, *, waiting: int, failed: int, answers: int
) -> SubmissionState:
    """Say where a submission stands by how many of its answers wait, and failed for us."""
    if submission.withdrawn_at is not None:
        return SubmissionState.WITHDRAWN
    # Its answers may be graded once more: what is published stays so.
    if submission.published_at is not None:
        return SubmissionState.PUBLISHED
    if submission.cancelled_at is not None:
        return SubmissionState.CANCELLED
    if waiting:
        return SubmissionState.QUEUED if waiting == answers else SubmissionState.GRADING
    return SubmissionState.FAILED if failed else SubmissionState.GRADED
