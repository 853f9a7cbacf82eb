"""
Judge one item of a run: claim it, hear its judges, write down what they said.

The row is the truth and a message only wakes a worker, as with trials. An item is claimed with one
conditional UPDATE and held by a lease that each call renews; what a judge has said of it is kept at
once, so whoever takes over goes on from there.
"""

import logging
from dataclasses import replace
from datetime import timedelta
from functools import partial
from typing import Any

from django.conf import settings
from django.db import transaction
from django.db.models import Count, F, Q
from django.utils import timezone

from grading.answers.models import Grade, Verdict
from grading.answers.symbolic import judge
from grading.endpoints import Policy, Wait
from grading.expressions import Sentence
from grading.judges import Reason
from grading.judges.canaries import LEAST_OF_RIGHT, MIDDLE
from grading.judging import pairs
from grading.judging.calls import Halt, ItemAsker, ItemCaller, LetGo, PutOff
from grading.judging.engine import trials
from grading.judging.engine.asking import Asker
from grading.judging.engine.configuration import Configuration
from grading.judging.engine.items import Item
from grading.judging.engine.judging import Bench
from grading.judging.engine.kinds import count
from grading.judging.engine.records import Record, Status
from grading.judging.models.calls import JudgeCall
from grading.judging.models.runs import JudgeItem, Judgement, JudgeRun, RunJudge
from grading.judging.pairs import Graded
from grading.judging.setup import find_item, read_row

logger = logging.getLogger(__name__)
State = JudgeItem.State
DOUBTFUL_FLAGS = ("INJECTION_SUSPECTED", "INCONSISTENT", "STAGES_DISAGREE", "ID_MISMATCH")
DOUBTFUL_REASONS = ("no_consensus", "position_inconsistent", "undecided", "conflicting_verdicts")


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
    nothing = {"reserved_calls": 0, "reserved_tokens": 0, "reserved_money": 0}
    return int(lost.update(lost=F("lost") + 1, **nothing, **fields))


def work(item: JudgeItem) -> Wait | None:
    """Judge a claimed item as far as it can be now; return how long to wait before going on."""
    if item.lost >= settings.GRADING_TRIES:
        _fail(item, "worker_lost", Sentence("judging_lost"))
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
    except PutOff as put_off:
        _put_off(item, put_off.wait)
        return put_off.wait
    except Halt as halted:
        _halt(item, halted.reason, halted.message)
    except LetGo:
        # Paused: it waits. Ours no more: somebody else has it, and nothing is changed here.
        _let_go(item)
    except Exception:
        # A mistake of ours is no verdict either; the log has the rest.
        logger.exception("judging item %d", item.pk)
        _fail(item, "judge_error", Sentence("judging_failed"))
    else:
        if record.reason is Reason.CANCELLED:
            # The application is ending.
            _let_go(item)
        elif record.status is Status.PENDING:
            reason = record.unscored_reason or Reason.CANCELLED.value
            _halt(item, reason, Sentence(f"judge_{reason}"))
        else:
            _write(item, subject, record)
    return None


def _make_bench(item: JudgeItem, configuration: Configuration, identity: str) -> Bench:
    judges = {one.name: one for one in item.run.judges.select_related("endpoint")}
    kept: dict[str, list[JudgeCall]] = {}
    for call in item.calls.all():
        kept.setdefault(call.judge, []).append(call)
    askers: list[tuple[str, Asker]] = []
    for one in configuration.judges:
        row = judges[one.name]
        if row.endpoint.address != one.base_url:
            message = Sentence.of("endpoint_moved", endpoint=str(row.endpoint))
            raise Halt("endpoint_moved", message)
        askers.append((one.name, _make_asker(item, row, configuration, kept.get(one.name, []))))
    declared = item.attempt.revision.reference.symbols if item.attempt else ()
    symbolic = partial(judge, declared=declared, deadline=settings.GRADING_DEADLINE_SECONDS)
    return Bench(configuration, identity, askers, symbolic)


def _make_asker(
    item: JudgeItem, judge: RunJudge, configuration: Configuration, kept: list[JudgeCall]
) -> ItemAsker:
    caller = ItemCaller(item, judge, kept)
    parameters = replace(configuration.parameters, model=judge.model)
    return ItemAsker(caller, parameters, Policy(), caller.keep)


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
    _settle(item, Judgement(**fields, reused=found, **_compare(item, fields)))
    return True


