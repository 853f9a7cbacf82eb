"""
What a page takes while others do their worst, in medians and as multiples of a bare Django page.

    .venv/bin/python -m tests.benchmarks.load [--of ANOTHER_CHECKOUT]

Starts `dev.py run` with data of its own, and beside it a server like it of one bare page
(`bare.py`), which is asked in the same way in the same run. `--of` measures another commit; where
that takes too long, ROUNDS=2 asks for each page twice.
"""

from __future__ import annotations

import argparse
import contextlib
import http.client
import os
import re
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from threading import Event
from urllib.parse import urlencode

from development.environment import PYTHON, ROOT
from tests.development.checkout import clean_environment, free_port

HOST = "127.0.0.1"
AT_ONCE = 8
ATTACKERS = 20
ROUNDS = int(os.environ.get("ROUNDS", "12"))
"""How often each page is asked for."""
PATIENCE_SECONDS = 60
ADDRESS = "/bare/"
PAGES = ("/", "/home/", "/b/demo/problems/", "/b/demo/contributors/", "/me/", "/how-grading-works/")
HOSTILE = (
    {"statement": 15_000 * "*_", "solution": 15_000 * "*_"},
    {"statement": 6_600 * "\\[\n", "solution": 4_000 * "$$a\n\n"},
    {"answer": 2_000 * "{"},
)


@dataclass
class Person:
    """Somebody at a server: their cookies, and how long their pages took."""

    port: int
    cookies: dict[str, str] = field(default_factory=dict)
    answers: Counter[int] = field(default_factory=Counter)

    def ask(self, path: str, data: dict[str, str] | None = None) -> str:
        connection = http.client.HTTPConnection(HOST, self.port, timeout=PATIENCE_SECONDS)
        headers = {"Cookie": "; ".join(f"{name}={text}" for name, text in self.cookies.items())}
        if data is not None:
            headers["Content-Type"] = "application/x-www-form-urlencoded"
            headers["X-CSRFToken"] = self.cookies.get("csrftoken", "")
            headers["HX-Request"] = "true"
        with contextlib.closing(connection):
            body = None if data is None else urlencode(data)
            connection.request("GET" if data is None else "POST", path, body, headers)
            answer = connection.getresponse()
            for cookie in answer.headers.get_all("Set-Cookie") or []:
                name, _equals, text = cookie.partition(";")[0].partition("=")
                self.cookies[name] = text
            self.answers[answer.status] += 1
            return answer.read().decode(errors="replace")

    def sign_in(self, email: str, password: str) -> Person:
        self.ask("/accounts/login/")
        self.ask("/accounts/login/", {"login": email, "password": password})
        assert "sessionid" in self.cookies, email
        return self

    def time(self, path: str) -> float:
        began = time.perf_counter()
        # A server that does not answer in time has taken that long at least.
        with contextlib.suppress(OSError, http.client.HTTPException):
            self.ask(path)
        return time.perf_counter() - began


def measure(ask: Callable[[str], float], paths: tuple[str, ...], at_once: int) -> list[float]:
    wanted = ROUNDS * [*paths]
    with ThreadPoolExecutor(at_once) as threads:
        return sorted(threads.map(ask, wanted))


@contextlib.contextmanager
def running(*command: str, folder: Path, word: str, **environment: str) -> Iterator[Path]:
    """Run a server until the block ends; yield the file of what it printed."""
    output = folder / f"{len(list(folder.iterdir()))}.txt"
    with output.open("w") as file:
        process = subprocess.Popen(
            command,
            cwd=environment.pop("checkout", ROOT),
            env={**clean_environment(), **environment},
            stdout=file,
            stderr=file,
        )
    try:
        deadline = time.monotonic() + 300
        while word not in output.read_text():
            if process.poll() is not None or time.monotonic() > deadline:
                sys.exit(f"It does not run: {output.read_text()}")
            time.sleep(0.1)
        yield output
    finally:
        process.send_signal(signal.SIGINT)
        process.wait(PATIENCE_SECONDS)


