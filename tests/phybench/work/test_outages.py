"""Real workers that lose their database or their broker: nothing is lost, and soon all is done."""

import subprocess
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import closing

import pytest
from django.db import connection
from django.db.models import Count

from curation.authoring.drafts import actions as drafts
from curation.problems.certificates.models import Certificate
from development import broker, web
from grading.answers.models import Attempt
from grading.answers.submissions.models import Submission
from phybench.work import sandbox
from tests.databases import dump_template, fill
from tests.development.checkout import wait_until
from tests.grading.concurrency import hold
from tests.outages import Start, kill_all, own_database
from tests.phybench.work.conftest import HandInMany
from tests.processes import Processes, kill

pytestmark = pytest.mark.django_db(transaction=True)

QUICK_SWEEP = {"WORK_SWEEP_SECONDS": "0.5"}
LOCK_GRADES = "lock table grading_grade in share mode"
ANSWERS = 80
SECONDS_TO_FIND = 30.0
"""A lease, a sweep, and what a busy machine adds; without a second look it was ten minutes."""


def count(status: str) -> int:
    return Attempt.objects.filter(status=status).count()


def read_outcomes(submission: Submission) -> Counter[tuple[str, int]]:
    """Count the answers by how they ended and how many grades they have."""
    return Counter(
        submission.attempts.annotate(count=Count("grades")).values_list("status", "count")
    )


def read_logs(processes: Processes) -> str:
    return "".join(log.read_text() for log in processes.folder.glob("*/log/workers.log"))


@pytest.fixture
def template(db: None) -> bytes:
    """What migrations make: read before the test turns to a database of its own."""
    return dump_template()


@pytest.fixture
def start_database(processes: Processes, template: bytes) -> Iterator[Start]:
    with own_database(processes) as start:
        yield start


@pytest.fixture
def database(start_database: Start, template: bytes) -> subprocess.Popen[bytes]:
    running = start_database()
    fill(template)
    return running


@pytest.mark.own_server
def test_a_database_that_was_killed_and_is_back_finds_all_its_answers_graded_soon(
    start_database: Start,
    database: subprocess.Popen[bytes],
    processes: Processes,
    hand_in_many: HandInMany,
) -> None:
    submission = hand_in_many(ANSWERS)
    processes.start(web.workers)
    assert wait_until(lambda: count("GRADED") >= 4)
    kill_all(database)
    connection.close()
    assert wait_until(lambda: "the database does not answer" in read_logs(processes))
    start_database()
    began, before = time.monotonic(), count("GRADED")
    assert before < ANSWERS
    assert wait_until(lambda: count("GRADED") > before, SECONDS_TO_FIND)
    assert wait_until(lambda: count("GRADED") == ANSWERS)
    print(f"{ANSWERS - before} answers graded {time.monotonic() - began:.1f} s after it was back")
    assert read_outcomes(submission) == {("GRADED", 1): ANSWERS}


@pytest.mark.own_server
def test_a_broker_that_was_killed_and_is_back_costs_no_answer(
    processes: Processes, hand_in_many: HandInMany
) -> None:
    """Also where the worker is at work on one message and waits for more (docs/decisions/0002)."""
    sent, sockets = processes.start_own_broker(), processes.folder / "sockets"
    [[running]] = processes.supervisors[-1].stages
    processes.start(web.worker)
    processes.start(web.beat, **QUICK_SWEEP)
    before = hand_in_many(5)
    assert wait_until(lambda: count("GRADED") == 5)
    with hold(LOCK_GRADES), closing(sent):
        meanwhile = hand_in_many(1)
        assert wait_until(lambda: count("GRADING") == 1)
        assert wait_until(lambda: sent.hlen("unacked") == 1)
        kill(running.process)
    assert wait_until(lambda: count("GRADED") == 5 + 1)
    after = hand_in_many(6)
    processes.start(
        lambda environment: broker.make_service(
            folder=processes.folder, sockets=sockets, environment=environment
        )
    )
    assert wait_until(lambda: count("GRADED") == 5 + 1 + 6)
    assert read_outcomes(before) == {("GRADED", 1): 5}
    assert read_outcomes(meanwhile) == {("GRADED", 1): 1}
    assert read_outcomes(after) == {("GRADED", 1): 6}


@pytest.mark.slow
def test_a_certificate_is_made_while_all_others_are_busy_with_what_nobody_waits_for(
    processes: Processes, hand_in_many: HandInMany, draft, contributor
) -> None:
    Certificate.objects.filter(problem=draft).delete()
    # Lost once, each is taken by itself: together one worker would have them all.
    hand_in_many(20).attempts.update(lost=1)
    with hold(LOCK_GRADES):
        processes.start(web.workers, **QUICK_SWEEP)
        assert wait_until(lambda: count("GRADING") == sandbox.CHILDREN)
        certificate = drafts.certify_draft(problem=draft, author=contributor)
        made = Certificate.objects.filter(pk=certificate.pk, outcome="PASSED")
        assert wait_until(made.exists)
        assert count("GRADING") == sandbox.CHILDREN, "the reserved process has left them alone"
    assert wait_until(lambda: count("GRADED") == 20)
