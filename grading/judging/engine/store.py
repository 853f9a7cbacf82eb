"""
What judging needs from outside: a line to each judge, and a store of what is spent and asked.

The engine knows neither files nor rows. A store that can't go on says so by raising: `Halted` where
the run makes no more calls, or what only its own driver understands.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from grading.endpoints import Cost, EndpointError, Message, Parameters, Prices, Reply, Wait
from phybench_grader.judges import Reason


class Halted(Exception):
    """The run makes no more calls; `reason` says why."""

    def __init__(self, reason: Reason) -> None:
        super().__init__(reason.message)
        self.reason = reason


@dataclass(frozen=True, slots=True)
class Called:
    """One call that was made, whatever came of it."""

    outcome: Reply | EndpointError
    cost: Cost
    token: str = ""
    """What its reply had to bear, of a call that was kept."""


class CallLine(Protocol):
    """The way to one judge: a model at an endpoint."""

    @property
    def prices(self) -> Prices: ...

    def ask(self, messages: Sequence[Message], parameters: Parameters) -> Called | Wait:
        """Make one call, or say how long to wait before it may be made."""


class Store(Protocol):
    """Where a run keeps what it may spend and what was asked."""

    def recall(self, names: Mapping[str, Any]) -> Sequence[Called]:
        """Return what was replied to a question before, in order; it is not asked again."""

    def reserve(self, judge: str, estimate: Cost) -> None:
        """Set aside what a call may cost, or raise why it is not made."""

    def release(self, estimate: Cost) -> None:
        """Give back what was set aside for a call that was not made."""

    def keep_call(self, estimate: Cost, called: Called, described: Mapping[str, Any]) -> None:
        """Write down a call that was made, and what it cost in place of what was set aside."""

    def wait(self, seconds: float) -> None:
        """Let time pass before the next try, or raise that there is none for now."""
