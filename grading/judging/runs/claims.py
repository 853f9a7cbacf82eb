"""
Holding an item of a run: whose turn it is, taking it, and letting go of it again.

The row is the truth and a message only wakes a worker, as with trials. An item is claimed with one
conditional UPDATE and held by a lease that each call renews.
"""

from datetime import timedelta
from typing import Any

from django.conf import settings
from django.db import transaction
from django.db.models import Count, F, Q
from django.utils import timezone

from grading.expressions import Sentence
from grading.judging.runs.models import JudgeItem, JudgeRun

State = JudgeItem.State
NOTHING_RESERVED = {"reserved_calls": 0, "reserved_tokens": 0, "reserved_money": 0}


def find_turn(item_id: int) -> int | None:
    """
    Find an item that comes before this one: of the run that has the fewest items under way.

    So that a small run is done beside a large one that was begun before it, and not after it.
    """
    item = JudgeItem.objects.filter(pk=item_id, state=State.QUEUED).first()
    if item is None:
        return None
    waiting = JudgeItem.objects.waiting().filter(run__state=JudgeRun.State.RUNNING)
    # From the items, which an index finds: of runs there are ever more.
    runs = (
        waiting.order_by()
        .values("run")
        .annotate(
            held=Count("pk", filter=Q(state=State.JUDGING)), due=Count("pk", filter=_is_due())
        )
    )
    under_way = {row["run"]: row["held"] for row in runs if row["due"]}
    fewest = min(under_way, key=lambda run: (under_way[run], run), default=item.run_id)
    if under_way.get(fewest, 0) >= under_way.get(item.run_id, 0):
        return None
    due = JudgeItem.objects.filter(_is_due(), run=fewest)
    return due.order_by("pk").values_list("pk", flat=True).first()


def _is_due() -> Q:
    """Tell what waits, and not for a time to come."""
    return Q(state=State.QUEUED) & (Q(next_at=None) | Q(next_at__lte=timezone.now()))


def claim(item_id: int) -> JudgeItem | None:
    """Take an item that waits, or whose worker died; None if there is none to take."""
    now = timezone.now()
    rows = JudgeItem.objects.filter(pk=item_id)
    item = rows.select_related("run").first()
    if item is None:
        return None
    free, lost = (
        rows.filter(state=State.QUEUED),
        rows.filter(state=State.JUDGING, lease_until__lt=now),
    )
    if item.run.state != JudgeRun.State.RUNNING:
        is_cancelled = item.run.state == JudgeRun.State.CANCELLED
        rest = State.CANCELLED if is_cancelled else State.QUEUED
        free.update(state=rest, next_at=None)
        _take_over(item, lost, state=rest, lease_until=None)
        return None
    taken = {
        "state": State.JUDGING,
        "tries": F("tries") + 1,
        "lease_until": now + timedelta(seconds=settings.GRADING_LEASE_SECONDS),
        "next_at": None,
    }
    # Each is one statement: of two workers that get the same message, one updates the row.
    claimed = free.exclude(next_at__gt=now).update(**taken) or _take_over(item, lost, **taken)
    if not claimed:
        return None
    return rows.select_related(
        "run__configuration__prompt", "run__submission__solver", "run__other__solver",
        "attempt__revision", "other",
    ).get()  # fmt: skip


@transaction.atomic
def _take_over(item: JudgeItem, lost: Any, **fields: Any) -> int:
    """Take an item from a worker that died; the call it had under way counts as spent."""
    run = JudgeRun.objects.select_for_update(no_key=True).get(pk=item.run_id)
    held = lost.first()
    if held is None:
        return 0
    run.lost_calls += held.reserved_calls
    run.lost_tokens += held.reserved_tokens
    run.lost_money += held.reserved_money
    run.save(update_fields=["lost_calls", "lost_tokens", "lost_money"])
    return int(lost.update(lost=F("lost") + 1, **NOTHING_RESERVED, **fields))


def ours(item: JudgeItem) -> Any:
    """Find the row if we still hold it: `tries` tells one claim from the next."""
    return JudgeItem.objects.filter(pk=item.pk, state=State.JUDGING, tries=item.tries)


def hold(item: JudgeItem, seconds: float) -> bool:
    """Keep the item for so long, if it is still ours and its run goes on."""
    held = ours(item).filter(run__state=JudgeRun.State.RUNNING)
    return bool(held.update(lease_until=timezone.now() + timedelta(seconds=seconds)))


def end(item: JudgeItem, **fields: Any) -> bool:
    """End our lease, if it is still ours, with the state that the item comes to."""
    return bool(ours(item).update(lease_until=None, next_at=None, **NOTHING_RESERVED, **fields))


def let_go(item: JudgeItem, **fields: Any) -> None:
    """Let an item wait again."""
    now = timezone.now()
    waiting = {"state": State.QUEUED, "lease_until": None, "queued_at": now, **NOTHING_RESERVED}
    ours(item).update(**{**waiting, **fields})
    # What was under way when its run was cancelled does not wait for ever.
    JudgeItem.objects.filter(
        pk=item.pk, state=State.QUEUED, run__state=JudgeRun.State.CANCELLED
    ).update(state=State.CANCELLED, next_at=None)


def put_off(item: JudgeItem, seconds: float) -> None:
    let_go(item, next_at=timezone.now() + timedelta(seconds=seconds))


@transaction.atomic
def halt(item: JudgeItem, reason: str, message: Sentence) -> None:
    """Pause the run; the item waits, and is asked anew where its last call was in vain."""
    JudgeRun.objects.filter(pk=item.run_id, state=JudgeRun.State.RUNNING).update(
        state=JudgeRun.State.PAUSED, paused_for=reason[:40], paused_message=message
    )
    let_go(item, round=F("round") + 1)
