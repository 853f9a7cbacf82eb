"""How the web server runs: `gunicorn --config python:phybench.gunicorn phybench.wsgi`."""

import os
import socket
import struct
import sys
import threading
import time
from functools import partial
from selectors import EVENT_READ
from typing import Any

from gunicorn.workers.gthread import (  # type: ignore[import-untyped]  # it has no types
    TConn,
    ThreadWorker,
)

from phybench.work import logs, sandbox

workers = 2
threads = 8
graceful_timeout = 3
# What Python has once taken it seldom gives back: a worker makes way for a fresh one, and not both
# do at the same moment.
max_requests = 1000
max_requests_jitter = 200
# The workers are forked from a process that has loaded everything: one loading instead of two.
preload_app = True
# It would be put into the home folder, where one checkout disturbs another.
control_socket_disable = True

if os.environ.get("LOG_FORMAT") == "json":
    logconfig_dict = logs.configure("json")
    logs.take_over()

WARM_AFTER_SECONDS = 5.0
HEAD_SECONDS = 10.0
"""In which a connection has to send the head of a request, all of it."""
SILENCE_SECONDS = 10.0
"""How long it may then send nothing of the rest, or take nothing of the answer."""
LONGEST_HEAD = 64 * 1024
"""Bytes; of a longer one the thread says what is too long about it."""


class HeadFirstWorker(ThreadWorker):  # type: ignore[misc]  # as above
    """
    Give a connection one of the few threads only once the head of its request is here.

    Gunicorn's own gives it one at its first byte and waits for the others there, without end: as
    many half-sent requests as there are threads stop everything.
    """

    def enqueue_req(self, conn: TConn) -> None:
        received = bytearray(conn.parser.unreader.take_buffered() if conn.parser else b"")
        if is_whole(received):
            self.hand_over(conn, received)
            return
        conn.sock.setblocking(False)
        conn.timeout = time.monotonic() + HEAD_SECONDS
        # Whose time is over is closed by `murder_pending`.
        self.pending_conns.append(conn)
        self.poller.register(conn.sock, EVENT_READ, partial(self.receive, conn, received))

    def receive(self, conn: TConn, received: bytearray, client: socket.socket) -> None:
        try:
            more = client.recv(LONGEST_HEAD)
        except BlockingIOError:
            return
        except OSError:
            more = b""
        received += more
        # One that was closed meanwhile the thread closes as well.
        if is_whole(received) or not more:
            self.poller.unregister(client)
            self.pending_conns.remove(conn)
            self.hand_over(conn, received)

    def hand_over(self, conn: TConn, received: bytearray) -> None:
        conn.init()
        conn.parser.unreader.unread(bytes(received))
        conn.data_ready = True
        for option in (socket.SO_RCVTIMEO, socket.SO_SNDTIMEO):
            limit = struct.pack("ll", int(SILENCE_SECONDS), 0)
            conn.sock.setsockopt(socket.SOL_SOCKET, option, limit)
        super().enqueue_req(conn)


def is_whole(received: bytearray) -> bool:
    # Empty lines before it are none of it.
    return b"\r\n\r\n" in received.lstrip(b"\r\n") or len(received) >= LONGEST_HEAD


worker_class = HeadFirstWorker


def on_starting(server: Any) -> None:
    """Refuse tables that are not those of the code; a database that is away will be back."""
    # What needs settings is loaded by now, with the application.
    from django.db import OperationalError, connections

    from phybench.work import tables

    try:
        sentence = tables.compare()
    except OperationalError:
        return
    finally:
        # No connection is shared with the workers.
        connections.close_all()
    if sentence:
        sys.exit(f"phybench: {sentence}")


def post_worker_init(worker: Any) -> None:
    """
    Start this worker's children, so that nobody's first preview waits for SymPy to load.

    Not at once: while everything starts, the processors have enough to do.
    """
    warming = threading.Timer(WARM_AFTER_SECONDS, sandbox.warm)
    warming.daemon = True
    warming.start()
