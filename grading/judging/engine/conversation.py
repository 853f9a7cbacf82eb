"""
Asking a judge one question until there is a verdict, or a reason why there is none.

What was replied to it before comes first. A call that failed is made again by the rules of
`endpoints.retries`. A reply that could not be read, or contradicts itself, is asked for once more
with a reminder of the form; one that was cut off, with twice the room. Every call is kept as soon
as it has ended, with the token that its reply has to bear: what is gone on with later is read, and
asked on, under the same one.
"""

import random
import time
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from typing import Any, cast

from grading.endpoints import (
    CallFailure,
    Cost,
    EndpointError,
    GiveUp,
    Message,
    Parameters,
    Policy,
    Reply,
    Wait,
    decide,
    estimate_cost,
    estimate_tokens,
)
from grading.judging.engine.store import Called, CallLine, Halted, Store
from phybench_grader.judges import Judgement, Reason
from phybench_grader.judges.kinds.kind import Read
from phybench_grader.judges.prompts import Prompt
from phybench_grader.judges.replies.reply import JudgeReply as ReadableReply

MORE_ROOM = 2
"""By which a reply's largest length grows after one was cut off."""


@dataclass(frozen=True, slots=True)
class Seat:
    """One judge of a run, and how it is asked."""

    name: str
    line: CallLine
    parameters: Parameters
    policy: Policy


@dataclass(frozen=True, slots=True)
class JudgeQuestion:
    """What is asked, how the reply is read, and how this is told from other questions."""

    prompt: Prompt
    read: Read
    names: Mapping[str, Any]
    """Of item, judge, repeat and order, for the record of each call."""


class Conversation:
    """One question on its way: what was said so far, and what is said next."""

    def __init__(self, seat: Seat, question: JudgeQuestion, store: Store) -> None:
        self._seat = seat
        self._question = question
        self._store = store
        self._recalled = list(store.recall(question.names))
        prompt = question.prompt
        earlier = self._recalled[0].token if self._recalled else ""
        self._prompt = prompt.under(earlier) if earlier else prompt.redrawn()
        self._messages = self._prompt.messages
        self._parameters = seat.parameters
        self._purpose = "first"
        self._failures: list[CallFailure] = []
        self.attempts = 0
        self.cost = Cost()
        self._started = time.monotonic()
        self._earlier: Judgement[Any] | None = None
        """The one that was asked about again."""
        self._judgement: Judgement[Any] | None = None

    def finish(self) -> Judgement[Any]:
        """
        Ask until there is a verdict or no further try may help.

        Raises:
            Halted: the run makes no more calls, and there is no verdict yet.
        """
        while self._judgement is None:
            self._go_on()
        return self._judgement.flagged(*self._prompt.flags)

    def _go_on(self) -> None:
        """Hear one reply and settle what follows from it."""
        is_recalled = bool(self._recalled)
        try:
            judgement, called, text = self._recall() if is_recalled else self._call()
        except Halted:
            if not self._settle_for_earlier():
                raise
            return
        if isinstance(called.outcome, EndpointError) and called.outcome.reply is None:
            self._failures.append(CallFailure.of(called.outcome))
            self._try_again(is_recalled=is_recalled)
        elif judgement.asks_again and self._earlier is None:
            self._ask_again(judgement, text)
        else:
            self._choose(judgement)

    def _recall(self) -> tuple[Judgement[Any], Called, str]:
        return self._hear(self._recalled.pop(0))

    def _call(self) -> tuple[Judgement[Any], Called, str]:
        """Make one call as soon as budget and endpoint allow it."""
        messages = [Message(cast(Any, one["role"]), one["content"]) for one in self._messages]
        tokens = estimate_tokens(messages, self._parameters)
        estimate = estimate_cost(*tokens, self._seat.line.prices)
        while True:
            self._store.reserve(self._seat.name, estimate)
            try:
                called = self._seat.line.ask(messages, self._parameters)
            except Exception:
                self._store.release(estimate)
                raise
            if not isinstance(called, Wait):
                break
            self._store.release(estimate)
            self._store.wait(called.seconds)
        heard = self._hear(called)
        self._store.keep_call(estimate, called, self._describe(called, heard[0]))
        return heard

    def _hear(self, called: Called) -> tuple[Judgement[Any], Called, str]:
        """Read what came of a call; return with it the text of the reply, if there is one."""
        self.attempts += 1
        self.cost += called.cost
        reply = _as_readable(called.outcome)
        if reply is not None:
            return self._question.read(reply, self._prompt), called, reply.text or ""
        error = cast(EndpointError, called.outcome)
        return Judgement.missing(Reason(error.reason.value)), called, ""

    def _try_again(self, *, is_recalled: bool) -> None:
        """Wait for the next try of a call that failed, or give up."""
        next_step = decide(
            self._failures,
            random=random.random,
            policy=self._seat.policy,
            age=time.monotonic() - self._started,
        )
        if isinstance(next_step, GiveUp):
            self._choose(Judgement.missing(Reason(next_step.reason.value)))
            return
        self._purpose = "retry"
        if is_recalled:
            # What was waited for after a call that is there is over.
            return
        try:
            self._store.wait(next_step.seconds)
        except Halted:
            if not self._settle_for_earlier():
                raise

    def _ask_again(self, judgement: Judgement[Any], text: str) -> None:
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
                self._messages = self._prompt.remind(text)

    def _choose(self, judgement: Judgement[Any]) -> None:
        """Take the last judgement, unless an earlier one had a verdict and this one has none."""
        earlier = self._earlier
        has_lost = earlier is not None and earlier.is_scored and not judgement.is_scored
        self._judgement = earlier if has_lost else judgement

    def _settle_for_earlier(self) -> bool:
        """Take a verdict that was only to be asked about once more, where there is one."""
        if self._earlier is not None and self._earlier.is_scored:
            self._judgement = self._earlier
        return self._judgement is not None

    def _describe(self, called: Called, judgement: Judgement[Any]) -> dict[str, Any]:
        """Write all that is to be known of one call; the key is nowhere in it."""
        outcome = called.outcome
        reply = outcome.reply if isinstance(outcome, EndpointError) else outcome
        kind, verdict = self._prompt.template.variant.kind, judgement.verdict
        return {
            **self._question.names,
            "attempt": self.attempts,
            "purpose": self._purpose,
            "at": datetime.now(UTC).isoformat(timespec="seconds"),
            "template": self._prompt.template.name,
            "template_hash": self._prompt.template.sha256,
            "token": self._prompt.token,
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
                "says_right": None if verdict is None else kind.says_right(kind.write(verdict)),
                **kind.describe_reply(verdict),
            },
            "exchanges": [asdict(exchange) for exchange in outcome.exchanges],
        }


def _as_readable(outcome: Reply | EndpointError) -> ReadableReply | None:
    """Return what there is to read: also of a reply that was cut off, filtered or refused."""
    if isinstance(outcome, Reply):
        return ReadableReply(outcome.text, outcome.finish_reason)
    if outcome.reply is None:
        return None
    is_refusal = outcome.reason.value == Reason.REFUSAL.value
    return ReadableReply(outcome.reply.text, outcome.reply.finish_reason, is_refusal)
