"""
Running a function in a child process that can be killed.

Grading works on text from strangers, so it runs where an endless computation or one that eats all
memory costs one child process and nothing else. Children are forked from a server process that has
imported `PRELOADED` once, so a new one is ready at once.
"""

from __future__ import annotations

import contextlib
import ctypes
import multiprocessing
import multiprocessing.forkserver
import multiprocessing.util
import os
import resource
import signal
import sys
import threading
import time
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import CancelledError, Future, ThreadPoolExecutor, wait
from concurrent.futures import TimeoutError as DeadlinePassed
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from typing import Any, Literal, ParamSpec, TypeVar

from pebble import ProcessExpired, ProcessPool

from phybench.work.stack import with_room

Parameters = ParamSpec("Parameters")
Item = TypeVar("Item")
Result = TypeVar("Result")

PRELOADED = tuple(os.environ.get("SANDBOX_PRELOAD", "phybench_grader").split(","))
"""
Modules that children come with. Named in the environment, not in Django's settings, because a child
must not import Django to start; the default spares everyone from setting it.
"""
CHILDREN = 2
"""Functions that can run at the same time in one process, unless `allow` says otherwise."""
MEMORY = 2 * 1024**3
"""Bytes of address space that a child may take."""

_LOOK_AGAIN = 1.0
"""Seconds between looks at whether the pool that was given a function still stands."""
_PR_SET_PDEATHSIG = 1
_KILLED = (-signal.SIGKILL, 255)
"""
How a child ends that was killed from outside, as the system does where memory runs out on the
machine. The second: it went with the server that forked it, and nobody is left to say how.
"""
_children = CHILDREN
_waiting: set[Future] = set()
_pool: ProcessPool | None = None
_closed = 0  # how often
_lock = threading.Lock()
_turns = threading.Condition()
_beside = 0  # functions that run beside each other
_is_one_alone = False


@dataclass
class Meter:
    """Seconds of processor time that children worked for a thread."""

    seconds: float = 0.0


class _Worked(threading.local):
    """All that children worked for this thread since it began."""

    seconds = 0.0


_worked = _Worked()


@contextlib.contextmanager
def metered() -> Iterator[Meter]:
    """Say afterwards what children worked meanwhile; of what is stopped, how long it took."""
    began, meter = _worked.seconds, Meter()
    try:
        yield meter
    finally:
        meter.seconds = _worked.seconds - began


class Stopped(Exception):
    """A function did not come to its end: it ran out of time or memory, or its process died."""

    def __init__(self, reason: Literal["timeout", "memory", "crashed"]) -> None:
        super().__init__(reason)
        self.reason = reason


class _Killed(Exception):
    """Its process was killed, which says nothing about the function yet."""


def run(
    function: Callable[..., Result], *args: object, deadline: float, **kwargs: object
) -> Result:
    """
    Run a function in a child process and return its result.

    It must be importable by name, with arguments and a result that pickle. If its child is killed
    from outside, it is run once more, while nothing else runs here.

    Raises `Stopped` if it takes more than `deadline` seconds or its memory, or its child dies,
    `CancelledError` if `close` is called meanwhile, and otherwise what the function raises.
    """
    before = _closed
    for turn in (_beside_others, _alone):
        with contextlib.suppress(_Killed), turn():
            if _closed != before:
                raise CancelledError
            return _run_in_pool(function, args, kwargs, deadline)
    raise Stopped("crashed")


@contextlib.contextmanager
def _beside_others() -> Iterator[None]:
    global _beside
    with _turns:
        _turns.wait_for(lambda: not _is_one_alone)
        _beside += 1
    try:
        yield
    finally:
        with _turns:
            _beside -= 1
            _turns.notify_all()


@contextlib.contextmanager
def _alone() -> Iterator[None]:
    """Let what runs end and nothing begin, so that there is as much memory as can be."""
    global _is_one_alone
    with _turns:
        _turns.wait_for(lambda: not _is_one_alone)
        _is_one_alone = True
        _turns.wait_for(lambda: not _beside)
    try:
        yield
    finally:
        with _turns:
            _is_one_alone = False
            _turns.notify_all()


def _run_in_pool(
    function: Callable[..., Result],
    args: tuple[object, ...],
    kwargs: dict[str, object],
    deadline: float,
) -> Result:
    before = _closed
    # Twice: a child that dies while it has nothing to do takes the pool along.
    for _ in range(2):
        with contextlib.suppress(BrokenProcessPool):
            return _measure(function, args, kwargs, deadline)
        if _closed != before:  # nothing broke: a pool that is being stopped looks like that too
            raise CancelledError
    raise _Killed


def _measure(
    function: Callable[..., Result],
    args: tuple[object, ...],
    kwargs: dict[str, object],
    deadline: float,
) -> Result:
    begun = time.monotonic()
    try:
        result, seconds = _run_once(function, args, kwargs, deadline)
    except Exception:
        _worked.seconds += min(time.monotonic() - begun, deadline)
        raise
    _worked.seconds += seconds
    return result


