"""
Try a draft on a model: ask for a reply, then have the grader read it like anybody's answer.

Each answer goes through two hands, that of who calls and that of who grades, and is claimed by
each; what is there is not asked for again.
"""

import random
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from grading.answers.symbolic import judge
from grading.endpoints import (
    RULES,
    CallFailure,
    Cause,
    Consequence,
    EndpointError,
    GiveUp,
    Message,
    Parameters,
    Reply,
    Wait,
    decide,
)
from grading.model_runs.trials.models import TrialAnswer
from grading.runs import calls as calling
from grading.runs.models import Run
from phybench_grader import GRADER_VERSION, JudgeError
from phybench_grader.numbers.sentences import Sentence
from phybench_grader.verdict.declarations import Undeclarable
from phybench_grader.verdict.grade import GradedAnswer

State = TrialAnswer.State
LONGEST_KEPT = 200_000
"""Characters of a reply, and of its reasoning."""


# --- Asking ---------------------------------------------------------------------------------


def ask(answer: TrialAnswer) -> Wait | None:
    """Ask the model once for a claimed answer; return how long to wait before the next time."""
    trial = answer.trial
    if trial.state == Run.State.CANCELLED:
        _settle(answer, State.CANCELLED)
        return None
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
        calling.keep(asked, run=trial, item=answer.pk)
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
        [CallFailure(Cause(one["reason"]), one["retry_after"]) for one in failures],
        random=random.random,
        age=(timezone.now() - began).total_seconds(),
    )
    kept = {"failures": failures, "first_call_at": began}
    if isinstance(decision, GiveUp):
        rule, message = RULES[decision.reason], Sentence(f"call_{decision.reason}")
        # A reply that was cut off or refused can be looked at; nobody goes by it.
        _fail(answer, decision.reason, message, **kept, **_describe(error.reply))
        if rule.effect is Consequence.STOPS:
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


def give_up_asking(answer: TrialAnswer) -> None:
    _fail(answer, "worker_lost", Sentence("asking_lost"))


# --- Grading --------------------------------------------------------------------------------


def grade(answer: TrialAnswer) -> None:
    """Judge a claimed answer. A failure of ours leaves it ungraded with a reason, never a 0."""
    try:
        reference = answer.trial.reference
        judgement = judge(
            answer.response,
            reference.answer,
            declared=reference.question,
            deadline=settings.GRADING_DEADLINE_SECONDS,
        )
    except JudgeError as error:
        _fail(answer, error.reason, error.message)
    except Undeclarable as error:
        _fail(answer, "reference_unreadable", error.message)
    else:
        _settle(answer, State.GRADED, **_write(judgement))


def give_up_grading(answer: TrialAnswer) -> None:
    _fail(answer, "worker_lost", Sentence("trial_grading_lost"))


def _write(judgement: GradedAnswer) -> dict[str, Any]:
    return {
        "judge_version": GRADER_VERSION,
        "verdict": judgement.verdict.value,
        "eed": judgement.eed,
        "answer_read": judgement.answer_read,
        "answer_typed": judgement.answer_typed,
        "reason": judgement.reason,
        "message": judgement.message,
        "graded_at": timezone.now(),
    }


def _fail(answer: TrialAnswer, reason: str, message: Sentence, **fields: Any) -> None:
    _settle(answer, State.FAILED, failure_reason=reason, failure_message=message, **fields)


def _settle(answer: TrialAnswer, state: State, **fields: Any) -> None:
    if state in {State.REPLIED, State.QUEUED}:
        fields["queued_at"] = timezone.now()
    # What was cancelled while its model was asked is not asked for again.
    if state == State.QUEUED and Run.objects.filter(pk=answer.trial_id, state=Run.State.CANCELLED):
        state, fields["next_at"] = State.CANCELLED, None
    answer.settle(state=state, **fields)
