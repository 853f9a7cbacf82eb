"""
Start services in order, each once the one before is ready, and stop them in reverse.

One that ends by itself (killed when memory ran out, say) is started again; with one that does so
again and again, or never was ready, everything is stopped.

Nothing outlives the supervisor: see `guard.py` for when it can't stop them itself.
"""

import ctypes
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType
from typing import NoReturn

from development import guard
from development.failure import Failure, recognise, tail

POLL_SECONDS = 0.02
STOP_SECONDS = 5.0
MOST_DEATHS = 3
DEATHS_SECONDS = 60.0
"""One that dies more often than this, in so short a time, will not live by being started again."""
OLD_LOGS = 5
"""How many earlier logs of a service are kept."""
PR_SET_PDEATHSIG = 1


@dataclass(frozen=True)
class Service:
    """One long-running process, and how to know that it is ready."""

    name: str
    command: Sequence[str | Path]
    environment: Mapping[str, str]
    is_ready: Callable[[], bool]
    patience_seconds: float = 30.0
    stop_signal: signal.Signals = signal.SIGTERM
    prepare_child: Callable[[], None] | None = None
    """What the child process does before it becomes the service."""
    is_shown: bool = False
    """Whether its log is repeated on the terminal."""
    is_hidden: Callable[[str], bool] = lambda line: False
    """Whether a line of it is not: what is told of every task would push the rest away."""
    make_way: Callable[[], None] = lambda: None
    """What is done once it has ended by itself, and before it is started again."""
    listener: socket.socket | None = None
    """
    What it and its successors listen at. One that has it leaves behind what goes on answering there
    until a successor can, and then ends by itself.
    """


@dataclass
class Running:
    service: Service
    process: subprocess.Popen[bytes]
    log: Path
    shown_bytes: int = 0
    started_at: float = field(default_factory=time.monotonic)
    was_ready: bool = False
    deaths: tuple[float, ...] = ()
    """When it ended by itself, lately."""

    def read_log(self) -> str:
        return self.log.read_text(errors="replace")


