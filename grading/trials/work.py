"""
Try a draft on a model: ask for a reply, then have the grader read it like anybody's answer.

As with grades, the database row is the truth and a message only wakes a worker. Each answer goes
through two hands, that of who calls and that of who grades, and is claimed by each with one
conditional UPDATE; what is there is not asked for again.
"""

import random
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.db import transaction
from django.db.models import F
from django.utils import timezone

from grading.answers.symbolic import judge
from grading.calling import calls as calling
from grading.endpoints import (
    RULES,
    Effect,
    EndpointError,
    Failure,
    GiveUp,
    Message,
    Parameters,
    Reason,
    Reply,
    Wait,
    decide,
)
from grading.expressions import GRADER_VERSION, JudgeError, Judgement, Sentence, Undeclarable
from grading.trials.models import Trial, TrialAnswer

State = TrialAnswer.State
LONGEST_KEPT = 200_000
"""Characters of a reply, and of its reasoning."""


def claim_to_ask(answer_id: int) -> TrialAnswer | None:
    """Take an answer that waits for its model, or whose worker died; None if there is none."""
    return _claim(answer_id, State.QUEUED, State.CALLING)


def claim_to_grade(answer_id: int) -> TrialAnswer | None:
    """Take an answer that waits for the grader, or whose worker died; None if there is none."""
    return _claim(answer_id, State.REPLIED, State.GRADING)


def _claim(answer_id: int, waits: State, held: State) -> TrialAnswer | None:
    now = timezone.now()
    rows = TrialAnswer.objects.select_related("trial__endpoint").filter(pk=answer_id)
    answer = rows.first()
    if answer is None:
        return None
    free, lost = rows.filter(state=waits), rows.filter(state=held, lease_until__lt=now)
    seconds = settings.GRADING_LEASE_SECONDS
    if held == State.CALLING:
        if answer.trial.cancelled_at is not None:
            free.update(state=State.CANCELLED, next_at=None)
            lost.update(state=State.CANCELLED, lease_until=None)
            return None
        seconds = answer.trial.endpoint.seconds_a_call + settings.CALLING_MARGIN_SECONDS
    taken = {
        "state": held,
        "tries": F("tries") + 1,
        "lease_until": now + timedelta(seconds=seconds),
        "next_at": None,
    }
    # Each is one statement: of two workers that get the same message, one updates the row.
    claimed = free.exclude(next_at__gt=now).update(**taken) or lost.update(
        lost=F("lost") + 1, **taken
    )
    return rows.get() if claimed else None


# --- Asking ---------------------------------------------------------------------------------


def ask(answer: TrialAnswer) -> Wait | None:
    """Ask the model once for a claimed answer; return how long to wait before the next time."""
    if answer.lost >= settings.GRADING_TRIES:
        _fail(answer, "worker_lost", Sentence("asking_lost"))
        return None
    trial = answer.trial
    try:
        asked = calling.ask(
            trial.endpoint_id,
            [Message("user", trial.prompt)],
            Parameters(model=trial.model, max_tokens=trial.longest_reply),
        )
    except calling.NotNow as not_now:
        _fail(answer, not_now.reason, not_now.message)
        return None
    if isinstance(asked, Wait):
        _put_off(answer, asked)
        return asked
    with transaction.atomic():
        calling.keep(asked, trial_answer=answer)
        if isinstance(asked.outcome, Reply):
            _settle(answer, State.REPLIED, **_describe(asked.outcome), replied_at=timezone.now())
            return None
        return _take_failure(answer, asked.outcome)


def _describe(reply: Reply | None) -> dict[str, Any]:
    if reply is None:
        return {}
    return {
        "response": reply.text[:LONGEST_KEPT],
        "reasoning": reply.reasoning[:LONGEST_KEPT],
        "finish_reason": reply.finish_reason[:60],
        "model_reported": reply.model[:200],
    }


def _take_failure(answer: TrialAnswer, error: EndpointError) -> Wait | None:
    """Try again later, or give up; what is wrong with all of a trial ends all of it."""
    began = answer.first_call_at or timezone.now()
    failures = [*answer.failures, {"reason": error.reason, "retry_after": error.retry_after}]
    decision = decide(
        [Failure(Reason(one["reason"]), one["retry_after"]) for one in failures],
        random=random.random,
        age=(timezone.now() - began).total_seconds(),
    )
    kept = {"failures": failures, "first_call_at": began}
    if isinstance(decision, GiveUp):
        rule, message = RULES[decision.reason], Sentence(f"call_{decision.reason}")
        # A reply that was cut off or refused can be looked at; nobody goes by it.
        _fail(answer, decision.reason, message, **kept, **_describe(error.reply))
        if rule.effect is Effect.STOPS:
            answer.trial.answers.filter(state=State.QUEUED).update(
                state=State.FAILED, failure_reason=decision.reason, failure_message=message
            )
        return None
    _put_off(answer, decision, **kept)
    return decision


def _put_off(answer: TrialAnswer, wait: Wait, **fields: Any) -> None:
    _settle(answer, State.QUEUED, next_at=_in(wait.seconds), **fields)


def _in(seconds: float) -> datetime:
    return timezone.now() + timedelta(seconds=seconds)


# --- Grading --------------------------------------------------------------------------------


def grade(answer: TrialAnswer) -> None:
    """Judge a claimed answer. A failure of ours leaves it ungraded with a reason, never a 0."""
    if answer.lost >= settings.GRADING_TRIES:
        _fail(answer, "worker_lost", Sentence("trial_grading_lost"))
        return
    try:
        reference = answer.trial.reference
        judgement = judge(
            answer.response,
            reference.answer,
            declared=reference.symbols,
            deadline=settings.GRADING_DEADLINE_SECONDS,
        )
    except JudgeError as error:
        _fail(answer, error.reason, error.message)
    except Undeclarable as error:
        _fail(answer, "reference_unreadable", error.message)
    else:
        _settle(answer, State.GRADED, **_write(judgement))


def _write(judgement: Judgement) -> dict[str, Any]:
    return {
        "judge_version": GRADER_VERSION,
        "verdict": judgement.verdict.value,
        "eed": judgement.eed,
        "answer_read": judgement.answer_read,
        "reason": judgement.reason,
        "message": judgement.message,
        "graded_at": timezone.now(),
    }


def _fail(answer: TrialAnswer, reason: str, message: Sentence, **fields: Any) -> None:
    _settle(answer, State.FAILED, failure_reason=reason, failure_message=message, **fields)


def _settle(answer: TrialAnswer, state: State, **fields: Any) -> bool:
    """End our lease; False when it was no longer ours (`tries` tells one claim from the next)."""
    if state in {State.REPLIED, State.QUEUED}:
        fields["queued_at"] = timezone.now()
    # What was cancelled while its model was asked is not asked for again.
    if state == State.QUEUED and Trial.objects.filter(
        pk=answer.trial_id, cancelled_at__isnull=False
    ):
        state, fields["next_at"] = State.CANCELLED, None
    return bool(
        TrialAnswer.objects.filter(
            pk=answer.pk, state__in=TrialAnswer.HELD, tries=answer.tries
        ).update(**{"lease_until": None, "next_at": None, **fields, "state": state})
    )
