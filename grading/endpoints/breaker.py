"""Stopping before an endpoint that is broken is asked five hundred times."""

from __future__ import annotations

from dataclasses import dataclass

from phybench_grader.judges.call_reasons import RULES, Cause, Consequence

STREAK = 5
"""Failures for the same reason, in a row, after which the endpoint is paused."""

_ABOUT_THE_INPUT = frozenset(
    {
        Cause.BAD_REQUEST,
        Cause.CONTEXT_OVERFLOW,
        Cause.CONTENT_FILTERED,
        Cause.REFUSAL,
        Cause.TRUNCATED,
        Cause.EMPTY,
        Cause.PROVIDER_REJECTS_INPUT,
    }
)
"""The endpoint works: it has read the text and answered to it."""


@dataclass(frozen=True, slots=True)
class Breaker:
    """
    How an endpoint did lately.

    >>> Breaker().after(Cause.AUTH).open_for
    <Cause.AUTH: 'auth'>
    """

    reason: Cause | None = None
    """Of the last failures."""
    streak: int = 0
    """How many of them there were in a row."""
    open_for: Cause | None = None
    """Why the endpoint is not to be asked; None if it may be. A new `Breaker` closes it."""

    @property
    def is_open(self) -> bool:
        return self.open_for is not None

    def after(self, outcome: Cause | None) -> Breaker:
        """Return what is known after one more call; its outcome is None if it went well."""
        if self.is_open or outcome is Cause.RATE_LIMITED:
            # Of calls still under way when it opened nothing is to be learnt; and too many
            # requests are a matter of waiting.
            return self
        if outcome is None or outcome in _ABOUT_THE_INPUT:
            return Breaker()
        streak = self.streak + 1 if outcome is self.reason else 1
        if streak >= STREAK or RULES[outcome].effect is Consequence.PAUSES:
            return Breaker(outcome, streak, open_for=outcome)
        return Breaker(outcome, streak)
