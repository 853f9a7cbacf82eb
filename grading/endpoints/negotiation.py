"""
What an endpoint takes, and what to do about a parameter that it refuses.

Endpoints agree on the form of a request and not on its parameters. What one refuses is left out,
or put in another way, once; what was learnt is a value that the caller keeps for the next call.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from grading.endpoints.replies import Message, Parameters

MAX_TOKENS, MAX_COMPLETION_TOKENS = "max_tokens", "max_completion_tokens"
SYSTEM = "system"
"""Stands for the system role among the parameters."""
OPTIONAL = frozenset({"temperature", "top_p", "seed", "reasoning_effort", "response_format"})
"""What can be left out: the request is the same one without it."""

_OTHER_NAMES = {
    "response_format": r"json_schema|json_object|structured outputs?|json mode",
    "reasoning_effort": r"reasoning\.effort|reasoning effort",
    SYSTEM: r"system (?:role|message|prompt|instruction)s?|developer instructions?|role '?system"
    r"|messages\[0\]\.role|(?:role|messages)\W.{0,60}\bsystem\b",
}
# A number out of range is refused, not the parameter: leaving it out would ask something else.
_OF_VALUE = re.compile(
    r"too (?:large|small|high|low|big)|at (?:most|least)|between|(?:less|greater) than|must be|"
    r"out of range|maximum|minimum|at_most|at_least|>=|<=",
    re.I,
)
_OF_NAME = re.compile(
    r"unsupported|not (?:\w+ ){0,2}(?:support|permit|allow|enabl|recogni|accept)|"
    r"unrecogni[sz]ed|unknown|unexpected|extra|deprecated|only the default|instead",
    re.I,
)
_WITH_RANGE = frozenset({MAX_TOKENS, MAX_COMPLETION_TOKENS, "temperature", "top_p", "seed"})


@dataclass(frozen=True, slots=True)
class Capabilities:
    """
    What is known of an endpoint and model: at first, that it takes what most do.

    >>> Capabilities.from_json(Capabilities(frozenset({"seed"})).to_json()).refused
    frozenset({'seed'})
    """

    refused: frozenset[str] = frozenset()
    """Parameters that are left out; of `OPTIONAL`."""
    max_tokens_name: str = MAX_TOKENS
    takes_system_role: bool = True
    """If not, what the system says stands before what the first user says."""

    def to_json(self) -> dict[str, Any]:
        return {
            "refused": sorted(self.refused),
            "max_tokens_name": self.max_tokens_name,
            "takes_system_role": self.takes_system_role,
        }

    @classmethod
    def from_json(cls, document: Mapping[str, Any]) -> Capabilities:
        """Take back what `to_json` gave; what is not there is as at first."""
        return cls(**{**document, "refused": frozenset(document.get("refused", ()))})

    def build_request(self, messages: Sequence[Message], parameters: Parameters) -> dict[str, Any]:
        """Write the request, without what is refused."""
        request: dict[str, Any] = {
            "model": parameters.model,
            "messages": [
                {"role": message.role, "content": message.content}
                for message in (messages if self.takes_system_role else _fold_system(messages))
            ],
        }
        if parameters.max_tokens is not None:
            request[self.max_tokens_name] = parameters.max_tokens
        for name in sorted(OPTIONAL - self.refused):
            value = getattr(parameters, name)
            if value is not None:
                request[name] = value
        return request

    def without(self, parameter: str) -> Capabilities | None:
        """Return what is left to try when a parameter is refused; None if nothing is."""
        if parameter == MAX_TOKENS and self.max_tokens_name == MAX_TOKENS:
            return replace(self, max_tokens_name=MAX_COMPLETION_TOKENS)
        if parameter == SYSTEM and self.takes_system_role:
            return replace(self, takes_system_role=False)
        if parameter in OPTIONAL - self.refused:
            return replace(self, refused=self.refused | {parameter})
        return None


def list_sent(request: dict[str, Any]) -> frozenset[str]:
    """Name the parameters of a request that could be refused."""
    sent = set(request) - {"model", "messages"}
    if any(message["role"] == "system" for message in request["messages"]):
        sent.add(SYSTEM)
    return frozenset(sent)


def find_parameter(text: str, named: str, sent: Collection[str]) -> str:
    """
    Find which of the parameters sent a complaint is about; nothing if none.

    >>> find_parameter("'temperature' does not support 0 with this model", "", {"temperature"})
    'temperature'
    """
    refuses = _OF_NAME.search(text) is not None
    for name in sorted(sent):
        if name == named or _mentions(named, name):
            # A parameter is named for its value too.
            return "" if name in _WITH_RANGE and _OF_VALUE.search(text) and not refuses else name
    # A word in passing is not enough: texts on physics are full of temperatures.
    return next(
        (
            name
            for name in sorted(sent)
            if (refuses or name == "response_format") and _mentions(text, name)
        ),
        "",
    )


def _mentions(text: str, parameter: str) -> bool:
    other = _OTHER_NAMES.get(parameter)
    # The system role is a word of every day; only its phrases tell.
    pattern = other if parameter == SYSTEM else rf"(?<!\w){parameter}(?!\w)"
    if other and parameter != SYSTEM:
        pattern = f"{pattern}|{other}"
    return re.search(pattern or "", text, re.I | re.S) is not None


def _fold_system(messages: Sequence[Message]) -> list[Message]:
    said = [message.content for message in messages if message.role == "system"]
    others = [message for message in messages if message.role != "system"]
    first = next((i for i, message in enumerate(others) if message.role == "user"), None)
    if not said:
        return others
    if first is None:
        return [Message("user", "\n\n".join(said)), *others]
    content = "\n\n".join([*said, others[first].content])
    return [*others[:first], Message("user", content), *others[first + 1 :]]
