"""The kinds of work that there are, and which row is done next."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from operator import itemgetter
from typing import Any, Generic, TypeVar

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone

from phybench.work.models import Leased, Priority, end_of_lease

Row = TypeVar("Row", bound=Leased)


class Pool(StrEnum):
    """Workers that do the same; `settings.WORK_QUEUES` says where their messages go."""

    GENERAL = "general"
    RESERVED = "reserved"
    """What is `Priority.NOW` of the general work, and nothing else."""
    CALLS = "calls"
    """Waits for models: many threads."""
    JUDGING = "judging"


@dataclass(frozen=True, eq=False)
class Kind(Generic[Row]):
    """
    One kind of work, as the room of its noun registers it.

    What `do` raises but for `Lost` is a failure of ours: the row is tried again, and in the end
    given up.
    """

    name: str
    rows: QuerySet[Row]
    """Those that are not done yet, whether or not a worker has them."""
    do: Callable[[Row], object]
    give_up: Callable[[Row], object]
    """Ends a row, or what of it stops worker after worker."""
    waits: Mapping[str, Any] = field(default_factory=dict)
    """What a row says beside its lease while it is free."""
    held: Mapping[str, Any] = field(default_factory=dict)
    """What it says while a worker has it."""
    pool: Pool = Pool.GENERAL
    narrow: Callable[[QuerySet[Row]], QuerySet[Row]] | None = None
    """Chooses among those that are due, where they take turns."""

    def list_due(self, least: Priority = Priority.BULK) -> QuerySet[Row]:
        """List what waits or was lost with its worker, in the order in which it is done."""
        now = timezone.now()
        is_free = Q(lease_until=None) & (Q(next_at=None) | Q(next_at__lte=now))
        due = self.rows.filter(is_free | Q(lease_until__lt=now), priority__lte=least)
        return due.order_by("priority", "queued_at", "pk")

    @transaction.atomic
    def claim(self, pk: int | None = None, *, least: Priority = Priority.BULK) -> Row | None:
        """Take the row that is due first, or this one; None when there is nothing to do."""
        due = self.list_due(least) if pk is None else self.list_due(least).filter(pk=pk)
        row = None
        if self.narrow is not None and pk is None:
            row = _lock_first(self.narrow(due))
        if row is None:
            # Of those whose turn it is, all may be in others' hands.
            row = _lock_first(due, skip_locked=pk is None)
        if row is None:
            return None
        row.lost += row.lease_until is not None
        row.tries += 1
        row.lease_until, row.next_at = end_of_lease(), None
        for name, value in self.held.items():
            setattr(row, name, value)
        row.save(update_fields=["lost", "tries", "lease_until", "next_at", *self.held])
        return row

    def let_go(self, row: Row, **fields: Any) -> bool:
        """Leave a claimed row to whoever comes next; False when it was no longer ours."""
        return row.settle(**self.waits, **fields)


def _lock_first(due: QuerySet[Row], *, skip_locked: bool = True) -> Row | None:
    """Take the first; who wants any row leaves out one that another is just taking."""
    return due.select_for_update(of=("self",), no_key=True, skip_locked=skip_locked).first()


kinds: list[Kind[Any]] = []


def register(kind: Kind[Row]) -> Kind[Row]:
    """Let workers know a kind of work."""
    kinds.append(kind)
    return kind


def claim_next(pool: Pool) -> tuple[Kind[Any], Leased] | None:
    """Take what is most urgent of all that is due in a pool, and the oldest of that."""
    least = Priority.NOW if pool is Pool.RESERVED else Priority.BULK
    wanted = Pool.GENERAL if pool is Pool.RESERVED else pool
    of_pool = [kind for kind in kinds if kind.pool is wanted]
    for kind in of_pool if len(of_pool) == 1 else _sort_by_urgency(of_pool, least):
        if (row := kind.claim(least=least)) is not None:
            return kind, row
    return None


def _sort_by_urgency(of_pool: Iterable[Kind[Any]], least: Priority) -> list[Kind[Any]]:
    """Put the kind first of which a row is most urgent; leave out those with nothing to do."""
    due = []
    for kind in of_pool:
        first = kind.list_due(least).values_list("priority", "queued_at").first()
        if first is not None:
            due.append((first, kind))
    return [kind for _first, kind in sorted(due, key=itemgetter(0))]
