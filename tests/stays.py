"""
Count the files that one path through the application enters: `python -m tests.stays` prints them.

A stay is a file of the application or of the grader in which something is called on the way, each
counted once however often the path comes back to it. Modules that are loaded are no stays, nor are
what Django, Celery or a decorator's wrapper does between. Counted is the second time that a path is
taken: what is worked out once in a process is worked out by then.
"""

import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

import pytest

ROOT = Path(__file__).resolve().parent.parent
OURS = tuple(f"{ROOT / name}/" for name in ("phybench", "curation", "grading", "packages"))
LEFT_OUT = ("phybench/work/stack.py", "grading/demo/")
"""What wraps what is decorated, and is not read on the way; and the endpoint that is played."""


@contextmanager
def follow() -> Iterator[list[str]]:
    """List the files that are entered from here on, in their order, by any thread begun here."""
    entered: dict[str, None] = {}

    def note(frame: FrameType, event: str, _argument: object) -> None:
        code = frame.f_code
        if event == "call" and code.co_filename.startswith(OURS) and code.co_name != "<module>":
            entered[code.co_filename] = None

    stays: list[str] = []
    threading.setprofile(note)
    sys.setprofile(note)
    try:
        yield stays
    finally:
        sys.setprofile(None)
        threading.setprofile(None)
        names = (Path(one).relative_to(ROOT).as_posix() for one in entered)
        stays += [one for one in names if not one.startswith(LEFT_OUT)]


def describe(path: str, stays: list[str]) -> str:
    return "\n".join([f"{path}: {len(stays)} files", *(f"  {one}" for one in stays)])


if __name__ == "__main__":
    sys.exit(pytest.main(["-s", "-q", "-p", "no:randomly", "tests/test_stays.py"]))
