"""
How the web server runs: `gunicorn --config python:phybench.gunicorn phybench.wsgi`.

One of its workers is the visitors': all others accept connections, read the head of each request
and hand those of visitors on to it (`phybench/people/lanes.py`).
"""

import contextlib
import os
import re
import socket
import struct
import sys
import threading
import time
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future
from functools import partial
from selectors import EVENT_READ, EVENT_WRITE
from typing import Any

from gunicorn.workers.gthread import (  # type: ignore[import-untyped]  # it has no types
    TConn,
    ThreadWorker,
)

from phybench.people import lanes
from phybench.people.patient_socket import PatientSocket
from phybench.work import logs, sandbox

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
# It would go past what keeps the rest for a slow reader.
sendfile = False

if os.environ.get("LOG_FORMAT") == "json":
    logconfig_dict = logs.configure("json")
    logs.take_over()

WARM_AFTER_SECONDS = 5.0
HEAD_SECONDS = 10.0
"""In which a connection has to send the head of a request, all of it."""
SILENCE_SECONDS = 10.0
"""How long it may then send nothing of the rest, or take nothing of the answer."""
ORPHAN_SECONDS = 30.0
"""How long workers go on whose master was killed: a successor needs 4 to 22 to load all pages."""
BODY_SECONDS = 30.0
"""In which a body has to come that is waited for without a thread."""
LINGER_SECONDS = 2.0
"""How long one that is told the end may take to close: at once would cut off what it was sent."""
LEAST_A_SECOND = 8 * 1024
"""Bytes that who reads an answer takes of it, after `SILENCE_SECONDS`."""
LONGEST_HEAD = 64 * 1024
"""Bytes; of a longer one the thread says what is too long about it."""
LONGEST_BODY = 64 * 1024
"""Bytes that are waited for without a thread: a save has one or two thousand."""
SHARE_WAITED_FOR, SHARE_OF_VISITORS = 2, 4
"""
Into which part of the connections that a worker may have those fit that it waits for, and those
that the visitors' worker has no room for. Whoever opens thousands of either gets no others: the one
that is waited for longest is closed, and a visitor is told to ask again.
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
    Give a connection one of the few threads only while there is something for that to do.

    Gunicorn's own gives it one at its first byte, and waits there for the rest, then for whoever
    reads the answer, and in the thread of all connections until it is closed at the other end: as
    many slow ones as there are threads stop everything. Here head and body are received, and the
    answer's rest is sent, without a thread. What the head says also decides whose worker does it;
    a body that is too long to be waited for goes the visitors' way, whoever sends it.

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
        self.deadlines: dict[TConn, float] = {}
        """Those that are waited for without a thread, and until when."""
        self.looked_at = 0.0

    def init_process(self) -> None:
        if self.is_for_visitors:
            from phybench.pages import kept

            os.nice(VISITORS_NICE)
            kept.SHELF.is_for_members = True
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
            sentence = "The master of this worker has ended: soon it ends as well."
            self.log.warning(sentence)
            self.orphaned_at = time.monotonic()
        if any(not isinstance(address, int) for address in self.cfg.address):
            self.set_accept_enabled(False)
            for listener in self.sockets:
                listener.close()
            return False
        return time.monotonic() < self.orphaned_at + ORPHAN_SECONDS

    def accept(self, listener: socket.socket) -> None:
        received = b""
        try:
            if self.is_for_visitors:
                received, [client], *_flags = socket.recv_fds(listener, 4 * LONGEST_HEAD, 1)
            else:
                client = listener.accept()[0].detach()
        except (BlockingIOError, ConnectionAbortedError, ValueError):
            return
        sock = PatientSocket(fileno=client)
        try:
            conn = TConn(self.cfg, sock, sock.getpeername(), sock.getsockname())
        except OSError:
            sock.close()
            return
        self.nr_conns += 1
        if self.is_for_visitors:
            self.give_thread(conn, received)
        else:
            self.enqueue_req(conn)

    def enqueue_req(self, conn: TConn) -> None:
        received = bytearray(conn.parser.unreader.take_buffered() if conn.parser else b"")
        if not is_to_wait_for(received):
            self.hand_over(conn, received)
            return
        self.wait(conn, HEAD_SECONDS, EVENT_READ, partial(self.receive, conn, received))

    def receive(self, conn: TConn, received: bytearray, client: socket.socket) -> None:
        if conn not in self.deadlines:
            # Dropped among the same events.
            return
        had_head = is_whole_head(received)
        try:
            more = client.recv(LONGEST_HEAD)
        except BlockingIOError:
            return
        except OSError:
            more = b""
        received += more
        # One that was closed meanwhile the thread closes as well.
        if not more or not is_to_wait_for(received):
            self.go_on(conn)
            self.hand_over(conn, received)
        elif not had_head and is_whole_head(received):
            self.deadlines[conn] = time.monotonic() + BODY_SECONDS

    def wait(
        self, conn: TConn, seconds: float, event: int, then: Callable[[socket.socket], None]
    ) -> None:
        """Wait for a connection without a thread: until then, or until its time is over."""
        conn.sock.setblocking(False)
        self.deadlines[conn] = time.monotonic() + seconds
        self.poller.register(conn.sock, event, then)
        if len(self.deadlines) > int(self.cfg.worker_connections) // SHARE_WAITED_FOR:
            # The one that is waited for longest.
            self.drop(next(iter(self.deadlines)))

    def go_on(self, conn: TConn) -> None:
        del self.deadlines[conn]
        self.poller.unregister(conn.sock)

    def drop(self, conn: TConn) -> None:
        if conn in self.deadlines:
            self.go_on(conn)
        self.leave(conn)
        self.nr_conns -= 1
        conn.close()

    def murder_pending(self) -> None:
        """Close those whose time is over: looked at once a second, since this is called often."""
        now = time.monotonic()
        if now < self.looked_at + 1:
            return
        self.looked_at = now
        for conn in [conn for conn, deadline in self.deadlines.items() if deadline < now]:
            self.drop(conn)

    def hand_over(self, conn: TConn, received: bytearray) -> None:
        if not self.has_visitors_worker or self.is_members(conn, received):
            self.give_thread(conn, bytes(received))
            return
        if len(self.to_hand_on) >= int(self.cfg.worker_connections) // SHARE_OF_VISITORS:
            with contextlib.suppress(OSError):
                conn.sock.send(BUSY)
            self.linger(conn)
            return
        self.to_hand_on.append((conn, bytes(received)))
        if len(self.to_hand_on) == 1 and not self.hand_on():
            self.poller.register(self.way_in, EVENT_WRITE, self.go_on_handing)

    @property
    def has_visitors_worker(self) -> bool:
        return not self.is_for_visitors and int(self.cfg.workers) > 1

    def is_members(self, conn: TConn, received: bytearray) -> bool:
        """
        Say whether somebody signed in asks, who has not had much of this worker just now.

        Whoever sends a long body keeps a thread waiting for it.
        """
        person = find_member(received)
        if not is_whole(received):
            return False
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

    def finish_request(self, conn: TConn, done: Future[object]) -> None:
        if conn.sock.rest:
            seconds = SILENCE_SECONDS + len(conn.sock.rest) / LEAST_A_SECOND
            self.wait(conn, seconds, EVENT_WRITE, partial(self.send_rest, conn, done))
            return
        self.leave(conn)
        if not done.cancelled() and not done.exception() and done.result():
            super().finish_request(conn, done)
        else:
            self.linger(conn)

    def send_rest(self, conn: TConn, done: Future[object], client: PatientSocket) -> None:
        if conn not in self.deadlines:
            # Dropped among the same events.
            return
        try:
            client.send_rest()
        except OSError:
            self.drop(conn)
            return
        if not client.rest:
            self.go_on(conn)
            self.finish_request(conn, done)

    def leave(self, conn: TConn) -> None:
        """Count a request as done for its session: also what is still to be sent is of it."""
        if person := getattr(conn, "person", 0):
            self.fairness.end(person, conn.seconds, time.monotonic())
            conn.person = 0

    def linger(self, conn: TConn) -> None:
        try:
            conn.sock.shutdown(socket.SHUT_WR)
        except OSError:
            self.drop(conn)
            return
        self.wait(conn, LINGER_SECONDS, EVENT_READ, partial(self.drain, conn))

    def drain(self, conn: TConn, client: socket.socket) -> None:
        if conn not in self.deadlines:
            # Dropped among the same events.
            return
        try:
            more = client.recv(LONGEST_HEAD)
        except BlockingIOError:
            return
        except OSError:
            more = b""
        if not more:
            self.drop(conn)


_LENGTH = re.compile(rb"\r\ncontent-length:[ \t]*(\d{1,15})[ \t]*\r\n", re.IGNORECASE)
_OTHERWISE = re.compile(rb"\r\n(?:transfer-encoding|expect):", re.IGNORECASE)
"""A body in chunks has no length before it ends, and one that is waited to be asked for none."""


def is_whole_head(received: bytearray) -> bool:
    # Empty lines before it are none of it.
    return b"\r\n\r\n" in received.lstrip(b"\r\n") or len(received) >= LONGEST_HEAD


def count_missing(received: bytearray) -> int:
    """Count the bytes of a body that are not here yet; all where nobody knows how many."""
    sent = received.lstrip(b"\r\n")
    head, _end, body = sent.partition(b"\r\n\r\n")
    head += b"\r\n"
    if _OTHERWISE.search(head):
        return sys.maxsize
    length = _LENGTH.search(head)
    return max(0, int(length[1]) - len(body)) if length else 0


def is_whole(received: bytearray) -> bool:
    return is_whole_head(received) and not count_missing(received)


def is_to_wait_for(received: bytearray) -> bool:
    """Say whether a head, or a body that is not long, is not all here."""
    if not is_whole_head(received):
        return True
    missing = count_missing(received)
    return 0 < missing <= LONGEST_BODY and len(received) < LONGEST_HEAD + LONGEST_BODY


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

    from phybench.people import accounts
    from phybench.work import environment, tables

    if unsafe := list(environment.list_unsafe(settings)):
        sys.exit("\n".join(f"phybench: {one}" for one in unsafe))

    try:
        sentence = tables.compare()
        # `dev.py run` has printed it.
        if not sentence and not settings.RUN_BY_DEV_PY and (line := accounts.say_how_to_set_up()):
            server.log.info(line)
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
