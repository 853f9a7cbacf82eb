"""
Asking a judge one question until there is a verdict, or a reason why there is none.

A call that failed is made again by the rules of `endpoints.retrying`. A reply that could not be
read, or contradicts itself, is asked for once more with a reminder of the form; one that was cut
off, with twice the room. Every call is told to `keep` as soon as it has ended.
"""

import random
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from datetime import UTC, datetime
from typing import Any, Generic, TypeVar, cast

from grading.endpoints import (
    Cost,
    EndpointError,
    Failure,
    GiveUp,
    Message,
    Parameters,
    Policy,
    Reply,
    decide,
)
from grading.judges import Judgement, Reason
from grading.judges.prompts import Prompt
from grading.judges.replies import Preference
from grading.judges.replies import Reply as ReadableReply
from grading.judging.engine.calls import Called, Calls, Halted

Verdict = TypeVar("Verdict")
Kept = Callable[[dict[str, Any]], None]
"""Takes what is to be known of one call, ready to be written as JSON."""

MORE_ROOM = 2
"""By which a reply's largest length grows after one was cut off."""


@dataclass(frozen=True, slots=True)
class Question(Generic[Verdict]):
    """What is asked, how the reply is read, and how this is told from other questions."""

    prompt: Prompt
    read: Callable[[ReadableReply], Judgement[Verdict]]
    names: Mapping[str, Any] = field(default_factory=dict)
    """Of item, judge, repeat and order, for the record of each call."""


@dataclass(frozen=True, slots=True)
class Answered(Generic[Verdict]):
    """What came of a question, and what it took."""

    judgement: Judgement[Verdict]
    attempts: int
    cost: Cost


@dataclass(slots=True)
class Asker:
    """Asks one judge; threads may share it."""

    caller: Calls
    parameters: Parameters
    policy: Policy
    keep: Kept

    def ask(self, question: Question[Verdict]) -> Answered[Verdict]:
        """
        Ask until there is a verdict or no further try may help.

        Raises:
            Halted: the run makes no more calls, and there is no verdict yet.
        """
        conversation = Conversation(self, question)
        while not conversation.is_over:
            conversation.go_on()
        return conversation.answered