def _run_once(
    function: Callable[..., Result],
    args: tuple[object, ...],
    kwargs: dict[str, object],
    deadline: float,
) -> tuple[Result, float]:
    """Return what a function returns, and the seconds of a processor that it took."""
    with _lock:  # held, so that `close` either comes first or finds the future to cancel
        pool = _get_pool()
        try:
            future = pool.schedule(_call, args=[function, args, kwargs], timeout=deadline)
        except RuntimeError:  # a child died since the pool was asked
            raise BrokenProcessPool from None
        _waiting.add(future)
    future.add_done_callback(_waiting.discard)
    while True:
        try:
            result: tuple[Result, float] = future.result(timeout=_LOOK_AGAIN)
        except DeadlinePassed:
            if future.done():
                raise Stopped("timeout") from None
            # What is handed in at the moment when a pool breaks is forgotten by it. (One that
            # `close` has stopped is no longer ours, and what waits for it is cancelled.)
            if pool is _pool and not pool.active:
                raise BrokenProcessPool from None
        except MemoryError:
            raise Stopped("memory") from None
        except ProcessExpired as ended:
            raise _Killed if ended.exitcode in _KILLED else Stopped("crashed") from None
        else:
            return result


@with_room
def _call(
    function: Callable[..., Result], args: tuple[object, ...], kwargs: dict[str, object]
) -> tuple[Result, float]:
    before = time.process_time()
    return function(*args, **kwargs), time.process_time() - before


def warm() -> None:
    """Have the children ready before somebody waits for one."""
    with contextlib.suppress(Stopped, CancelledError):
        run(str, deadline=60.0)


def allow(children: int) -> None:
    """Let so many functions run at the same time, from the next `run` on."""
    global _children
    close()
    _children = children


def gather(
    ask: Callable[[Item], Result], items: Iterable[Item], *, children: int
) -> Generator[Result, None, None]:
    """Yield what `ask`, which waits for a child, makes of each item in turn, several at a time."""
    allow(children)
    # Threads, each waiting for a child.
    with ThreadPoolExecutor(children) as threads:
        asked = [threads.submit(ask, item) for item in items]
        try:
            for one in asked:
                yield one.result()
        finally:
            for one in asked:
                one.cancel()
            close()
            # A thread that was about to ask for a child just then has got a new one.
            while wait(asked, timeout=0.1).not_done:
                close()


def close() -> None:
    """Stop the children; the next `run` starts new ones."""
    global _pool, _closed
    with _lock:
        pool, _pool, _closed = _pool, None, _closed + 1
    if pool is not None:
        _stop(pool)
    # Pebble forgets them, and who waits for one would wait for ever.
    for future in list(_waiting):
        future.cancel()


def _stop(pool: ProcessPool) -> None:
    pool.stop()  # type: ignore[no-untyped-call]  # pebble types most of itself
    pool.join()


def _get_pool() -> ProcessPool:
    """Return a pool that stands; who asks holds the lock."""
    global _pool
    with _deaf_to_interrupts():
        if _pool is not None and not _pool.active:
            # Its other children are of no use any more; nobody waits until they are gone.
            threading.Thread(target=_stop, args=(_pool,), daemon=True).start()
            _pool = None
        if _pool is None:
            context = multiprocessing.get_context("forkserver")
            context.set_forkserver_preload(list(PRELOADED))
            _pool = ProcessPool(
                max_workers=_children, initializer=_confine, initargs=(MEMORY,), context=context
            )
        # Asked, it starts.
        if not _pool.active:
            raise BrokenProcessPool
        return _pool


@contextlib.contextmanager
def _deaf_to_interrupts() -> Iterator[None]:
    """
    Let whatever process or thread is started meanwhile never see Ctrl-C.

    A terminal sends it to all of them; it is the application's to decide what to make of it.
    """
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _confine(memory: int) -> None:
    """Cap a new child's memory, and let it die with the process that asked for it."""
    resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    if sys.platform == "linux":
        # The server that forked this child ends when nobody holds its pipe any more. Children hold
        # it too, for children of their own: they let go, so that when the application is killed the
        # server ends, and with it, by this signal, its children, however busy.
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
        server: Any = multiprocessing.forkserver._forkserver  # there is no public way
        if server._forkserver_alive_fd is not None:
            os.close(server._forkserver_alive_fd)
            server._forkserver_alive_fd = None


def _forget_pool() -> None:
    """Leave the pool to the process that made it: a forked copy has none of its threads."""
    global _pool, _lock, _turns, _beside, _is_one_alone
    _pool, _lock = None, threading.Lock()
    _turns, _beside, _is_one_alone = threading.Condition(), 0, False
    _close_at_exit()


def _close_at_exit() -> None:
    """Stop the children when this process ends; what was asked so before a fork is not heard."""
    # Earlier than multiprocessing waits for its children, which `atexit` does not promise: Celery's
    # billiard moves that wait to the front.
    multiprocessing.util.Finalize(None, close, exitpriority=100)


_close_at_exit()
os.register_at_fork(after_in_child=_forget_pool)
