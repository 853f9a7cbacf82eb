"""Functions that do not end as they should; a child process imports them by name."""

import os
import signal
import time
from pathlib import Path

SLOW_TO_SIMPLIFY = "+".join(rf"\frac{{a_{n}}}{{b_{n}+c_{n}}}" for n in range(6))
"""An answer that takes a second or more to grade, as long as any does."""


def add(one: int, other: int) -> int:
    return one + other


def spin(*_: object) -> None:
    while True:
        pass


def raise_towers() -> int:
    # One instruction in C that holds the interpreter's lock all the while.
    return int.bit_length(9 ** (9**9))


def eat_memory(*_: object, **__: object) -> None:
    kept = []
    while True:
        kept.append(bytes(64 * 1024**2))


def ask_for_too_much() -> int:
    return len(bytearray(8 * 1024**3))


def die(*_: object, **__: object) -> None:
    os._exit(3)


def refuse(*_: object, **__: object) -> None:
    raise ValueError("refused")


def tell_process() -> int:
    return os.getpid()


def be_killed(*_: object, **__: object) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def be_killed_once(folder: Path) -> list[str]:
    """Be killed the first time; the second time return what runs beside it."""
    try:
        (folder / "killed").touch(exist_ok=False)
    except FileExistsError:
        return [one.name for one in (folder / "beside").iterdir()]
    be_killed()
    return []


def run_beside(folder: Path) -> None:
    """Take a moment of the processor, and be seen meanwhile."""
    own = folder / "beside" / str(os.getpid())
    own.touch()
    began = time.process_time()
    while time.process_time() - began < 0.3:
        pass
    own.unlink()
