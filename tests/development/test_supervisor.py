"""What the supervisor does with services that end by themselves, with real processes."""

import os
import signal
import sys
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

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


def make_service(code: str, *, is_restarted: bool) -> Service:
    return Service(
        name="part",
        command=[sys.executable, "-c", code],
        environment=dict(os.environ),
        is_ready=lambda: True,
        is_restarted=is_restarted,
    )


def only(supervisor: Supervisor) -> Running:
    [[running]] = supervisor.stages
    return running


def test_a_killed_one_is_started_again_and_what_it_had_started_is_ended(
    supervisor: Supervisor, capsys: pytest.CaptureFixture[str]
) -> None:
    supervisor.start(make_service(SLEEPS, is_restarted=True))
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


def test_one_that_holds_data_stops_everything(supervisor: Supervisor) -> None:
    supervisor.start(make_service(SLEEPS, is_restarted=False))
    process = only(supervisor).process
    process.send_signal(signal.SIGKILL)
    assert wait_until(lambda: process.poll() is not None)
    with pytest.raises(Failure, match=r"part ended \(signal SIGKILL\), so everything is stopped"):
        supervisor.check()


def test_one_that_dies_again_and_again_is_given_up_with_its_last_words(
    supervisor: Supervisor, capsys: pytest.CaptureFixture[str]
) -> None:
    supervisor.start(make_service(ENDS, is_restarted=True))

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
        own.start(make_service(f"print('run', {run}, flush=True); {SLEEPS}", is_restarted=False))
        log = only(own).log
        assert wait_until(lambda log=log: log.read_text() != "")
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
        is_restarted=True,
    )
    with pytest.raises(Failure, match=r"part ended \(status 3\)"):
        supervisor.start(service)
    assert "is started again" not in capsys.readouterr().err
