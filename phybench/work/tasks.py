"""
What Celery does for all kinds of work: wake a worker of a pool.

A message says only that there is work. Which, the database knows: so a message that is lost, or
comes twice, changes nothing, and the clock's own messages find what nobody was told of.
"""

import logging
import os
import threading
import time
from collections.abc import Iterable
from functools import partial
from typing import Any

from celery import shared_task
from celery.signals import worker_init, worker_ready, worker_shutting_down
from django.conf import settings
from django.contrib.sessions.backends.db import SessionStore
from django.db import transaction
from kombu.exceptions import OperationalError
from kombu.transport import virtual

from phybench.work import budgets, health, sandbox
from phybench.work.kinds import Kind, Pool, claim_next, kinds
from phybench.work.leases import DATABASE_ERRORS, carry_out
from phybench.work.models import Leased, Priority
from phybench.work.stack import with_room

logger = logging.getLogger(__name__)

TURN_SECONDS = 60.0
"""After which a worker goes on with a new message: brokers take one that lasts for lost."""
NICENESS = 10
"""Of 19: what else wants a processor gets nine tenths of it."""
LONGEST_COUNTDOWN = 120.0
"""Seconds that a message may wait at a worker; what waits longer is found by the clock's."""
_is_ending = threading.Event()


@shared_task
@with_room
def work(pool: str) -> None:
    """Do what is due in a pool, until nothing is."""
    began = time.monotonic()
    try:
        health.beat(Pool(pool))
        claimed = claim_next(Pool(pool))
        if claimed is not None:
            # For whoever is idle: once nobody is, this waits until somebody finds nothing to do.
            _send(Pool(pool))
        while claimed is not None:
            carry_out(*claimed)
            health.beat(Pool(pool))
            if _is_ending.is_set():
                return
            if time.monotonic() - began > TURN_SECONDS:
                _send(Pool(pool))
                return
            claimed = claim_next(Pool(pool))
    except DATABASE_ERRORS:
        logger.log(
            logging.WARNING, "the database does not answer: what waits is found once it does"
        )


@shared_task
def forget_expired() -> None:
    """Forget what has come back of budgets, and sessions of the web that have ended."""
    budgets.forget_idle()
    SessionStore.clear_expired()


def wake(work_of: Kind[Any] | Pool, rows: Iterable[Leased], *, seconds: float = 0.0) -> None:
    """
    Tell workers of rows that wait, once they are committed, or so many seconds later.

    Args:
        work_of: the kind of what is to be done, or its pool where a room above knows the kind.
    """
    priority = min((row.priority for row in rows), default=None)
    if priority is None or seconds > LONGEST_COUNTDOWN:
        return
    pool = work_of if isinstance(work_of, Pool) else work_of.pool
    pools = [pool]
    if pool is Pool.GENERAL and priority == Priority.NOW:
        pools.insert(0, Pool.RESERVED)
    transaction.on_commit(partial(_send, *pools, countdown=seconds))


@transaction.atomic
def hurry(pool: Pool) -> None:
    """Have all that waits in a pool for a later time tried now."""
    for kind in kinds:
        if kind.pool is pool:
            kind.make_due()
    transaction.on_commit(partial(_send, pool))


def _send(*pools: Pool, countdown: float = 0.0) -> None:
    try:
        for pool in pools:
            queue = settings.WORK_QUEUES[pool]
            work.apply_async((pool.value,), queue=queue, countdown=countdown)
    except OperationalError:
        logger.exception("the broker does not answer: what waits is found once it does")


@worker_init.connect
def make_way(sender: Any, **_rest: Any) -> None:
    """
    Have a worker of what may take long leave the processors to the web server, and to PostgreSQL.

    Where thousands of answers are graded, a save of somebody who sits a session must not wait for
    them. Children of this process inherit it.
    """
    if settings.WORK_QUEUES[Pool.GENERAL] in sender.app.amqp.queues.consume_from:
        os.nice(NICENESS)


@worker_init.connect
def outlive_the_broker(sender: Any, **_rest: Any) -> None:
    """
    Have a worker that lost its broker look for it again, whatever it did at that moment.

    What kombu acknowledges or gives back on a connection to Redis that is gone meets an
    AttributeError, and a worker that does not take that for a lost connection ends.
    """
    transport = sender.app.connection_for_read().get_transport_cls()
    if issubclass(transport, virtual.Transport):
        transport.connection_errors = (*transport.connection_errors, AttributeError)


@worker_ready.connect
def warm_children(sender: Any, **_rest: Any) -> None:
    """Have children ready in the reserved process, before the first who waits pays for them."""
    if settings.WORK_QUEUES[Pool.RESERVED] in sender.app.amqp.queues.consume_from:
        threading.Thread(target=sandbox.warm, daemon=True).start()


@worker_shutting_down.connect
def end_after_this(**_rest: Any) -> None:
    """End with the rows that are under way: the next ones are for other workers."""
    _is_ending.set()
