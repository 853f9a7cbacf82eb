"""The values that go into a call and come out of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from phybench_grader.judges.call_reasons import Cause


@dataclass(frozen=True, slots=True)
class Message:
    role: Literal["system", "user", "assistant"]
    content: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Parameters:
    """What to ask for, besides the messages; what is None is left to the endpoint."""

    model: str
    max_tokens: int | None = None
    """Tokens that the reply may have, those of its reasoning counted."""
    temperature: float | None = None
    top_p: float | None = None
    seed: int | None = None
    reasoning_effort: str | None = None
    response_format: Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class Usage:
    """What the endpoint says it counted, in tokens."""

    prompt: int
    completion: int
    """Those of the reasoning included."""
    reasoning: int | None = None

    @property
    def total(self) -> int:
        return self.prompt + self.completion


@dataclass(frozen=True, slots=True)
class Exchange:
    """One HTTP call as it was made; the key is nowhere in it."""

    url: str
    request: str
    """The JSON that was sent; nothing for a GET."""
    seconds: float
    """From before the name was looked up to the last byte, or to the failure."""
    status: int | None = None
    """None if no response came."""
    headers: Mapping[str, str] = field(default_factory=dict)
    """Those worth keeping, by their names in lower case."""
    body: str = ""
    """As it came, but for bytes that are not text; no longer than the limit for a response."""
    reason: Cause | None = None
    """Why it failed; None if it did not."""


@dataclass(frozen=True, slots=True)
class Reply:
    """What a model replied. Texts hold nothing that a database could not keep."""

    text: str
    reasoning: str = ""
    """What the model thought, where the endpoint tells it apart; never part of the reply."""
    finish_reason: str = ""
    usage: Usage | None = None
    model: str = ""
    """The model that the endpoint says it was."""
    fingerprint: str = ""
    """The endpoint's `system_fingerprint`."""
    exchanges: tuple[Exchange, ...] = ()
    """Every HTTP call made for it: more than one if a parameter had to be left out."""

    @property
    def raw(self) -> str:
        """The response's body."""
        return self.exchanges[-1].body

    @property
    def headers(self) -> Mapping[str, str]:
        return self.exchanges[-1].headers

    @property
    def seconds(self) -> float:
        """How long it took, all calls together."""
        return sum(exchange.seconds for exchange in self.exchanges)
