import pytest

from grading.endpoints import Breaker, Cause
from grading.endpoints.breaker import STREAK

LOST = Cause.DISCONNECTED


def after(*outcomes: Cause | None) -> Breaker:
    breaker = Breaker()
    for outcome in outcomes:
        breaker = breaker.after(outcome)
    return breaker


def test_the_same_failure_five_times_in_a_row_pauses_the_endpoint():
    assert after(*[LOST] * (STREAK - 1)) == Breaker(LOST, STREAK - 1)
    assert after(*[LOST] * STREAK) == Breaker(LOST, STREAK, open_for=LOST)


@pytest.mark.parametrize(
    "reason", [Cause.AUTH, Cause.FORBIDDEN, Cause.QUOTA_EXHAUSTED, Cause.CLOSED]
)
def test_one_that_is_the_key_s_or_the_purse_s_does_so_at_once(reason):
    assert after(reason).is_open


@pytest.mark.parametrize(
    "between", [None, Cause.TIMEOUT, Cause.REFUSAL, Cause.TRUNCATED, Cause.EMPTY]
)
def test_a_success_a_reply_or_another_failure_breaks_the_row(between):
    assert not after(*[LOST] * 4, between, *[LOST] * 4).is_open


def test_too_many_requests_neither_count_nor_break_the_row():
    assert after(*[Cause.RATE_LIMITED] * 20) == Breaker()
    assert after(*[LOST] * 4, Cause.RATE_LIMITED, LOST).is_open


def test_what_comes_of_an_input_never_pauses():
    assert after(*[Cause.TRUNCATED] * 20) == Breaker()


def test_once_open_it_stays_so_until_somebody_closes_it():
    opened = after(Cause.AUTH)
    assert opened.after(None) == opened.after(LOST) == opened
