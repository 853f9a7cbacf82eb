"""A copy of this checkout, and `dev.py` really run in it."""

import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import sysconfig
import time
from collections.abc import Callable, Collection, Mapping
from contextlib import suppress
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

import psutil

from development.supervisor import die_with_parent

ROOT = Path(__file__).resolve().parent.parent.parent
PARTS = ("dev.py", "development", "packages", "requirements.lock", "requirements-tools.lock")
LEFT_OUT = shutil.ignore_patterns("__pycache__", "tests")
OWN_SERVICES = (
    *("DATABASE_URL", "CELERY_BROKER_URL", "VAR_DIR", "PORT", "PG_BINDIR"),
    *("SECRET_KEY", "FIELD_KEYS", "ENDPOINT_EGRESS_ALLOW"),
    *("CELERY_TASK_DEFAULT_QUEUE", "TEST_RUN", "PYTEST_XDIST_WORKER"),
)
PATIENCE_SECONDS = 90


def clean_environment() -> dict[str, str]:
    """Return the environment without what `tests/session.py` has put there for these tests."""
    return {name: value for name, value in os.environ.items() if name not in OWN_SERVICES}


def copy_set_up(folder: Path) -> Path:
    """Copy what `dev.py` is, with no `.venv` and no application."""
    folder.mkdir()
    for part in PARTS:
        source = ROOT / part
        if source.is_dir():
            shutil.copytree(
                source, folder / part, ignore=shutil.ignore_patterns("__pycache__", "tests")
            )
        else:
            shutil.copy(source, folder / part)
    return folder


def list_pins(lock: str) -> dict[str, str]:
    """Return the version of each package that a lock names."""
    pins = re.findall(r"^([a-z0-9._-]+)==([^ ;]+)", (ROOT / lock).read_text(), re.MULTILINE)
    return dict(pins)


def list_tools() -> set[str]:
    """Name what is installed here and is not for running: modules, and programs in `bin`."""
    named = list_pins("requirements-tools.lock").keys() - list_pins("requirements.lock").keys()
    packages = Path(sysconfig.get_path("purelib"))
    found: set[str] = set()
    for name in named:
        with suppress(PackageNotFoundError):
            for file in distribution(name).files or ():
                place = Path(os.path.normpath(packages / file))
                inside = place.is_relative_to(packages)
                found.add(place.relative_to(packages).parts[0] if inside else place.name)
    return found - {"__pycache__"}


def link_venv(checkout: Path, *, without: Collection[str] = ()) -> None:
    """Give a copy the packages that are installed here, or all but some."""
    ours, theirs = (ROOT / ".venv").resolve(), checkout / ".venv"
    if not without:
        theirs.symlink_to(ours)
        return
    # Python takes the folder of its own link for the environment.
    packages = Path(*Path(sysconfig.get_path("purelib")).parts[-3:])
    for part in ("bin", packages):
        (theirs / part).mkdir(parents=True)
        for entry in (ours / part).iterdir():
            if entry.name not in without:
                (theirs / part / entry.name).symlink_to(entry)
    for name in ("pyvenv.cfg", "installed"):
        shutil.copy(ours / name, theirs / name)


def copy_checkout(folder: Path, *, without: Collection[str] = ()) -> Path:
    """Copy the application, with what is installed here but for some, if any."""
    # With what Python has compiled of it, if anything: each process that starts there needs it.
    leave_out = (".git", ".venv", "var", ".*_cache", "*.pyc.*", "mutants")
    shutil.copytree(ROOT, folder, ignore=shutil.ignore_patterns(*leave_out))
    link_venv(folder, without=without)
    return folder


def dev(
    checkout: Path, *arguments: str, environment: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """Run one command of `dev.py` to its end."""
    return subprocess.run(
        [sys.executable, "dev.py", *arguments],
        cwd=checkout,
        env=environment or clean_environment(),
        capture_output=True,
        text=True,
        timeout=PATIENCE_SECONDS,
    )


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        number: int = probe.getsockname()[1]
    return number


class Run:
    """One `dev.py run`, ready once made; in the background a shell has it ignore Ctrl-C."""

    def __init__(
        self, checkout: Path, port: int, *, in_background: bool = False, with_demo: bool = False
    ) -> None:
        self.port = port
        self.output = checkout / "run.txt"
        with self.output.open("w") as output:
            self.process = subprocess.Popen(
                [sys.executable, "-u", "dev.py", "run", "--port", str(port)],
                cwd=checkout,
                env={**clean_environment(), "WITH_DEMO": str(int(with_demo))},
                stdout=output,
                stderr=output,
                preexec_fn=die_with_parent(
                    signal.SIGTERM, ignore_interrupts if in_background else None
                ),
            )
        # It makes the demo first, where one is asked for.
        patience = PATIENCE_SECONDS * (4 if with_demo else 1)
        wait_until(lambda: "Ready after" in self.text or self.process.poll() is not None, patience)
        assert self.process.poll() is None, self.text

    @property
    def text(self) -> str:
        return self.output.read_text()

    def family(self) -> list[psutil.Process]:
        return psutil.Process(self.process.pid).children(recursive=True)

    def end(self, number: signal.Signals) -> int:
        self.process.send_signal(number)
        return self.process.wait(PATIENCE_SECONDS)


def ignore_interrupts() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def is_running(process: psutil.Process) -> bool:
    try:
        return process.is_running() and process.status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


def wait_until(holds: Callable[[], bool], seconds: float = PATIENCE_SECONDS) -> bool:
    """Poll a condition, and return whether it came to hold in time."""
    deadline = time.monotonic() + seconds
    while not holds():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.05)
    return True
