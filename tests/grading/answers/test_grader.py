"""Claims and leases, and that a failure of ours leaves no grade."""

import os
import signal
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from pathlib import Path

import pytest
from django.conf import settings as project_settings
from django.utils import timezone

from curation.exchange.published import import_published
from curation.problems.benchmarks.models import Benchmark
from curation.problems.models import Problem
from grading.answers import grader, symbolic
from grading.answers.models import Attempt, Grade
from grading.answers.runs.models import GradingRun
from grading.answers.tasks import GRADING
from phybench.work import sandbox
from phybench_grader import grade as judge
from tests.grading.concurrency import hold, meanwhile
from tests.grading.conftest import HandIn
from tests.memory import remembered
from tests.phybench import runaways
from tests.phybench.runaways import SLOW_TO_SIMPLIFY

LOCK = "select 1 from grading_attempt where id = %s for update"


@pytest.fixture
@remembered
def attempt(problems: list[Problem], hand_in: HandIn) -> Attempt:
    return hand_in((problems[0], "m g h")).attempts.get()


def claim(attempt: Attempt) -> Attempt:
    claimed = GRADING.claim(attempt.pk)
    assert claimed is not None
    return claimed


def claim_twice(attempt: Attempt) -> tuple[Attempt, Attempt]:
    """Claim for a worker that is slow, and once its lease ran out for another."""
    slow = claim(attempt)
    let_the_lease_run_out(attempt)
    return slow, claim(attempt)


def find_run(attempt: Attempt) -> GradingRun:
    return GradingRun.objects.get_adopted(attempt.revision.problem.benchmark_id)


def let_the_lease_run_out(attempt: Attempt) -> None:
    past = timezone.now() - timedelta(seconds=1)
    Attempt.objects.filter(pk=attempt.pk).update(lease_until=past)


@pytest.mark.django_db(transaction=True)
def test_of_two_workers_that_claim_at_once_one_gets_the_attempt(attempt: Attempt) -> None:
    with (
        hold(LOCK, attempt.pk) as release,
        meanwhile(lambda: GRADING.claim(attempt.pk)) as first,
        meanwhile(lambda: GRADING.claim(attempt.pk)) as second,
    ):
        # Both find it queued; neither could take it yet.
        release()
        claimed = [first.result(), second.result()]
    assert sorted(one is None for one in claimed) == [False, True]
    attempt.refresh_from_db()
    assert attempt.tries == 1


@pytest.mark.django_db
def test_a_claim_is_a_lease_that_keeps_others_off(attempt: Attempt) -> None:
    before = timezone.now()
    claimed = claim(attempt)
    assert (claimed.status, claimed.tries) == (Attempt.Status.GRADING, 1)
    assert claimed.lease_until is not None
    lease = timedelta(seconds=project_settings.WORK_LEASE_SECONDS)
    assert before + lease <= claimed.lease_until <= timezone.now() + lease
    assert GRADING.claim(attempt.pk) is None


@pytest.mark.django_db
@pytest.mark.parametrize("hours", [-1, 1])
def test_a_worker_whose_clock_goes_wrong_takes_nothing_of_a_live_one(
    attempt: Attempt, monkeypatch: pytest.MonkeyPatch, hours: int
) -> None:
    now = timezone.now
    if hours < 0:
        # It leases by the database's clock, too: not until long ago.
        monkeypatch.setattr(timezone, "now", lambda: now() + timedelta(hours=hours))
    claim(attempt)
    monkeypatch.setattr(timezone, "now", lambda: now() + timedelta(hours=max(hours, 0)))
    assert GRADING.claim(attempt.pk) is None


@pytest.mark.django_db
def test_a_lease_that_ran_out_can_be_claimed_again(attempt: Attempt) -> None:
    slow, quick = claim_twice(attempt)
    assert (slow.tries, quick.tries) == (1, 2)
    assert GRADING.claim(attempt.pk) is None


settled = pytest.mark.parametrize(
    "settle",
    [
        lambda attempt: grader.keep(attempt, find_run(attempt), judge("0", "m g h"), seconds=1.0),
        lambda attempt: grader.fail(attempt, "timeout", "It took too long."),
    ],
    ids=["keep", "fail"],
)


@pytest.mark.django_db
@settled
def test_what_is_settled_can_not_be_claimed(
    attempt: Attempt, settle: Callable[[Attempt], None]
) -> None:
    settle(claim(attempt))
    assert GRADING.claim(attempt.pk) is None


@pytest.mark.django_db
@settled
@pytest.mark.parametrize("is_first", [True, False], ids=["first", "last"])
def test_a_worker_that_lost_its_lease_changes_nothing(
    attempt: Attempt, settle: Callable[[Attempt], None], is_first: bool
) -> None:
    slow, quick = claim_twice(attempt)
    if is_first:
        settle(slow)
    grader.grade(quick)
    if not is_first:
        settle(slow)
    attempt.refresh_from_db()
    assert (attempt.status, attempt.failure_reason) == (Attempt.Status.GRADED, "")
    assert attempt.grades.get().verdict == "CORRECT"


