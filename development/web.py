"""The application's own processes: the web server, the workers, and the clock that wakes them."""

import argparse
import contextlib
import errno
import http.client
import json
import os
import secrets
import socket
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from development.environment import PYTHON
from development.failure import Failure
from development.supervisor import Service

HOST = "127.0.0.1"
DEFAULT_PORT = 8000
CALLS_AT_ONCE = 8
# To be root is usual in a container, and its messages are JSON, which can't harm.
QUIET_PYTHON = (PYTHON, "-W", "ignore:You're running the worker with superuser privileges")
CELERY = (*QUIET_PYTHON, "-m", "celery")
WORKERS = (*QUIET_PYTHON, "-m", "phybench.workers")
ALL_IS_THERE = "all answers are graded, and all figures are there."
"""How `grading/board/tasks.py` ends what it says of a board; of the demo somebody waits for it."""
QUICK_START = {"CELERY_SKIP_CHECKS": "1"}
"""Django's checks load every page, which these processes never show; the web server does."""


def choose_port(arguments: Sequence[str]) -> int:
    """Read `--port`, else PORT, else take 8000."""
    parser = argparse.ArgumentParser(prog="dev.py run", allow_abbrev=False)
    parser.add_argument("--port", default=os.environ.get("PORT") or DEFAULT_PORT)
    port = parser.parse_args(arguments).port
    try:
        number = int(port)
    except ValueError:
        number = 0
    if not 0 < number < 65536:
        raise Failure(f"{port!r} is no port: give a number from 1 to 65535.")
    return number


def local_address(port: int) -> str:
    """Return what this machine's own links begin with, as SITE_URL does where none is named."""
    return f"http://{HOST}:{port}"


def take_port(port: int) -> socket.socket:
    """Hold a port until the socket is closed; refuse one that somebody else has."""
    taken = socket.socket()
    taken.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        taken.bind((HOST, port))
    except OSError as error:
        taken.close()
        if error.errno == errno.EACCES:
            raise Failure(
                f"Port {port} needs more rights than you have: choose one above 1023 "
                f"(`python3 dev.py run --port {DEFAULT_PORT}`)."
            ) from None
        raise Failure(
            f"Port {port} is in use: stop what uses it, or choose another "
            f"(`python3 dev.py run --port {port + 1}`)."
        ) from None
    return taken


def server(environment: Mapping[str, str], port: int) -> Service:
    """Make the web server, whose workers go on where it is killed; its successor has their port."""
    listener = take_port(port)
    return Service(
        name="web",
        command=[
            *(PYTHON, "-m", "gunicorn", "--config", "python:phybench.gunicorn"),
            *("--bind", f"fd://{listener.fileno()}", "phybench.wsgi"),
        ],
        environment=environment,
        listener=listener,
        is_ready=lambda: answers(port),
        patience_seconds=60,
        is_shown=True,
    )


def workers(environment: Mapping[str, str]) -> Service:
    """Make one service of all workers and the clock: one process loads the code for all of them."""
    parts = [make(environment) for make in (worker, reserved, caller, judge, beat)]
    arguments = {part.name: list(map(str, part.command[len(CELERY) :])) for part in parts}
    return replace(
        parts[0],
        name="workers",
        command=[*WORKERS, json.dumps(arguments)],
        # Nobody waits for it: what is to be done is in the database.
        is_ready=lambda: True,
    )


def worker(environment: Mapping[str, str]) -> Service:
    """Make the worker that grades."""
    return _worker(environment, "worker", "--queues", _queue(environment))


def reserved(environment: Mapping[str, str]) -> Service:
    """Make the worker of what somebody waits for: whatever else there is, it is free for that."""
    queue = f"{_queue(environment)}-reserved"
    # Nobody waits for it to be ready: the other worker does the same.
    return replace(_worker(environment, "reserved", "--queues", queue), is_ready=lambda: True)


def caller(environment: Mapping[str, str]) -> Service:
    """Make the worker that calls models for authors."""
    return _caller(environment, "caller", "calls")


def judge(environment: Mapping[str, str]) -> Service:
    """Make the worker of runs of judges: however long they are, authors need not wait for them."""
    return _caller(environment, "judge", "judging")


def _caller(environment: Mapping[str, str], name: str, queue: str) -> Service:
    # It mostly waits, so it does many things at once.
    options = ("--queues", f"{_queue(environment)}-{queue}", "--concurrency", str(CALLS_AT_ONCE))
    # Nobody waits for it to be ready: what is to be called is in the queue until it is.
    return replace(_worker(environment, name, *options), is_ready=lambda: True)


def _queue(environment: Mapping[str, str]) -> str:
    """Name the queues as phybench/settings.py does, which can't be asked here."""
    return environment.get("CELERY_TASK_DEFAULT_QUEUE", "phybench")


def _worker(environment: Mapping[str, str], name: str, *options: str) -> Service:
    log = Path(environment["VAR_DIR"]) / "log" / f"{name}.log"
    return Service(
        name=name,
        command=[
            *(*CELERY, "--quiet", "--app", "phybench", "worker"),
            # It is alone: to look for others takes a second.
            *("--without-mingle", "--without-gossip", "--loglevel", "INFO"),
            # RabbitMQ lets no two workers have one name, and takes the second for an error.
            *("--hostname", f"{name}-{secrets.token_hex(4)}@%h"),
            *options,
        ],
        environment={**environment, **QUICK_START},
        is_ready=lambda: " ready." in log.read_text(errors="replace"),
        patience_seconds=60,
        is_shown=True,
        is_hidden=lambda line: ": INFO/" in line and not line.endswith(ALL_IS_THERE),
    )


def beat(environment: Mapping[str, str]) -> Service:
    schedule = Path(environment["VAR_DIR"]) / "beat-schedule"
    return Service(
        name="beat",
        command=[
            *(*CELERY, "--quiet", "--app", "phybench", "beat"),
            *("--schedule", schedule, "--pidfile=", "--loglevel", "WARNING"),
        ],
        environment={**environment, **QUICK_START},
        is_ready=lambda: True,
        is_shown=True,
    )


def answers(port: int) -> bool:
    """Ask for the first page; an error of the application counts as no answer."""
    connection = http.client.HTTPConnection(HOST, port, timeout=20)
    with contextlib.suppress(OSError, http.client.HTTPException), contextlib.closing(connection):
        connection.request("GET", "/")
        return connection.getresponse().status < 500
    return False
