"""`python3 dev.py run` as a newcomer meets it: in a copy of this checkout, with data of its own."""

import re
import signal
import stat
import subprocess
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import psutil
import psycopg
import pytest

from development.web import answers
from tests.development.checkout import (
    Run,
    copy_checkout,
    dev,
    free_port,
    is_running,
    list_tools,
    wait_until,
)

WRITE_MARK = (
    "from django.db import connection as c; c.cursor().execute('create table mark (n int)')"
)
COUNT_MARKS = "select count(*) from mark"
READ_MARK = (
    "from django.db import connection as c; q = c.cursor(); "
    f"q.execute('{COUNT_MARKS}'); print('marks:', q.fetchone()[0])"
)

INSTALLING_SECONDS = 1000
SLOW_INSTALLING = f"""

import time
from types import SimpleNamespace

really_prepare = prepare


def prepare() -> None:
    from development import commands

    really_prepare()
    later = lambda: time.monotonic() + {INSTALLING_SECONDS}
    commands.time = SimpleNamespace(monotonic=later, sleep=time.sleep)
"""


def ports_listened_on(process: psutil.Process) -> set[int]:
    try:
        connections = process.net_connections("tcp")
    except psutil.NoSuchProcess:  # PostgreSQL's helpers come and go
        return set()
    return {at.laddr.port for at in connections if at.status == psutil.CONN_LISTEN}


def read_log(checkout: Path) -> str:
    return (checkout / "var" / "log" / "workers.log").read_text()


def await_workers(checkout: Path, *, times: int = 1) -> bool:
    """Wait until those of all pools are ready, so many times over."""
    return wait_until(lambda: read_log(checkout).count(" ready.") >= 4 * times)


@pytest.fixture(scope="module")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """
    A checkout whose installing seems to take long: then the clock of `run` is moved on.

    What tests and lints is not installed there.
    """
    tools = list_tools()
    assert {"pytest", "mypy", "playwright", "ruff", "uv"} <= tools
    copy = copy_checkout(tmp_path_factory.mktemp("run") / "checkout", without=tools)
    with (copy / "development" / "catalogues.py").open("a") as code:
        code.write(SLOW_INSTALLING)
    return copy


@pytest.fixture(scope="module")
def running(checkout: Path) -> Iterator[Run]:
    run = Run(checkout, free_port())
    yield run
    run.end(signal.SIGINT)


def test_the_web_server_answers_at_the_address_that_is_printed(running: Run) -> None:
    address = f"http://127.0.0.1:{running.port}/"
    assert address in running.text
    with urllib.request.urlopen(address, timeout=20) as answer:
        assert answer.status == 200


def test_the_terminal_is_left_to_who_may_sign_in_and_what_goes_wrong(
    running: Run, checkout: Path
) -> None:
    assert wait_until(
        lambda: f"Set up: http://127.0.0.1:{running.port}/setup/?code=" in running.text
    )
    assert await_workers(checkout)
    assert "INFO/MainProcess" in read_log(checkout)
    assert "INFO/MainProcess" not in running.text


def test_all_parts_run_and_none_listens_but_the_web_server(running: Run, checkout: Path) -> None:
    family = running.family()
    commands = [" ".join(process.cmdline()) for process in family if is_running(process)]
    for part in ("postgres", "valkey-server", "gunicorn", "phybench.workers"):
        assert any(part in command for command in commands), part
    assert await_workers(checkout)
    assert set().union(*map(ports_listened_on, family)) == {running.port}


def test_what_its_workers_send_leads_to_the_port_that_was_asked_for(
    running: Run, checkout: Path
) -> None:
    code = "from phybench import settings; print(settings.SITE_URL)"
    said = subprocess.run(
        [checkout / ".venv/bin/python", "-c", code],
        cwd=checkout,
        env=find_part(running, "phybench.workers").environ(),
        capture_output=True,
        text=True,
    )
    assert said.stdout.strip() == f"http://127.0.0.1:{running.port}", said.stderr


def test_the_seconds_it_took_are_counted_from_its_beginning(running: Run) -> None:
    assert re.search(rf"Ready after {INSTALLING_SECONDS // 100}\d\d\.\d s", running.text)


def test_a_second_run_in_one_checkout_says_so(running: Run, checkout: Path) -> None:
    second = dev(checkout, "run", "--port", str(running.port))
    assert second.returncode == 1
    assert second.stderr.strip() == (
        f"dev.py: `dev.py run` (process {running.process.pid}) is running in this checkout: "
        "stop it first."
    )


