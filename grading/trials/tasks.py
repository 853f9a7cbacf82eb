"""What Celery does for trials: fetch, and hand on. Doing a task twice changes nothing."""

from celery import shared_task
from django.utils import timezone

from grading.trials import work as trying
from grading.trials.models import TrialAnswer

LONGEST_COUNTDOWN = 120.0
"""Seconds that a message may wait at a worker; what waits longer is found by the sweep."""


@shared_task
def ask_model(answer_id: int) -> None:
    """Ask the model once; it runs on a queue of its own (`CELERY_TASK_ROUTES`)."""
    answer = trying.claim_to_ask(answer_id)
    if answer is None:
        return
    wait = trying.ask(answer)
    # If the broker is gone the sweep finds what is left to do: the row says so.
    if wait is None:
        grade_trial_answer.delay(answer_id)
    elif wait.seconds <= LONGEST_COUNTDOWN:
        ask_model.apply_async((answer_id,), countdown=wait.seconds)


@shared_task
def grade_trial_answer(answer_id: int) -> None:
    answer = trying.claim_to_grade(answer_id)
    if answer is not None:
        trying.grade(answer)


@shared_task
def requeue_unattended_trials() -> int:
    """Queue again what a killed worker held, or what the broker lost; return how many."""
    found = list(TrialAnswer.objects.unattended().values_list("pk", "state"))
    waiting = TrialAnswer.objects.exclude(state__in=TrialAnswer.HELD)
    waiting.filter(pk__in=[pk for pk, _state in found]).update(
        queued_at=timezone.now(), next_at=None
    )
    for pk, state in found:
        wake(pk, state)
    return len(found)


def wake(answer_id: int, state: str) -> None:
    """Tell a worker of an answer that waits for it."""
    is_asked = state in {TrialAnswer.State.QUEUED, TrialAnswer.State.CALLING}
    (ask_model if is_asked else grade_trial_answer).delay(answer_id)
