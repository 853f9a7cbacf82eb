"""The kinds of work that there are, and which row is done next."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from operator import itemgetter
from typing import Any, Generic

from django.db import transaction
from django.db.models import F, Q, QuerySet
from django.db.models.functions import Now
from django.utils import timezone

from phybench.work.models import Leased, Priority, Row, end_of_lease, lease_seconds, settle_all

AT_ONCE = 32
"""Rows of bulk work that a worker takes at most, where its kind does many."""


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

    What `do` and `do_many` raise but for `Lost` is a failure of ours: each row is tried again, by
    itself, and in the end given up.
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
    do_many: Callable[[Sequence[Row]], object] | None = None
    """
    Does several rows that nobody waits for; those that would take too long it lets go of at once.

    It settles them a few at a time, so that what was done is kept if the worker is lost.
    """

    def list_due(self, least: Priority = Priority.IDLE) -> QuerySet[Row]:
        """List what waits or was lost with its worker, in the order in which it is done."""
        now = Now()
        is_free = Q(lease_until=None) & (Q(next_at=None) | Q(next_at__lte=now))
        due = self.rows.filter(is_free | Q(lease_until__lt=now), priority__lte=least)
        return due.order_by("priority", "queued_at", "pk")

    def claim(self, pk: int | None = None, *, least: Priority = Priority.IDLE) -> Row | None:
        """Take the row that is due first, or this one; None when there is nothing to do."""
        return next(iter(self._claim(self.list_due(least), pk)), None)

    def claim_some(self, *, least: Priority = Priority.IDLE) -> list[Row]:
        """Take the row that is due first, and with it those that are done together with it."""
        return self._claim(self.list_due(least), most=AT_ONCE if self.do_many else 1)

    @transaction.atomic
    def _claim(self, due: QuerySet[Row], pk: int | None = None, *, most: int = 1) -> list[Row]:
        row = None
        if self.narrow is not None and pk is None:
            row = _lock_first(self.narrow(due))
        if row is None:
            # Of those whose turn it is, all may be in others' hands.
            row = _lock_first(due if pk is None else due.filter(pk=pk), skip_locked=pk is None)
        if row is None:
            return []
        rows = [row]
        if most > 1 and _goes_with_others(row):
            # One that a worker was lost with is done by itself: it may have been its fault.
            others = due.filter(priority=Priority.BULK, lost=0, lease_until=None)
            rows += _lock(others.exclude(pk=row.pk))[: most - 1]
        was_lost = row.lease_until is not None
        held = {"next_at": None, **self.held}
        self.rows.model._default_manager.filter(pk__in=[one.pk for one in rows]).update(
            tries=F("tries") + 1,
            lost=F("lost") + int(was_lost),
            lease_until=end_of_lease(),
            **held,
        )
        for one in rows:
            one.tries += 1
            one.lost += was_lost
            one.lease_until = timezone.now() + lease_seconds()
            for name, value in held.items():
                setattr(one, name, value)
        return rows

    def make_due(self) -> None:
        """Have what waits for a later time wait no longer."""
        later = self.rows.filter(lease_until=None, next_at__gt=Now())
        pks = list(_lock(later).values_list("pk", flat=True))
        self.rows.model._default_manager.filter(pk__in=pks).update(next_at=None)

    def let_go(self, rows: Sequence[Row], **fields: Any) -> None:
        """Leave claimed rows to whoever comes next, as far as they are still ours."""
        settle_all(rows, **self.waits, **fields)


def _goes_with_others(row: Leased) -> bool:
    return row.priority == Priority.BULK and not row.lost and row.lease_until is None


def _lock_first(due: QuerySet[Row], *, skip_locked: bool = True) -> Row | None:
    return _lock(due, skip_locked=skip_locked).first()


def _lock(due: QuerySet[Row], *, skip_locked: bool = True) -> QuerySet[Row]:
    """Hold rows; who wants any leaves out those that another is just taking."""
    return due.select_for_update(of=("self",), no_key=True, skip_locked=skip_locked)


kinds: list[Kind[Any]] = []


def register(kind: Kind[Row]) -> Kind[Row]:
    """Let workers know a kind of work."""
    kinds.append(kind)
    return kind


def claim_next(pool: Pool) -> tuple[Kind[Any], list[Leased]] | None:
    """Take what is most urgent of all that is due in a pool, and the oldest of that."""
    least = Priority.NOW if pool is Pool.RESERVED else Priority.IDLE
    wanted = Pool.GENERAL if pool is Pool.RESERVED else pool
    of_pool = [kind for kind in kinds if kind.pool is wanted]
    for kind in of_pool if len(of_pool) == 1 else _sort_by_urgency(of_pool, least):
        if rows := kind.claim_some(least=least):
            return kind, rows
    return None


def _sort_by_urgency(of_pool: Iterable[Kind[Any]], least: Priority) -> list[Kind[Any]]:
    """Put the kind first of which a row is most urgent; leave out those with nothing to do."""
    due = []
    for kind in of_pool:
        first = kind.list_due(least).values_list("priority", "queued_at").first()
        if first is not None:
            due.append((first, kind))
    return [kind for _first, kind in sorted(due, key=itemgetter(0))]