def test_manage_uses_the_database_that_runs(running: Run, checkout: Path) -> None:
    written = dev(checkout, "manage", "shell", "--no-imports", "-c", WRITE_MARK)
    assert written.returncode == 0, written.stderr
    with connect(running) as connection:
        assert connection.execute(COUNT_MARKS).fetchone() == (0,)


def connect(running: Run) -> psycopg.Connection:
    """Connect to the database that the workers use."""
    return psycopg.connect(find_part(running, "phybench.workers").environ()["DATABASE_URL"])


def find_part(running: Run, words: str) -> psutil.Process:
    """Find the outermost process of a part."""
    family = [process for process in running.family() if is_running(process)]
    return next(process for process in family if words in " ".join(process.cmdline()))


# test_supervisor.py has a small process killed, and tests/phybench/test_workers.py a worker.
@pytest.mark.slow
def test_a_killed_worker_and_a_killed_web_server_are_back_by_themselves(
    running: Run, checkout: Path
) -> None:
    assert await_workers(checkout)
    find_part(running, "phybench.workers").kill()
    assert await_workers(checkout, times=2), running.text
    assert "workers ended (signal SIGKILL) and is started again." in running.text

    find_part(running, "gunicorn").kill()
    assert wait_until(lambda: "web ended (signal SIGKILL) and is started again." in running.text)
    assert wait_until(lambda: answers(running.port)), running.text


def is_database_back(running: Run) -> bool:
    try:
        connect(running).close()
    except psycopg.OperationalError:
        return False
    return True


def test_a_killed_database_and_a_killed_broker_are_back_with_all_that_they_held(
    running: Run, checkout: Path
) -> None:
    assert await_workers(checkout)
    with connect(running) as connection:
        connection.execute("create table kept as select generate_series(1, 3) as n")

    find_part(running, "valkey-server").kill()
    assert wait_until(lambda: "broker ended (signal SIGKILL) and is started again" in running.text)
    find_part(running, "bin/postgres").kill()
    assert wait_until(
        lambda: "postgres ended (signal SIGKILL) and is started again" in running.text
    )

    # A page for visitors may be kept from before: what is asked for is in the database.
    assert wait_until(lambda: is_database_back(running)), running.text
    assert wait_until(lambda: answers(running.port)), running.text
    with connect(running) as connection:
        assert connection.execute("select count(*) from kept").fetchone() == (3,)
    # Each of the four workers has found the broker again.
    assert wait_until(lambda: read_log(checkout).count("Connected to redis") >= 8)
    assert running.process.poll() is None


@pytest.mark.parametrize(("name", "length"), [("secret_key", 67), ("field_keys", 44)])
def test_its_secrets_are_nobody_elses(running: Run, checkout: Path, name: str, length: int) -> None:
    key = checkout / "var" / name
    assert stat.S_IMODE(key.stat().st_mode) == 0o600
    assert len(key.read_text()) == length


@pytest.mark.slow
def test_the_demo_is_made_without_what_tests_and_lints_and_its_logins_are_printed(
    tmp_path: Path,
) -> None:
    checkout = copy_checkout(tmp_path / "checkout", without=list_tools())
    run = Run(checkout, free_port(), with_demo=True)
    assert "password" in run.text
    run.end(signal.SIGINT)


@pytest.mark.slow
def test_however_a_run_ends_nothing_of_it_goes_on_and_the_next_finds_its_data(
    tmp_path: Path,
) -> None:
    checkout = copy_checkout(tmp_path / "checkout")
    port = free_port()
    first = Run(checkout, port)
    family = first.family()
    assert dev(checkout, "manage", "shell", "--no-imports", "-c", WRITE_MARK).returncode == 0

    first.end(signal.SIGKILL)
    assert wait_until(lambda: not any(map(is_running, family)), 20), family

    endings = [
        (signal.SIGINT, False),
        (signal.SIGTERM, True),
        (signal.SIGINT, True),
        (signal.SIGTERM, False),
    ]
    for number, in_background in endings:
        run = Run(checkout, port, in_background=in_background)
        family = run.family()
        assert run.end(number) == 0
        assert [process for process in family if is_running(process)] == []
        assert "Stopped." in run.text

    # With nothing running, `manage` starts the database itself and finds what the first run wrote.
    read = dev(checkout, "manage", "shell", "--no-imports", "-c", READ_MARK)
    assert "marks: 0" in read.stdout, read.stderr
