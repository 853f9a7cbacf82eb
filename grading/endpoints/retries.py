"""Whether to try a call again, and when: a rule, with no clock and no sleep in it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from grading.endpoints.errors import EndpointError
from grading.endpoints.failures import LONGEST_ASKED
from phybench_grader.judges.call_reasons import RULES, Cause

REJECTED_AFTER = 3
"""Errors of the server's own, in a row and on the same input, that are the input's doing."""


@dataclass(frozen=True, slots=True)
class CallFailure:
    """One attempt that failed."""

    reason: Cause
    retry_after: float | None = None
    """Seconds that the endpoint asked for."""

    @classmethod
    def of(cls, error: EndpointError) -> CallFailure:
        return cls(error.reason, error.retry_after)


@dataclass(frozen=True, slots=True)
class Wait:
    seconds: float


@dataclass(frozen=True, slots=True)
class GiveUp:
    reason: Cause


@dataclass(frozen=True, slots=True)
class Policy:
    attempts: int = 5
    """Of one input, the first counted."""
    first: float = 1.0
    """Seconds within which the second attempt falls; each later one has twice as many."""
    longest: float = 60.0
    """Seconds of a wait of our own choosing."""
    longest_asked: float = LONGEST_ASKED
    """Seconds that an endpoint may ask for; if it wants more, that is the end."""
    oldest: float = 6 * 3600.0
    """Seconds after the first attempt, past which there is no other."""


def decide(
    failures: Sequence[CallFailure],
    *,
    random: Callable[[], float],
    policy: Policy | None = None,
    age: float = 0.0,
) -> Wait | GiveUp:
    """
    Decide what follows the last of an input's failures; those before it are its earlier ones.

    Args:
        random: gives numbers from 0 to 1, so that callers don't come back all at once.
        age: seconds since the first attempt.
    """
    policy = policy or Policy()
    last = failures[-1]
    reasons = [failure.reason for failure in failures]
    if reasons[-REJECTED_AFTER:] == [Cause.SERVER_ERROR] * REJECTED_AFTER:
        return GiveUp(Cause.PROVIDER_REJECTS_INPUT)
    retries = RULES[last.reason].retries
    if retries is not None and reasons.count(last.reason) > retries:
        return GiveUp(last.reason)
    if len(failures) >= policy.attempts:
        return GiveUp(last.reason)
    asked = last.retry_after or 0.0
    if asked > policy.longest_asked:
        return GiveUp(last.reason)
    # The exponent is capped too: a policy of many attempts must not overflow.
    spread = min(policy.longest, policy.first * 2.0 ** min(len(failures) - 1, 60))
    # What was asked for is the least; all who were asked come back spread out after it.
    wait = asked + random() * spread
    if age + wait > policy.oldest:
        return GiveUp(last.reason)
    return Wait(wait)