def _write(item: JudgeItem, subject: Item, record: Record) -> None:
    verdict = record.verdict
    fields: dict[str, Any] = {
        "status": record.status.upper(),
        "verdict": verdict,
        "is_right": None if verdict is None else says_right(verdict),
        "value": None if verdict is None else count(verdict),
        "has_passed": trials.has_passed(record) if item.canary else None,
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
    _settle(item, Judgement(**fields, **used, **_compare(item, fields)))


def says_right(verdict: dict[str, Any]) -> bool | None:
    """
    Tell whether a verdict takes the answer for right: where there is a scale, from its middle on.

    One that prefers one of two says that of neither.

    >>> says_right({"is_correct": False}), says_right({"rating": 7.0}), says_right({"answer": 49})
    (False, True, False)
    """
    if "preferred" in verdict:
        return None
    if "is_correct" in verdict:
        return verdict["is_correct"] is True
    if "rating" in verdict:
        return bool(verdict["rating"] >= LEAST_OF_RIGHT)
    return bool(verdict["answer"] >= MIDDLE)


def _compare(item: JudgeItem, fields: dict[str, Any]) -> dict[str, Any]:
    """Set what was said beside the symbolic grade, and say why a person should look."""
    if item.attempt_id is None:
        return {}
    if item.other_id is not None:
        return _compare_pair(item, fields)
    grade = Grade.objects.current().filter(attempt=item.attempt_id).first()
    doubts = [flag for flag in fields["flags"] if flag in DOUBTFUL_FLAGS]
    doubts += [reason for reason in [fields.get("reason")] if reason in DOUBTFUL_REASONS]
    said = {
        says_right(vote["verdict"]) for vote in fields["votes"] if vote.get("verdict") is not None
    }
    if len(said) > 1:
        doubts.append("VOTES_DISAGREE")
    is_right = fields["is_right"]
    # What could not be read may well be right: then the two say nothing against each other.
    if grade and is_right is not None and grade.verdict != Verdict.UNREADABLE:
        if is_right is not (grade.verdict == Verdict.CORRECT):
            doubts.append("GRADER_DISAGREES")
    elif grade and is_right:
        doubts.append("GRADER_COULD_NOT_READ")
    return {"doubts": doubts, "symbolic_verdict": grade.verdict if grade else ""}


def _compare_pair(item: JudgeItem, fields: dict[str, Any]) -> dict[str, Any]:
    """Set a preference beside both symbolic grades; nobody rules on pairs, so its run shows why."""
    grades = Grade.objects.current().filter(attempt__in=[item.attempt_id, item.other_id])
    verdicts = dict(grades.values_list("attempt_id", "verdict"))
    ours, theirs = (verdicts.get(pk or 0, "") for pk in (item.attempt_id, item.other_id))
    doubts = [flag for flag in fields["flags"] if flag in DOUBTFUL_FLAGS]
    if len({vote["verdict"]["preferred"] for vote in fields["votes"] if vote.get("verdict")}) > 1:
        doubts.append("VOTES_DISAGREE")
    graded = Graded.of(pairs.says_right(ours), pairs.says_right(theirs))
    better = {Graded.ONLY_FIRST: "first", Graded.ONLY_SECOND: "second"}.get(graded)
    if better and fields["verdict"] and fields["verdict"]["preferred"] != better:
        doubts.append("GRADER_DISAGREES")
    return {"doubts": doubts, "symbolic_verdict": ours, "other_symbolic_verdict": theirs}


def _fail(item: JudgeItem, reason: str, message: Sentence) -> None:
    """End an item's round for a reason that is ours: it is missing, and no verdict."""
    status = Judgement.Status.UNSCORED
    _settle(item, Judgement(status=status, reason=reason, message=message, input_sha256=""))


@transaction.atomic
def _settle(item: JudgeItem, judgement: Judgement) -> None:
    """Write down what was said and end our lease, if it is still ours."""
    ended = _ours(item).update(
        state=judgement.status, reason=judgement.reason, lease_until=None, next_at=None
    )
    if ended:
        judgement.item, judgement.round = item, item.round
        # What is said of a pair is said of neither answer: no ruling, column or calibration has it.
        judgement.attempt_id = None if item.other_id else item.attempt_id
        judgement.configuration = item.run.configuration
        judgement.save()


def _ours(item: JudgeItem) -> Any:
    return JudgeItem.objects.filter(pk=item.pk, state=State.JUDGING, tries=item.tries)


def _put_off(item: JudgeItem, wait: Wait) -> None:
    now = timezone.now()
    later = now + timedelta(seconds=wait.seconds)
    _ours(item).update(state=State.QUEUED, lease_until=None, next_at=later, queued_at=now)
    _follow_cancelled(item)


def _let_go(item: JudgeItem) -> None:
    _ours(item).update(state=State.QUEUED, lease_until=None, queued_at=timezone.now())
    _follow_cancelled(item)


def _follow_cancelled(item: JudgeItem) -> None:
    """See that what was under way when its run was cancelled does not wait for ever."""
    JudgeItem.objects.filter(
        pk=item.pk, state=State.QUEUED, run__state=JudgeRun.State.CANCELLED
    ).update(state=State.CANCELLED, next_at=None)


@transaction.atomic
def _halt(item: JudgeItem, reason: str, message: Sentence) -> None:
    """Pause the run; the item waits, and is asked anew where its last call was in vain."""
    JudgeRun.objects.filter(pk=item.run_id, state=JudgeRun.State.RUNNING).update(
        state=JudgeRun.State.PAUSED, paused_for=reason[:40], paused_message=message
    )
    _ours(item).update(
        state=State.QUEUED, lease_until=None, round=F("round") + 1, queued_at=timezone.now()
    )
    _follow_cancelled(item)
