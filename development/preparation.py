"""What `manage.py prepare` does before the application starts, and while it does."""

import contextlib
import os
import shlex
import signal
import subprocess
from pathlib import Path

from development.environment import PYTHON, ROOT
from development.failure import Failure, recognise, tail
from development.services import Services
from development.supervisor import die_with_parent

REFUSALS = {
    3: "is from before all tables were made anew, and can’t be brought up to this version",
    4: "is from a newer version than this one",
    5: "is from another version than this one, which made its tables differently",
}
"""By the exit status of `manage.py prepare`."""


def start(own: Services) -> subprocess.Popen[str]:
    """Have it load, and make what needs no database, before there is one."""
    environment = dict(own.environment)
    if not os.environ.get("DATABASE_URL"):
        # A crash would lose what was done last, and nothing more: it is begun anew then.
        environment["PGOPTIONS"] = "-c synchronous_commit=off"
    return subprocess.Popen(
        [PYTHON, "manage.py", "prepare"],
        env=environment,
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        preexec_fn=die_with_parent(signal.SIGKILL),
    )


def await_tables(process: subprocess.Popen[str], own: Services) -> None:
    """Say that the database is there, and wait until its tables are those of the code."""
    assert process.stdin
    assert process.stdout
    # It may have ended by now, and has said why.
    with contextlib.suppress(BrokenPipeError):
        process.stdin.write("go on\n")
        process.stdin.close()
    said = []
    while line := process.stdout.readline():
        if line == "ready\n":
            return
        said.append(line)
    finish(process, own, "".join(said))


def finish(process: subprocess.Popen[str], own: Services, said: str = "") -> str:
    """Return what it printed, or raise `Failure` with its last words."""
    assert process.stdout
    # Not `communicate`: it reads past what `readline` has already taken from the pipe.
    output = said + process.stdout.read()
    if process.wait() == 0:
        return output
    if refusal := REFUSALS.get(process.returncode):
        raise Failure(refuse(refusal, own.folder))
    if sentence := output.rstrip().rpartition("manage.py: ")[2] if "manage.py: " in output else "":
        raise Failure(sentence)
    raise Failure(recognise(output, own.folder) or f"`prepare` failed:{tail(output)}")


def refuse(what: str, folder: Path) -> str:
    """Say what is to be done with a database that this version can't take."""
    if os.environ.get("DATABASE_URL"):
        return f"The database in DATABASE_URL {what}: name another one."
    name = os.path.relpath(folder)
    if name.startswith(os.pardir):
        name = str(folder)
    aside = next(
        path for number in range(1, 1000) if not Path(path := f"{name}-before-{number}").exists()
    )
    command = shlex.join(["mv", name, aside])
    return f"The data in {name} {what}: set it aside with `{command}`, then start again."
