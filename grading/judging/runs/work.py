"""
Judge one claimed item of a run: hear its judges, write down what they said.

What a judge has said of it is kept at once, so whoever takes over goes on from there.
"""

import logging
from dataclasses import replace
from functools import partial
from typing import Any

from django.conf import settings
from django.db import transaction

from grading.answers.symbolic import judge
from grading.endpoints import Policy, Wait
from grading.expressions import Sentence
from grading.judges import Reason
from grading.judges.items import Item
from grading.judges.kinds import count, says_right
from grading.judging.engine.bench import Bench
from grading.judging.engine.canaries import has_passed
from grading.judging.engine.configuration import Configuration
from grading.judging.engine.conversation import Seat
from grading.judging.engine.records import Record, RecordStatus
from grading.judging.judgements.doubts import compare
from grading.judging.judgements.models import Judgement
from grading.judging.prompts.configurations import read_row
from grading.judging.runs.claims import end, halt, let_go, put_off
from grading.judging.runs.items import find_item
from grading.judging.runs.models import JudgeItem
from grading.judging.runs.store import EndpointLine, Halt, LetGo, PutOff, RowStore

logger = logging.getLogger(__name__)


def work(item: JudgeItem) -> Wait | None:
    """Judge a claimed item as far as it can be now; return how long to wait before going on."""
    if item.lost >= settings.GRADING_TRIES:
        _fail(item, "worker_lost", Sentence("judging_lost"))
        return None
    configuration = read_row(item.run.configuration)
    identity = configuration.identity
    if identity != item.run.configuration.sha256:
        halt(item, "changed", Sentence("judges_changed"))
        return None
    subject = find_item(item, configuration)
    if _reuse(item, subject):
        return None
    try:
        record = _make_bench(item, configuration, identity).judge(subject)
    except PutOff as later:
        put_off(item, later.wait.seconds)
        return later.wait
    except Halt as halted:
        halt(item, halted.reason, halted.message)
    except LetGo:
        # Paused: it waits. Ours no more: somebody else has it, and nothing is changed here.
        let_go(item)
    except Exception:
        # A mistake of ours is no verdict either; the log has the rest.
        logger.exception("judging item %d", item.pk)
        _fail(item, "judge_error", Sentence("judging_failed"))
    else:
        if record.reason is Reason.CANCELLED:
            # The application is ending.
            let_go(item)
        elif record.status is RecordStatus.PENDING:
            reason = record.unscored_reason or Reason.CANCELLED.value
            halt(item, reason, Sentence(f"judge_{reason}"))
        else:
            _write(item, subject, record)
    return None


def _make_bench(item: JudgeItem, configuration: Configuration, identity: str) -> Bench:
    endpoints = {one.name: one.endpoint for one in item.run.judges.select_related("endpoint")}
    seats = []
    for one in configuration.judges:
        endpoint = endpoints[one.name]
        if endpoint.address != one.base_url:
            raise Halt("endpoint_moved", Sentence.of("endpoint_moved", endpoint=str(endpoint)))
        parameters = replace(configuration.parameters, model=one.model)
        seats.append(Seat(one.name, EndpointLine(endpoint), parameters, Policy()))
    declared = item.attempt.revision.reference.symbols if item.attempt else ()
    symbolic = partial(judge, declared=declared, deadline=settings.GRADING_DEADLINE_SECONDS)
    return Bench(configuration, identity, seats, RowStore(item, endpoints), symbolic)


# --- What comes of it -----------------------------------------------------------------------


def _reuse(item: JudgeItem, subject: Item) -> bool:
    """Take over what the same judge has said of the same input; a canary is always asked."""
    if item.canary or item.run.is_fresh:
        return False
    there = Judgement.objects.filter(
        configuration=item.run.configuration,
        input_sha256=subject.input_hash,
        status=Judgement.Status.SCORED,
    ).exclude(item=item)
    found = there.filter(reused=None).order_by("pk").first()
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


def _fail(item: JudgeItem, reason: str, message: Sentence) -> None:
    """End an item's round for a reason that is ours: it is missing, and no verdict."""
    status = Judgement.Status.UNSCORED
    _settle(item, Judgement(status=status, reason=reason, message=message, input_sha256=""))


@transaction.atomic
def _settle(item: JudgeItem, judgement: Judgement) -> None:
    """Write down what was said and end our lease, if it is still ours."""
    if end(item, state=judgement.status, reason=judgement.reason):
        judgement.item, judgement.round = item, item.round
        # What is said of a pair is said of neither answer: no ruling, column or calibration has it.
        judgement.attempt_id = None if item.other_id else item.attempt_id
        judgement.configuration = item.run.configuration
        judgement.save()
