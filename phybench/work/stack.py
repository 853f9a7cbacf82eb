"""
Room for Python's frames, so that no depth of calls is slow.

CPython (3.11 to 3.13) keeps the frames of a thread in pieces of 16 KiB, and gives a piece back to
the system as soon as the first frame in it returns. A loop at the end of a piece whose every call
needs the next one then asks the system for memory with each call: at that one depth calls take 250
times as long, and what depth that is changes with each line above it. A function with a frame as
large as many pieces gets one large piece, and all that it calls lies there too.
"""

from collections.abc import Callable
from functools import wraps
from typing import ParamSpec, TypeVar

Arguments = ParamSpec("Arguments")
Result = TypeVar("Result")

ROOM = 70_000
"""Places in the frame: a piece is twice its next power of two, so half of it is left, for some
thousands of frames. Memory is taken only where something is written."""


def with_room(function: Callable[Arguments, Result]) -> Callable[Arguments, Result]:
    """Have a function and all that it calls keep their frames in one piece of memory."""

    def call(*args: Arguments.args, **kwargs: Arguments.kwargs) -> Result:
        return function(*args, **kwargs)

    call.__code__ = call.__code__.replace(co_stacksize=ROOM)
    return wraps(function)(call)
