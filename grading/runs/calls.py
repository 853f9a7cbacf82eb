"""
Call a model at an endpoint that others call as well: within its rate and budget, all of it kept.

`ask` makes one attempt and `keep` writes down what came of it, in the transaction in which the
caller writes down what follows from it. Between the two nothing is lost but what a killed worker
takes along, and that is counted as spent.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, TypeVar

from django.conf import settings
from django.db import transaction
from django.db.models import F
from django.utils import timezone

from grading.endpoints import (
    APIKey,
    Cause,
    ChatClient,
    Cost,
    Egress,
    EndpointError,
    Exchange,
    Exhausted,
    Keyring,
    KeyringError,
    Limiter,
    LimiterState,
    Limits,
    Message,
    Parameters,
    Reply,
    Wait,
    attempt,
    cost_of,
    estimate_cost,
    estimate_tokens,
)
from grading.endpoints.text import clean
from grading.runs import reservations
from grading.runs.models import CallUnderWay, Endpoint, ModelCall, Run, Spending
from grading.runs.reservations import lock
from phybench_grader.numbers.sentences import Sentence

KEPT = 200_000
"""Characters of a response that are kept."""
LONGEST_NAME = 200

Result = TypeVar("Result")


class NotNow(Exception):
    """The endpoint is not called, for a reason that is nobody's answer."""

    def __init__(self, reason: str, message: Sentence) -> None:
        super().__init__(reason, message)
        self.reason = reason
        self.message = message


@dataclass(frozen=True, slots=True)
class Asked:
    """One attempt that was made: `keep` has still to write it down."""

    endpoint_id: int
    model: str
    outcome: Reply | EndpointError
    cost: Cost
    capabilities: dict[str, Any]
    under_way: int
    """What was set aside for it."""

    @property
    def reply(self) -> Reply | None:
        """What came, even if nobody can go by it."""
        return self.outcome.reply if isinstance(self.outcome, EndpointError) else self.outcome

    @property
    def error(self) -> EndpointError | None:
        return self.outcome if isinstance(self.outcome, EndpointError) else None


class InRow:
    """Keeps a limiter's state in the endpoint's row, locked for each change."""

    def __init__(self, endpoint_id: int) -> None:
        self._endpoint_id = endpoint_id

    @transaction.atomic
    def change(self, function: Callable[[LimiterState], tuple[LimiterState, Result]]) -> Result:
        row = lock(self._endpoint_id)
        state, result = function(
            LimiterState.from_json(row.limiter) if row.limiter else LimiterState()
        )
        Endpoint.objects.filter(pk=row.pk).update(limiter=state.to_json())
        return result


def make_client(endpoint: Endpoint, model: str = "", limits: Limits | None = None) -> ChatClient:
    """Make a client of an endpoint. Raises `NotNow` if its key can't be read."""
    return ChatClient(
        endpoint.address,
        key=read_key(endpoint),
        egress=Egress.parse(settings.ENDPOINT_EGRESS_ALLOW),
        limits=limits or endpoint.limits,
        capabilities=endpoint.capabilities_of(model),
    )


def read_key(endpoint: Endpoint) -> APIKey | None:
    if not endpoint.key_encrypted:
        return None
    try:
        return Keyring.parse(settings.FIELD_KEYS).decrypt(endpoint.key_encrypted)
    except KeyringError as error:
        raise NotNow("key_unreadable", Sentence(f"keys_{error.code}")) from None


def ask(
    endpoint_id: int,
    messages: Sequence[Message],
    parameters: Parameters,
    *,
    run: Run | None = None,
) -> Asked | Wait:
    """
    Make one attempt, or say in how many seconds to come back.

    It waits in place while the endpoint's rate asks for a few seconds. Not to be called within a
    transaction.

    Args:
        run: for which the call is made; what it has reserved is there for it.

    Raises:
        NotNow: the endpoint is paused, its budget is used up, or its key can't be read.
    """
    endpoint = Endpoint.objects.get(pk=endpoint_id)
    if (why_not := endpoint.why_not) is not None:
        raise NotNow("endpoint_paused", why_not)
    client = make_client(endpoint, parameters.model)
    estimate = estimate_cost(*estimate_tokens(messages, parameters), endpoint.prices)
    under_way, drawn = _set_aside(endpoint, parameters.model, estimate, run)
    limiter = Limiter(endpoint.rate, InRow(endpoint.pk))
    outcome: Reply | EndpointError | Wait
    try:
        outcome = _attempt_in_turn(client, limiter, messages, parameters)
    except EndpointError as error:
        outcome = error
    except BaseException:
        # No call was made, or the application is ending: what was set aside is counted as spent.
        CallUnderWay.objects.filter(pk=under_way).update(until=timezone.now())
        raise
    if isinstance(outcome, Wait):
        with transaction.atomic():
            lock(endpoint.pk)
            CallUnderWay.objects.filter(pk=under_way).delete()
            reservations.give_back(run, endpoint, drawn)
        return outcome
    return Asked(
        endpoint.pk,
        parameters.model,
        outcome,
        cost_of(outcome, estimate, endpoint.prices),
        client.capabilities.to_json(),
        under_way,
    )


