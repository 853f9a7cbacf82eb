"""What the supervisor does with services that end by themselves, with real processes."""

import os
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import psutil
import psycopg
import pytest

from development import postgres, services
from development.failure import Failure
from development.supervisor import MOST_DEATHS, OLD_LOGS, Running, Service, Supervisor
from tests.development.checkout import is_running, wait_until

SLEEPS = "import subprocess, time; subprocess.Popen(['sleep', '600']); time.sleep(600)"
ENDS = "print('no memory left'); raise SystemExit(3)"


@pytest.fixture
def supervisor(tmp_path: Path) -> Iterator[Supervisor]:
    own = Supervisor(folder=tmp_path, log_folder=tmp_path / "log", root=tmp_path)
    yield own
    own.stop()


def make_service(code: str) -> Service:
    return Service(
        name="part",
        command=[sys.executable, "-c", code],
        environment=dict(os.environ),
        is_ready=lambda: True,
    )


def only(supervisor: Supervisor) -> Running:
    [[running]] = supervisor.stages
    return running


def test_a_killed_one_is_started_again_and_what_it_had_started_is_ended(
    supervisor: Supervisor, capsys: pytest.CaptureFixture[str]
) -> None:
    supervisor.start(make_service(SLEEPS))
    first = only(supervisor).process
    own = psutil.Process(first.pid)
    assert wait_until(lambda: bool(own.children()))
    [child] = own.children()

    first.kill()
    assert wait_until(lambda: first.poll() is not None)
    supervisor.check()

    second = only(supervisor).process
    assert second.pid != first.pid
    assert second.poll() is None
    assert wait_until(lambda: not is_running(child))
    assert "part ended (signal SIGKILL) and is started again." in capsys.readouterr().err


def test_way_is_made_for_one_before_it_is_started_again(supervisor: Supervisor) -> None:
    ended: list[bool] = []
    service = make_service(SLEEPS)
    supervisor.start(replace(service, make_way=lambda: ended.append(not is_running(own))))
    process = only(supervisor).process
    own = psutil.Process(process.pid)
    process.kill()
    assert wait_until(lambda: process.poll() is not None)
    supervisor.check()
    assert ended == [True]


def test_one_that_dies_again_and_again_is_given_up_with_its_last_words(
    supervisor: Supervisor, capsys: pytest.CaptureFixture[str]
) -> None:
    supervisor.start(make_service(ENDS))

    def check_until_given_up() -> None:
        while True:
            assert wait_until(lambda: only(supervisor).process.poll() is not None)
            supervisor.check()

    with pytest.raises(Failure, match=r"part ended \(status 3\)") as refusal:
        check_until_given_up()
    assert "no memory left" in str(refusal.value)
    assert capsys.readouterr().err.count("is started again") == MOST_DEATHS


def test_the_logs_of_a_few_earlier_runs_are_kept(tmp_path: Path) -> None:
    for run in range(OLD_LOGS + 2):
        own = Supervisor(folder=tmp_path, log_folder=tmp_path / "log", root=tmp_path)
        own.start(make_service(f"print('run', {run}, flush=True); {SLEEPS}"))
        log = only(own).log
        assert wait_until(lambda log=log: log.read_text().endswith("\n"))
        own.stop()
    kept = {one.name: one.read_text() for one in log.parent.iterdir()}
    newest = OLD_LOGS + 1
    ages = {f"part.log.{age}": f"run {newest - age}\n" for age in range(1, OLD_LOGS + 1)}
    assert kept == {"part.log": f"run {newest}\n", **ages}


def test_one_that_never_was_ready_is_not_started_again(
    supervisor: Supervisor, capsys: pytest.CaptureFixture[str]
) -> None:
    service = Service(
        name="part",
        command=[sys.executable, "-c", ENDS],
        environment=dict(os.environ),
        is_ready=lambda: False,
    )
    with pytest.raises(Failure, match=r"part ended \(status 3\)"):
        supervisor.start(service)
    assert "is started again" not in capsys.readouterr().err


def test_a_database_that_was_killed_while_it_was_busy_is_back_at_once() -> None:
    with services.throw_away() as own:
        service = postgres.make_service(
            folder=own.folder, sockets=own.sockets, environment=own.environment, throw_away=True
        )
        own.supervisor.start(service)
        address = postgres.database_url(own.sockets)
        with psycopg.connect(address) as busy, ThreadPoolExecutor(1) as thread:
            # It looks up from its work for nobody, not even for the end of its server.
            work = thread.submit(busy.execute, "do $$ begin loop end loop; end $$")
            server = only(own.supervisor).process
            [one] = [child for child in psutil.Process(server.pid).children() if is_busy(child)]
            server.kill()
            assert wait_until(lambda: server.poll() is not None)
            own.supervisor.check()
            has_ended = wait_until(lambda: not is_running(one), 5)
            if not has_ended:
                one.kill()
            assert has_ended
            assert isinstance(work.exception(), psycopg.OperationalError)
        assert wait_until(lambda: is_open(address))


def is_busy(process: psutil.Process) -> bool:
    return "[local]" in " ".join(process.cmdline())


def is_open(address: str) -> bool:
    try:
        psycopg.connect(address).close()
    except psycopg.OperationalError:
        return False
    return True
