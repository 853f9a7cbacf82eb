"""
How the web server runs: `gunicorn --config python:phybench.gunicorn phybench.wsgi`.

One of its workers is the visitors': all others accept connections, read the head of each request
and hand those of visitors on to it (`phybench/people/lanes.py`).
"""

import contextlib
import os
import socket
import struct
import sys
import threading
import time
from collections import deque
from functools import partial
from selectors import EVENT_READ, EVENT_WRITE
from typing import Any

from gunicorn.workers.gthread import (  # type: ignore[import-untyped]  # it has no types
    TConn,
    ThreadWorker,
)

from phybench.people import lanes
from phybench.work import sandbox

workers = 3
threads = 8
# With the database's and files they stay below 1,024, what a process may have open by default.
worker_connections = 900
graceful_timeout = 3
# What Python has once taken it seldom gives back: a worker makes way for a fresh one, and not both
# do at the same moment.
max_requests = 1000
max_requests_jitter = 200
# The workers are forked from a process that has loaded everything: one loading instead of two.
preload_app = True
# It would be put into the home folder, where one checkout disturbs another.
control_socket_disable = True

WARM_AFTER_SECONDS = 5.0
HEAD_SECONDS = 10.0
"""In which a connection has to send the head of a request, all of it."""
SILENCE_SECONDS = 10.0
"""How long it may then send nothing of the rest, or take nothing of the answer."""
ORPHAN_SECONDS = 30.0
"""How long workers go on whose master was killed: a successor needs 4 to 22 to load all pages."""
LONGEST_HEAD = 64 * 1024
"""Bytes; of a longer one the thread says what is too long about it."""
SHARE_HALF_SENT, SHARE_OF_VISITORS = 2, 4
"""
Into which part of the connections that a worker may have those fit whose head is not here, and
those that the visitors' worker has no room for. Whoever opens thousands of either gets no others:
the longest silent is closed, and a visitor is told to ask again.
"""
BUSY = (
    b"HTTP/1.1 503 Service Unavailable\r\nRetry-After: 5\r\nCache-Control: no-store\r\n"
    b"Content-Type: text/plain; charset=utf-8\r\nConnection: close\r\nContent-Length: 58\r\n\r\n"
    b"Many visitors are here just now. Ask again in 5 seconds.\r\n"
)
VISITORS_NICE = 10
"""How far the visitors' worker gives way to the members'."""


