"""The web server, as `dev.py run` starts it."""

import contextlib
import http.client
import socket
import time
from collections.abc import Iterator

import psutil
import pytest

from development import web
from phybench import gunicorn
from tests.development.checkout import free_port, wait_until
from tests.processes import Processes

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.own_server]

SOON_SECONDS = 5.0
HALF_A_HEAD = b"GET / HTTP/1.1\r\nHost: localhost\r\n"
WHOLE_HEAD = HALF_A_HEAD + b"\r\n"
HALF_A_BODY = b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\nhalf"


@pytest.fixture
def port(processes: Processes) -> int:
    number = free_port()
    processes.start(lambda environment: web.server(environment, number))
    return number


@contextlib.contextmanager
def connect(port: int, sent: bytes, times: int = 1) -> Iterator[list[socket.socket]]:
    """Open so many connections that send this and then wait."""
    with contextlib.ExitStack() as open_ones:
        made = []
        for _ in range(times):
            one = open_ones.enter_context(socket.create_connection((web.HOST, port), timeout=30))
            one.sendall(sent)
            made.append(one)
        yield made


def send_two_in_pieces(port: int) -> None:
    """Send one with the beginning of the next, and find both answered."""
    with connect(port, b"GET /ho") as [one]:
        one.sendall(b"w-grading-works/ HTTP/1.1\r\nHost: local")
        one.sendall(b"host\r\n\r\nGET /no-such-page/ HTTP/1.1\r\nHost: localhost\r\n")
        one.sendall(b"Connection: close\r\n\r\n")
        received = b""
        while more := one.recv(4096):
            received += more
    assert received.startswith(b"HTTP/1.1 200")
    assert received.count(b"HTTP/1.1 404") == 1


def test_requests_may_come_in_pieces_and_half_sent_ones_keep_nobody_waiting_and_are_closed(
    port: int,
) -> None:
    send_two_in_pieces(port)
    kinds = (b"", HALF_A_HEAD, b"\r\n\r\n" + HALF_A_HEAD, WHOLE_HEAD + HALF_A_HEAD)
    with contextlib.ExitStack() as waiting:
        halves = [one for sent in kinds for one in waiting.enter_context(connect(port, sent, 20))]
        began_at = time.monotonic()
        assert web.answers(port)
        assert time.monotonic() - began_at < SOON_SECONDS
        halves += waiting.enter_context(connect(port, HALF_A_BODY))
        for half in halves:
            while half.recv(4096):
                pass


@pytest.mark.slow
def test_a_worker_makes_way_for_a_fresh_one_after_so_many_requests(processes: Processes) -> None:
    number = free_port()
    server = processes.start(lambda environment: web.server(environment, number))
    first = set(psutil.Process(server.pid).children())
    most = gunicorn.max_requests + gunicorn.max_requests_jitter
    # While one connection is kept, it is one worker's.
    connection = http.client.HTTPConnection(web.HOST, number)
    for _ in range(most):
        connection.request("GET", "/static/favicon.svg")
        answer = connection.getresponse()
        answer.read()
        if answer.getheader("Connection") == "close":
            break
    connection.close()
    assert wait_until(lambda: set(psutil.Process(server.pid).children()) - first != set())