@contextlib.contextmanager
def previews(attacker: Person) -> Iterator[None]:
    """Have one person ask for previews that take long, twenty at once, while the block runs."""
    over = Event()

    def attack(number: int) -> None:
        while not over.is_set():
            with contextlib.suppress(OSError, http.client.HTTPException):
                attacker.ask("/b/demo/problems/new/?part=preview", HOSTILE[number % len(HOSTILE)])

    with ThreadPoolExecutor(ATTACKERS) as threads:
        for number in range(ATTACKERS):
            threads.submit(attack, number)
        try:
            time.sleep(2)  # until all have begun
            yield
        finally:
            over.set()


@contextlib.contextmanager
def slow_sockets(port: int) -> Iterator[None]:
    """Send half a request on twenty sockets, then a byte a second, while the block runs."""
    over = Event()

    def dribble() -> None:
        while not over.is_set():
            with contextlib.suppress(OSError), socket.create_connection((HOST, port)) as opened:
                opened.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\nX-Slow: ")
                while not over.wait(1):
                    opened.sendall(b"a")

    with ThreadPoolExecutor(ATTACKERS) as threads:
        for _ in range(ATTACKERS):
            threads.submit(dribble)
        try:
            time.sleep(2)
            yield
        finally:
            over.set()


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--of", type=Path, default=ROOT, help="another checkout, to be measured")
    checkout = parser.parse_args().of.resolve()
    port, bare_port, password = free_port(), free_port(), "a password for measuring"
    with tempfile.TemporaryDirectory(prefix="load-") as name, contextlib.ExitStack() as stack:
        folder = Path(name)
        (folder / "out").mkdir()
        run = [sys.executable, "-u", "dev.py", "run", "--port", str(port)]
        printed = stack.enter_context(
            running(
                *run,
                folder=folder / "out",
                word="Ready after",
                checkout=str(checkout),
                VAR_DIR=str(folder / "var"),
                DEMO_PASSWORD=password,
            )
        ).read_text()
        server = [str(PYTHON), "-m", "gunicorn", "--workers", "2", "--threads", "8"]
        server.append("--no-control-socket")
        stack.enter_context(
            running(
                *(
                    *server,
                    "--bind",
                    f"{HOST}:{bare_port}",
                    "django.core.wsgi:get_wsgi_application()",
                ),
                folder=folder / "out",
                word="Listening at",
                DJANGO_SETTINGS_MODULE="tests.benchmarks.bare",
                SECRET_KEY="of no use to anybody",
                DATABASE_URL="postgres://nobody@127.0.0.1:1/none",
                CELERY_BROKER_URL="redis://127.0.0.1:1/0",
                VAR_DIR=str(folder / "bare"),
            )
        )
        emails = re.findall(r"^  (\S+@\S+) +(.*)$", printed, re.MULTILINE)
        by_role = {roles: email for email, roles in reversed(emails)}
        other = Person(port).sign_in(by_role["reviewer"], password)
        attacker = Person(port).sign_in(by_role["contributor"], password)
        report(other, attacker, Person(bare_port))


def report(other: Person, attacker: Person, bare: Person) -> None:
    for person in (other, bare):
        measure(person.time, PAGES if person is other else (ADDRESS,), AT_ONCE)  # warm
    one = statistics.median(measure(bare.time, len(PAGES) * (ADDRESS,), 1))
    eight = statistics.median(measure(bare.time, len(PAGES) * (ADDRESS,), AT_ONCE))
    print(f"a bare page: {1000 * one:.1f} ms, {AT_ONCE} at once {1000 * eight:.1f} ms", flush=True)
    print(f"{'in bare pages':<52}{'median':>8}{'95 %':>8}{'longest':>9}")

    def tell(what: str, took: list[float], reference: float) -> None:
        shares = (took[len(took) // 2], took[len(took) * 95 // 100], took[-1])
        print(f"{what:<52}" + "".join(f"{one / reference:>8.0f}" for one in shares), flush=True)

    tell(f"mixed pages, {AT_ONCE} at once", measure(other.time, PAGES, AT_ONCE), eight)
    tell("one page at a time", measure(other.time, PAGES, 1), one)
    with previews(attacker):
        tell(f"... while one has {ATTACKERS} previews made", measure(other.time, PAGES, 1), one)
    print(f"    the previews were answered with {dict(attacker.answers)}")
    with slow_sockets(other.port):
        tell(f"... beside {ATTACKERS} slow sockets", measure(other.time, PAGES, 1), one)
    print(f"    the pages were answered with {dict(other.answers)}")


if __name__ == "__main__":
    main()
