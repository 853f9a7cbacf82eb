"""The servers that one names instead of this checkout's own: where none answers, that is said."""

import socket
from collections.abc import Mapping
from urllib.parse import urlsplit

from development.failure import Failure

PATIENCE_SECONDS = 5.0
SILENT = (
    "Nothing answers at {at}, which {name} names: start that server, name another, or unset {name} "
    "to use the one that comes with the packages."
)
PORTS = {
    "DATABASE_URL": {"postgres": 5432, "postgresql": 5432, "pgsql": 5432},
    "CELERY_BROKER_URL": {"redis": 6379, "rediss": 6379, "amqp": 5672, "amqps": 5671},
}
"""Where one listens whose address names no port, by what an address begins with."""


def refuse_silent(environment: Mapping[str, str]) -> None:
    """
    Stop where a server that was named does not answer: each part would wait for it by itself.

    An address that is none is left to the settings, which say so; so is one that is read only by
    the server's own client, as a path of a socket.
    """
    for name, ports in PORTS.items():
        if (at := find_address(environment.get(name, ""), ports)) and not listens(*at):
            raise Failure(SILENT.format(at="{}:{}".format(*at), name=name))


def find_address(url: str, ports: Mapping[str, int]) -> tuple[str, int] | None:
    try:
        parts = urlsplit(url)
        host, port = parts.hostname or "", parts.port or ports.get(parts.scheme, 0)
    except ValueError:
        return None
    is_one = parts.scheme in ports and host and not {"%", ",", ";"} & set(parts.netloc)
    return (host, port) if is_one else None


def listens(host: str, port: int) -> bool:
    try:
        socket.create_connection((host, port), PATIENCE_SECONDS).close()
    except OSError:
        return False
    return True
