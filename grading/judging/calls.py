"""
The calls about one item of a run: those that were made are given again, new ones are made.

A worker that was killed, or had to wait, leaves what was replied in rows. Whoever comes next goes
through the same questions; what is there is read once more, and only what is missing is asked.
"""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from datetime import timedelta
from decimal import Decimal
from typing import Any, TypeVar

from django.conf import settings
from django.db import transaction
from django.db.models import Count, Sum
from django.utils import timezone

from grading.calling import calls as calling
from grading.endpoints import (
    Allowance,
    Budget,
    Cost,
    EndpointError,
    Exhausted,
    Message,
    Parameters,
    Reply,
    Usage,
    Wait,
    estimate_cost,
    estimate_tokens,
)
from grading.endpoints import Reason as CallReason
from grading.endpoints.text import clean
from grading.expressions import Sentence
from grading.judging.engine.asking import Answered, Asker, Question
from grading.judging.engine.calls import Called
from grading.judging.models.calls import JudgeCall
from grading.judging.models.runs import JudgeItem, JudgeRun, RunJudge

Verdict = TypeVar("Verdict")
LONGEST_KEPT = 200_000
"""Characters of a reply."""
UNTIL_OTHERS_ARE_DONE = 2.0
"""Seconds to wait where only what others have set aside is in the way of a budget."""


class PutOff(Exception):
    """The item is gone on with later."""

    def __init__(self, seconds: float) -> None:
        super().__init__(seconds)
        self.wait = Wait(seconds)


class Halt(Exception):
    """The run can't go on: somebody has to do something first."""

    def __init__(self, reason: str, message: Sentence) -> None:
        super().__init__(reason, message)
        self.reason, self.message = reason, message


class LetGo(Exception):
    """The item is not ours any more, or its run was paused: another time, by whoever comes."""


class ItemCaller:
    """One judge as it is asked about one claimed item."""

    def __init__(self, item: JudgeItem, judge: RunJudge, kept: Sequence[JudgeCall]) -> None:
        self._item = item
        self._judge = judge
        self._kept = list(kept)
        self._left: list[JudgeCall] = []
        self._is_replay = False
        self._asked: calling.Asked | None = None
        self._request = ""

    @property
    def gate(self) -> "ItemCaller":
        return self

    def begin(self, names: Mapping[str, Any]) -> None:
        """Turn to a question: what was replied to it before comes first."""
        voice = [
            one
            for one in self._kept
            if (one.repeat, one.order) == (names["repeat"], names["order"])
        ]
        # A round that ended without a verdict is over; one that has a verdict is not asked again.
        last = max((one.round for one in voice), default=0)
        of_last = [one for one in voice if one.round == last]
        is_open = last == self._item.round
        self._left = of_last if of_last and (is_open or not of_last[-1].read_reason) else []

    def call(self, messages: Sequence[Message], parameters: Parameters) -> Called:
        """
        Give the next reply that is there, or make one call.

        Raises:
            PutOff: not yet. Halt: not before somebody has done something. LetGo: not by us.
        """
        self._is_replay = bool(self._left)
        if self._left:
            row = self._left.pop(0)
            return Called(read_outcome(row), _cost(row))
        estimate = estimate_cost(
            *estimate_tokens(messages, parameters), self._judge.endpoint.prices
        )
        self._hold()
        self._reserve(estimate)
        self._request = _hash(messages, parameters)
        try:
            asked = calling.ask(self._judge.endpoint_id, messages, parameters)
        except calling.NotNow as not_now:
            self._give_back()
            raise Halt(not_now.reason, not_now.message) from None
        if isinstance(asked, Wait):
            self._give_back()
            raise PutOff(asked.seconds)
        self._asked = asked
        return Called(asked.outcome, asked.cost)

    def wait(self, seconds: float) -> None:
        """Come back later. What was waited for before a reply that is there is over."""
        if not self._is_replay:
            raise PutOff(seconds)

    def keep(self, described: Mapping[str, Any]) -> None:
        """
        Write down the call that was just made, and how its reply was read.

        Raises:
            LetGo: somebody else has the item by now. What the call cost is kept, and nothing else.
        """
        if self._is_replay or self._asked is None:
            return
        asked, self._asked = self._asked, None
        with transaction.atomic():
            is_ours = _ours(self._item).select_for_update().exists()
            row = self._write(asked, described) if is_ours else None
            calling.keep(asked, judge_call=row)
            self._give_back()
        if row is None:
            raise LetGo

    def _write(self, asked: calling.Asked, described: Mapping[str, Any]) -> JudgeCall:
        error = asked.error
        return JudgeCall.objects.create(
            item=self._item,
            round=self._item.round,
            judge=self._judge.name,
            repeat=described["repeat"],
            order=described["order"],
            attempt=described["attempt"],
            purpose=described["purpose"],
            template=described["template"],
            template_sha256=described["template_hash"],
            request_sha256=self._request,
            reply=_write_reply(asked.reply),
            reason=error.reason.value if error else "",
            retry_after=error.retry_after if error else None,
            read_path=described["parsed"]["path"],
            read_reason=described["parsed"]["reason"] or "",
            read_flags=described["parsed"]["flags"],
            read_preference=described["parsed"].get("preferred", ""),
            calls=asked.cost.calls,
            tokens=asked.cost.tokens,
            money=asked.cost.money,
            estimated=asked.cost.estimated,
        )

    def _hold(self) -> None:
        """Keep the item for one more call, if it is still ours and its run goes on."""
        endpoint = self._judge.endpoint
        seconds = endpoint.seconds_a_call + settings.CALLING_MARGIN_SECONDS
        held = _ours(self._item).filter(run__state=JudgeRun.State.RUNNING)
        if not held.update(lease_until=timezone.now() + timedelta(seconds=seconds)):
            raise LetGo

    @transaction.atomic
    def _reserve(self, estimate: Cost) -> None:
        run = JudgeRun.objects.select_for_update(no_key=True).get(pk=self._item.run_id)
        set_aside = run.items.filter(reserved_calls__gt=0).aggregate(
            calls=Count("pk"), tokens=Sum("reserved_tokens"), money=Sum("reserved_money")
        )
        spent = JudgeCall.objects.filter(item__run=run).cost() + run.lost()
        reserved = Cost(
            set_aside["calls"], set_aside["tokens"] or 0, set_aside["money"] or Decimal(0)
        )
        allowed = Allowance(run.most_calls, run.most_tokens, run.most_money)
        try:
            Budget(allowed, spent, reserved).reserve(estimate)
        except Exhausted as exhausted:
            if reserved.calls:
                raise PutOff(UNTIL_OTHERS_ARE_DONE) from None
            raise Halt(f"budget_{exhausted.what}", Sentence("run_spent")) from None
        _ours(self._item).update(
            reserved_calls=1, reserved_tokens=estimate.tokens, reserved_money=estimate.money
        )

    def _give_back(self) -> None:
        _ours(self._item).update(reserved_calls=0, reserved_tokens=0, reserved_money=0)


