"""A scripted server, clients of it, and a guard that lets nothing leave this machine."""

import ipaddress
import sys
from collections.abc import Iterator

import pytest

from grading.endpoints import APIKey, ChatClient, Egress, Limits, Message, Parameters
from tests.grading.endpoints.scripted_server import ScriptedServer

LOOPBACK = Egress.parse("127.0.0.0/8 ::1")
KEY = "sk-test-0123456789abcdefwxyz"
QUESTION = [Message("system", "Judge."), Message("user", "Is $x$ right?")]
PARAMETERS = Parameters(model="fake-judge", max_tokens=100, temperature=0.0, seed=1)

_left: list[object] | None = None


def _look(event: str, arguments: tuple[object, ...]) -> None:
    if _left is None or event not in ("socket.connect", "socket.getaddrinfo", "socket.sendto"):
        return
    where = arguments[0] if event == "socket.getaddrinfo" else arguments[1]
    # Sockets of the file system have a path; the database may be behind one.
    if event != "socket.getaddrinfo":
        if not isinstance(where, tuple):
            return
        where = where[0]
    try:
        stays = ipaddress.ip_address(str(where)).is_loopback
    except ValueError:
        stays = where in (None, "localhost")
    if not stays:
        _left.append(where)
        raise AssertionError(f"{event}: {where!r} is not on this machine")


# Once for the process: such a hook can't be taken away, only told to look away.
sys.addaudithook(_look)


@pytest.fixture(autouse=True)
def left() -> Iterator[list[object]]:
    """Fail a test in which anything was to leave this machine; the addresses it was to go to."""
    global _left
    _left = found = []
    try:
        yield found
    finally:
        _left = None
    assert found == []


QUICK = Limits(total=10.0, connect=2.0, silence=10.0, largest=1024 * 1024)


def reach(server: ScriptedServer, *, limits: Limits = QUICK, **options: object) -> ChatClient:
    """Make a client of a scripted server."""
    return ChatClient(
        server.base_url, egress=LOOPBACK, limits=limits, **{"key": APIKey(KEY), **options}
    )
