"""All parts together: many items, an endpoint with every trouble, exact counts."""

import contextlib
import threading
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest

from grading.endpoints import (
    Breaker,
    Budget,
    CallFailure,
    Cause,
    EndpointError,
    GiveUp,
    Limiter,
    Limits,
    Message,
    Prices,
    Rate,
    Reply,
    Wait,
    attempt,
    cost_of,
    decide,
    estimate_cost,
    estimate_tokens,
)
from grading.endpoints.pace import LONGEST_HOLD
from tests.grading.endpoints import steps
from tests.grading.endpoints.conftest import PARAMETERS, QUESTION, reach

ITEMS = 500


def test_an_estimate_is_of_the_text_and_of_the_longest_reply():
    messages = [Message("system", "a" * 150), Message("user", "b" * 150)]
    assert estimate_tokens(messages, PARAMETERS) == (101, 100)
    assert estimate_tokens(messages, replace(PARAMETERS, max_tokens=None)) == (101, 1000)


def test_a_call_that_may_not_go_now_is_not_made(serve):
    server = serve(steps.ok())
    limiter = Limiter(Rate(requests=1, burst=1.0))
    assert isinstance(attempt(reach(server), limiter, QUESTION, PARAMETERS), Reply)
    assert isinstance(attempt(reach(server), limiter, QUESTION, PARAMETERS), Wait)
    assert len(server.requests) == 1


@pytest.mark.parametrize(
    ("asked", "seconds", "reason"),
    [
        ("60", 60.0, Cause.RATE_LIMITED),
        ("3600", 3600.0, Cause.RATE_LIMITED),
        ("86400", 86400.0, Cause.CLOSED),
        ("86400000", LONGEST_HOLD, Cause.CLOSED),
    ],
)
def test_when_one_is_asked_to_stay_away_all_do_and_above_an_hour_it_is_said_to_be_closed(
    serve, asked, seconds, reason
):
    server = serve(steps.rate_limited(retry_after=asked))
    limiter = Limiter(Rate())
    with pytest.raises(EndpointError) as refused:
        attempt(reach(server), limiter, QUESTION, PARAMETERS)
    answer = attempt(reach(server), limiter, QUESTION, PARAMETERS)
    assert isinstance(answer, Wait)
    assert seconds - 10 < answer.seconds <= seconds
    assert refused.value.reason is reason


@pytest.mark.parametrize("step", [steps.ok(), steps.cut_off(), steps.reset()])
def test_a_call_is_given_back_whatever_comes_of_it(serve, step):
    server = serve(lambda request: step)
    limiter = Limiter(Rate(at_once=1, tokens=10**6))
    for _ in range(2):
        with contextlib.suppress(EndpointError):
            assert isinstance(attempt(reach(server), limiter, QUESTION, PARAMETERS), Reply)
    assert len(server.requests) == 2


class TroubledEndpoint:
    """Fails 45 first attempts of 500, and on one item always."""

    def __init__(self) -> None:
        self.seen: Counter[int] = Counter()
        self.lock = threading.Lock()

    def __call__(self, request) -> steps.FakeReply:
        item = int(request.json["messages"][0]["content"])
        with self.lock:
            self.seen[item] += 1
            attempts = self.seen[item]
        if item == 499:
            return steps.server_error()
        if attempts == 1:
            if item % 20 == 1:
                return steps.rate_limited()
            if item % 50 == 2:
                return steps.server_error()
            if item % 100 == 3:
                return steps.html_200()
            if item % 100 == 4:
                return steps.drip()
        return steps.ok(f"[[{item}]]")


def run(client, limiter, item: int) -> tuple[Reply | GiveUp, list[EndpointError]]:
    """Try an item until it is done or given up; with no chance in it, nothing waits."""
    errors: list[EndpointError] = []
    while True:
        try:
            reply = attempt(client, limiter, [Message("user", str(item))], PARAMETERS)
        except EndpointError as error:
            errors.append(error)
            decision = decide([CallFailure.of(one) for one in errors], random=lambda: 0.0)
            if isinstance(decision, GiveUp):
                return decision, errors
        else:
            assert isinstance(reply, Reply)
            return reply, errors


def test_five_hundred_items_with_every_trouble_end_with_exact_counts(serve):
    endpoint = TroubledEndpoint()
    limits = Limits(total=1.0, connect=5.0, largest=10_000)
    client, limiter = reach(serve(endpoint), limits=limits), Limiter(Rate())

    with ThreadPoolExecutor(4) as threads:
        results = list(threads.map(lambda item: run(client, limiter, item), range(ITEMS)))

    outcomes = [outcome for outcome, _ in results]
    assert outcomes.pop() == GiveUp(Cause.PROVIDER_REJECTS_INPUT)
    assert [one.text for one in outcomes] == [f"[[{item}]]" for item in range(ITEMS - 1)]
    reasons = Counter(error.reason for _, errors in results for error in errors)
    assert reasons == {
        Cause.RATE_LIMITED: 25,
        Cause.SERVER_ERROR: 10 + 3,
        Cause.NOT_JSON: 5,
        Cause.DEADLINE: 5,
    }
    # No call but the first ones, and one more for each failure that was worth it.
    assert endpoint.seen.total() == ITEMS + sum(reasons.values()) - 1

    prices, budget, breaker = Prices(), Budget(), Breaker()
    estimate = estimate_cost(100, 100, prices)
    for outcome, errors in results:
        for one in [*errors, *([outcome] if isinstance(outcome, Reply) else [])]:
            budget = budget.reserve(estimate).settle(estimate, cost_of(one, estimate, prices))
            breaker = breaker.after(one.reason if isinstance(one, EndpointError) else None)
    assert budget.spent.calls == endpoint.seen.total()
    assert budget.spent.tokens == 150 * (ITEMS - 1) + 200 * (13 + 5 + 5)
    assert budget.spent.estimated == 13 + 5 + 5
    assert not breaker.is_open