class Supervisor:
    """The services of one `dev.py`, with the guard that outlives it."""

    def __init__(self, *, folder: Path, log_folder: Path, root: Path) -> None:
        self.root = root
        self.log_folder = log_folder
        self.stages: list[list[Running]] = []
        self.left_behind: list[int] = []
        log_folder.mkdir(parents=True, exist_ok=True)
        self.guard = subprocess.Popen(
            [sys.executable, "-I", "-S", guard.__file__, folder / "guard.lock"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        # An earlier one may still be cleaning up here: this one speaks once that is done.
        assert self.guard.stdout
        if not self.guard.stdout.readline():
            raise Failure(recognise("", folder) or f"{folder} can't be written.")

    def tell_guard(self, *words: object) -> None:
        assert self.guard.stdin
        self.guard.stdin.write((" ".join(map(str, words)) + "\n").encode())
        self.guard.stdin.flush()

    def start(self, *services: Service) -> None:
        """Start services together and wait until each of them is ready."""
        stage: list[Running] = []
        self.stages.append(stage)
        for service in services:
            put_aside(self.find_log(service))
            stage.append(self.spawn(service))
        for running in stage:
            self.await_ready(running)

    def find_log(self, service: Service) -> Path:
        return self.log_folder / f"{service.name}.log"

    def spawn(self, service: Service) -> Running:
        log = self.find_log(service)
        with log.open("ab") as output:
            process = subprocess.Popen(
                service.command,
                env=service.environment,
                cwd=self.root,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                start_new_session=True,
                pass_fds=[service.listener.fileno()] if service.listener else [],
                preexec_fn=die_with_parent(service.stop_signal, service.prepare_child),
            )
        self.tell_guard("watch", process.pid, int(service.stop_signal))
        return Running(service, process, log)

    def await_ready(self, running: Running) -> None:
        deadline = running.started_at + running.service.patience_seconds
        while not running.service.is_ready():
            self.check()
            if time.monotonic() > deadline:
                self.fail(running, f"was not ready within {deadline - running.started_at:.0f} s")
            time.sleep(POLL_SECONDS)
        running.was_ready = True

    def check(self) -> None:
        """Show what services say; when one has ended, start it again or raise `Failure`."""
        everything = [running for stage in self.stages for running in stage]
        for running in everything:
            if running.service.is_shown:
                self.show(running)
        for stage in self.stages:
            for place, running in enumerate(stage):
                if (code := running.process.poll()) is not None:
                    ending = (
                        f"signal {signal.Signals(-code).name}" if code < 0 else f"status {code}"
                    )
                    stage[place] = self.start_again(running, f"ended ({ending})")
        for group in list(self.left_behind):
            if not guard.is_running(group):
                self.forget_left_behind(group)

    def start_again(self, running: Running, what: str) -> Running:
        """Replace a service that has ended by itself, where that has hope."""
        now = time.monotonic()
        deaths = (*(at for at in running.deaths if at > now - DEATHS_SECONDS), now)
        if not running.was_ready or len(deaths) > MOST_DEATHS:
            self.fail(running, what)
        print(f"dev.py: {running.service.name} {what} and is started again.", file=sys.stderr)
        if running.service.listener is not None:
            self.left_behind.append(running.process.pid)
        else:
            # What it had started itself is still there, and would work beside its successor.
            guard.send(running.process.pid, signal.SIGKILL)
            self.tell_guard("forget", running.process.pid)
        running.service.make_way()
        successor = self.spawn(running.service)
        successor.shown_bytes, successor.was_ready = running.shown_bytes, True
        successor.deaths = deaths
        return successor

    def forget_left_behind(self, group: int) -> None:
        self.left_behind.remove(group)
        self.tell_guard("forget", group)

    def fail(self, running: Running, what: str) -> NoReturn:
        output = running.read_log()
        sentence = (
            recognise(output, running.log.parent) or f"{running.log} may say why:{tail(output)}"
        )
        raise Failure(f"{running.service.name} {what}, so everything is stopped. {sentence}")

    def show(self, running: Running) -> None:
        """Repeat the whole lines that a service has written since the last time."""
        with running.log.open("rb") as log:
            log.seek(running.shown_bytes)
            lines, newline, _ = log.read().rpartition(b"\n")
        running.shown_bytes += len(lines + newline)
        for line in lines.decode(errors="replace").splitlines():
            if running.service.is_hidden(line):
                continue
            print(f"{running.service.name:>6} | {line}", flush=True)

    def stop(self) -> None:
        """Stop everything, what was started last first, and dismiss the guard."""
        for group in list(self.left_behind):
            guard.send(group, signal.SIGKILL)
            self.forget_left_behind(group)
        while self.stages:
            for running in self.stages[-1]:
                if running.process.poll() is None:
                    running.process.send_signal(running.service.stop_signal)
            deadline = time.monotonic() + STOP_SECONDS
            for running in self.stages[-1]:
                end(running.process, deadline)
                self.tell_guard("forget", running.process.pid)
                if running.service.listener is not None:
                    running.service.listener.close()
            self.stages.pop()
        assert self.guard.stdin
        assert self.guard.stdout
        self.guard.stdin.close()
        self.guard.wait()
        self.guard.stdout.close()


def put_aside(log: Path) -> None:
    """Begin a new log: `web.log` becomes `web.log.1`, that `web.log.2`, and the oldest goes."""
    logs = [log, *(log.with_name(f"{log.name}.{age}") for age in range(1, OLD_LOGS + 1))]
    for younger, older in zip(logs[-2::-1], logs[:0:-1], strict=True):
        if younger.exists():
            younger.replace(older)


def end(process: subprocess.Popen[bytes], deadline: float) -> None:
    """Await the end of a service that was asked to stop, and end what it leaves behind."""
    try:
        process.wait(max(0.0, deadline - time.monotonic()))
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
    guard.send(process.pid, signal.SIGKILL)


def die_with_parent(
    number: signal.Signals, prepare: Callable[[], None] | None = None
) -> Callable[[], None]:
    """Make a child be signalled when its parent dies, where the system offers that (Linux)."""
    libc = ctypes.CDLL(None, use_errno=True) if sys.platform == "linux" else None
    parent = os.getpid()

    def in_child() -> None:
        if prepare:
            prepare()
        # After `prepare`: changing the user would undo it.
        if libc:
            libc.prctl(PR_SET_PDEATHSIG, int(number), 0, 0, 0)
            if os.getppid() != parent:
                os._exit(1)

    return in_child


def interrupt_on_signals() -> None:
    """
    Treat a closed terminal and a polite kill like Ctrl-C.

    Ctrl-C itself too: a shell has what it starts in the background ignore that, and then Python
    does.
    """

    def interrupt(number: int, frame: FrameType | None) -> None:
        raise KeyboardInterrupt

    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, interrupt)
