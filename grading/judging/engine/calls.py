"""
Calling endpoints for a whole run: threads share what it may spend, and when it has to stop.

Nothing here knows what is asked. A call is paid for before it is made, made in its turn, and told
to the breaker; whoever is refused gets `Halted` with the reason.
"""

import threading
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from grading.endpoints import (
    RULES,
    Breaker,
    Budget,
    ChatClient,
    Cost,
    Effect,
    EndpointError,
    Exhausted,
    Limiter,
    Message,
    Parameters,
    Prices,
    Reply,
    Wait,
    attempt,
    cost_of,
    estimate_cost,
    estimate_tokens,
)
from grading.judges import Reason


class Halted(Exception):
    """The run makes no more calls; `reason` says why."""

    def __init__(self, reason: Reason) -> None:
        super().__init__(reason.message)
        self.reason = reason


class Gate:
    """What all threads of a run go through before a call: its budget, and whether it goes on."""

    def __init__(self, budget: Budget) -> None:
        self._budget = budget
        self._changed = threading.Condition()
        self._stopped = threading.Event()
        self._reason: Reason | None = None
        self._detail = ""

    @property
    def spent(self) -> Cost:
        return self._budget.spent

    @property
    def halted_by(self) -> Reason | None:
        return self._reason

    @property
    def detail(self) -> str:
        """What the endpoint said, or which address it was, when the run was halted."""
        return self._detail

    def halt(self, reason: Reason, detail: str = "") -> None:
        """Let no further call be made; the first reason stays."""
        with self._changed:
            if self._reason is None:
                self._reason, self._detail = reason, detail
            self._stopped.set()
            self._changed.notify_all()

    def check(self) -> None:
        """Raise `Halted` if the run makes no more calls."""
        if self._reason is not None:
            raise Halted(self._reason)

    def wait(self, seconds: float) -> None:
        """Let time pass, unless the run is halted meanwhile."""
        self._stopped.wait(seconds)
        self.check()

    def reserve(self, estimate: Cost) -> None:
        """
        Set aside what a call may cost.

        Estimates are high. Where only what others have set aside is in the way, this waits for
        them to say what they used.
        """
        with self._changed:
            while True:
                self.check()
                try:
                    self._budget = self._budget.reserve(estimate)
                    return
                except Exhausted:
                    if self._budget.reserved.calls:
                        self._changed.wait()
                        continue
                self._reason = Reason.BUDGET
                self._stopped.set()

    def settle(self, estimate: Cost, cost: Cost) -> None:
        with self._changed:
            self._budget = self._budget.settle(estimate, cost)
            self._changed.notify_all()


@dataclass(frozen=True, slots=True)
class Called:
    """One call that was made, whatever came of it."""

    outcome: Reply | EndpointError
    cost: Cost


class Waits(Protocol):
    """Lets time pass before the next try, or says that there is none for now by raising."""

    def wait(self, seconds: float) -> None: ...


class Calls(Protocol):
    """What an asker needs: calls, one at a time, wherever limits and budget are kept."""

    @property
    def gate(self) -> Waits: ...

    def call(self, messages: Sequence[Message], parameters: Parameters) -> Called: ...


class Caller:
    """One endpoint as the threads of a run call it."""

    def __init__(self, client: ChatClient, limiter: Limiter, prices: Prices, gate: Gate) -> None:
        self._gate = gate
        self._client = client
        self._limiter = limiter
        self._prices = prices
        self._breaker = Breaker()
        self._lock = threading.Lock()

    @property
    def gate(self) -> Gate:
        return self._gate

    def call(self, messages: Sequence[Message], parameters: Parameters) -> Called:
        """
        Make one call when rate and budget allow it.

        Raises:
            Halted: it was not made, and none will be.
        """
        estimate = estimate_cost(*estimate_tokens(messages, parameters), self._prices)
        while True:
            self._gate.reserve(estimate)
            cost = Cost()
            try:
                outcome = self._attempt(messages, parameters)
                if not isinstance(outcome, Wait):
                    cost = cost_of(outcome, estimate, self._prices)
            finally:
                self._gate.settle(estimate, cost)
            if not isinstance(outcome, Wait):
                self._tell(outcome)
                return Called(outcome, cost)
            self._gate.wait(outcome.seconds)

    def _attempt(
        self, messages: Sequence[Message], parameters: Parameters
    ) -> Reply | EndpointError | Wait:
        try:
            return attempt(self._client, self._limiter, messages, parameters)
        except EndpointError as error:
            return error

    def _tell(self, outcome: Reply | EndpointError) -> None:
        """Halt the run where every further call would fail as this one did."""
        error = outcome if isinstance(outcome, EndpointError) else None
        with self._lock:
            self._breaker = self._breaker.after(error.reason if error else None)
            if error and self._breaker.open_for is not None:
                self._gate.halt(Reason(self._breaker.open_for.value), error.detail)
        if error and RULES[error.reason].effect is Effect.STOPS:
            self._gate.halt(Reason(error.reason.value), error.detail)