@pytest.mark.django_db
def test_a_worker_whose_lease_nobody_took_over_may_still_settle(attempt: Attempt) -> None:
    claimed = claim(attempt)
    let_the_lease_run_out(attempt)
    grader.grade(claimed)
    attempt.refresh_from_db()
    assert (attempt.status, attempt.lease_until) == (Attempt.Status.GRADED, None)


@pytest.mark.django_db
def test_a_grade_says_who_judged_with_what_and_what_was_read(attempt: Attempt) -> None:
    grader.grade(claim(attempt))
    grade = attempt.grades.get()
    assert (grade.judge, grade.judge_version) == ("symbolic", grader.GRADER_VERSION)
    assert grade.sympy_version == grader.sympy.__version__
    assert (grade.verdict, grade.accuracy, grade.eed) == ("CORRECT", 100, 100)
    assert grade.answer_read == grade.reference_read != ""
    assert grade.seconds > 0


# --- Failures of ours -----------------------------------------------------------------------


@pytest.fixture
def answer_to(benchmark: Benchmark, hand_in: HandIn) -> Callable[[str, str], Attempt]:
    """Hand in an answer to a reference that no review has seen, as an import may bring one."""

    def run(reference: str, answer: str) -> Attempt:
        problem = import_published(
            benchmark=benchmark,
            published_id="1",
            title="Imported",
            domain="OPTICS",
            statement="A",
            answer=reference,
            solution="",
            broken_rules=[],
        )
        return hand_in((problem, answer)).attempts.get()

    return run


def fails_with(attempt: Attempt, reason: str) -> bool:
    """Grade, and tell whether it ends without a grade for this reason."""
    grader.grade(claim(attempt))
    attempt.refresh_from_db()
    assert not Grade.objects.exists()
    assert attempt.failure_message
    assert attempt.lease_until is None
    return (attempt.status, attempt.failure_reason) == (Attempt.Status.FAILED, reason)


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("reference", "answer", "reason"),
    [
        (r"\frac{x", "x", "reference_unreadable"),
        ("e^{e^{e^{x+11}}}", "e^{e^{e^{x+10}}}", "undecided"),
        ("a + c", SLOW_TO_SIMPLIFY, "timeout"),
    ],
)
def test_what_can_not_be_judged_fails_with_its_reason_and_no_grade(
    answer_to: Callable[[str, str], Attempt], settings, reference: str, answer: str, reason: str
) -> None:
    settings.GRADING_DEADLINE_SECONDS = 0.5 if reason == "timeout" else 60
    assert fails_with(answer_to(reference, answer), reason)


@pytest.fixture
def new_children() -> Iterator[None]:
    """Children that can import what the tests alone have."""
    sandbox.close()
    yield
    sandbox.close()


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("runaway", "reason"),
    [
        (runaways.eat_memory, "memory"),
        (runaways.die, "crashed"),
        (runaways.refuse, "grader_error"),
    ],
)
def test_a_judge_that_comes_to_no_end_fails_with_the_reason_and_no_grade(
    attempt: Attempt, monkeypatch, new_children: None, runaway: Callable[..., None], reason: str
) -> None:
    # No answer is known that brings the judge to this.
    monkeypatch.setattr(symbolic, "grade", runaway)
    assert fails_with(attempt, reason)


@pytest.mark.skipif(sys.platform != "linux", reason="it looks at how busy the child is in /proc")
@pytest.mark.django_db
def test_an_answer_whose_child_is_killed_meanwhile_is_graded_all_the_same(
    problems: list[Problem], hand_in: HandIn, settings, new_children: None
) -> None:
    settings.GRADING_DEADLINE_SECONDS = 60
    attempt = hand_in((problems[0], SLOW_TO_SIMPLIFY)).attempts.get()
    sandbox.allow(1)
    try:
        child = sandbox.run(os.getpid, deadline=60)
        with ThreadPoolExecutor(1) as threads:
            killing = threads.submit(kill_once_busy, child)
            grader.grade(claim(attempt))
            killing.result()
    finally:
        sandbox.allow(sandbox.CHILDREN)
    attempt.refresh_from_db()
    assert (attempt.status, attempt.tries, attempt.lost) == (Attempt.Status.GRADED, 1, 0)
    assert attempt.grades.get().eed < 100


def kill_once_busy(child: int) -> None:
    """Kill a child as the system does where memory runs out: while it grades."""

    def seconds() -> float:
        # In clock ticks: of the user, of the system.
        spent = Path(f"/proc/{child}/stat").read_text().rpartition(")")[2].split()[11:13]
        return sum(map(int, spent)) / os.sysconf("SC_CLK_TCK")

    idle = seconds()
    while seconds() < idle + 0.3:
        time.sleep(0.02)
    os.kill(child, signal.SIGKILL)
