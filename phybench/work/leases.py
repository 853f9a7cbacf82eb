"""Doing what a claimed row asks for: its lease, and what a failure comes to."""

import logging
import threading
import time
from collections.abc import Iterator
from concurrent.futures import CancelledError
from contextlib import contextmanager
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.db import InterfaceError, OperationalError, connection
from django.utils import timezone

from phybench.work.kinds import Kind, Row
from phybench.work.models import Leased, Lost, end_of_lease

logger = logging.getLogger(__name__)

RETRY_SECONDS = 1.0
"""Before something is tried again that failed for no reason of its own."""
DATABASE_ERRORS = (OperationalError, InterfaceError)


def carry_out(kind: Kind[Row], row: Row) -> None:
    """Do what a claimed row asks for. It is decided here, and only here, what is tried again."""
    logger.info("%s %d", kind.name, row.pk)
    try:
        with hold(kind, row):
            if row.lost >= settings.WORK_TRIES:
                kind.give_up(row)
            else:
                kind.do(row)
    except CancelledError:
        raise
    except Lost:
        logger.log(logging.INFO, "%s %d is another worker’s now", kind.name, row.pk)
    except Exception as error:
        logger.exception("%s %d", kind.name, row.pk)
        is_away = isinstance(error, DATABASE_ERRORS) and not connection.is_usable()
        _let_go_when_possible(kind, row, lost=row.lost if is_away else row.lost + 1)


@contextmanager
def hold(kind: Kind[Row], row: Row) -> Iterator[None]:
    """Renew a claimed row's lease meanwhile, and end it where the work is interrupted."""
    ended = threading.Event()
    heartbeat = threading.Thread(target=_renew, args=(row, ended), daemon=True)
    heartbeat.start()
    try:
        yield
    except (CancelledError, KeyboardInterrupt):
        # The application is ending: whoever comes next need not wait for the lease.
        kind.let_go(row)
        raise
    finally:
        ended.set()
        heartbeat.join()


def _renew(row: Leased, ended: threading.Event) -> None:
    is_ours = True
    while is_ours and not ended.wait(settings.WORK_LEASE_SECONDS / 3):
        try:
            is_ours = bool(row.ours().update(lease_until=end_of_lease()))
        except DATABASE_ERRORS:
            # It may be back before the lease is over.
            logger.log(logging.WARNING, "the lease of row %d could not be renewed", row.pk)
        finally:
            connection.close()


def _let_go_when_possible(kind: Kind[Row], row: Row, **fields: Any) -> None:
    """Leave a row to the next try, once the database is there; else its lease runs out."""
    until = time.monotonic() + settings.WORK_LEASE_SECONDS
    while time.monotonic() < until:
        try:
            later = timezone.now() + timedelta(seconds=RETRY_SECONDS)
            kind.let_go(row, next_at=later, **fields)
        except DATABASE_ERRORS:
            logger.log(
                logging.WARNING, "%s %d waits: the database does not answer", kind.name, row.pk
            )
            connection.close()
            time.sleep(RETRY_SECONDS)
        else:
            return
