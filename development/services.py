"""The database and the broker that commands need: those one names, else this checkout's own."""

import base64
import contextlib
import fcntl
import os
import secrets
import shutil
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from development import broker, named, postgres
from development.environment import PYTHON, ROOT
from development.failure import Failure
from development.sockets import socket_folder, temporary_folder
from development.supervisor import Supervisor

ANOTHER = "{} is running in this checkout: stop it first."
NAMELESS = "Another `dev.py`"
"""One that holds the lock, and has not yet written who it is."""


@dataclass(frozen=True)
class Services:
    """What a command runs with: an environment for its children, and who looks after them."""

    environment: dict[str, str]
    supervisor: Supervisor
    folder: Path
    sockets: Path
    throw_away: bool

    def start(self) -> None:
        """Start the database and the broker, unless others were named, which have to answer."""
        named.refuse_silent(os.environ)
        services = []
        if not os.environ.get("DATABASE_URL"):
            services.append(
                postgres.make_service(
                    folder=self.folder,
                    sockets=self.sockets,
                    environment=self.environment,
                    throw_away=self.throw_away,
                )
            )
        if not os.environ.get("CELERY_BROKER_URL"):
            services.append(
                broker.make_service(
                    folder=self.folder, sockets=self.sockets, environment=self.environment
                )
            )
        self.supervisor.start(*services)


def var_folder() -> Path:
    return Path(os.environ.get("VAR_DIR") or ROOT / "var").resolve()


@contextlib.contextmanager
def lasting(command: str) -> Iterator[Services]:
    """Look after services whose data stays in this checkout; one command at a time may."""
    folder = var_folder()
    folder.mkdir(parents=True, exist_ok=True)
    with hold_lock(folder / "running", command):
        yield from look_after(folder, socket_folder(folder), throw_away=False)


@contextlib.contextmanager
def throw_away() -> Iterator[Services]:
    """Look after services with data of their own, which is removed with them."""
    folder = Path(tempfile.mkdtemp(prefix="phybench-", dir=temporary_folder()))
    try:
        # Where PostgreSQL runs as another user, that user has to get at its own folder in it.
        folder.chmod(0o711)
        sockets = folder / "sockets"
        sockets.mkdir(mode=0o700)
        yield from look_after(folder, sockets, throw_away=True)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def look_after(folder: Path, sockets: Path, *, throw_away: bool) -> Iterator[Services]:
    supervisor = Supervisor(folder=folder, log_folder=folder / "log", root=ROOT)
    try:
        if throw_away:
            supervisor.tell_guard("remove", folder)
        environment = make_environment(folder, sockets)
        yield Services(environment, supervisor, folder, sockets, throw_away)
    finally:
        supervisor.stop()


def running_environment() -> dict[str, str] | None:
    """Return the environment of the `dev.py` that is running in this checkout, if one is."""
    folder = var_folder()
    if not is_held(folder / "running"):
        return None
    return make_environment(folder, socket_folder(folder))


def make_environment(folder: Path, sockets: Path) -> dict[str, str]:
    """Return what the settings read; what is set already stays as it is."""
    environment = {
        **os.environ,
        "VAR_DIR": str(folder),
        "PATH": f"{PYTHON.parent}{os.pathsep}{os.environ.get('PATH', os.defpath)}",
        "PYTHONUNBUFFERED": "1",
    }
    environment["DATABASE_URL"] = os.environ.get("DATABASE_URL") or postgres.database_url(sockets)
    environment["CELERY_BROKER_URL"] = os.environ.get("CELERY_BROKER_URL") or broker.broker_url(
        sockets
    )
    # Sessions, and endpoints' keys, outlive a restart.
    environment["SECRET_KEY"] = os.environ.get("SECRET_KEY") or keep_secret(
        folder / "secret_key", lambda: secrets.token_urlsafe(50)
    )
    environment["FIELD_KEYS"] = os.environ.get("FIELD_KEYS") or keep_secret(
        folder / "field_keys", make_field_key
    )
    # Models that run on this machine can be tried; only admins set addresses.
    environment.setdefault("ENDPOINT_EGRESS_ALLOW", "127.0.0.1 ::1")
    return environment


def keep_secret(path: Path, make: Callable[[], str]) -> str:
    """Return a secret of this checkout, made the first time."""
    if not path.exists() or not path.read_text().strip():
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with open(descriptor, "w") as file:
            file.write(make())
    return path.read_text().strip()


def make_field_key() -> str:
    """Make what `grading.endpoints.generate_field_key` makes, before anything is installed."""
    return base64.urlsafe_b64encode(secrets.token_bytes(32)).decode()


@contextlib.contextmanager
def hold_lock(path: Path, command: str) -> Iterator[None]:
    """Be the only `dev.py` that uses this data; the lock goes with the process, however it ends."""
    with path.open("a+") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            file.seek(0)
            raise Failure(ANOTHER.format(file.read() or NAMELESS)) from None
        file.truncate(0)
        file.write(f"`dev.py {command}` (process {os.getpid()})")
        file.flush()
        yield


def refuse_another() -> None:
    path = var_folder() / "running"
    if is_held(path):
        raise Failure(ANOTHER.format(path.read_text() or NAMELESS))


def is_held(path: Path) -> bool:
    if not path.exists():
        return False
    with path.open() as file:
        try:
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
    return False
