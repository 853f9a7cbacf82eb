"""Many answers whose worker is killed while it measures them: each is measured, and once."""

from itertools import product

import pytest

from development import web
from grading.answers.models import Attempt, Grade
from grading.answers.runs.models import GradingRun
from grading.answers.unordered.models import UnorderedPart, UnorderedScore
from grading.demo import bank
from grading.demo.bank_rows import Size
from tests.development.checkout import wait_until
from tests.processes import Processes, kill

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.own_server]

QUICK = {"WORK_LEASE_SECONDS": "1", "WORK_SWEEP_SECONDS": "0.5", "UNORDERED_SWEEP_SECONDS": "0.5"}
PATIENCE_SECONDS = 600.0
TERMS, FACTORS = 24, 5


def write_sum(name: str) -> list[list[str | int]]:
    """Write a large tree as a grade keeps it: none of its terms is like another."""
    leaves = [
        [f"{name}_{{{term}{place}}}", 0] for term, place in product(range(TERMS), range(FACTORS))
    ]
    nodes: list[list[str | int]] = []
    for start in range(0, len(leaves), FACTORS):
        nodes += [*leaves[start : start + FACTORS], [r"\times", FACTORS]]
    return [*nodes, ["+", TERMS]]


def publish_as_if_graded() -> int:
    """Keep grades with trees that take long, each with others, as if answers had been so."""
    waiting = list(Attempt.objects.waiting().select_related("revision__problem").order_by("pk"))
    run = GradingRun.objects.get_adopted(waiting[0].revision.problem.benchmark_id)
    reference = write_sum("r")
    Grade.objects.bulk_create(
        Grade(
            run=run, attempt=one, judge="symbolic", judge_version="2.0", verdict="INCORRECT",
            accuracy=0, eed=0, distance=145, size=145, relative=1, sympy_version="-", seconds=1.0,
            trees={"answer": write_sum(f"a{number}"), "reference": reference},
        )
        for number, one in enumerate(waiting)
    )  # fmt: skip
    Attempt.objects.waiting().update(status=Attempt.Status.GRADED)
    for submission in run.benchmark.submissions.filter(published_at=None):
        submission.published_at = submission.created_at
        submission.published_by = submission.uploaded_by
        submission.save(update_fields=["published_at", "published_by"])
    return len(waiting)


def said() -> int:
    return UnorderedScore.objects.count()


@pytest.mark.slow
def test_a_killed_worker_loses_nothing_and_nothing_is_measured_twice(processes: Processes) -> None:
    bank.make(Size(40, 40, models=6))
    count = publish_as_if_graded()
    worker = processes.start(web.worker, **QUICK)
    processes.start(web.beat, **QUICK)

    assert wait_until(lambda: said() > 0, PATIENCE_SECONDS)
    kill(worker)
    assert 0 < said() < count
    processes.start(web.worker, **QUICK)

    assert wait_until(lambda: said() == count, PATIENCE_SECONDS)
    assert wait_until(lambda: not UnorderedPart.objects.exists(), PATIENCE_SECONDS)
    assert UnorderedScore.objects.filter(reason="", score=0).count() == count
