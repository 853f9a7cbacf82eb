"""Whether an installation is well: what a monitor asks, and what its operator is told."""

import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field

from django.conf import settings
from django.core.cache import cache
from django.db import DatabaseError, connection
from kombu import Connection
from kombu.exceptions import OperationalError

from phybench.work import tables
from phybench.work.kinds import Pool, kinds
from phybench.work.models import Priority

BEAT_SECONDS = 10.0
"""How often a worker says at most that it is there."""
SILENT_SECONDS = 180.0
"""After which a pool's workers count as gone: each may be busy with a row for a minute."""
LONGEST_WAIT_SECONDS = 60.0
"""That something for which a person waits may wait for its worker."""
REMEMBERED_SECONDS = 2.0
"""How long one look serves all who ask."""
BROKER_SECONDS = 3
_said: dict[Pool, float] = {}


def beat(pool: Pool) -> None:
    """Have it known that a worker of this pool is at work."""
    if time.monotonic() - _said.get(pool, -BEAT_SECONDS) >= BEAT_SECONDS:
        _said[pool] = time.monotonic()
        cache.set(_name(pool), time.time(), None)


def _name(pool: Pool) -> str:
    return f"beat-{pool.value}"


@dataclass
class Health:
    """What one look found."""

    faults: list[str] = field(default_factory=list)
    """Sentences: what is wrong, and what to do."""
    figures: dict[str, float | None] = field(default_factory=dict)
    """Seconds since each pool's last beat, and for which the oldest row has waited."""


_lock = threading.Lock()
_last: tuple[float, Health] = (float("-inf"), Health())


def look() -> Health:
    """Look at database, broker, tables, waiting rows and workers; at most every other second."""
    global _last
    with _lock:
        if time.monotonic() - _last[0] > REMEMBERED_SECONDS:
            health = Health()
            health.faults += [*_look_at_broker()]
            try:
                health.faults += [*_look_at_database(health.figures)]
            except DatabaseError:
                health.faults.append("The database does not answer: see that it runs.")
                connection.close()
            _last = time.monotonic(), health
        return _last[1]


def _look_at_broker() -> Iterator[str]:
    try:
        url = settings.CELERY_BROKER_URL
        # A Redis may take the connection and then say nothing.
        silence = {"socket_timeout": BROKER_SECONDS} if url.startswith("redis") else {}
        with Connection(url, connect_timeout=BROKER_SECONDS, transport_options=silence) as broker:
            broker.ensure_connection(max_retries=1, timeout=BROKER_SECONDS)
    except (OperationalError, OSError):
        yield "The broker does not answer: see that it runs. What waits is done once it does."


def _look_at_database(figures: dict[str, float | None]) -> Iterator[str]:
    if sentence := tables.compare():
        yield sentence
        return
    with connection.cursor() as cursor:
        cursor.execute("SELECT now()")
        [now] = cursor.fetchone()
    for least in (Priority.NOW, Priority.IDLE):
        since = [
            first
            for kind in kinds
            if (
                first := kind.list_due(least).order_by("queued_at").values_list("queued_at").first()
            )
        ]
        waited = max(((now - began).total_seconds() for (began,) in since), default=0.0)
        name = "oldest_urgent_row" if least == Priority.NOW else "oldest_row"
        figures[name] = max(0.0, waited)
        if least == Priority.NOW and waited > LONGEST_WAIT_SECONDS:
            yield (
                f"Somebody has waited for {waited:.0f} s: start the workers, or more of them "
                "(docs/deploy.md, “Grow”)."
            )
    for pool in Pool:
        at = cache.get(_name(pool))
        figures[pool.value] = None if at is None else max(0.0, time.time() - at)
        if at is None or time.time() - at > SILENT_SECONDS:
            last = "never was one" if at is None else f"last {time.time() - at:.0f} s ago"
            yield (
                f"No worker of “{settings.WORK_QUEUES[pool]}” is at work ({last}): start it, and "
                "the clock (docs/deploy.md, “Run”)."
            )
