"""
All workers of one machine and the clock, forked from one process that has loaded the code for them.

    python -m phybench.workers '{"worker": ["--app", "phybench", "worker", …], "beat": […]}'

Each is what `celery` makes of its arguments. One that ends by itself is forked again.
"""

import contextlib
import gc
import json
import os
import signal
import sys
import time
from collections.abc import Mapping, Sequence
from types import FrameType

# What Celery would load only when a worker or the clock begins, in each of them.
import celery.apps.beat
import celery.apps.worker
import celery.bin.celery
import celery.concurrency.thread  # noqa: F401

from phybench.celery import app

LEAST_SECONDS = 10.0
"""One that ends sooner would do so again and again: then all end, and who started them decides."""


def main(parts: Mapping[str, Sequence[str]]) -> int:
    app.loader.import_default_modules()
    # To look for garbage in what all of them share would copy it.
    gc.freeze()
    return Family(parts).run()


class Family:
    """The processes that were forked, by their numbers, and whether they are to end."""

    def __init__(self, parts: Mapping[str, Sequence[str]]) -> None:
        self.parts = parts
        self.running: dict[int, tuple[str, float]] = {}
        self.is_ending = False

    def run(self) -> int:
        """Return the exit status: in each of those forked its own, here once all have ended."""
        signal.signal(signal.SIGTERM, self.end)
        for name in self.parts:
            if self.is_forked_as(name):
                return self.become(name)
        return self.look_after()

    def look_after(self) -> int:
        status = 0
        while self.running:
            number, code = os.wait()
            name, began = self.running.pop(number)
            if self.is_ending:
                continue
            ending = f"{name} ended ({os.waitstatus_to_exitcode(code)})"
            if time.monotonic() - began < LEAST_SECONDS:
                print(f"{ending}, at once, and so do all.", flush=True)
                status = 1
                self.end()
            else:
                print(f"{ending} and is started again.", flush=True)
                if self.is_forked_as(name):
                    return self.become(name)
        return status

    def is_forked_as(self, name: str) -> bool:
        """Fork, unless all are to end: False here, True in the new process."""
        # A request to end waits until the new one is known here, and obeys by itself there.
        signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGTERM])
        try:
            if self.is_ending:
                return False
            number = os.fork()
            if number:
                self.running[number] = name, time.monotonic()
            else:
                signal.signal(signal.SIGTERM, signal.SIG_DFL)
            return not number
        finally:
            signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGTERM])

    def become(self, name: str) -> int:
        status: int | None = app.start([*self.parts[name]])
        return status or 0

    def end(self, number: int = signal.SIGTERM, frame: FrameType | None = None) -> None:
        self.is_ending = True
        for child in list(self.running):
            # One that has ended may not have been waited for yet, or just now.
            with contextlib.suppress(ProcessLookupError):
                os.kill(child, signal.SIGTERM)


if __name__ == "__main__":
    sys.exit(main(json.loads(sys.argv[1])))
