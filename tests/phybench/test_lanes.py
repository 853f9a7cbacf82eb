"""Members ahead of visitors: whose request a web worker does itself, and whose it hands on."""

import contextlib
import http.client
import socket
import time

import psutil
import pytest
from django.conf import settings
from django.test import Client

from development import web
from phybench import gunicorn
from phybench.gunicorn import VISITORS_NICE
from phybench.people import lanes
from phybench.people.models import User
from tests.benchmarks.sessions import sign_in
from tests.development.checkout import free_port, wait_until
from tests.processes import Processes

NAME = "sessionid"


@pytest.mark.parametrize(
    ("head", "expected"),
    [
        (b"GET / HTTP/1.1\r\nCookie: a=1; sessionid=abc; b=2\r\n\r\n", b"abc"),
        (b"GET / HTTP/1.1\r\ncookie:sessionid=abc\r\n\r\n", b"abc"),
        (b'GET / HTTP/1.1\r\nCookie: sessionid="abc"\r\n\r\n', b"abc"),
        (b"GET / HTTP/1.1\r\nCookie: mysessionid=abc\r\n\r\n", b""),
        (b"GET /?Cookie:sessionid=abc HTTP/1.1\r\nHost: a\r\n\r\n", b""),
        (b"GET / HTTP/1.1\r\n\r\nCookie: sessionid=abc\r\n\r\n", b""),
        (b"\xff\x00", b""),
    ],
)
def test_a_session_is_read_from_the_head_of_a_request_and_nothing_else(head, expected):
    assert lanes.find_cookie(head, NAME) == expected


def test_a_session_is_known_from_when_it_is_noted_until_it_is_forgotten():
    known = lanes.KnownSessions()
    assert not known.find_person("theirs")
    known.note("theirs", 7)
    assert known.find_person("theirs") == 7
    assert not known.find_person("made up")
    known.forget("made up")
    assert known.find_person("theirs") == 7
    known.forget("theirs")
    assert not known.find_person("theirs")


def test_two_sessions_in_one_slot_are_never_taken_for_each_other(monkeypatch):
    monkeypatch.setattr(lanes, "SLOTS", 1)
    known = lanes.KnownSessions()
    known.note("first", 1)
    known.note("second", 2)
    assert not known.find_person("first")
    assert known.find_person("second") == 2


def test_whoever_has_had_much_is_served_like_a_visitor_until_some_of_it_has_come_back():
    fairness = lanes.Fairness()
    for _time in range(3):
        assert fairness.admits(1, 0.0)
        fairness.begin(1)
        fairness.end(1, lanes.MOST_SECONDS / 2.5, 0.0)
    assert not fairness.admits(1, 0.0)
    assert fairness.admits(2, 0.0)
    # A fifth was too much, and once that has come back one more is done, not all.
    later = lanes.MOST_SECONDS / 5 / lanes.REFILL + 0.1
    assert not fairness.admits(1, later - 0.2)
    assert fairness.admits(1, later)
    fairness.begin(1)
    fairness.end(1, lanes.MOST_SECONDS / 10, later)
    assert not fairness.admits(1, later)


def test_a_person_has_only_a_few_requests_under_way():
    fairness = lanes.Fairness()
    for _time in range(lanes.MOST_AT_ONCE):
        assert fairness.admits(1, 0.0)
        fairness.begin(1)
    assert not fairness.admits(1, 0.0)
    fairness.end(1, 0.0, 0.0)
    assert fairness.admits(1, 0.0)


@pytest.mark.django_db
def test_whoever_signs_in_twice_has_no_more_than_whoever_signs_in_once(monkeypatch, admin):
    monkeypatch.setattr(lanes, "KNOWN", lanes.KnownSessions())
    heads = []
    for _time in range(2):
        client = Client()
        client.force_login(admin)
        assert client.get("/me/").status_code == 200
        cookie = f"{NAME}={client.cookies[NAME].value}"
        heads.append(f"GET / HTTP/1.1\r\nCookie: {cookie}\r\n\r\n".encode())
    assert heads[0] != heads[1]
    assert [gunicorn.find_member(head) for head in heads] == [admin.pk, admin.pk]


def ask(port: int, path: str, session: str = "") -> int:
    """Return the status of an answer."""
    connection = http.client.HTTPConnection(web.HOST, port, timeout=30)
    cookie = {"Cookie": f"{settings.SESSION_COOKIE_NAME}={session}"} if session else {}
    with contextlib.closing(connection):
        connection.request("GET", path, headers=cookie)
        return connection.getresponse().status


@pytest.mark.own_server
@pytest.mark.django_db(transaction=True)
def test_visitors_are_served_by_their_own_worker_and_a_member_by_the_others(
    processes: Processes, admin: User
) -> None:
    number = free_port()
    server = psutil.Process(processes.start(lambda environ: web.server(environ, number)).pid)

    def find_visitors_worker() -> psutil.Process | None:
        workers = server.children()
        [*found] = [one for one in workers if one.nice() == server.nice() + VISITORS_NICE]
        return found[0] if len(workers) == gunicorn.workers and len(found) == 1 else None

    def takes(visitors: psutil.Process, path: str, session: str = "") -> bool:
        """Say whether the visitors' worker answers this, by the processor time that it takes."""
        workers = server.children()
        before = {one: sum(one.cpu_times()[:2]) for one in workers}
        for _time in range(12):
            ask(number, path, session)
        return visitors == max(workers, key=lambda one: sum(one.cpu_times()[:2]) - before[one])

    assert wait_until(lambda: find_visitors_worker() is not None)
    visitors = find_visitors_worker()
    assert visitors
    session = sign_in(admin)
    # Until its first answer nobody knows whose it is.
    assert ask(number, "/inbox/", session) == 200
    assert takes(visitors, "/no-such-page/")
    assert takes(visitors, "/no-such-page/", "made-up")
    assert not takes(visitors, "/me/", session)
    # Of one that was killed another takes the place, and what came meanwhile is answered.
    visitors.kill()
    assert ask(number, "/how-grading-works/") == 200
    assert wait_until(lambda: find_visitors_worker() not in {None, visitors})


HALF_A_HEAD = b"GET / HTTP/1.1\r\nHost: localhost\r\n"
LONG_BODY = b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99999\r\n\r\nhalf"


@pytest.mark.own_server
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(("sent", "told"), [(HALF_A_HEAD, b""), (LONG_BODY, b"HTTP/1.1 503")])
def test_whoever_opens_connections_without_number_takes_none_from_members(
    processes: Processes, admin: User, sent: bytes, told: bytes
) -> None:
    number = free_port()
    few = "--worker-connections 20"
    processes.start(lambda environ: web.server(environ, number), GUNICORN_CMD_ARGS=few)
    session = sign_in(admin)
    assert ask(number, "/me/", session) == 200
    with contextlib.ExitStack() as open_ones:
        made = []
        for _time in range(700):
            address = (web.HOST, number)
            made.append(open_ones.enter_context(socket.create_connection(address, timeout=30)))
            made[-1].sendall(sent)
        began_at = time.monotonic()
        assert ask(number, "/me/", session) == 200
        assert time.monotonic() - began_at < gunicorn.HEAD_SECONDS / 2
        # Of those that came too many the first ends at once, or the last.
        assert (made[-1] if told else made[0]).recv(12) == told
