"""Whether what endpoints allow today will do for a run, before it is begun."""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from django.db.models import Count, Sum

from grading.calling.models import Endpoint
from grading.endpoints import Cost
from grading.judging.setup import Chosen, Estimate


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