def _attempt_in_turn(
    client: ChatClient, limiter: Limiter, messages: Sequence[Message], parameters: Parameters
) -> Reply | Wait:
    patience = settings.CALLING_PATIENCE_SECONDS
    while True:
        outcome = attempt(client, limiter, messages, parameters)
        if not isinstance(outcome, Wait) or outcome.seconds > patience:
            return outcome
        # A moment at least, so that many who wait don't ask all the time.
        seconds = max(outcome.seconds, 0.1)
        patience -= seconds
        time.sleep(seconds)


@transaction.atomic
def _set_aside(endpoint: Endpoint, model: str, estimate: Cost, run: Run | None) -> tuple[int, Cost]:
    """
    Set aside what a call may cost; return its row, and what of it its run had reserved.

    Raises `NotNow` where neither the run's reservation nor what is left will do.
    """
    lock(endpoint.pk)
    _count_lost(endpoint)
    try:
        reservations.measure(endpoint, but_for=run).reserve(estimate)
    except Exhausted as exhausted:
        message = Sentence(f"endpoint_{exhausted.what}_used")
        raise NotNow(f"budget_{exhausted.what}", message) from None
    drawn = reservations.draw(run, endpoint, estimate)
    until = timezone.now() + timedelta(
        seconds=endpoint.longest_call + settings.CALLING_PATIENCE_SECONDS
    )
    row = CallUnderWay.objects.create(
        endpoint=endpoint, model=model, tokens=estimate.tokens, money=estimate.money, until=until
    )
    return row.pk, drawn


def _count_lost(endpoint: Endpoint) -> None:
    """Count as spent what was set aside for calls of which nothing was heard again."""
    for lost in endpoint.under_way.filter(until__lt=timezone.now()):
        _spend(endpoint.pk, lost.model, Cost(1, lost.tokens, lost.money, estimated=1))
        lost.delete()


def _spend(endpoint_id: int, model: str, cost: Cost) -> None:
    row, _made = Spending.objects.get_or_create(
        endpoint_id=endpoint_id, model=model, day=timezone.now().date()
    )
    Spending.objects.filter(pk=row.pk).update(
        calls=F("calls") + cost.calls,
        tokens=F("tokens") + cost.tokens,
        money=F("money") + cost.money,
        estimated=F("estimated") + cost.estimated,
    )


@transaction.atomic
def keep(asked: Asked, *, run: Run | None = None, item: int | None = None) -> list[ModelCall]:
    """
    Write down an attempt: each HTTP call, its cost, and what it says of the endpoint.

    Args:
        run: for which it was made.
        item: the key of what it was made for in that run, by which the calls are found again.
    """
    endpoint = lock(asked.endpoint_id)
    # Lost in the meantime, it was counted already; that one call cost twice is better than never.
    CallUnderWay.objects.filter(pk=asked.under_way).delete()
    _spend(endpoint.pk, asked.model, asked.cost)
    breaker = endpoint.breaker.after(asked.error.reason if asked.error else None)
    Endpoint.objects.filter(pk=endpoint.pk).update(
        capabilities={**endpoint.capabilities, asked.model: asked.capabilities},
        failing_for=breaker.reason or "",
        failing_streak=breaker.streak,
        open_for=breaker.open_for or "",
    )
    exchanges = asked.outcome.exchanges
    calls = [
        _write_call(endpoint, exchange, model=asked.model, run=run, item=item)
        for exchange in exchanges
    ]
    if calls:
        _write_cost(calls[-1], asked)
    return ModelCall.objects.bulk_create(calls)


def _write_call(endpoint: Endpoint, exchange: Exchange, **fields: Any) -> ModelCall:
    reason = exchange.reason or ("" if exchange.status else Cause.DISCONNECTED)
    return ModelCall(
        endpoint=endpoint,
        url=exchange.url,
        request=clean(exchange.request),
        status=exchange.status,
        headers={name: clean(value) for name, value in exchange.headers.items()},
        body=clean(exchange.body[:KEPT]),
        is_cut=len(exchange.body) > KEPT,
        reason=reason,
        seconds=exchange.seconds,
        **fields,
    )


def _write_cost(call: ModelCall, asked: Asked) -> None:
    """Say of the last call what they cost together: those before it were refused."""
    call.tokens, call.money = asked.cost.tokens, asked.cost.money
    call.is_estimated = asked.cost.estimated > 0
    if (reply := asked.reply) is not None:
        call.model_reported = reply.model[:LONGEST_NAME]
        call.fingerprint = reply.fingerprint[:LONGEST_NAME]
        if reply.usage is not None:
            call.prompt_tokens = reply.usage.prompt
            call.completion_tokens = reply.usage.completion
            call.reasoning_tokens = reply.usage.reasoning
