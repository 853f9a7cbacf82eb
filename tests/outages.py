"""Databases and brokers of a test's own, that may be killed and come back with what they had."""

import os
import shutil
import signal
import socket
import subprocess
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest
from django.contrib.contenttypes.models import ContentType
from django.db import connection

from development import broker, postgres
from development.supervisor import Service
from tests.development.checkout import free_port
from tests.memory import memory
from tests.processes import Processes

RABBITMQ = Path("/usr/lib/rabbitmq/bin/rabbitmq-server")
"""The script itself: the one on PATH changes to another user, and into one folder for all."""
Start = Callable[[], subprocess.Popen[bytes]]


def kill_all(process: subprocess.Popen[bytes]) -> None:
    """End a service and all processes of it, at once and without a word."""
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


@contextmanager
def away(folder: Path) -> Iterator[None]:
    """Have nothing listen where all threads of this process look for their database."""
    usual = dict(connection.settings_dict)
    connection.ensure_connection()
    # First the address, then the connections that other threads have: what one of them opens in
    # between would be kept for a minute, and a save go through by it.
    connection.settings_dict.update(HOST=str(folder), PORT="")
    try:
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                " WHERE datname = current_database() AND pid <> pg_backend_pid()"
            )
        connection.close()
        yield
    finally:
        connection.close()
        connection.settings_dict.update(usual)


@contextmanager
def own_database(processes: Processes, **environment: str) -> Iterator[Start]:
    """Give what starts a PostgreSQL; the test itself asks and writes there from now on."""
    folder, sockets = processes.folder / "database", processes.folder / "sockets"
    folder.mkdir()
    sockets.mkdir(exist_ok=True)
    # As `dev.py` has it: PostgreSQL runs as another user where root starts it.
    processes.folder.chmod(0o711)
    folder.chmod(0o711)

    def start() -> subprocess.Popen[bytes]:
        return processes.start(
            lambda inherited: postgres.make_service(
                folder=folder, sockets=sockets, environment={**inherited, **environment}
            )
        )

    usual = dict(connection.settings_dict)
    connection.close()
    connection.settings_dict.update(
        NAME=postgres.NAME, USER=postgres.NAME, HOST=str(postgres.own_sockets(sockets)), PORT=""
    )
    processes.environment["DATABASE_URL"] = postgres.database_url(sockets)
    ContentType.objects.clear_cache()
    # Its numbers begin anew: rows that come back would have some that it gives again.
    memory.state = None
    try:
        yield start
    finally:
        connection.close()
        connection.settings_dict.update(usual)
        ContentType.objects.clear_cache()


def find_server() -> dict[str, str]:
    """Return what names an installed PostgreSQL, or skip the test."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/postgres"))
    if not found:
        pytest.skip("no PostgreSQL is installed")
    return {"PG_BINDIR": str(found[-1].parent)}


@contextmanager
def own_valkey(processes: Processes) -> Iterator[Start]:
    sockets = processes.folder / "sockets"
    sockets.mkdir(exist_ok=True)
    processes.environment["CELERY_BROKER_URL"] = broker.broker_url(sockets)
    yield lambda: processes.start(
        lambda environment: broker.make_service(
            folder=processes.folder, sockets=sockets, environment=environment
        )
    )


@contextmanager
def own_rabbitmq(processes: Processes) -> Iterator[Start]:
    """Give what starts a RabbitMQ of the system's with data, ports and a name of its own."""
    if not RABBITMQ.exists() or not (epmd := shutil.which("epmd")):
        pytest.skip("no RabbitMQ is installed")
    folder = processes.folder / "rabbitmq"
    folder.mkdir()
    port, names = free_port(), str(free_port())
    own = {
        "HOME": str(folder),
        "RABBITMQ_NODENAME": f"phybench-{port}@localhost",
        "RABBITMQ_NODE_PORT": str(port),
        "RABBITMQ_DIST_PORT": str(free_port()),
        "RABBITMQ_MNESIA_BASE": str(folder),
        "RABBITMQ_LOG_BASE": str(folder),
        "RABBITMQ_ENABLED_PLUGINS_FILE": str(folder / "plugins"),
        "RABBITMQ_CONFIG_FILE": str(folder / "own.conf"),
        "RABBITMQ_CONF_ENV_FILE": str(folder / "none"),
        "ERL_EPMD_PORT": names,
    }
    (folder / "own.conf").write_text(f"listeners.tcp.1 = 127.0.0.1:{port}\n")
    processes.environment["CELERY_BROKER_URL"] = f"amqp://guest:guest@127.0.0.1:{port}//"

    def make(environment: Mapping[str, str]) -> Service:
        return Service(
            name="rabbitmq",
            command=[RABBITMQ],
            environment={**environment, **own},
            is_ready=lambda: _answers(port),
            patience_seconds=120,
        )

    started: list[subprocess.Popen[bytes]] = []

    def start() -> subprocess.Popen[bytes]:
        started.append(processes.start(make))
        return started[-1]

    try:
        yield start
    finally:
        # What tells nodes of each other goes on without them, and does not end before them.
        for one in started:
            kill_all(one)
        subprocess.run([epmd, "-port", names, "-kill"], capture_output=True, check=False)


def _answers(port: int) -> bool:
    with suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=1):
        return True
    return False
