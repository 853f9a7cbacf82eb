"""What a run may cost, and whether what endpoints allow today will do for it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from typing import Any

from django.db.models import Count, Sum

from grading.calling.models import Endpoint
from grading.endpoints import Cost, Message, estimate_cost, estimate_tokens
from grading.judges import Judgement, Mode, Reason
from grading.judges.items import Item
from grading.judges.prompts import Prompt
from grading.judging.engine.bench import prepare
from grading.judging.engine.configuration import Configuration
from grading.judging.prompts.configurations import Chosen


@dataclass(frozen=True, slots=True)
class Estimate:
    """What a run may cost at most, if no call has to be made again."""

    items: int
    skipped: int
    reused: int
    cost: Cost
    rules_come_first: bool
    """Which may spare some."""
    asked_again: int
    """Calls that there are at most, if each has to be made as often as it may."""
    by_endpoint: Mapping[int, Cost] = field(default_factory=dict)


def estimate(
    configuration: Configuration,
    items: Sequence[Item],
    judges: Sequence[Chosen],
    *,
    known: frozenset[str] = frozenset(),
    attempts: int = 5,
) -> Estimate:
    """Say what judging items takes; those whose input hash is in `known` are not asked about."""
    shares = {judge.endpoint.pk: Cost() for judge in judges}
    skipped, reused = 0, 0
    for item in items:
        if not item.canary and item.input_hash in known:
            reused += 1
            continue
        prompts: list[Prompt] = []
        hear = prepare(item, configuration)
        if isinstance(hear, Reason):
            skipped += 1
            continue
        hear(_Noting(prompts))
        for judge in judges:
            parameters = replace(configuration.parameters, model=judge.model)
            for prompt in prompts:
                messages = [Message("user", one["content"]) for one in prompt.messages]
                tokens = estimate_tokens(messages, parameters)
                for _time in range(configuration.repeats):
                    shares[judge.endpoint.pk] += estimate_cost(*tokens, judge.endpoint.prices)
    total = sum(shares.values(), Cost())
    return Estimate(
        items=len(items),
        skipped=skipped,
        reused=reused,
        cost=total,
        rules_come_first=configuration.mode is Mode.CASCADE,
        asked_again=total.calls * attempts,
        by_endpoint=shares,
    )


class _Noting:
    """Notes what would be asked, and asks nobody."""

    def __init__(self, prompts: list[Prompt]) -> None:
        self._prompts = prompts

    def __call__(self, prompt: Prompt, read: Any, *, order: str = "") -> Any:
        self._prompts.append(prompt)
        # Said to be there: without one in the first order, a pair is not asked in the second.
        return Judgement("")


# --- What is left of it today ----------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Left:
    """What one endpoint still allows today of one thing, and what a run may need of it."""

    endpoint: Endpoint
    what: str
    """`calls`, `tokens` or `money`."""
    limit: Decimal | int
    left: Decimal | int
    needed: Decimal | int

    @property
    def is_short(self) -> bool:
        return self.needed > self.left


def list_left(estimate: Estimate, judges: Sequence[Chosen]) -> list[Left]:
    """List what the judges' endpoints limit by the day, in two queries an endpoint."""
    endpoints = {judge.endpoint.pk: judge.endpoint for judge in judges}
    return [
        one
        for pk, endpoint in endpoints.items()
        for one in _list_of(endpoint, estimate.by_endpoint.get(pk, Cost()))
    ]


def _list_of(endpoint: Endpoint, needed: Cost) -> list[Left]:
    allowance = endpoint.allowance
    limits = {"calls": allowance.calls, "tokens": allowance.tokens, "money": allowance.money}
    spent = endpoint.spending.of_today().cost()
    # What is set aside counts as spent, whether or not its call comes to an end.
    aside = endpoint.under_way.aggregate(
        calls=Count("pk"), tokens=Sum("tokens"), money=Sum("money")
    )
    return [
        Left(
            endpoint,
            what,
            limit,
            max(limit * 0, limit - getattr(spent, what) - (aside[what] or 0)),
            getattr(needed, what),
        )
        for what, limit in limits.items()
        if limit is not None
    ]
