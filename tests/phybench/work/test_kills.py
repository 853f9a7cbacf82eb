"""Thousands of answers, and workers, database and broker killed meanwhile: each is graded once."""

import json
import os
import time
from collections.abc import Iterator
from contextlib import ExitStack
from typing import Any

import pytest
from django.core.management import call_command
from django.db import connection
from django.db.models import Count

from curation.problems.benchmarks.models import Benchmark
from curation.problems.models import Problem
from development import web
from grading.answers.models import Attempt, Grade
from grading.answers.submissions.models import Submission
from grading.answers.tallies.keeping import find_wrong_tallies
from grading.demo import bank
from grading.demo.bank_rows import Size
from grading.submissions.drafts import submitting
from phybench.news.jobs.models import Job
from phybench.people.models import User
from phybench.work.integrity import Check
from tests import drafts
from tests.development.checkout import wait_until
from tests.organisations import organisation_of
from tests.outages import Start, find_server, kill_all, own_database, own_rabbitmq, own_valkey
from tests.processes import Processes, kill
from tests.versions import publish_version

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
    assert list(find_wrong_tallies()) == []
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


def test_a_worker_that_is_killed_while_it_queues_answers_leaves_none_and_the_next_queues_all(
    processes: Processes,
    problems: list[Problem],
    benchmark: Benchmark,
    evaluator: User,
    settings: Any,
) -> None:
    count = 6000
    settings.MOST_SAMPLES_A_DAY = count
    publish_version(benchmark)
    rows = [
        {"id": problems[0].identifier, "model": "M", "repeat_index": number, "model_answer": "1"}
        for number in range(count)
    ]
    draft = drafts.make_draft(
        organisation=organisation_of(evaluator),
        benchmark=benchmark,
        by=evaluator,
        content=json.dumps(rows).encode(),
    )
    job = submitting.ask_to_grade(draft=draft, by=evaluator)
    quick = {"WORK_LEASE_SECONDS": "1", "WORK_SWEEP_SECONDS": "0.5"}
    quick["MOST_SAMPLES_A_DAY"] = str(count)
    processes.start(web.beat, **quick)
    worker = processes.start(web.worker, **quick)
    # Seen by others, who see none of the answers yet.
    assert wait_until(lambda: Job.objects.filter(pk=job.pk, done__gt=0).exists())
    kill(worker)
    job.refresh_from_db()
    assert job.ended_at is None
    assert 0 < job.done < job.of == count
    assert not Attempt.objects.exists()
    processes.start(web.worker, **quick)
    assert wait_until(lambda: Job.objects.filter(pk=job.pk, ended_at__isnull=False).exists(), 120.0)
    job.refresh_from_db()
    assert (job.outcome, job.lost) == ("DONE", 1), job.said
    assert job.leads_to == Submission.objects.get().get_absolute_url()
    assert Attempt.objects.count() == count


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
