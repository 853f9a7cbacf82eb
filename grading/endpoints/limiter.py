"""
Keeping to an endpoint's rate, together with everybody else who calls it.

The rule is a pure function from a state and a wish to another state and an answer. The state is
small and goes through JSON, so it can lie in memory or in a row of the database; where it lies
only has to make one change at a time.
"""

from __future__ import annotations

import secrets
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Any, Protocol, TypeVar

from grading.endpoints.retries import Wait
from phybench_grader.judges.call_reasons import Cause

Result = TypeVar("Result")

MINUTE = 60.0
PATIENCE = 1.0
"""Seconds after which to ask again for one of the calls at the same time, when all are taken."""


@dataclass(frozen=True, slots=True)
class Rate:
    """What an endpoint allows; None is without end."""

    requests: float | None = None
    """A minute."""
    tokens: float | None = None
    """A minute, those of the prompt and those of the reply."""
    at_once: int | None = None
    """Calls at the same time."""
    longest_call: float = 600.0
    """Seconds after which a call that was never given back counts as lost."""
    burst: float = 10.0
    """Seconds' worth that may be used at once, after a rest."""


@dataclass(frozen=True, slots=True)
class LimiterState:
    """What was used lately. Times are seconds since 1970: processes share them."""

    requests_owed: float = 0.0
    """Requests made and not yet made good by time passing."""
    tokens_owed: float = 0.0
    at: float = 0.0
    """When these two were true."""
    closed_until: float = 0.0
    """Until when the endpoint asked to be left alone."""
    closed_for: str = ""
    """Why: what it said then."""
    calls: Mapping[str, float] = field(default_factory=dict)
    """Calls under way, and when each counts as lost."""

    def to_json(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_json(cls, document: Mapping[str, Any]) -> LimiterState:
        """Take back what `to_json` gave; an error of any kind if it is not that."""
        return cls(
            requests_owed=float(document["requests_owed"]),
            tokens_owed=float(document["tokens_owed"]),
            at=float(document["at"]),
            closed_until=float(document["closed_until"]),
            closed_for=str(document.get("closed_for", "")),
            calls={str(call): float(until) for call, until in document["calls"].items()},
        )


@dataclass(frozen=True, slots=True)
class Admitted:
    """Leave to make one call."""

    call: str
    """Its name, by which it is given back."""
    tokens: int
    """Those it was admitted with."""


def admit(
    state: LimiterState, rate: Rate, *, call: str, tokens: int, now: float
) -> tuple[LimiterState, Admitted | Wait]:
    """Let a call of so many tokens go, or say after how many seconds to ask again."""
    state = _pass_time(state, rate, now)
    if now < state.closed_until:
        return state, Wait(state.closed_until - now)
    wait = max(
        _wait_for(state.requests_owed, 1, rate.requests, rate.burst),
        _wait_for(state.tokens_owed, tokens, rate.tokens, rate.burst),
    )
    if wait > 0:
        return state, Wait(wait)
    if rate.at_once is not None and len(state.calls) >= rate.at_once:
        return state, Wait(min(PATIENCE, max(0.0, min(state.calls.values(), default=now) - now)))
    admitted = replace(
        state,
        requests_owed=state.requests_owed + 1,
        tokens_owed=state.tokens_owed + tokens,
        calls={**state.calls, call: now + rate.longest_call},
    )
    return admitted, Admitted(call, tokens)


def give_back(
    state: LimiterState, rate: Rate, admitted: Admitted, *, used: int | None, now: float
) -> LimiterState:
    """End a call, and correct its tokens to what it used, if that is known."""
    state = _pass_time(state, rate, now)
    calls = {call: until for call, until in state.calls.items() if call != admitted.call}
    if used is None or admitted.call not in state.calls:
        return replace(state, calls=calls)
    owed = max(0.0, state.tokens_owed + used - admitted.tokens)
    return replace(state, calls=calls, tokens_owed=owed)


def hold_off(state: LimiterState, *, seconds: float, now: float, reason: Cause) -> LimiterState:
    """Keep everybody away for so long."""
    if now + seconds <= state.closed_until:
        return state
    return replace(state, closed_until=now + seconds, closed_for=reason.value)


def reopen(state: LimiterState) -> LimiterState:
    """Let calls go again, whatever the endpoint has asked for."""
    return replace(state, closed_until=0.0, closed_for="")


def _pass_time(state: LimiterState, rate: Rate, now: float) -> LimiterState:
    # A clock that was set back must not undo what was paid off already.
    minutes = max(0.0, now - state.at) / MINUTE
    return replace(
        state,
        requests_owed=max(0.0, state.requests_owed - minutes * (rate.requests or 0.0)),
        tokens_owed=max(0.0, state.tokens_owed - minutes * (rate.tokens or 0.0)),
        at=now,
        calls={call: until for call, until in state.calls.items() if until > now},
    )


def _wait_for(owed: float, more: float, a_minute: float | None, burst: float) -> float:
    """Return the seconds until so much more is within what may be owed."""
    if a_minute is None:
        return 0.0
    # One call is always within it, however large: it waits until nothing is owed.
    most = max(a_minute * burst / MINUTE, more)
    return max(0.0, owed + more - most) * MINUTE / a_minute


class Kept(Protocol):
    """Where a state lies."""

    def change(self, function: Callable[[LimiterState], tuple[LimiterState, Result]]) -> Result:
        """Put what the function makes of the state in its place; nobody else does meanwhile."""


class InMemory:
    """Keeps a state for the threads of one process."""

    def __init__(self) -> None:
        self._state = LimiterState()
        self._lock = threading.Lock()

    def change(self, function: Callable[[LimiterState], tuple[LimiterState, Result]]) -> Result:
        with self._lock:
            self._state, result = function(self._state)
            return result


class Limiter:
    """The rate of one endpoint, asked before each call and told after it."""

    def __init__(
        self, rate: Rate, kept: Kept | None = None, *, clock: Callable[[], float] = time.time
    ) -> None:
        self.rate = rate
        self._kept = kept or InMemory()
        self._clock = clock

    def ask(self, tokens: int = 0) -> Admitted | Wait:
        """Ask for leave to make a call; it never waits itself."""
        call = secrets.token_hex(8)
        return self._kept.change(
            lambda state: admit(state, self.rate, call=call, tokens=tokens, now=self._clock())
        )

    def give_back(self, admitted: Admitted, *, used: int | None = None) -> None:
        """Say that a call has ended, and how many tokens it used."""
        self._kept.change(
            lambda state: (
                give_back(state, self.rate, admitted, used=used, now=self._clock()),
                None,
            )
        )

    def hold_off(self, seconds: float, reason: Cause) -> None:
        """Keep everybody from the endpoint, which has asked for it, for so long."""
        self._kept.change(
            lambda state: (
                hold_off(state, seconds=seconds, now=self._clock(), reason=reason),
                None,
            )
        )
