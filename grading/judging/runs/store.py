"""
A claimed item of a run as the engine's store: what was replied before is there, in rows.

A worker that was killed, or had to wait, leaves what was replied. Whoever comes next goes through
the same questions; what is there is read once more, and only what is missing is asked.
"""

import hashlib
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from decimal import Decimal
from typing import Any

from django.db import transaction
from django.db.models import Count, Sum

from grading.endpoints import (
    Allowance,
    Budget,
    Cost,
    EndpointError,
    Exhausted,
    Message,
    Parameters,
    Prices,
    Reply,
    Usage,
    Wait,
)
from grading.endpoints import Cause as CallReason
from grading.endpoints.text import clean
from grading.judging.engine.store import Called
from grading.judging.judgements.models import JudgeCall
from grading.judging.models import JudgeItem, JudgeRun
from grading.runs import calls as calling
from grading.runs.models import Endpoint
from phybench.work.models import Lost
from phybench_grader.numbers.sentences import Sentence

LONGEST_KEPT = 200_000
"""Characters of a reply."""
UNTIL_OTHERS_ARE_DONE = 2.0
"""Seconds to wait where only what others have set aside is in the way of a budget."""
NOTHING_RESERVED = {"reserved_calls": 0, "reserved_tokens": 0, "reserved_money": 0}


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


class AtRest(Exception):
    """The run was paused or cancelled meanwhile: no new call is made."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Made(Called):
    """A call that was just made, with all that is to be kept of it."""

    asked: calling.Asked
    request_sha256: str


@dataclass(frozen=True, slots=True)
class EndpointLine:
    """One judge as it is asked at an endpoint."""

    endpoint: Endpoint
    run: JudgeRun

    @property
    def prices(self) -> Prices:
        return self.endpoint.prices

    def ask(self, messages: Sequence[Message], parameters: Parameters) -> Made | Wait:
        try:
            asked = calling.ask(self.endpoint.pk, messages, parameters, run=self.run)
        except calling.NotNow as not_now:
            raise Halt(not_now.reason, not_now.message) from None
        if isinstance(asked, Wait):
            return asked
        request = _hash(messages, parameters)
        return Made(asked.outcome, asked.cost, asked=asked, request_sha256=request)


class RowStore:
    """
    One claimed item.

    It raises `PutOff` where it is to be gone on with later, `Halt` where somebody has to do
    something first, `AtRest` where somebody has, and `Lost` where the item is not ours any more.
    """

    def __init__(self, item: JudgeItem) -> None:
        self._item = item
        self._kept: dict[tuple[str, int, str], list[JudgeCall]] = defaultdict(list)
        for call in item.calls.all():
            self._kept[call.judge, call.repeat, call.order].append(call)

    def recall(self, names: Mapping[str, Any]) -> Sequence[Called]:
        """Return what was replied, unless a round ended with it and without a verdict."""
        voice = self._kept[names["judge"], names["repeat"], names["order"]]
        last = max((one.round for one in voice), default=0)
        of_last = [one for one in voice if one.round == last]
        is_open = last == self._item.round
        if not of_last or (of_last[-1].read_reason and not is_open):
            return ()
        return [Called(read_outcome(row), _cost(row), row.token) for row in of_last]

    @transaction.atomic
    def reserve(self, judge: str, estimate: Cost) -> None:
        run = JudgeRun.objects.select_for_update(no_key=True).get(pk=self._item.run_id)
        if run.state != JudgeRun.State.RUNNING:
            raise AtRest
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
        self._item.keep(
            reserved_calls=1, reserved_tokens=estimate.tokens, reserved_money=estimate.money
        )

    def release(self, estimate: Cost) -> None:
        self._item.ours().update(**NOTHING_RESERVED)

    def wait(self, seconds: float) -> None:
        raise PutOff(seconds)

    def keep_call(self, estimate: Cost, called: Called, described: Mapping[str, Any]) -> None:
        """
        Write down a call that was just made, and how its reply was read.

        Where somebody else has the item by now, what it cost is kept and nothing else.
        """
        assert isinstance(called, Made)
        with transaction.atomic():
            is_ours = self._item.ours().select_for_update().exists()
            row = self._write(called, described) if is_ours else None
            calling.keep(called.asked, run=self._item.run, item=row.pk if row else None)
            self.release(estimate)
        if row is None:
            raise Lost(self._item.pk)

    def _write(self, made: Made, described: Mapping[str, Any]) -> JudgeCall:
        asked, error = made.asked, made.asked.error
        return JudgeCall.objects.create(
            item=self._item,
            round=self._item.round,
            judge=described["judge"],
            repeat=described["repeat"],
            order=described["order"],
            attempt=described["attempt"],
            purpose=described["purpose"],
            template=described["template"],
            template_sha256=described["template_hash"],
            request_sha256=made.request_sha256,
            token=described["token"],
            reply=_write_reply(asked.reply),
            reason=error.reason.value if error else "",
            retry_after=error.retry_after if error else None,
            read_path=described["parsed"]["path"],
            read_reason=described["parsed"]["reason"] or "",
            read_flags=described["parsed"]["flags"],
            read_preference=described["parsed"].get("preferred", ""),
            says_right=described["parsed"]["says_right"],
            calls=asked.cost.calls,
            tokens=asked.cost.tokens,
            money=asked.cost.money,
            estimated=asked.cost.estimated,
        )


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
