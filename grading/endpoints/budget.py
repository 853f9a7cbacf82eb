"""
What a run may cost and has cost, in calls, tokens and money; failed calls count.

Before each call an estimate is set aside, so that calls made at the same time can't together pass
what is allowed; after it, what it really cost takes the estimate's place.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from decimal import Decimal

from grading.endpoints.errors import EndpointError
from grading.endpoints.replies import Reply, Usage
from phybench_grader.judges.call_reasons import RULES

MILLION = 1_000_000
NOTHING = Decimal(0)


@dataclass(frozen=True, slots=True)
class Prices:
    """What an endpoint takes for a million tokens, in any one currency."""

    prompt: Decimal = NOTHING
    completion: Decimal = NOTHING

    def price(self, usage: Usage) -> Decimal:
        total = self.prompt * usage.prompt + self.completion * usage.completion
        return total / MILLION


@dataclass(frozen=True, slots=True)
class Cost:
    calls: int = 0
    tokens: int = 0
    money: Decimal = NOTHING
    estimated: int = 0
    """Of the calls, those whose tokens the endpoint did not tell."""

    def __add__(self, other: Cost) -> Cost:
        return Cost(
            self.calls + other.calls,
            self.tokens + other.tokens,
            self.money + other.money,
            self.estimated + other.estimated,
        )

    def __sub__(self, other: Cost) -> Cost:
        return Cost(
            self.calls - other.calls,
            self.tokens - other.tokens,
            self.money - other.money,
            self.estimated - other.estimated,
        )


@dataclass(frozen=True, slots=True)
class Allowance:
    """The most that may be spent; None is without end."""

    calls: int | None = None
    tokens: int | None = None
    money: Decimal | None = None


class Exhausted(Exception):
    """A budget does not allow another call; `what` of it is used up: calls, tokens or money."""

    def __init__(self, what: str) -> None:
        super().__init__(what)
        self.what = what

    def __str__(self) -> str:
        return f"The budget of {self.what} is used up. Allow more to go on."


@dataclass(frozen=True, slots=True)
class Budget:
    allowed: Allowance = field(default_factory=Allowance)
    spent: Cost = field(default_factory=Cost)
    reserved: Cost = field(default_factory=Cost)
    """Set aside for the calls that are under way."""

    def reserve(self, estimate: Cost) -> Budget:
        """Set aside what a call may cost, or raise `Exhausted`."""
        after = self.spent + self.reserved + estimate
        for what in ("calls", "tokens", "money"):
            most = getattr(self.allowed, what)
            if most is not None and getattr(after, what) > most:
                raise Exhausted(what)
        return replace(self, reserved=self.reserved + estimate)

    def settle(self, estimate: Cost, cost: Cost) -> Budget:
        """Give back what was set aside, and count what was spent, even if it is more."""
        return replace(self, spent=self.spent + cost, reserved=self.reserved - estimate)


def estimate_cost(prompt_tokens: int, completion_tokens: int, prices: Prices) -> Cost:
    """Say what a call of so many tokens may cost at most."""
    usage = Usage(prompt_tokens, completion_tokens)
    return Cost(1, usage.total, prices.price(usage))


def cost_of(outcome: Reply | EndpointError, estimate: Cost, prices: Prices) -> Cost:
    """
    Say what a call has cost, its attempts without a refused parameter counted.

    Where the endpoint does not tell, a failure that may be charged for counts as the estimate.
    """
    reply = outcome.reply if isinstance(outcome, EndpointError) else outcome
    calls = max(1, len(outcome.exchanges))
    if reply is not None and reply.usage is not None:
        return Cost(calls, reply.usage.total, prices.price(reply.usage))
    if isinstance(outcome, EndpointError) and not RULES[outcome.reason].billed:
        return Cost(calls)
    return Cost(calls, estimate.tokens, estimate.money, estimated=1)