class Conversation(Generic[Verdict]):
    """One question on its way: what was said so far, and what is said next."""

    def __init__(self, asker: Asker, question: Question[Verdict]) -> None:
        self._asker = asker
        self._question = question
        self._messages = question.prompt.messages
        self._parameters = asker.parameters
        self._purpose = "first"
        self._failures: list[Failure] = []
        self._attempts = 0
        self._cost = Cost()
        self._started = time.monotonic()
        self._earlier: Judgement[Verdict] | None = None
        """The one that was asked about again."""
        self._judgement: Judgement[Verdict] | None = None

    @property
    def is_over(self) -> bool:
        return self._judgement is not None

    @property
    def answered(self) -> Answered[Verdict]:
        if self._judgement is None:
            raise ValueError("nothing was answered yet")
        judgement = self._judgement.flagged(*self._question.prompt.flags)
        return Answered(judgement, self._attempts, self._cost)

    def go_on(self) -> None:
        """Make one call and settle what follows from it."""
        try:
            called = self._asker.caller.call(_as_messages(self._messages), self._parameters)
        except Halted:
            if not self._settle_for_earlier():
                raise
            return
        self._attempts += 1
        self._cost += called.cost
        reply = _as_readable(called.outcome)
        if reply is not None:
            judgement = self._question.read(reply)
        else:
            judgement = Judgement.missing(Reason(cast(EndpointError, called.outcome).reason.value))
        self._asker.keep(self._describe(called, judgement))
        if isinstance(called.outcome, EndpointError) and reply is None:
            self._failures.append(Failure.of(called.outcome))
            self._try_again()
        elif judgement.asks_again and self._earlier is None:
            self._ask_again(judgement, reply.text if reply and reply.text else "")
        else:
            self._choose(judgement)

    def _try_again(self) -> None:
        """Wait for the next try of a call that failed, or give up."""
        next_step = decide(
            self._failures,
            random=random.random,
            policy=self._asker.policy,
            age=time.monotonic() - self._started,
        )
        if isinstance(next_step, GiveUp):
            self._choose(Judgement.missing(Reason(next_step.reason.value)))
            return
        self._purpose = "retry"
        try:
            self._asker.caller.gate.wait(next_step.seconds)
        except Halted:
            if not self._settle_for_earlier():
                raise

    def _ask_again(self, judgement: Judgement[Verdict], text: str) -> None:
        self._earlier = judgement
        if judgement.reason is Reason.TRUNCATED:
            self._purpose = "more_room"
            most = self._parameters.max_tokens
            if most is not None:
                self._parameters = replace(self._parameters, max_tokens=most * MORE_ROOM)
        else:
            self._purpose = "reminder"
            # Some endpoints take no empty message: after an empty reply the same is asked.
            if text.strip():
                self._messages = self._question.prompt.remind(text)

    def _choose(self, judgement: Judgement[Verdict]) -> None:
        """Take the last judgement, unless an earlier one had a verdict and this one has none."""
        earlier = self._earlier
        has_lost = earlier is not None and earlier.is_scored and not judgement.is_scored
        self._judgement = earlier if has_lost else judgement

    def _settle_for_earlier(self) -> bool:
        """Take a verdict that was only to be asked about once more, where there is one."""
        if self._earlier is not None and self._earlier.is_scored:
            self._judgement = self._earlier
        return self.is_over

    def _describe(self, called: Called, judgement: Judgement[Verdict]) -> dict[str, Any]:
        """Write all that is to be known of one call; the key is nowhere in it."""
        outcome = called.outcome
        reply = outcome.reply if isinstance(outcome, EndpointError) else outcome
        return {
            **self._question.names,
            "attempt": self._attempts,
            "purpose": self._purpose,
            "at": datetime.now(UTC).isoformat(timespec="seconds"),
            "template": self._question.prompt.template.name,
            "template_hash": self._question.prompt.template.sha256,
            "reason": outcome.reason.value if isinstance(outcome, EndpointError) else None,
            "detail": outcome.detail if isinstance(outcome, EndpointError) else "",
            "reported_model": reply.model if reply else "",
            "fingerprint": reply.fingerprint if reply else "",
            "finish_reason": reply.finish_reason if reply else "",
            "usage": asdict(reply.usage) if reply and reply.usage else None,
            "calls": called.cost.calls,
            "tokens": called.cost.tokens,
            "cost": f"{called.cost.money:f}",
            "estimated": called.cost.estimated,
            "parsed": {
                "path": judgement.path,
                "reason": judgement.reason.value if judgement.reason else None,
                "flags": sorted(judgement.flags),
                **_tell_preference(judgement.verdict),
            },
            "exchanges": [asdict(exchange) for exchange in outcome.exchanges],
        }


def _tell_preference(verdict: object) -> dict[str, str]:
    """Say which place one reply about a pair prefers: it shows whether a judge leans to one."""
    return {"preferred": verdict.value} if isinstance(verdict, Preference) else {}


def _as_messages(messages: Sequence[Mapping[str, str]]) -> list[Message]:
    return [Message(cast(Any, one["role"]), one["content"]) for one in messages]


def _as_readable(outcome: Reply | EndpointError) -> ReadableReply | None:
    """Return what there is to read: also of a reply that was cut off, filtered or refused."""
    if isinstance(outcome, Reply):
        return ReadableReply(outcome.text, outcome.finish_reason)
    if outcome.reply is None:
        return None
    is_refusal = outcome.reason.value == Reason.REFUSAL.value
    return ReadableReply(outcome.reply.text, outcome.reply.finish_reason, is_refusal)
