"""
Judge one claimed item of a run: hear its judges, write down what they said.

What a judge has said of it is kept at once, so whoever takes over goes on from there.
"""

from concurrent.futures import CancelledError
from dataclasses import replace
from datetime import timedelta
from functools import partial
from typing import Any

from django.conf import settings
from django.db import transaction
from django.db.models import F
from django.utils import timezone

from grading.answers import symbolic
from grading.endpoints import Policy, Wait
from grading.judging.engine.bench import Bench
from grading.judging.engine.canaries import has_passed
from grading.judging.engine.configuration import Configuration
from grading.judging.engine.conversation import Seat
from grading.judging.engine.records import Record, RecordStatus
from grading.judging.judgements.doubts import compare
from grading.judging.judgements.models import Judgement
from grading.judging.judgements.reuse import list_reusable
from grading.judging.models import JudgeItem, JudgeRun
from grading.judging.prompts.configurations import read_row
from grading.judging.runs.items import find_item
from grading.judging.runs.store import (
    NOTHING_RESERVED,
    AtRest,
    EndpointLine,
    Halt,
    PutOff,
    RowStore,
)
from grading.runs import reservations
from grading.runs.models import Run
from phybench_grader.judges import Reason
from phybench_grader.judges.items import Item
from phybench_grader.judges.kinds import count, says_right
from phybench_grader.numbers.sentences import Sentence

State = JudgeItem.State


def judge(item: JudgeItem) -> Wait | None:
    """Judge a claimed item as far as it can be now; return how long to wait before going on."""
    if not _begin(item):
        return None
    configuration = read_row(item.run.configuration)
    identity = configuration.identity
    if identity != item.run.configuration.sha256:
        _halt(item, "changed", Sentence("judges_changed"))
        return None
    subject = find_item(item, configuration)
    if _reuse(item, subject):
        return None
    try:
        record = _make_bench(item, configuration, identity).judge(subject)
    except PutOff as later:
        _let_wait(item, next_at=timezone.now() + timedelta(seconds=later.wait.seconds))
        return later.wait
    except Halt as halted:
        _halt(item, halted.reason, halted.message)
    except AtRest:
        _let_wait(item)
    else:
        if record.reason is Reason.CANCELLED:
            # The application is ending.
            raise CancelledError
        if record.status is RecordStatus.PENDING:
            reason = record.unscored_reason or Reason.CANCELLED.value
            _halt(item, reason, Sentence(f"judge_{reason}"))
        else:
            _write(item, subject, record)
    return None


def give_up(item: JudgeItem) -> None:
    """End an item's round for a reason that is ours: it is missing, and no verdict."""
    if _begin(item):
        judgement = Judgement(
            status=Judgement.Status.UNSCORED,
            reason="worker_lost",
            message=Sentence("judging_lost"),
            input_sha256="",
        )
        _settle(item, judgement)


def _begin(item: JudgeItem) -> bool:
    """Count what an earlier worker has lost; False where the run does not go on."""
    if item.reserved_calls:
        _count_lost(item)
    is_running = item.run.state == JudgeRun.State.RUNNING
    if not is_running:
        _let_wait(item)
    return is_running


@transaction.atomic
def _count_lost(item: JudgeItem) -> None:
    """Count as spent what was set aside for a call of which nothing was heard again."""
    JudgeRun.objects.filter(pk=item.run_id).update(
        lost_calls=F("lost_calls") + item.reserved_calls,
        lost_tokens=F("lost_tokens") + item.reserved_tokens,
        lost_money=F("lost_money") + item.reserved_money,
    )
    item.keep(**NOTHING_RESERVED)


def _make_bench(item: JudgeItem, configuration: Configuration, identity: str) -> Bench:
    endpoints = {one.name: one.endpoint for one in item.run.judges.select_related("endpoint")}
    seats = []
    for one in configuration.judges:
        endpoint = endpoints[one.name]
        if endpoint.address != one.base_url:
            raise Halt("endpoint_moved", Sentence.of("endpoint_moved", endpoint=str(endpoint)))
        parameters = replace(configuration.parameters, model=one.model)
        seats.append(Seat(one.name, EndpointLine(endpoint, item.run), parameters, Policy()))
    declared = item.attempt.revision.reference.question if item.attempt else ()
    grade = partial(symbolic.judge, declared=declared, deadline=settings.GRADING_DEADLINE_SECONDS)
    return Bench(configuration, identity, seats, RowStore(item), grade)


# --- What comes of it -----------------------------------------------------------------------


def _reuse(item: JudgeItem, subject: Item) -> bool:
    """Take over what the same judge has said of the same input; a canary is always asked."""
    if item.canary or item.run.is_fresh:
        return False
    there = list_reusable(item.run.configuration.sha256, file_id=item.run.file_id)
    there = there.filter(input_sha256=subject.input_hash, reused=None).exclude(item=item)
    found = there.order_by("pk").first()
    if found is None:
        return False
    same = (
        "status", "verdict", "is_right", "value", "stage", "rule", "path", "flags", "votes",
        "versions", "input_sha256",
    )  # fmt: skip
    fields = {name: getattr(found, name) for name in same}
    _settle(item, Judgement(**fields, reused=found, **compare(item, fields)))
    return True


def _write(item: JudgeItem, subject: Item, record: Record) -> None:
    verdict = record.verdict
    fields: dict[str, Any] = {
        "status": record.status.upper(),
        "verdict": verdict,
        "is_right": None if verdict is None else says_right(verdict),
        "value": None if verdict is None else count(verdict),
        "has_passed": has_passed(record) if item.canary else None,
        "stage": (record.stage or "").upper(),
        "rule": record.rule,
        "path": record.path[:100],
        "flags": list(record.flags),
        "votes": list(record.votes),
        "reason": record.unscored_reason or "",
        "message": Sentence(f"judge_{record.unscored_reason}") if record.unscored_reason else None,
    }
    used = {
        "calls": record.calls,
        "tokens": record.tokens,
        "money": record.cost,
        "estimated": record.estimated_calls,
        "input_sha256": subject.input_hash,
        "versions": record.versions or {},
    }
    _settle(item, Judgement(**fields, **used, **compare(item, fields)))


@transaction.atomic
def _halt(item: JudgeItem, reason: str, message: Sentence) -> None:
    """Pause the run; the item waits, and is asked anew where its last call was in vain."""
    Run.objects.filter(pk=item.run_id, state=Run.State.RUNNING).update(
        state=Run.State.PAUSED, paused_for=reason[:40], paused_message=message
    )
    reservations.free(item.run)
    _let_wait(item, round=F("round") + 1)


def _let_wait(item: JudgeItem, **fields: Any) -> None:
    """Let an item wait for its next turn, unless its run was cancelled meanwhile."""
    item.run.refresh_from_db(fields=["state"])
    if item.run.state == JudgeRun.State.CANCELLED:
        item.settle(state=State.CANCELLED)
    else:
        item.settle(state=State.QUEUED, **fields)


@transaction.atomic
def _settle(item: JudgeItem, judgement: Judgement) -> None:
    """Write down what was said and end our lease, if it is still ours."""
    # Of two that are the last, the second knows that it is.
    Run.objects.select_for_update(no_key=True).get(pk=item.run_id)
    if item.settle(state=judgement.status, reason=judgement.reason):
        judgement.item, judgement.round = item, item.round
        # What is said of a pair is said of neither answer: no ruling, column or calibration has it.
        judgement.attempt_id = None if item.other_id else item.attempt_id
        judgement.configuration = item.run.configuration
        judgement.save()
        if not item.run.items.waiting().exists():
            reservations.free(item.run)