class ItemAsker(Asker):
    """Asks one judge about one item, what was replied before first."""

    def ask(self, question: Question[Verdict]) -> Answered[Verdict]:
        if isinstance(self.caller, ItemCaller):
            self.caller.begin(question.names)
        return super().ask(question)


def _ours(item: JudgeItem) -> Any:
    """Find the row if we still hold it: `tries` tells one claim from the next."""
    return JudgeItem.objects.filter(pk=item.pk, state=JudgeItem.State.JUDGING, tries=item.tries)


def read_outcome(row: JudgeCall) -> Reply | EndpointError:
    """Give back what came of a call that was made, without what was sent."""
    reply = _read_reply(row.reply)
    if not row.reason and reply is not None:
        return reply
    return EndpointError(CallReason(row.reason), retry_after=row.retry_after, reply=reply)


def _cost(row: JudgeCall) -> Cost:
    return Cost(row.calls, row.tokens, row.money, row.estimated)


def _write_reply(reply: Reply | None) -> dict[str, Any] | None:
    if reply is None:
        return None
    return {
        "text": clean(reply.text[:LONGEST_KEPT]),
        "reasoning": clean(reply.reasoning[:LONGEST_KEPT]),
        "finish_reason": reply.finish_reason[:60],
        "model": reply.model[:200],
        "fingerprint": reply.fingerprint[:200],
        "usage": asdict(reply.usage) if reply.usage else None,
    }


def _read_reply(kept: dict[str, Any] | None) -> Reply | None:
    if kept is None:
        return None
    usage = kept["usage"]
    return Reply(**{**kept, "usage": Usage(**usage) if usage else None})


def _hash(messages: Sequence[Message], parameters: Parameters) -> str:
    text = repr([(one.role, one.content) for one in messages] + [repr(parameters)])
    return hashlib.sha256(text.encode("utf-8", "backslashreplace")).hexdigest()
