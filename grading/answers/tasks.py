"""What Celery does for answers: fetch, and hand on. Doing a task twice changes nothing."""

from celery import shared_task
from django.utils import timezone

from grading.answers import grader
from grading.answers.models import Attempt


@shared_task
def grade_attempt(attempt_id: int) -> None:
    attempt = grader.claim(attempt_id)
    if attempt is not None:
        grader.grade(attempt)


@shared_task
def requeue_stale_attempts() -> int:
    """Queue again what a killed worker held, or what the broker lost; return how many."""
    waiting = [*Attempt.objects.stale(), *Attempt.objects.forgotten()]
    pks = [attempt.pk for attempt in waiting]
    Attempt.objects.filter(pk__in=pks).update(queued_at=timezone.now())
    for pk in pks:
        grade_attempt.delay(pk)
    return len(pks)
