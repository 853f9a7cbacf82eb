"""What holds of money: all calls are counted, and only runs that make calls reserve any."""

from collections.abc import Iterator
from decimal import Decimal
from typing import Any

from django.db.models import Count, Q, QuerySet, Sum

from grading.runs.models import Endpoint, ModelCall, Reservation, Run, Spending
from phybench.work.integrity import Invariant, register, those

NOTHING: tuple[Decimal | int, ...] = (0, 0, Decimal(0))


def _add_up(
    rows: "QuerySet[Any]", calls: Count | Sum
) -> dict[tuple[int, str], tuple[Decimal | int, ...]]:
    """Add up calls, tokens and money by endpoint and model."""
    sums = {"all_calls": calls, "all_tokens": Sum("tokens"), "all_money": Sum("money")}
    named = rows.order_by().values("endpoint", "model").annotate(**sums)
    return {
        (endpoint, model): tuple(cost)
        for endpoint, model, *cost in named.values_list("endpoint", "model", *sums)
    }


def _find_uncounted(endpoints: QuerySet[Endpoint]) -> Iterator[int]:
    """Find endpoints whose calls come to more than was counted; lost calls are counted as well."""
    # The calls first: those that are made meanwhile are only counted then.
    made = _add_up(ModelCall.objects.all(), Count("pk"))
    counted = _add_up(Spending.objects.all(), Sum("calls"))
    uncounted = {
        place[0]
        for place, cost in made.items()
        if any(one > other for one, other in zip(cost, counted.get(place, NOTHING), strict=True))
    }
    yield from sorted(uncounted)


register(
    Invariant(
        Endpoint.objects.all(),
        _find_uncounted,
        "was called for more than is counted as spent there",
    ),
    Invariant(
        Reservation.objects.all(),
        those(~Q(run__state=Run.State.RUNNING)),
        "is kept for a run that makes no calls",
    ),
)
