"""
Invariants: what holds of all rows at any time, and which rows break it.

The database refuses nearly all that would break one. These find what came past it: a restored copy
that lacks something, a row changed by hand, a fault of ours. A room registers what holds of its
rows in its `integrity.py`; what holds of all work is said here, of each kind that there is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from django.db import models
from django.db.models import Q, QuerySet
from django.utils.functional import cached_property

from phybench.work import rooms, tables
from phybench.work.kinds import Kind, kinds
from phybench.work.logs import Name

Row = TypeVar("Row", bound=models.Model)
AT_ONCE = 200
"""Rows that are looked at here are fetched so many at a time."""


@dataclass(frozen=True, eq=False)
class Invariant(Generic[Row]):
    """What holds of each of some rows."""

    rows: QuerySet[Row]
    find: Callable[[QuerySet[Row]], Iterable[int]]
    """Finds the numbers of those of which it doesn't hold, in as much memory for any number."""
    says: str
    """What is the matter with one of those: a sentence that begins with its table and number."""

    def tell(self, pk: int) -> Name:
        return Name(f"{self.rows.model._meta.db_table} {pk} {self.says}.")


def those(*conditions: Q | Any, **fields: Any) -> Callable[[QuerySet[Any]], Iterable[int]]:
    """Have PostgreSQL find the rows that break it."""
    return lambda rows: (
        rows.filter(*conditions, **fields)
        .order_by("pk")
        .values_list("pk", flat=True)
        .iterator(AT_ONCE)
    )


def each(is_broken: Callable[[Row], bool]) -> Callable[[QuerySet[Row]], Iterable[int]]:
    """Look at each row here, where SQL can't say what holds of it."""

    def find(rows: QuerySet[Row]) -> Iterator[int]:
        for row in rows.order_by("pk").iterator(AT_ONCE):
            try:
                is_one = is_broken(row)
            except (TypeError, ValueError, LookupError, AttributeError):
                # It holds what can't even be read.
                is_one = True
            if is_one:
                yield row.pk

    return find


_registered: list[Invariant[Any]] = []


def register(*invariants: Invariant[Any]) -> None:
    """Let `check_integrity` know what holds of a room's rows."""
    _registered.extend(invariants)


def list_invariants() -> list[Invariant[Any]]:
    """List all that there are, those of each kind of work first."""
    for name in ("tasks", "integrity"):
        for app in rooms.APPS:
            rooms.load(app, name)
    return [*(one for kind in kinds for one in _list_of_leases(kind)), *_registered]


def _list_of_leases(kind: Kind[Any]) -> Iterator[Invariant[Any]]:
    """Say of rows whose state tells whether a worker has them that their leases tell the same."""
    if not kind.held:
        return
    yield Invariant(
        kind.rows.filter(**kind.held),
        those(lease_until=None),
        "is being worked on, but no worker has a lease on it: nobody will go on with it",
    )
    yield Invariant(
        kind.rows.filter(**kind.waits),
        those(lease_until__isnull=False),
        "waits for a worker, but one has a lease on it",
    )
    held = Q()
    for other in kinds:
        if other.rows.model is kind.rows.model:
            held |= Q(**other.held)
    if kind is next(one for one in kinds if one.rows.model is kind.rows.model):
        yield Invariant(
            kind.rows.model._default_manager.exclude(held),
            those(lease_until__isnull=False),
            "is not being worked on, but a worker has a lease on it",
        )


class Check:
    """One look at all rows: its findings one by one, and then how many rows of how many rules."""

    def __init__(self) -> None:
        self.rows = self.rules = self.found = 0

    @cached_property
    def why_not(self) -> str:
        """Say why nothing can be looked at, if so: the tables are of another version."""
        return tables.compare()

    def list_findings(self) -> Iterator[Name]:
        for invariant in list_invariants():
            self.rules += 1
            self.rows += invariant.rows.order_by().count()
            for pk in invariant.find(invariant.rows):
                self.found += 1
                yield invariant.tell(pk)

    def run(self, write: Callable[[Name], object]) -> None:
        """Look at all, and write each finding."""
        for finding in () if self.why_not else self.list_findings():
            write(finding)

    @property
    def sum(self) -> Name:
        if self.why_not:
            return Name(f"The rows could not be checked. {self.why_not}")
        looked = f"{self.rules} rules were checked on {_count(self.rows)}"
        if not self.found:
            return Name(f"{looked}: all hold.")
        return Name(f"{looked}. Broken: {_count(self.found)}.")


def _count(rows: int) -> str:
    return "1 row" if rows == 1 else f"{rows} rows"
