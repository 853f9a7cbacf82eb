"""What Celery does for judges: fetch, and hand on. Doing a task twice changes nothing."""

from celery import shared_task
from django.utils import timezone

from grading.judging import working
from grading.judging.models.runs import JudgeItem
from phybench.work.tasks import LONGEST_COUNTDOWN


@shared_task
def judge_item(item_id: int) -> None:
    """Judge an item as far as it can be now, or first one of a run that has fewer under way."""
    turn = working.find_turn(item_id)
    item = working.claim(turn) if turn is not None else None
    if item is not None:
        # This one's turn comes again; the message of the other will find that it was done.
        judge_item.delay(item_id)
    else:
        item = working.claim(item_id)
    if item is None:
        return
    wait = working.work(item)
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
