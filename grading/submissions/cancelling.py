"""Stop the grading of a submission, and go on with it."""

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from grading.answers.actions import queue_again
from grading.answers.models import Attempt
from grading.answers.submissions.models import Submission
from grading.submissions.publication import hold
from phybench.people.models import User


class CannotCancel(Exception):
    """What is in the way of cancelling; the message says why."""


def find_obstacle(submission: Submission) -> str:
    """Say what is in the way of cancelling a submission's grading, or "" where nothing is."""
    if submission.withdrawn_at is not None:
        return _("It is withdrawn.")
    if submission.published_at is not None:
        return _("It is published, so all its answers are graded.")
    if submission.cancelled_at is not None:
        return _("Its grading is already cancelled.")
    if not submission.attempts.waiting().exists():
        return _("All of its answers are graded or have failed.")
    return ""


@transaction.atomic
def cancel(*, submission: Submission, by: User) -> int:
    """
    Have the answers of a submission that still wait not graded; return how many.

    It counts as handed in: in its model's numbers and in what may be handed in within a day. What
    a worker is judging just now is not kept.

    Raises:
        CannotCancel: it is withdrawn, published or cancelled, or nothing of it waits.
    """
    submission = hold(submission, by)
    if obstacle := find_obstacle(submission):
        raise CannotCancel(obstacle)
    # In the order in which workers hold them, so that neither waits for the other for ever.
    waiting = submission.attempts.waiting().select_for_update(no_key=True).order_by("pk")
    count = Attempt.objects.filter(pk__in=list(waiting.values_list("pk", flat=True))).update(
        status=Attempt.Status.CANCELLED, lease_until=None, next_at=None
    )
    submission.cancelled_at, submission.cancelled_by = timezone.now(), by
    submission.is_untold = not submission.attempts.telling().exists()
    submission.save(update_fields=["cancelled_at", "cancelled_by", "is_untold"])
    return count


@transaction.atomic
def go_on(*, submission: Submission, by: User) -> int:
    """Queue the answers whose grading was cancelled; return how many. Asked twice, it is once."""
    submission = hold(submission, by)
    if submission.cancelled_at is None or submission.withdrawn_at is not None:
        return 0
    cancelled = submission.attempts.filter(status=Attempt.Status.CANCELLED)
    count = queue_again(cancelled.only("priority").select_for_update().order_by("pk"))
    submission.cancelled_at, submission.cancelled_by, submission.is_untold = None, None, False
    submission.save(update_fields=["cancelled_at", "cancelled_by", "is_untold"])
    return count
