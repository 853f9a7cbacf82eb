"""The web server, as `dev.py run` starts it."""

import contextlib
import http.client
import socket
import time
from collections.abc import Iterator
from dataclasses import replace

import psutil
import pytest

from development import web
from development.failure import Failure
from development.supervisor import Service
from phybench import gunicorn
from tests.development.checkout import free_port, is_running, wait_until
from tests.processes import Processes, kill

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


def kill_and_ask_until_it_is_back(processes: Processes, number: int) -> list[psutil.Process]:
    """Kill the master of a server; return the workers that it left once a successor has its own."""
    supervisor = processes.supervisors[-1]
    [[running]] = supervisor.stages
    orphans = psutil.Process(running.process.pid).children()
    kill(running.process)
    is_back, longest = False, 0.0
    while not is_back:
        supervisor.check()
        began_at = time.monotonic()
        assert web.answers(number)
        longest = max(longest, time.monotonic() - began_at)
        [[successor]] = supervisor.stages
        children = psutil.Process(successor.process.pid).children()
        is_back = successor is not running and len(children) == gunicorn.workers
    print(f"The longest that a page took meanwhile: {longest:.1f} s")
    assert longest < SOON_SECONDS
    return orphans


def test_a_server_whose_master_is_killed_answers_all_the_time_until_it_is_back(
    processes: Processes, port: int
) -> None:
    kill_and_ask_until_it_is_back(processes, port)


@pytest.mark.slow
def test_workers_whose_master_was_killed_end_once_it_is_back(
    processes: Processes, port: int
) -> None:
    orphans = kill_and_ask_until_it_is_back(processes, port)
    supervisor = processes.supervisors[-1]
    assert wait_until(lambda: not any(map(is_running, orphans)))
    assert web.answers(port)
    assert supervisor.left_behind

    def is_forgotten() -> bool:
        supervisor.check()
        return not supervisor.left_behind

    assert wait_until(is_forgotten)


def test_workers_whose_master_was_killed_let_go_of_a_port_that_a_successor_has_to_open(
    processes: Processes,
) -> None:
    number = free_port()

    def start_by_itself(environment: dict[str, str]) -> Service:
        service = web.server(environment, number)
        assert service.listener is not None
        at = f"fd://{service.listener.fileno()}"
        service.listener.close()
        command = [f"{web.HOST}:{number}" if one == at else one for one in service.command]
        return replace(service, command=command, listener=None)

    def is_free() -> bool:
        try:
            web.take_port(number).close()
        except Failure:
            return False
        return True

    server = processes.start(start_by_itself)
    assert not is_free()
    kill(server)
    assert wait_until(is_free, SOON_SECONDS)
