"""What Celery does: fetch, and hand on. Doing a task twice changes nothing."""

from celery import shared_task
from django.utils import timezone

from grading import grader, trying
from grading.keys import scanning
from grading.models import Attempt, JudgeItem, TrialAnswer
from grading.runs import working as run_working

LONGEST_COUNTDOWN = 120.0
"""Seconds that a message may wait at a worker; what waits longer is found by the sweep."""


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


@shared_task
def scan_keys() -> int:
    """Check the keys that got answers; return how many."""
    return scanning.scan_all()


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


@shared_task
def judge_item(item_id: int) -> None:
    """Judge an item as far as it can be now, or first one of a run that has fewer under way."""
    turn = run_working.find_turn(item_id)
    item = run_working.claim(turn) if turn is not None else None
    if item is not None:
        # This one's turn comes again; the message of the other will find that it was done.
        judge_item.delay(item_id)
    else:
        item = run_working.claim(item_id)
    if item is None:
        return
    wait = run_working.work(item)
    if wait is not None and wait.seconds <= LONGEST_COUNTDOWN:
        judge_item.apply_async((item.pk,), countdown=wait.seconds)


@shared_task
def requeue_unattended_judge_items() -> int:
    """Queue again what a killed worker held, or what the broker lost; return how many."""
    found = list(JudgeItem.objects.unattended().values_list("pk", flat=True))
    JudgeItem.objects.filter(pk__in=found, state=JudgeItem.State.QUEUED).update(
        queued_at=timezone.now(), next_at=None
    )
    for pk in found:
        judge_item.delay(pk)
    return len(found)
