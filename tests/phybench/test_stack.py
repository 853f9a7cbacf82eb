"""At no depth do calls ask the system for memory, which would make them slow."""

import resource
import sys
from threading import Thread

import pytest

from phybench.work.stack import with_room

CALLS = 1_000
DEPTHS = 500
"""Further down than one piece of frames goes."""


def leaf() -> None:
    pass


def count_faults() -> int:
    """Count how often the system has to find memory for this thread while it calls a function."""
    before = resource.getrusage(resource.RUSAGE_THREAD).ru_minflt
    for _ in range(CALLS):
        leaf()
    return resource.getrusage(resource.RUSAGE_THREAD).ru_minflt - before


def go_down(depth: int) -> int:
    return go_down(depth - 1) if depth else count_faults()


def find_slow() -> list[int]:
    """Return the depths at which every call takes memory."""
    return [depth for depth in range(DEPTHS) if go_down(depth) >= CALLS]


@pytest.mark.skipif(sys.platform != "linux", reason="Linux counts a thread's faults")
def test_with_room_no_depth_takes_memory_for_every_call():
    found: list[list[int]] = []
    # A thread of its own has no room yet.
    thread = Thread(target=lambda: found.append(with_room(find_slow)()))
    thread.start()
    thread.join()
    assert found == [[]]


def test_what_has_room_takes_arguments_and_keeps_its_name():
    named = with_room(go_down)
    assert named.__name__ == "go_down"
    assert named(depth=3) >= 0
