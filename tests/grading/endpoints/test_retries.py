"""When to try again: seconds by hand, with chance given."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grading.endpoints import RULES, CallFailure, Cause, EndpointError, GiveUp, Policy, Wait, decide


def after(*reasons: Cause, chance: float = 1.0, asked: float | None = None, **options):
    failures = [*map(CallFailure, reasons[:-1]), CallFailure(reasons[-1], asked)]
    return decide(failures, random=lambda: chance, **options)


def test_waits_double_up_to_the_longest_and_are_spread_from_nothing():
    policy = Policy(attempts=9, first=1.0, longest=10.0)
    waits = [after(*[Cause.OVERLOADED] * n, policy=policy) for n in range(1, 9)]
    assert waits == [Wait(s) for s in (1.0, 2.0, 4.0, 8.0, 10.0, 10.0, 10.0, 10.0)]
    assert after(Cause.OVERLOADED, Cause.OVERLOADED, chance=0.0) == Wait(0.0)
    assert after(Cause.OVERLOADED, Cause.OVERLOADED, chance=0.25) == Wait(0.5)


def test_nobody_comes_back_before_the_endpoint_wants_it():
    assert after(Cause.RATE_LIMITED, asked=30.0, chance=0.0) == Wait(30.0)
    assert after(Cause.RATE_LIMITED, asked=30.0, chance=1.0) == Wait(31.0)


def test_an_endpoint_that_asks_for_too_long_is_given_up():
    assert after(Cause.RATE_LIMITED, asked=3601.0) == GiveUp(Cause.RATE_LIMITED)


def test_an_input_has_so_many_attempts_and_so_much_time():
    assert after(*[Cause.RATE_LIMITED] * 4) == Wait(8.0)
    assert after(*[Cause.RATE_LIMITED] * 5) == GiveUp(Cause.RATE_LIMITED)
    policy = Policy(oldest=100.0)
    assert after(Cause.OVERLOADED, policy=policy, age=99.0) == Wait(1.0)
    assert after(Cause.OVERLOADED, policy=policy, age=99.5) == GiveUp(Cause.OVERLOADED)


@pytest.mark.parametrize("reason", Cause)
def test_each_reason_is_tried_again_as_often_as_the_table_says(reason):
    policy = Policy(attempts=100)
    allowed = RULES[reason].retries
    # With others between, so that they don't look like the input's doing.
    failures = [reason]
    for _ in range(allowed if allowed is not None else 10):
        assert isinstance(after(*failures, policy=policy), Wait)
        failures += [Cause.CONNECT, reason]
    if allowed is not None:
        assert after(*failures, policy=policy) == GiveUp(reason)


def test_the_same_error_of_the_server_s_three_times_is_the_input_s_doing():
    error, other = Cause.SERVER_ERROR, Cause.RATE_LIMITED
    assert after(error, error) == Wait(2.0)
    assert after(error, error, error) == GiveUp(Cause.PROVIDER_REJECTS_INPUT)
    assert after(error, error, other, error) == Wait(8.0)


def test_a_failure_is_made_of_an_error():
    error = EndpointError(Cause.RATE_LIMITED, retry_after=2.0)
    assert CallFailure.of(error) == CallFailure(Cause.RATE_LIMITED, 2.0)


@given(
    reasons=st.lists(st.sampled_from(Cause), min_size=1, max_size=2000),
    asked=st.none() | st.floats(0, 1e9),
    chance=st.floats(0, 1),
    attempts=st.integers(1, 5000),
)
def test_every_history_ends_and_no_wait_is_out_of_range(reasons, asked, chance, attempts):
    policy = Policy(attempts=attempts)
    decision = after(*reasons, asked=asked, chance=chance, policy=policy)
    if isinstance(decision, Wait):
        assert len(reasons) < attempts
        assert (asked or 0.0) <= decision.seconds <= policy.longest_asked + policy.longest
