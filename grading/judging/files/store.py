"""
A run over a file as the engine's store: threads share what it may spend, and when it has to stop.

Whoever is refused a call gets `Halted` with the reason.
"""

import threading
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from grading.endpoints import (
    RULES,
    Breaker,
    Budget,
    ChatClient,
    Consequence,
    Cost,
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
from grading.judging.engine.store import Called, Halted
from grading.judging.files.lines import Journal
from phybench_grader.judges import Reason

UNSAID_SECONDS = 2.0
"""Nobody is told of so short a wait, nor of one that is longer by so little than what was said."""


class FileStore:
    """What all threads of a run go through: its budget, its journal, and whether it goes on."""

    def __init__(
        self, budget: Budget, journal: Journal, tell: Callable[[str, float, Reason], object]
    ) -> None:
        """`tell` says where an endpoint asks to be left alone: which, for how long, and why."""
        self._tell = tell
        self._budget = budget
        self._journal = journal
        self._changed = threading.Condition()
        self._stopped = threading.Event()
        self._closed_until: dict[str, float] = {}
        self.halted_by: Reason | None = None
        self.detail = ""
        """What the endpoint said, or which address it was, when the run was halted."""

    def halt(self, reason: Reason, detail: str = "") -> None:
        """Let no further call be made; the first reason stays."""
        with self._changed:
            if self.halted_by is None:
                self.halted_by, self.detail = reason, detail
            self._stopped.set()
            self._changed.notify_all()

    def close(self, endpoint: str, seconds: float, reason: Reason) -> None:
        """Say once that an endpoint asks to be left alone, not for each call that it tells so."""
        now = time.monotonic()
        until = now + seconds
        with self._changed:
            said = max(now, self._closed_until.get(endpoint, now))
            is_new = until > said + UNSAID_SECONDS
            if is_new:
                self._closed_until[endpoint] = until
        if is_new:
            self._tell(endpoint, seconds, reason)

    def check(self) -> None:
        """Raise `Halted` if the run makes no more calls."""
        if self.halted_by is not None:
            raise Halted(self.halted_by)

    def wait(self, seconds: float) -> None:
        """Let time pass, unless the run is halted meanwhile."""
        self._stopped.wait(seconds)
        self.check()

    def recall(self, names: Mapping[str, Any]) -> Sequence[Called]:
        """An item is judged in one go: what was under way when a run stopped is asked again."""
        return ()

    def reserve(self, judge: str, estimate: Cost) -> None:
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
                self.halted_by = Reason.BUDGET
                self._stopped.set()

    def release(self, estimate: Cost) -> None:
        self._settle(estimate, Cost())

    def keep_call(self, estimate: Cost, called: Called, described: Mapping[str, Any]) -> None:
        self._settle(estimate, called.cost)
        self._journal.keep(dict(described))

    def _settle(self, estimate: Cost, cost: Cost) -> None:
        with self._changed:
            self._budget = self._budget.settle(estimate, cost)
            self._changed.notify_all()


class ClientLine:
    """One endpoint as the threads of a run call it."""

    def __init__(
        self, client: ChatClient, host: str, limiter: Limiter, prices: Prices, store: FileStore
    ) -> None:
        self._client = client
        self._host = host
        self._limiter = limiter
        self._store = store
        self._breaker = Breaker()
        self._lock = threading.Lock()
        self.prices = prices

    def ask(self, messages: Sequence[Message], parameters: Parameters) -> Called | Wait:
        outcome = self._attempt(messages, parameters)
        if isinstance(outcome, Wait):
            return outcome
        self._tell(outcome)
        estimate = estimate_cost(*estimate_tokens(messages, parameters), self.prices)
        return Called(outcome, cost_of(outcome, estimate, self.prices))

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
        if error is not None and error.retry_after:
            self._store.close(self._host, error.retry_after, Reason(error.reason.value))
        with self._lock:
            self._breaker = self._breaker.after(error.reason if error else None)
            if error and self._breaker.open_for is not None:
                self._store.halt(Reason(self._breaker.open_for.value), error.detail)
        if error and RULES[error.reason].effect is Consequence.STOPS:
            self._store.halt(Reason(error.reason.value), error.detail)