class HeadFirstWorker(ThreadWorker):  # type: ignore[misc]  # as above
    """
    Give a connection one of the few threads only once the head of its request is here.

    Gunicorn's own gives it one at its first byte and waits for the others there, without end: as
    many half-sent requests as there are threads stop everything. What the head says also decides
    whose worker does it.

    Where the master is killed, its workers go on until a successor can, if that finds their port:
    if it was opened by who starts both. Else they let go of it at once.
    """

    orphaned_at: float | None = None
    sockets: list[Any]

    is_for_visitors = False
    """`pre_fork` says it of one of them, where there are several."""
    way_in: socket.socket
    """To that one: a connection goes in with what it has sent. `on_starting` makes both ends."""
    way_out: socket.socket

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.fairness = lanes.Fairness()
        self.to_hand_on: deque[tuple[TConn, bytes]] = deque()
        """Those for which the visitors' worker has no room yet."""

    def init_process(self) -> None:
        if self.is_for_visitors:
            os.nice(VISITORS_NICE)
            self.way_out.setblocking(False)
            for listener in self.sockets:
                listener.close()
            self.sockets = [self.way_out]
        else:
            self.way_in.setblocking(False)
        super().init_process()

    def is_parent_alive(self) -> bool:
        if self.ppid == os.getppid():
            return True
        if self.orphaned_at is None:
            self.log.warning("The master of this worker has ended: soon it ends as well.")
            self.orphaned_at = time.monotonic()
        if any(not isinstance(address, int) for address in self.cfg.address):
            self.set_accept_enabled(False)
            for listener in self.sockets:
                listener.close()
            return False
        return time.monotonic() < self.orphaned_at + ORPHAN_SECONDS

    def accept(self, listener: socket.socket) -> None:
        if not self.is_for_visitors:
            super().accept(listener)
            return
        try:
            received, [passed, *_more], _flags, _address = socket.recv_fds(
                listener, 4 * LONGEST_HEAD, 1
            )
        except (BlockingIOError, ValueError):
            return
        client = socket.socket(fileno=passed)
        try:
            conn = TConn(self.cfg, client, client.getpeername(), client.getsockname())
        except OSError:
            client.close()
            return
        self.nr_conns += 1
        self.give_thread(conn, received)

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
        if len(self.pending_conns) > int(self.cfg.worker_connections) // SHARE_HALF_SENT:
            longest = self.pending_conns.popleft()
            self.poller.unregister(longest.sock)
            self.nr_conns -= 1
            longest.close()

    def receive(self, conn: TConn, received: bytearray, client: socket.socket) -> None:
        if client.fileno() < 0:
            # It was closed for those that came in the same moment.
            return
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
        if not self.has_visitors_worker or self.is_members(conn, received):
            self.give_thread(conn, bytes(received))
            return
        if len(self.to_hand_on) >= int(self.cfg.worker_connections) // SHARE_OF_VISITORS:
            with contextlib.suppress(OSError):
                conn.sock.send(BUSY)
            self.nr_conns -= 1
            conn.close()
            return
        self.to_hand_on.append((conn, bytes(received)))
        if len(self.to_hand_on) == 1 and not self.hand_on():
            self.poller.register(self.way_in, EVENT_WRITE, self.go_on_handing)

    @property
    def has_visitors_worker(self) -> bool:
        return not self.is_for_visitors and int(self.cfg.workers) > 1

    def is_members(self, conn: TConn, received: bytearray) -> bool:
        """Say whether somebody signed in asks, who has not had much of this worker just now."""
        person = find_member(received)
        if not person or not self.fairness.admits(person, time.monotonic()):
            return False
        self.fairness.begin(person)
        conn.person, conn.seconds = person, 0.0
        return True

    def hand_on(self) -> bool:
        """Hand connections on to the visitors' worker while it has room; say whether all went."""
        while self.to_hand_on:
            conn, received = self.to_hand_on[0]
            try:
                socket.send_fds(self.way_in, [received], [conn.sock.fileno()])
            except BlockingIOError:
                return False
            except OSError:
                # What is too much for it is no head of a browser's.
                conn.close()
            self.to_hand_on.popleft()
            # It is open there.
            conn.sock.close()
            self.nr_conns -= 1
        return True

    def go_on_handing(self, _socket: object) -> None:
        if self.hand_on():
            self.poller.unregister(self.way_in)

    def give_thread(self, conn: TConn, received: bytes) -> None:
        # Whoever has signed in since is to come in at the front with what they ask next.
        conn.is_astray = self.is_for_visitors and bool(find_member(received))
        conn.init()
        conn.parser.unreader.unread(received)
        conn.data_ready = True
        for option in (socket.SO_RCVTIMEO, socket.SO_SNDTIMEO):
            limit = struct.pack("ll", int(SILENCE_SECONDS), 0)
            conn.sock.setsockopt(socket.SOL_SOCKET, option, limit)
        super().enqueue_req(conn)

    def handle_request(self, req: Any, conn: TConn) -> object:
        if conn.is_astray:
            req.force_close()
        return super().handle_request(req, conn)

    def handle(self, conn: TConn) -> object:
        began = time.thread_time()
        try:
            return super().handle(conn)
        finally:
            conn.seconds = time.thread_time() - began

    def finish_request(self, conn: TConn, done: object) -> None:
        if person := getattr(conn, "person", 0):
            self.fairness.end(person, conn.seconds)
            conn.person = 0
        super().finish_request(conn, done)


def is_whole(received: bytearray) -> bool:
    # Empty lines before it are none of it.
    return b"\r\n\r\n" in received.lstrip(b"\r\n") or len(received) >= LONGEST_HEAD


def find_member(received: bytes | bytearray) -> int:
    """Return whose known session the head of a request names; 0 for a visitor's."""
    from django.conf import settings

    return lanes.KNOWN.find_person(lanes.find_cookie(bytes(received), settings.SESSION_COOKIE_NAME))


worker_class = HeadFirstWorker


def pre_fork(server: Any, worker: HeadFirstWorker) -> None:
    """Have one worker of each generation be the visitors': also while a new one takes over."""
    others = sorted(server.WORKERS.values(), key=lambda one: int(one.age))
    generation = others[len(others) - server.num_workers + 1 :] if server.num_workers > 1 else []
    is_last = len(others) >= server.num_workers - 1
    worker.is_for_visitors = (
        server.num_workers > 1 and is_last and not any(one.is_for_visitors for one in generation)
    )


def on_starting(server: Any) -> None:
    """
    Make what leads to the visitors' worker; refuse unsafe settings, and others' tables.

    A database that is away will be back.
    """
    ends = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    HeadFirstWorker.way_in, HeadFirstWorker.way_out = ends
    # What needs settings is loaded by now, with the application.
    from django.conf import settings
    from django.db import OperationalError, connections

    from phybench.work import environment, tables

    if unsafe := list(environment.list_unsafe(settings)):
        sys.exit("\n".join(f"phybench: {one}" for one in unsafe))

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

    Not at once: while everything starts, the processors have enough to do. Visitors have none.
    """
    if worker.is_for_visitors:
        return
    warming = threading.Timer(WARM_AFTER_SECONDS, sandbox.warm)
    warming.daemon = True
    warming.start()
