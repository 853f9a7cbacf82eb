"""Rows that workers take, one or several: whose turn comes first, who has it, and until when."""

import functools
import operator
from collections import defaultdict
from collections.abc import Sequence
from datetime import timedelta
from enum import IntEnum
from typing import Any, Self, TypeVar

from django.conf import settings
from django.db import models, transaction
from django.db.models import Q, QuerySet
from django.db.models.expressions import CombinedExpression
from django.db.models.functions import Now
from django.utils import timezone
from django.utils.translation import gettext_lazy as _


class Lost(Exception):
    """Another worker has taken the row over, or it is gone: what this one found is not kept."""


class Priority(IntEnum):
    """What comes first; of the same, the older."""

    NOW = 0
    """Somebody waits for it: a process is kept for this."""
    SOON = 1
    """Somebody will come back for it, and it may take a while."""
    BULK = 2
    IDLE = 3
    """It waits until there is nothing else to do."""


class Leased(models.Model):
    """
    A row of which a worker does something, and which is free again should it never come back.

    Who claims it gets a short lease, renewed while the work goes on. `tries` tells one claim from
    the next, so only who holds the row writes down what came of it.
    """

    priority = models.PositiveSmallIntegerField(default=Priority.BULK.value, editable=False)
    queued_at = models.DateTimeField(default=timezone.now, editable=False)
    next_at = models.DateTimeField(
        null=True, blank=True, help_text=_("Earliest time of the next try.")
    )
    tries = models.PositiveIntegerField(
        default=0, help_text=_("Number of times a worker started it.")
    )
    lost = models.PositiveIntegerField(default=0, help_text=_("Number of workers that gave it up."))
    lease_until = models.DateTimeField(null=True, blank=True)

    class Meta:
        abstract = True

    def ours(self) -> models.QuerySet[Self]:
        """Return this row, while nobody else has claimed it since."""
        rows: models.QuerySet[Self] = type(self)._default_manager.filter(
            pk=self.pk, tries=self.tries, lease_until__isnull=False
        )
        return rows

    def keep(self, **fields: Any) -> None:
        """
        Write down how far it is.

        Raises:
            Lost: it is ours no more.
        """
        if not self.ours().update(**fields):
            raise Lost(self.pk)

    def settle(self, **fields: Any) -> bool:
        """Write down what came of it and end our lease; False when it was no longer ours."""
        return bool(self.ours().update(**{"lease_until": None, "next_at": None, **fields}))


Row = TypeVar("Row", bound=Leased)


def find_ours(rows: Sequence[Row]) -> QuerySet[Row]:
    """Return, of rows that we claimed, those that nobody else has claimed since."""
    by_tries: dict[int, list[int]] = defaultdict(list)
    for row in rows:
        by_tries[row.tries].append(row.pk)
    claims = (Q(tries=tries, pk__in=pks) for tries, pks in by_tries.items())
    found = type(rows[0])._default_manager.filter(lease_until__isnull=False)
    return found.filter(functools.reduce(operator.or_, claims))


@transaction.atomic
def settle_all(rows: Sequence[Row], **fields: Any) -> list[Row]:
    """Write the same down of several rows and end our leases; return those that were still ours."""
    if not rows:
        return []
    # In one order, whoever takes them: else two could wait for each other.
    held = find_ours(rows).select_for_update(of=("self",), no_key=True).order_by("pk")
    pks = set(held.values_list("pk", flat=True))
    settled = {"lease_until": None, "next_at": None, **fields}
    type(rows[0])._default_manager.filter(pk__in=pks).update(**settled)
    return [row for row in rows if row.pk in pks]


def end_of_lease() -> CombinedExpression:
    """By the database's clock, as all that compares leases: those of workers may differ."""
    return Now() + lease_seconds()


def lease_seconds() -> timedelta:
    return timedelta(seconds=settings.WORK_LEASE_SECONDS)
