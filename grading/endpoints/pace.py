"""One attempt at an endpoint that others call as well: in its turn, and told to the others."""

from __future__ import annotations

from collections.abc import Sequence

from grading.endpoints.client import ChatClient
from grading.endpoints.errors import EndpointError
from grading.endpoints.limiter import Limiter
from grading.endpoints.replies import Message, Parameters, Reply
from grading.endpoints.retries import Wait

CHARACTERS_A_TOKEN = 3.0
"""Fewer than English has, more than formulas and Chinese have."""
LONGEST_HOLD = 30 * 24 * 3600.0
"""Seconds that one answer can keep everybody away, whatever it asks for."""
WITHOUT_LIMIT = 1000
"""Tokens that a reply is taken to have if nothing limits it."""


def estimate_tokens(messages: Sequence[Message], parameters: Parameters) -> tuple[int, int]:
    """Guess the tokens of the prompt, and the most that the reply may have."""
    characters = sum(len(message.content) for message in messages)
    completion = parameters.max_tokens if parameters.max_tokens is not None else WITHOUT_LIMIT
    return int(characters / CHARACTERS_A_TOKEN) + 1, completion


def attempt(
    client: ChatClient, limiter: Limiter, messages: Sequence[Message], parameters: Parameters
) -> Reply | Wait:
    """
    Call the endpoint if its rate allows it now, or say in how many seconds to come back.

    Raises:
        EndpointError: the call failed; if the endpoint asked to be left alone, everybody will.
    """
    estimate = sum(estimate_tokens(messages, parameters))
    admitted = limiter.ask(estimate)
    if isinstance(admitted, Wait):
        return admitted
    used: int | None = None
    try:
        reply = client.complete(messages, parameters)
        used = reply.usage.total if reply.usage else None
        return reply
    except EndpointError as error:
        if error.reply is not None and error.reply.usage is not None:
            used = error.reply.usage.total
        if error.retry_after:
            limiter.hold_off(min(error.retry_after, LONGEST_HOLD), error.reason)
        raise
    finally:
        limiter.give_back(admitted, used=used)
