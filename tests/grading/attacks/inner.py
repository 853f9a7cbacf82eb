"""What an attacker wants to reach on this machine, and names that lead there only sometimes."""

import itertools
import socket
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

PUBLIC = "93.184.215.14"
"""Nothing is sent there: the guard says that nobody answers."""


class Inner:
    """Servers on all addresses of this machine: whoever connects is counted."""

    def __init__(self) -> None:
        self.reached: list[Any] = []
        self.servers = [socket.create_server(("0.0.0.0", 0))]
        self.port: int = self.servers[0].getsockname()[1]
        six = socket.create_server(("::", self.port), family=socket.AF_INET6)
        self.servers.append(six)
        self.threads = [threading.Thread(target=self.count, args=(one,)) for one in self.servers]

    def count(self, server: socket.socket) -> None:
        while True:
            try:
                connection, client = server.accept()
            except OSError:
                return
            self.reached.append(client)
            connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}")
            connection.close()

    def __enter__(self) -> "Inner":
        for thread in self.threads:
            thread.start()
        return self

    def __exit__(self, *_error: object) -> None:
        for server in self.servers:
            server.shutdown(socket.SHUT_RDWR)
            server.close()
        for thread in self.threads:
            thread.join()


class Names:
    """What the system's resolver says of some names: another answer each time, round and round."""

    def __init__(self) -> None:
        self.answers: dict[str, Iterator[Sequence[str]]] = {}
        self.asked: list[str] = []
        self._system = socket.getaddrinfo

    def change(self, name: str, *answers: str) -> None:
        self.answers[name] = itertools.cycle([one.split() for one in answers])

    def look_up(self, host: Any, port: Any, *rest: Any, **options: Any) -> list[Any]:
        if host not in self.answers:
            return self._system(host, port, *rest, **options)
        self.asked.append(host)
        return [
            found
            for address in next(self.answers[host])
            for found in self._system(address, port, *rest, **options)
        ]


_stays = False


def _look(event: str, arguments: tuple[Any, ...]) -> None:
    """Say of all that is not on this machine that it is not there: nothing leaves."""
    if not _stays or event != "socket.connect":
        return
    where = arguments[1]
    if isinstance(where, tuple) and str(where[0]) == PUBLIC:
        raise ConnectionRefusedError(f"{where[0]} is not of this machine")


# Once for the process: such a hook can't be taken away, only told to look away.
sys.addaudithook(_look)


@contextmanager
def staying_here() -> Iterator[None]:
    global _stays
    _stays = True
    try:
        yield
    finally:
        _stays = False
