"""Costs by hand."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grading.endpoints import (
    Allowance,
    Budget,
    Cause,
    Cost,
    EndpointError,
    Exhausted,
    Prices,
    Usage,
    cost_of,
    estimate_cost,
)
from tests.grading.endpoints import steps
from tests.grading.endpoints.conftest import PARAMETERS, QUESTION, reach

PRICES = Prices(prompt=Decimal("2.50"), completion=Decimal("10"))
ESTIMATE = estimate_cost(1000, 500, PRICES)


def test_a_price_is_that_of_a_million_tokens():
    # 1000 × 2.50 / 10⁶ + 500 × 10 / 10⁶
    assert Cost(calls=1, tokens=1500, money=Decimal("0.0075")) == ESTIMATE
    assert PRICES.price(Usage(120, 30)) == Decimal("0.0006")


@pytest.mark.parametrize(
    ("allowed", "what"),
    [
        (Allowance(calls=2), "calls"),
        (Allowance(tokens=3000), "tokens"),
        (Allowance(money=Decimal("0.015")), "money"),
    ],
)
def test_what_is_set_aside_counts_before_it_is_spent(allowed, what):
    budget = Budget(allowed).reserve(ESTIMATE).reserve(ESTIMATE)
    with pytest.raises(Exhausted, match=what):
        budget.reserve(ESTIMATE)
    # One of them turned out to be cheaper, but a call all the same.
    settled = budget.settle(ESTIMATE, Cost(calls=1, tokens=1))
    if what == "calls":
        with pytest.raises(Exhausted):
            settled.reserve(ESTIMATE)
    else:
        settled.settle(ESTIMATE, Cost(1, 1)).reserve(ESTIMATE)


def test_more_than_was_estimated_is_counted_too():
    budget = Budget(Allowance(tokens=2000)).reserve(ESTIMATE).settle(ESTIMATE, Cost(1, 2600))
    assert (budget.spent, budget.reserved) == (Cost(1, 2600), Cost())
    with pytest.raises(Exhausted, match="tokens"):
        budget.reserve(Cost(1, 0))


def test_without_an_allowance_nothing_is_used_up():
    assert Budget().reserve(Cost(10**9, 10**12, Decimal(10**9)))


def outcome(server):
    try:
        return reach(server).complete(QUESTION, PARAMETERS)
    except EndpointError as error:
        return error


@pytest.mark.parametrize(
    ("given_steps", "cost"),
    [
        ([steps.ok()], Cost(1, 150, Decimal("0.0006"))),
        ([steps.no_usage()], Cost(1, 1500, Decimal("0.0075"), estimated=1)),
        # What was cut off has been paid for as any other.
        ([steps.cut_off()], Cost(1, 150, Decimal("0.0006"))),
        ([steps.rate_limited()], Cost(1)),
        # It may have been computed before it was lost.
        ([steps.reset()], Cost(1, 1500, Decimal("0.0075"), estimated=1)),
        ([steps.refuse_parameter("seed"), steps.ok()], Cost(2, 150, Decimal("0.0006"))),
    ],
)
def test_what_a_call_cost_is_what_it_used_or_may_have(serve, given_steps, cost):
    assert cost_of(outcome(serve(*given_steps)), ESTIMATE, PRICES) == cost


def test_a_call_that_was_never_made_is_one_all_the_same():
    assert cost_of(EndpointError(Cause.DNS), ESTIMATE, PRICES) == Cost(1)


@given(st.lists(st.tuples(st.integers(0, 500), st.integers(0, 500)), max_size=30))
def test_no_order_of_calls_passes_what_is_allowed_if_estimates_hold(calls):
    budget, under_way = Budget(Allowance(tokens=2000)), []
    for tokens, used in calls:
        estimate = Cost(1, tokens)
        try:
            budget = budget.reserve(estimate)
        except Exhausted:
            continue
        under_way.append((estimate, Cost(1, min(tokens, used))))
        if used % 2:
            budget = budget.settle(*under_way.pop(0))
    for estimate, cost in under_way:
        budget = budget.settle(estimate, cost)
    assert budget.reserved == Cost()
    assert budget.spent.tokens <= 2000
