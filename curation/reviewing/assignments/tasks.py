"""What Celery does for assignments: reminders."""

from celery import shared_task
from django.utils import timezone

from curation.reviewing.assignments import reminders


@shared_task
def send_digests() -> int:
    """Send the reminders of the day that are still to be sent; return how many went."""
    return reminders.send_all(timezone.now())
