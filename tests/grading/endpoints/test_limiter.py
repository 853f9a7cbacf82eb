"""Keeping to a rate together: seconds by hand, then threads and processes."""

import json
import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grading.endpoints import Admitted, Cause, InMemory, Kept, Limiter, LimiterState, Rate, Wait
from grading.endpoints.limiter import PATIENCE, admit, give_back, hold_off

NOW = 1_700_000_000.0


class Clock:
    def __init__(self) -> None:
        self.now = NOW

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


def test_a_burst_goes_at_once_and_the_rest_at_the_rate(clock):
    # One a second, five seconds' worth at once.
    limiter = Limiter(Rate(requests=60, burst=5.0), clock=clock)
    answers = [limiter.ask() for _ in range(6)]
    assert [isinstance(answer, Admitted) for answer in answers] == [True] * 5 + [False]
    assert answers[-1] == Wait(1.0)
    clock.now += 0.75
    assert limiter.ask() == Wait(0.25)
    clock.now += 0.25
    assert isinstance(limiter.ask(), Admitted)


def test_tokens_are_counted_as_estimated_and_then_as_used(clock):
    # 100 a second, 1000 at once.
    limiter = Limiter(Rate(tokens=6000, burst=10.0), clock=clock)
    first = limiter.ask(900)
    assert limiter.ask(300) == Wait(2.0)
    limiter.give_back(first, used=500)
    assert isinstance(limiter.ask(300), Admitted)
    # 800 are owed; more were used than thought.
    second = limiter.ask(100)
    limiter.give_back(second, used=400)
    assert limiter.ask(100) == Wait(3.0)


def test_a_call_larger_than_any_burst_waits_until_nothing_is_owed(clock):
    limiter = Limiter(Rate(tokens=6000, burst=1.0), clock=clock)
    assert isinstance(limiter.ask(5000), Admitted)
    assert limiter.ask(5000) == Wait(50.0)
    clock.now += 50.0
    assert isinstance(limiter.ask(5000), Admitted)


def test_only_so_many_calls_are_under_way_at_once_and_lost_ones_end(clock):
    limiter = Limiter(Rate(at_once=2, longest_call=30.0), clock=clock)
    first, _ = limiter.ask(), limiter.ask()
    assert limiter.ask() == Wait(PATIENCE)
    limiter.give_back(first)
    assert isinstance(limiter.ask(), Admitted)
    # The worker of these was killed.
    clock.now += 29.5
    assert limiter.ask() == Wait(0.5)
    clock.now += 0.5
    assert isinstance(limiter.ask(), Admitted)


def test_when_the_endpoint_asks_for_it_everybody_stays_away(clock):
    limiter = Limiter(Rate(), clock=clock)
    limiter.hold_off(20.0, Cause.RATE_LIMITED)
    limiter.hold_off(5.0, Cause.OVERLOADED)
    assert limiter.ask() == Wait(20.0)
    clock.now += 20.0
    assert isinstance(limiter.ask(), Admitted)


def test_a_clock_that_was_set_back_gives_nothing_away(clock):
    limiter = Limiter(Rate(requests=60, burst=1.0), clock=clock)
    assert isinstance(limiter.ask(), Admitted)
    clock.now -= 3600.0
    assert limiter.ask() == Wait(1.0)


def test_a_call_given_back_twice_is_so_once(clock):
    limiter = Limiter(Rate(tokens=60, burst=60.0), clock=clock)
    first, second = limiter.ask(30), limiter.ask(30)
    limiter.give_back(first, used=0)
    limiter.give_back(first, used=0)
    assert isinstance(limiter.ask(30), Admitted)
    assert limiter.ask(1) == Wait(1.0)
    assert isinstance(second, Admitted)


@given(
    asked=st.lists(st.tuples(st.floats(0, 5), st.integers(0, 400)), min_size=1, max_size=60),
)
def test_in_no_minute_is_more_let_go_than_a_minute_and_a_burst_allow(asked):
    rate = Rate(requests=60, tokens=6000, burst=6.0)
    state, now, gone = LimiterState(), NOW, []
    for pause, tokens in asked:
        now += pause
        state, answer = admit(state, rate, call=str(len(gone)), tokens=tokens, now=now)
        if isinstance(answer, Admitted):
            gone.append((now, tokens))
        else:
            assert answer.seconds > 0
    for start, _ in gone:
        within = [tokens for at, tokens in gone if start <= at < start + 60.0]
        assert len(within) <= 60 + 6 + 1
        assert sum(within) <= 6000 + 600 + 400


def test_a_wait_that_was_kept_is_enough():
    rate = Rate(requests=7, tokens=1300, burst=3.0)
    state, now = LimiterState(), NOW
    for number in range(50):
        state, answer = admit(state, rate, call=str(number), tokens=37, now=now)
        if isinstance(answer, Wait):
            now += answer.seconds + 1e-6
            state, answer = admit(state, rate, call=str(number), tokens=37, now=now)
        assert isinstance(answer, Admitted)


def test_a_state_goes_through_json():
    rate = Rate(requests=60, tokens=600, at_once=3)
    state, admitted = admit(LimiterState(), rate, call="a", tokens=5, now=NOW)
    state = hold_off(state, seconds=3.0, now=NOW, reason=Cause.RATE_LIMITED)
    copy = LimiterState.from_json(json.loads(json.dumps(state.to_json())))
    assert copy == state
    assert isinstance(admitted, Admitted)
    assert give_back(copy, rate, admitted, used=None, now=NOW).calls == {}


HOURLY = Rate(requests=1 / 60, burst=50 * 3600.0)
"""Fifty at once, and then none for as long as a test takes."""


def count(limiter: Limiter, times: int) -> int:
    return sum(isinstance(limiter.ask(), Admitted) for _ in range(times))


@pytest.fixture
def kept() -> Kept:
    return InMemory()


def test_threads_share_one_rate(kept):
    limiter = Limiter(HOURLY, kept)
    with ThreadPoolExecutor(8) as threads:
        assert sum(threads.map(lambda _: count(limiter, 20), range(8))) == 50


def test_one_change_is_made_at_a_time(kept):
    changing, pause = threading.Lock(), threading.Event()

    def change(state: LimiterState) -> tuple[LimiterState, bool]:
        alone = changing.acquire(blocking=False)
        # Long enough for the others to come in, if they could.
        pause.wait(0.005)
        if alone:
            changing.release()
        return replace(state, requests_owed=state.requests_owed + 1), alone

    with ThreadPoolExecutor(8) as threads:
        assert all(threads.map(lambda _: kept.change(change), range(16)))
    assert kept.change(lambda state: (state, state.requests_owed)) == 16
