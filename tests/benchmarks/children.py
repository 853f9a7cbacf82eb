"""Work timed in a child process, by its own CPU time, and stopped cleanly at a limit of that."""

from __future__ import annotations

import multiprocessing
import resource
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from multiprocessing.connection import Connection
from typing import Generic, TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class Outcome(Generic[Result]):
    """What one piece of work gave and cost; nothing, at the limit's cost, if it was stopped."""

    seconds: float
    result: Result | None
    is_stopped: bool = False


def run_each(
    work: Callable[[Item], Result], items: Sequence[Item], *, limit: int
) -> Iterator[Outcome[Result]]:
    """
    Do the work for each item when asked for it, in a child that lasts until it is stopped.

    The kernel kills a child that has spent its CPU time on one item; another goes on with the next.
    Two of these side by side take turns, so that a busy machine slows both alike.
    """
    # A fork, so that both competitors begin with the same modules loaded and the same caches.
    context = multiprocessing.get_context("fork")
    done = 0
    while done < len(items):
        ours, theirs = context.Pipe()
        child = context.Process(target=_work_through, args=(work, items[done:], limit, theirs))
        child.start()
        theirs.close()
        try:
            while done < len(items):
                ours.send("next")
                seconds, result = ours.recv()
                done += 1
                yield Outcome(seconds, result)
        except (EOFError, ConnectionError):
            done += 1
            yield Outcome(float(limit), None, is_stopped=True)
        finally:
            child.join()
            ours.close()


def _work_through(
    work: Callable[[Item], Result], items: Sequence[Item], limit: int, parent: Connection
) -> None:
    # Being killed is how this may end: no core file is wanted of it.
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    for item in items:
        parent.recv()
        began = time.process_time()
        resource.setrlimit(resource.RLIMIT_CPU, (int(began) + limit + 1, resource.RLIM_INFINITY))
        result = work(item)
        parent.send((time.process_time() - began, result))
