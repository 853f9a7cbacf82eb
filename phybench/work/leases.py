"""Doing what claimed rows ask for: their leases, and what a failure comes to."""

import logging
import threading
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import CancelledError
from contextlib import contextmanager
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.db import InterfaceError, OperationalError, connection, transaction
from django.db.models import F
from django.utils import timezone

from phybench.work.kinds import Kind
from phybench.work.logs import Name
from phybench.work.models import Leased, Lost, Row, end_of_lease, find_ours

logger = logging.getLogger(__name__)

RETRY_SECONDS = 1.0
"""Before something is tried again that failed for no reason of its own."""
DATABASE_ERRORS = (OperationalError, InterfaceError)


def is_database_away(error: BaseException | None) -> bool:
    """Tell, of an error just raised, whether the database does not answer; else it is ours."""
    return isinstance(error, DATABASE_ERRORS) and not connection.is_usable()


def carry_out(kind: Kind[Row], rows: Sequence[Row]) -> None:
    """Do what claimed rows ask for. It is decided here, and only here, what is tried again."""
    logger.info("%s", _name(kind, rows))
    try:
        with hold(kind, rows):
            _do(kind, rows)
    except CancelledError:
        raise
    except Lost:
        logger.log(logging.INFO, "%s is another worker’s now", _name(kind, rows))
    except Exception as error:
        logger.exception("%s", _name(kind, rows))
        _let_go_when_possible(kind, rows, lost=F("lost") + int(not is_database_away(error)))


def _do(kind: Kind[Row], rows: Sequence[Row]) -> None:
    if kind.do_many is not None and len(rows) > 1:
        kind.do_many(rows)
        return
    for row in rows:
        if row.lost >= settings.WORK_TRIES:
            kind.give_up(row)
        else:
            kind.do(row)


def _name(kind: Kind[Row], rows: Sequence[Row]) -> Name:
    others = f" and {len(rows) - 1} more" if len(rows) > 1 else ""
    return Name(f"{kind.name} {rows[0].pk}{others}")


@contextmanager
def hold(kind: Kind[Row], rows: Sequence[Row]) -> Iterator[None]:
    """Renew claimed rows' leases meanwhile, and end them where the work is interrupted."""
    ended = threading.Event()
    heartbeat = threading.Thread(target=_renew, args=(rows, ended), daemon=True)
    heartbeat.start()
    try:
        yield
    except (CancelledError, KeyboardInterrupt):
        # The application is ending: whoever comes next need not wait for the lease.
        kind.let_go(rows)
        raise
    finally:
        ended.set()
        heartbeat.join()


def _renew(rows: Sequence[Leased], ended: threading.Event) -> None:
    while not ended.wait(settings.WORK_LEASE_SECONDS / 3):
        try:
            lengthen(rows)
        except DATABASE_ERRORS:
            # It may be back before the lease is over.
            logger.log(logging.WARNING, "the lease of row %d could not be renewed", rows[0].pk)
        finally:
            connection.close()


@transaction.atomic
def lengthen(rows: Sequence[Leased]) -> None:
    """Renew the leases of claimed rows that are still ours and that nobody is just settling."""
    # Who is settling some of them holds those: two that wait for each other would both fail.
    free = find_ours(rows).select_for_update(of=("self",), no_key=True, skip_locked=True)
    free.model._default_manager.filter(pk__in=list(free.values_list("pk", flat=True))).update(
        lease_until=end_of_lease()
    )


def _let_go_when_possible(kind: Kind[Row], rows: Sequence[Row], **fields: Any) -> None:
    """Leave rows to the next try, once the database is there; else their leases run out."""
    until = time.monotonic() + settings.WORK_LEASE_SECONDS
    while time.monotonic() < until:
        try:
            later = timezone.now() + timedelta(seconds=RETRY_SECONDS)
            kind.let_go(rows, next_at=later, **fields)
        except DATABASE_ERRORS:
            name = _name(kind, rows)
            logger.log(logging.WARNING, "%s waits: the database does not answer", name)
            connection.close()
            time.sleep(RETRY_SECONDS)
        else:
            return
