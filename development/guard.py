"""
Clean up after `dev.py` however it ends, `kill -9` included.

It reads on its standard input what `dev.py` has started and made. When that ends, `dev.py` has
ended: what is left of it then is stopped, and throw-away folders are removed. (On Linux the kernel
signals the services besides; this also reaches what they started, and other systems.)

    watch <process group> <signal>      forget <process group>      remove <folder>
"""

import contextlib
import fcntl
import os
import shutil
import signal
import sys
import time
from collections.abc import Iterable

PATIENCE_SECONDS = 5.0


def main(lock_path: str, lines: Iterable[str]) -> None:
    # The next `dev.py` waits for this lock, so that it finds nothing half stopped.
    lock = os.open(lock_path, os.O_RDWR | os.O_CREAT, 0o600)
    fcntl.flock(lock, fcntl.LOCK_EX)
    for interruption in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(interruption, signal.SIG_IGN)
    print("ready", flush=True)

    groups: dict[int, int] = {}
    folders: list[str] = []
    for line in lines:
        verb, _, rest = line.rstrip("\n").partition(" ")
        if verb == "watch":
            group, stop_signal = map(int, rest.split())
            groups[group] = stop_signal
        elif verb == "forget":
            groups.pop(int(rest), None)
        elif verb == "remove":
            folders.append(rest)

    for group, stop_signal in groups.items():
        send(group, stop_signal)
    deadline = time.monotonic() + PATIENCE_SECONDS
    while any(is_running(group) for group in groups) and time.monotonic() < deadline:
        time.sleep(0.05)
    for group in groups:
        send(group, signal.SIGKILL)
    for folder in folders:
        shutil.rmtree(folder, ignore_errors=True)


def send(group: int, number: int) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(group, number)


def is_running(group: int) -> bool:
    """Tell whether any process of a group is left."""
    try:
        os.killpg(group, 0)
    except (ProcessLookupError, PermissionError):
        return False
    return True


if __name__ == "__main__":
    main(sys.argv[1], sys.stdin)
