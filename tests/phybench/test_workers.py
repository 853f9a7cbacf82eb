"""The workers and the clock, as one process forks them."""

import json
import sys
from dataclasses import replace

import psutil
import pytest

from development import web
from development.supervisor import Service
from tests.development.checkout import PATIENCE_SECONDS, is_running, wait_until
from tests.processes import Processes

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.own_server]

PATIENT = "import json, sys; from phybench import workers; workers.LEAST_SECONDS = 0.0;"
"""Takes no age for too early a death, so that a test need not wait for it."""


def read_log(processes: Processes) -> str:
    return "".join(log.read_text() for log in processes.folder.glob("*/log/workers.log"))


def are_ready(processes: Processes, count: int) -> bool:
    return wait_until(lambda: read_log(processes).count(" ready.") >= count)


def find_children(number: int) -> list[psutil.Process]:
    return sorted(psutil.Process(number).children(), key=lambda child: child.pid)


def make_patient(environment: dict[str, str]) -> Service:
    service = web.workers(environment)
    code = f"{PATIENT} sys.exit(workers.main(json.loads(sys.argv[1])))"
    return replace(service, command=[sys.executable, "-c", code, service.command[-1]])


def name_beat(environment: dict[str, str], name: str) -> list[str]:
    """Return the clock's arguments; what it has done it keeps in the test's folder."""
    return ["--app", "phybench", "beat", "--schedule", f"{environment['VAR_DIR']}/{name}"]


def make_hopeless(environment: dict[str, str]) -> Service:
    wrong = ["--app", "phybench", "no-such"]
    return make_of(environment, {"beat": name_beat(environment, "beat"), "wrong": wrong})


def make_many(environment: dict[str, str]) -> Service:
    names = [f"beat{number}" for number in range(99)]
    return make_of(environment, {name: name_beat(environment, name) for name in names})


def make_of(environment: dict[str, str], parts: dict[str, list[str]]) -> Service:
    service = web.workers(environment)
    return replace(service, command=[*service.command[:-1], json.dumps(parts)])


def test_one_that_was_killed_is_back_the_others_never_stopped_and_all_end_when_asked(
    processes: Processes,
) -> None:
    workers = processes.start(make_patient)
    assert are_ready(processes, 4), read_log(processes)
    [killed, *others] = find_children(workers.pid)
    assert len(others) == 4, "the clock as well"
    killed.kill()
    assert are_ready(processes, 5), read_log(processes)
    assert "worker ended (-9) and is started again." in read_log(processes)
    children = find_children(workers.pid)
    assert (children[:-1], len(children)) == (others, 5)
    workers.terminate()
    assert workers.wait(PATIENCE_SECONDS) == 0
    assert not any(map(is_running, children))


@pytest.mark.slow
def test_asked_to_end_while_some_are_not_forked_yet_all_end(processes: Processes) -> None:
    workers = processes.start(make_many)
    assert wait_until(lambda: find_children(workers.pid) != [])
    workers.terminate()
    assert workers.wait(PATIENCE_SECONDS) == 0
    # Forked ones have the arguments of the first, with this test's folder in them.
    mark = f"{processes.folder}/0/beat"
    everything = [one.info["cmdline"] or () for one in psutil.process_iter(["cmdline"])]
    assert not [line for line in everything if any(mark in one for one in line)]


@pytest.mark.slow
def test_one_that_cannot_live_ends_them_all(processes: Processes) -> None:
    workers = processes.start(make_hopeless)
    assert workers.wait(PATIENCE_SECONDS) == 1
    assert ", at once, and so do all." in read_log(processes)
