"""
Real workers, killed and cut off: every answer ends with one grade, or with a reason for none.

Locks make "halfway" the same moment each time: a worker leaves an attempt out whose row is locked,
and can't write down a grade while the table of grades is.

What is `slow` here CI holds on more answers in `tests/phybench/work`: `test_kills.py` for
workers, `test_outages.py` for the broker, `test_queue.py` for what is given up.
"""

from contextlib import ExitStack, closing

import pytest
from django.conf import settings
from django.db.models.functions import Now

from curation.problems.models import Problem
from development import web
from grading.answers.models import Attempt
from grading.answers.submissions.models import Submission
from grading.answers.tasks import GRADING
from grading.board.table import make_board
from phybench.work import sandbox
from phybench.work.tasks import wake
from tests.development.checkout import PATIENCE_SECONDS, wait_until
from tests.grading.concurrency import hold
from tests.grading.conftest import HandIn
from tests.organisations import publish
from tests.processes import Processes, kill

pytestmark = pytest.mark.django_db(transaction=True)

LOCK_GRADES = "lock table grading_grade in share mode"
LOCK_ATTEMPTS = "select 1 from grading_attempt where id = any(%s) for update"
QUICK_SWEEP = {"WORK_SWEEP_SECONDS": "0.5"}
UNHURRIED = {"GRADING_DEADLINE_SECONDS": "600", "WORK_LEASE_SECONDS": "600"}
"""Of a worker that nothing happens to: workers are niced, so a busy machine may starve one."""


@pytest.fixture
def submission(problems: list[Problem], hand_in: HandIn) -> Submission:
    """Answers with a verdict of each kind, one a problem."""
    answers = ("m g h", "0", r"2mg + 2m\frac{v_0^2}{l}", r"\frac{x", "\\sqrt{2 h g}")
    return hand_in(*zip(problems, answers, strict=True))


VERDICTS = ["CORRECT", "INCORRECT", "PARTIAL", "UNREADABLE", "CORRECT"]


def count(submission: Submission, status: Attempt.Status) -> int:
    return submission.attempts.filter(status=status).count()


def take_one_by_one(submission: Submission) -> None:
    """Have workers take each answer by itself, as they do after another was lost with it."""
    submission.attempts.update(lost=1)


def is_busy(submission: Submission) -> bool:
    """Tell whether a worker holds as many answers as it takes one by one."""
    return count(submission, Attempt.Status.GRADING) == sandbox.CHILDREN


def all_are_graded(submission: Submission) -> bool:
    return count(submission, Attempt.Status.GRADED) == len(VERDICTS)


def verdicts(submission: Submission) -> list[str]:
    """List the verdict of each grade; an attempt with none or with two shifts them."""
    return list(submission.attempts.values_list("grades__verdict", flat=True).order_by("pk"))


def list_tries(submission: Submission) -> list[int]:
    return list(submission.attempts.values_list("tries", flat=True).order_by("pk"))


def test_who_holds_an_answer_has_a_child_for_it() -> None:
    assert settings.CELERY_WORKER_CONCURRENCY <= sandbox.CHILDREN


@pytest.mark.slow
def test_a_worker_grades_what_is_handed_in_and_ends_when_asked(
    submission: Submission, processes: Processes
) -> None:
    worker = processes.start(web.worker, **UNHURRIED)
    assert wait_until(
        lambda: not submission.attempts.waiting().exists(), len(VERDICTS) * PATIENCE_SECONDS
    )
    assert verdicts(submission) == VERDICTS
    assert set(submission.attempts.values_list("lost", flat=True)) == {0}

    worker.terminate()
    assert worker.wait(PATIENCE_SECONDS) == 0


@pytest.mark.slow
def test_what_a_killed_worker_held_is_graded_once_by_the_next(
    submission: Submission, processes: Processes
) -> None:
    pks = list(submission.attempts.values_list("pk", flat=True))
    with ExitStack() as attempts, ExitStack() as grades:
        attempts.enter_context(hold(LOCK_ATTEMPTS, pks[2:]))
        first = processes.start(web.worker, WORK_LEASE_SECONDS="1")
        processes.start(web.beat, **QUICK_SWEEP)
        assert wait_until(lambda: count(submission, Attempt.Status.GRADED) == 2)
        grades.enter_context(hold(LOCK_GRADES))
        attempts.close()
        assert wait_until(lambda: count(submission, Attempt.Status.GRADING) == 3)
        kill(first)
    assert count(submission, Attempt.Status.GRADED) == 2
    tries = list_tries(submission)

    processes.start(web.worker)
    assert wait_until(lambda: all_are_graded(submission))
    assert verdicts(submission) == VERDICTS
    assert list_tries(submission)[:2] == tries[:2], "what was graded is not graded again"
    lost = submission.attempts.values_list("lost", flat=True).order_by("pk")
    assert list(lost) == [0, 0, 1, 1, 1], "what was held is lost once"


@pytest.mark.slow
@pytest.mark.own_server
def test_answers_whose_messages_the_broker_lost_are_graded(
    submission: Submission, processes: Processes
) -> None:
    take_one_by_one(submission)
    # It has none of the messages yet, so even the first were lost with another.
    with closing(processes.start_own_broker()) as messages, hold(LOCK_GRADES):
        processes.start(web.worker)
        processes.start(web.beat, **QUICK_SWEEP)
        assert wait_until(lambda: is_busy(submission))
        assert wait_until(lambda: messages.llen(settings.CELERY_TASK_DEFAULT_QUEUE) > 0)
        messages.flushall()
        assert count(submission, Attempt.Status.QUEUED) > 0

    assert wait_until(lambda: all_are_graded(submission))
    assert verdicts(submission) == VERDICTS


@pytest.mark.slow
def test_an_answer_that_takes_worker_after_worker_with_it_fails_and_counts_nothing(
    submission: Submission, processes: Processes
) -> None:
    submission.attempts.update(lost=settings.WORK_TRIES - 1)
    with hold(LOCK_GRADES):
        first = processes.start(web.worker, WORK_LEASE_SECONDS="1")
        assert wait_until(lambda: is_busy(submission))
        kill(first)
    stale = GRADING.rows.filter(status=Attempt.Status.GRADING, lease_until__lt=Now())
    assert wait_until(lambda: stale.count() == sandbox.CHILDREN)
    held = set(stale.values_list("pk", flat=True))

    wake(GRADING, submission.attempts.all())
    processes.start(web.worker)
    assert wait_until(lambda: not submission.attempts.waiting().exists())
    failed = submission.attempts.filter(status=Attempt.Status.FAILED)
    assert {attempt.pk: attempt.failure_reason for attempt in failed} == dict.fromkeys(
        held, "worker_lost"
    )
    assert not failed.filter(grades__isnull=False).exists()
    assert count(submission, Attempt.Status.GRADED) == len(VERDICTS) - len(held)

    publish(submission)
    [row] = make_board(submission.benchmark).models
    assert (row.tally.ungraded, row.tally.scored) == (len(held), len(VERDICTS) - len(held))
