"""
What runs keep for themselves of what an endpoint allows in a day, and what is left for others.

It is counted here and nowhere else. A run reserves what it may need before it starts, so that two
runs never count on the same calls. Beyond what it has reserved a run gets what anybody gets.
"""

from dataclasses import dataclass
from decimal import ROUND_DOWN, Decimal
from typing import Any

from django.db import transaction
from django.db.models import Count, F, Sum

from grading.endpoints import Allowance, Budget, Cost
from grading.runs.models import MONEY_PLACES, Endpoint, Reservation, Run

WHATS = ("calls", "tokens", "money")
SMALLEST = Decimal(1).scaleb(-MONEY_PLACES)


def lock(endpoint_id: int) -> Endpoint:
    """Lock an endpoint's row; rows that point at it can be written meanwhile."""
    return Endpoint.objects.select_for_update(no_key=True).get(pk=endpoint_id)


def measure(endpoint: Endpoint, but_for: Run | None = None) -> Budget:
    """
    Say what may be spent today, what was, and what is set aside.

    Args:
        but_for: a run whose own reservation is not in its way.
    """
    others = endpoint.reservations.all()
    if but_for is not None:
        others = others.exclude(run=but_for)
    counted = endpoint.under_way.aggregate(
        calls=Count("pk"), tokens=Sum("tokens"), money=Sum("money")
    )
    reserved = others.aggregate(*map(Sum, WHATS))
    return Budget(
        endpoint.allowance,
        # What is set aside counts as spent, whether or not its call comes to an end.
        spent=endpoint.spending.of_today().cost(),
        reserved=_cost(counted) + _cost({what: reserved[f"{what}__sum"] for what in WHATS}),
    )


def _cost(sums: dict[str, Any]) -> Cost:
    return Cost(sums["calls"] or 0, sums["tokens"] or 0, sums["money"] or Decimal(0))


# --- What is left -----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Left:
    """What an endpoint still allows today of one thing, and what a run may need of it."""

    endpoint: Endpoint
    what: str
    """`calls`, `tokens` or `money`."""
    limit: Decimal | int
    left: Decimal | int
    needed: Decimal | int
    reserved: Decimal | int
    """By runs that are under way."""

    @property
    def is_short(self) -> bool:
        return self.needed > self.left


def list_left(endpoint: Endpoint, needed: Cost) -> list[Left]:
    """List what an endpoint limits by the day, in as many queries whoever has reserved."""
    budget = measure(endpoint)
    used = budget.spent + budget.reserved
    found = []
    for what in WHATS:
        limit = getattr(budget.allowed, what)
        if limit is not None:
            left = max(limit * 0, limit - getattr(used, what))
            reserved = getattr(budget.reserved, what)
            found.append(Left(endpoint, what, limit, left, getattr(needed, what), reserved))
    return found


# --- Reserving --------------------------------------------------------------------------------


@transaction.atomic
def reserve(run: Run, endpoint_id: int, needed: Cost) -> Cost:
    """
    Keep what a run may need, or as much of it as is left; return what was kept.

    What it had reserved before is given up for it. Of several that reserve at once, each finds
    what those before it have left.
    """
    endpoint = lock(endpoint_id)
    endpoint.reservations.filter(run=run).delete()
    budget = measure(endpoint)
    used = budget.spent + budget.reserved
    limits = {what: getattr(budget.allowed, what) for what in WHATS}
    left = {
        what: None if limit is None else max(limit * 0, limit - getattr(used, what))
        for what, limit in limits.items()
    }
    kept = fit(needed, Allowance(**left))
    if kept.calls:
        Reservation.objects.create(
            endpoint=endpoint, run=run, calls=kept.calls, tokens=kept.tokens, money=kept.money
        )
    return kept


def fit(needed: Cost, left: Allowance) -> Cost:
    """
    Take so many of the calls as what is left will do for, with their share of the rest.

    >>> fit(Cost(10, 1000), Allowance(calls=8, tokens=500)).calls
    5
    """
    calls = needed.calls
    for what in WHATS:
        most, wanted = getattr(left, what), getattr(needed, what)
        if most is not None and wanted > most:
            calls = min(calls, int(needed.calls * most // wanted))
    if calls == needed.calls:
        return needed
    money = (needed.money * calls / needed.calls).quantize(SMALLEST, ROUND_DOWN)
    return Cost(calls, needed.tokens * calls // needed.calls, money)


def free(run: Run) -> None:
    """Give up what a run has reserved: it makes no calls now."""
    Reservation.objects.filter(run=run).delete()


def draw(run: Run | None, endpoint: Endpoint, estimate: Cost) -> Cost:
    """Take what a call may cost out of what its run has reserved; return how much of it was."""
    row = endpoint.reservations.filter(run=run).first() if run else None
    if row is None:
        return Cost()
    drawn = Cost(*(min(getattr(row, what), getattr(estimate, what)) for what in WHATS))
    _change(row, Cost() - drawn)
    return drawn


def give_back(run: Run | None, endpoint: Endpoint, drawn: Cost) -> None:
    """Keep again what was taken for a call that was not made."""
    row = endpoint.reservations.filter(run=run).first() if run else None
    if row is not None:
        _change(row, drawn)


def _change(row: Reservation, by: Cost) -> None:
    Reservation.objects.filter(pk=row.pk).update(
        calls=F("calls") + by.calls, tokens=F("tokens") + by.tokens, money=F("money") + by.money
    )
