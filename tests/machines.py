"""
`dev.py run` from nothing on machines unlike each other, as a table.

    .venv/bin/python -m tests.machines [WORD ...]

By hand, as root on Linux (it is somebody else too, and cuts the network), with the index of
packages at hand: a quarter of an hour, or only the rows that have one of the words. Each begins
with a copy of what git would commit. An older and a newer version of the data are made by the last
commit before the migrations changed.
"""

import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from tests.development.checkout import ROOT, clean_environment, free_port

PATIENCE_SECONDS = 300
STRANGER = "nobody"
CUT_OFF = ("unshare", "-n", "sh", "-c", 'ip link set lo up && exec "$@"', "-")
"""Runs what follows with nothing to reach but this machine."""
Row = tuple[str, Callable[[Path], str]]


def main(words: list[str]) -> None:
    print(f"{'machine':<44}{'seconds':>8}  outcome")
    for name, try_it in rows():
        if words and not any(word in name for word in words):
            continue
        with tempfile.TemporaryDirectory(prefix="machine-") as folder:
            Path(folder).chmod(0o755)
            began = time.monotonic()
            outcome = try_it(Path(folder))
            print(f"{name:<44}{time.monotonic() - began:>8.0f}  {outcome}", flush=True)


def rows() -> Iterator[Row]:
    here = sys.executable
    for version in ("3.11", "3.12", "3.13"):
        python = find_python(version)
        name = f"Python {version}"
        yield (f"{name}, root", lambda at, python=python: start(copy(at / "checkout"), python))
    system = find_python("3.11", f"/usr/bin:{os.defpath}")
    yield "not root", lambda at: start(copy(at / "checkout"), system, user=STRANGER)
    yield "path with spaces and other letters", lambda at: start(copy(at / "Мой 物理 (é) %s"), here)
    yield "port taken", lambda at: start_on_taken_port(installed(at / "checkout"), here)
    yield "read-only checkout, never started", lambda at: start_read_only(copy(at / "c"), here)
    yield (
        "read-only checkout, VAR_DIR elsewhere",
        lambda at: start_read_only(installed(at / "c"), here, var=at / "var"),
    )
    yield "no network, never started", lambda at: start(copy(at / "c"), here, before=CUT_OFF)
    yield "no network, started before", lambda at: start(installed(at / "c"), here, before=CUT_OFF)
    yield "var/ older than the code", lambda at: exchange(at, here, first="older")
    yield "var/ newer than the code", lambda at: exchange(at, here, first="newer")


def find_python(version: str, path: str | None = None) -> str:
    """Find a Python of this version that runs: on PATH, or among pyenv's; else return nothing."""
    versions = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    found = [] if path else sorted(map(str, versions.glob(f"{version}.*/bin/python3")))
    for python in (shutil.which(f"python{version}", path=path), *found):
        if python and subprocess.run([python, "-c", ""], capture_output=True).returncode == 0:
            return python
    return ""


def copy(folder: Path) -> Path:
    """Copy what git would commit."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    for name in filter(None, listed.stdout.split("\0")):
        if (ROOT / name).exists():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, folder / name)
    return folder


def installed(folder: Path) -> Path:
    """Copy it with this checkout's packages, as if it had been started before."""
    copy(folder)
    (folder / ".venv").symlink_to(ROOT / ".venv")
    for compiled in ROOT.glob("locale/**/*.mo"):
        shutil.copy(compiled, folder / compiled.relative_to(ROOT))
    return folder


def start(
    checkout: Path,
    python: str,
    *,
    port: int = 0,
    user: str = "",
    before: tuple[str, ...] = (),
    var: Path | None = None,
) -> str:
    """Start it, have it answer, stop it; return the last thing that it said."""
    if not python:
        return "could not be had: there is no such Python here"
    environment = {**clean_environment(), "HOME": str(checkout.parent)}
    if var:
        environment["VAR_DIR"] = str(var)
    if user:
        subprocess.run(["chown", "-R", user, checkout.parent], check=True)
    output = checkout.parent / "output"
    with output.open("w") as file:
        process = subprocess.Popen(
            [*before, python, "-u", "dev.py", "run", "--port", str(port or free_port())],
            cwd=checkout,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=file,
            stderr=file,
            user=user or None,
            group=(user and "nogroup") or None,
            extra_groups=[] if user else None,
        )
    deadline = time.monotonic() + PATIENCE_SECONDS
    # It says so once its first page was answered.
    while "Ready after" not in output.read_text() and process.poll() is None:
        if time.monotonic() > deadline:
            process.kill()
            return "HANGS"
        time.sleep(0.2)
    is_ready = process.poll() is None
    if is_ready:
        process.send_signal(signal.SIGINT)
    status = process.wait(PATIENCE_SECONDS)
    lines = [line for line in output.read_text().splitlines() if line.strip()]
    if is_ready:
        ready = next(line for line in lines if line.startswith("Ready after"))
        return f"runs; {ready.partition(':')[0]}, stopped with status {status}"
    return f"status {status}; {lines[-1] if lines else 'said nothing'}"


def start_on_taken_port(checkout: Path, python: str) -> str:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        return start(checkout, python, port=taken.getsockname()[1])


def start_read_only(checkout: Path, python: str, var: Path | None = None) -> str:
    """Start it on a disk that root may not write to either."""
    for options in (["--bind", checkout], ["-o", "remount,ro,bind"]):
        mounted = subprocess.run(["mount", *options, checkout], capture_output=True, text=True)
        if mounted.returncode != 0:
            return f"could not be had: {mounted.stderr.strip()}"
    try:
        return start(checkout, python, var=var)
    finally:
        subprocess.run(["umount", checkout], check=True)


def exchange(folder: Path, python: str, *, first: str) -> str:
    """Start one version, then the other on the data that it left."""
    checkouts = {"older": folder / "older", "newer": copy(folder / "newer")}
    describe = ["git", "log", "-1", "--format=%H", "--", "*/migrations/*"]
    changed = subprocess.run(describe, cwd=ROOT, capture_output=True, text=True, check=True)
    checkouts["older"].mkdir()
    archive = subprocess.run(
        ["git", "archive", f"{changed.stdout.strip()}^"], cwd=ROOT, capture_output=True, check=True
    )
    subprocess.run(["tar", "x"], cwd=checkouts["older"], input=archive.stdout, check=True)
    begun = start(checkouts.pop(first), python)
    [(_name, other)] = checkouts.items()
    (folder / first / "var").rename(other / "var")
    return f"{start(other, python)} [on data of one that {begun.partition(';')[0]}]"


if __name__ == "__main__":
    main(sys.argv[1:])
