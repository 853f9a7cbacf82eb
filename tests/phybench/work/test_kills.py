"""Thousands of answers, and workers, database and broker killed meanwhile: each is graded once."""

import os
import time
from collections.abc import Iterator
from contextlib import ExitStack

import pytest
from django.core.management import call_command
from django.db import connection
from django.db.models import Count

from development import web
from grading.answers.models import Attempt, Grade
from grading.demo import bank
from grading.demo.bank_rows import Size
from phybench.work.integrity import Check
from tests.development.checkout import wait_until
from tests.outages import Start, find_server, kill_all, own_database, own_rabbitmq, own_valkey
from tests.processes import Processes, kill

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.own_server]

MODELS, PROBLEMS, SMALL = int(os.environ.get("KILL_MODELS", "40")), 1112, 50
"""Of the problems of a bank somewhat less than half are accepted, and answered."""
KILLED = ("worker", "worker", "database", "worker", "broker", "worker", "worker")
SECONDS_TO_GO_ON = 30.0
"""After everything is back: a lease, a look of the clock, and what a busy machine adds."""
PATIENCE_SECONDS = 3600.0


def count_waiting() -> int:
    return Attempt.objects.waiting().count()


def wait_for_more(least: int, seconds: float = PATIENCE_SECONDS) -> None:
    """Wait until so many answers more than now are done, or all."""
    left = max(0, count_waiting() - least)
    assert wait_until(lambda: count_waiting() <= left, seconds)


def assert_all_goes_on() -> None:
    """Wait until answers are graded again; those that were lost are then tried one by one."""
    began = time.monotonic()
    wait_for_more(1, SECONDS_TO_GO_ON)
    print(f"under way again after {time.monotonic() - began:.1f} s", flush=True)


def assert_each_was_graded_once(count: int) -> None:
    answers = Attempt.objects.filter(solver__name__startswith="Bank queue")
    outcomes = answers.annotate(grades_made=Count("grades")).values_list(
        "status", "grades_made", "failure_reason"
    )
    counted: dict[tuple[str, int], int] = {}
    for status, grades, reason in outcomes:
        assert reason != "worker_lost"
        counted[status, grades] = counted.get((status, grades), 0) + 1
    print(counted)
    assert counted.keys() <= {("GRADED", 1), ("FAILED", 0)}
    assert sum(counted.values()) == count
    assert counted["GRADED", 1] == Grade.objects.filter(attempt__in=answers).count()
    assert counted["GRADED", 1] > 0.9 * count
    # What is the same to the judge has the same verdict, whoever was killed meanwhile.
    words = answers.graded().values("revision", "response")
    assert not words.annotate(said=Count("grades__verdict", distinct=True)).filter(said__gt=1)
    assert list(Check().list_findings()) == []


def test_answers_of_workers_that_were_killed_are_each_graded_once(processes: Processes) -> None:
    bank.make(Size(SMALL, SMALL, models=3))
    count = Attempt.objects.waiting().count()
    quick = {"WORK_LEASE_SECONDS": "1", "WORK_SWEEP_SECONDS": "0.5"}
    worker = processes.start(web.worker, **quick)
    processes.start(web.beat, **quick)
    wait_for_more(count // 10)
    kill(worker)
    assert count_waiting()
    processes.start(web.worker, **quick)
    assert wait_until(lambda: not count_waiting())
    assert_each_was_graded_once(count)


@pytest.fixture(params=["embedded", "installed"])
def services(request: pytest.FixtureRequest, processes: Processes) -> Iterator[tuple[Start, Start]]:
    """Give what starts a database, and a broker: those that come along, or those of the system."""
    with ExitStack() as own:
        if request.param == "embedded":
            database = own.enter_context(own_database(processes))
            broker = own.enter_context(own_valkey(processes))
        else:
            database = own.enter_context(own_database(processes, **find_server()))
            broker = own.enter_context(own_rabbitmq(processes))
        yield database, broker


@pytest.mark.slow
def test_twenty_thousand_answers_outlive_five_workers_a_database_and_a_broker(
    processes: Processes, services: tuple[Start, Start]
) -> None:
    start_database, start_broker = services
    database, broker = start_database(), start_broker()
    call_command("migrate", verbosity=0)
    bank.make(Size(PROBLEMS, PROBLEMS, models=MODELS))
    bank.tell_planner()
    count = Attempt.objects.waiting().count()
    print(f"{count} answers")
    worker = processes.start(web.worker)
    processes.start(web.beat)
    for killed in KILLED:
        wait_for_more(count // (len(KILLED) + 2))
        assert count_waiting()
        print(f"{killed} killed with {count_waiting()} to go", flush=True)
        if killed == "worker":
            kill(worker)
            worker = processes.start(web.worker)
        elif killed == "database":
            kill_all(database)
            connection.close()
            database = start_database()
        else:
            kill_all(broker)
            broker = start_broker()
        assert_all_goes_on()
    assert wait_until(lambda: not count_waiting(), PATIENCE_SECONDS)
    assert_each_was_graded_once(count)
