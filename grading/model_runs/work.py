"""
Ask a model once for a claimed answer of a run, and keep what came.

Whatever the model gave is its answer, at the first time that it gives it: to ask again for what
was cut off, refused or empty would give it a second throw. What failed on our side, or on the
endpoint's, is tried again by the rules of `grading.endpoints`, and in the end waits for a person.
"""

import random
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.db.models import F
from django.utils import timezone

from grading.endpoints import (
    RULES,
    CallFailure,
    Cause,
    Consequence,
    Cost,
    EndpointError,
    GiveUp,
    Reply,
    Wait,
    decide,
)
from grading.endpoints.text import clean, shorten
from grading.model_runs.asking import write_messages
from grading.model_runs.models import ModelRunAnswer
from grading.runs import calls as calling
from grading.runs import reservations
from grading.runs.models import Run
from phybench_grader.numbers.sentences import Sentence

State = ModelRunAnswer.State
LONGEST_KEPT = 1024 * 1024
"""Characters of a reply, and of its reasoning: as many as a file may have of an answer."""
THE_MODELS_DOING = frozenset(Cause(one) for one in ModelRunAnswer.Remark.values)


def ask(answer: ModelRunAnswer) -> Wait | None:
    """Ask the model once for a claimed answer; return how long to wait before the next time."""
    run = answer.run
    if run.state != Run.State.RUNNING:
        _let_wait(answer)
        return None
    if run.endpoint.host != run.host:
        _pause(answer, "endpoint_moved", Sentence.of("endpoint_moved", endpoint=str(run.endpoint)))
        return None
    messages = write_messages(run.prompt_words, answer.item.revision)
    try:
        asked = calling.ask(run.endpoint_id, messages, run.parameters, run=run)
    except calling.NotNow as not_now:
        _pause(answer, not_now.reason, not_now.message)
        return None
    if isinstance(asked, Wait):
        _let_wait(answer, next_at=_in(asked.seconds))
        return asked
    with transaction.atomic():
        # The run before its endpoint, as who resumes it does.
        _lock(answer)
        calling.keep(asked, run=run, item=answer.pk)
        return _take(answer, asked.outcome, asked.cost)


def give_up(answer: ModelRunAnswer) -> None:
    _fail(answer, "worker_lost", Sentence("asking_lost"))


def _take(answer: ModelRunAnswer, outcome: Reply | EndpointError, cost: Cost) -> Wait | None:
    """Write down what came of a call that was made."""
    spent = {
        "calls_made": F("calls_made") + cost.calls,
        "tokens": F("tokens") + cost.tokens,
        "money": F("money") + cost.money,
        "estimated": F("estimated") + cost.estimated,
    }
    if isinstance(outcome, Reply):
        _settle(answer, State.ANSWERED, **_describe(outcome), **spent)
        return None
    if outcome.reply is not None and outcome.reason in THE_MODELS_DOING:
        described = _describe(outcome.reply) | {"remark": outcome.reason.value}
        if _is_only_refusal(outcome):
            described["response"] = ""
        _settle(answer, State.ANSWERED, **described, **spent)
        return None
    return _take_failure(answer, outcome, spent)


def _is_only_refusal(error: EndpointError) -> bool:
    """Whether the text of a reply is nothing but what it gives as its refusal."""
    assert error.reply is not None
    is_refusal = error.reason is Cause.REFUSAL
    return is_refusal and shorten(error.reply.text, 500) == error.detail


def _describe(reply: Reply) -> dict[str, Any]:
    usage = reply.usage
    return {
        "response": clean(reply.text[:LONGEST_KEPT]),
        "reasoning": clean(reply.reasoning[:LONGEST_KEPT]),
        "finish_reason": reply.finish_reason[:60],
        "model_reported": reply.model[:200],
        "prompt_tokens": usage.prompt if usage else None,
        "completion_tokens": usage.completion if usage else None,
        "reasoning_tokens": usage.reasoning if usage else None,
        "latency": reply.exchanges[-1].seconds if reply.exchanges else None,
    }


def _take_failure(
    answer: ModelRunAnswer, error: EndpointError, spent: dict[str, Any]
) -> Wait | None:
    """Try again later, give up, or pause the run where what is wrong is wrong with all of it."""
    began = answer.first_call_at or timezone.now()
    failures = [*answer.failures, {"reason": error.reason, "retry_after": error.retry_after}]
    decision = decide(
        [CallFailure(Cause(one["reason"]), one["retry_after"]) for one in failures],
        random=random.random,
        age=(timezone.now() - began).total_seconds(),
    )
    if isinstance(decision, GiveUp):
        message = Sentence(f"call_{decision.reason}")
        if RULES[decision.reason].effect in {Consequence.STOPS, Consequence.PAUSES}:
            _pause(answer, decision.reason, message, **spent)
        else:
            _fail(answer, decision.reason, message, failures=failures, **spent)
        return None
    _let_wait(
        answer, next_at=_in(decision.seconds), failures=failures, first_call_at=began, **spent
    )
    return decision


def _in(seconds: float) -> datetime:
    return timezone.now() + timedelta(seconds=seconds)


def _fail(answer: ModelRunAnswer, reason: str, message: Sentence, **fields: Any) -> None:
    _settle(answer, State.FAILED, failure_reason=reason, failure_message=message, **fields)


def _settle(answer: ModelRunAnswer, state: State, **fields: Any) -> None:
    answer.settle(state=state, ended_at=timezone.now(), **fields)


@transaction.atomic
def _pause(answer: ModelRunAnswer, reason: str, message: Sentence, **fields: Any) -> None:
    """Pause the run, and leave the answer to when somebody resumes it."""
    paused = Run.objects.filter(pk=answer.run_id, state=Run.State.RUNNING).update(
        state=Run.State.PAUSED, paused_for=reason[:40], paused_message=message
    )
    if paused:
        reservations.free(answer.run)
    _let_wait(answer, failures=[], first_call_at=None, **fields)


@transaction.atomic
def _let_wait(answer: ModelRunAnswer, **fields: Any) -> None:
    """Let an answer wait for its next turn, unless its run was cancelled meanwhile."""
    # Who cancels waits for this, or this for them.
    if _lock(answer).state == Run.State.CANCELLED:
        _settle(answer, State.CANCELLED, **{**fields, "next_at": None})
    else:
        answer.settle(state=State.QUEUED, **fields)


def _lock(answer: ModelRunAnswer) -> Run:
    return Run.objects.select_for_update(no_key=True).get(pk=answer.run_id)
