"""A run of many answers whose workers are killed: it ends exact, and the board waits for it."""

from functools import partial

import pytest

from curation.problems.benchmarks.models import Benchmark
from development import web
from grading.answers.models import Attempt, Grade
from grading.answers.runs.models import GradingRun
from grading.board.table import make_board
from grading.demo import bank
from grading.demo.bank_rows import Size
from grading.disputes.regrades import actions
from grading.disputes.regrades.comparison import compare
from grading.disputes.regrades.today import list_settled
from tests.development.checkout import wait_until
from tests.grading.regrades.conftest import make_grade
from tests.processes import Processes, kill

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.own_server]

QUICK = {"WORK_LEASE_SECONDS": "1", "WORK_SWEEP_SECONDS": "0.5"}
PATIENCE_SECONDS = 3600.0


def misjudge_what_waits(benchmark: Benchmark) -> None:
    """Have all answers that wait counted as wrong, by an earlier grader, and published so."""
    run = GradingRun.objects.get_adopted(benchmark.pk)
    waiting = list(Attempt.objects.waiting().defer("response"))
    Grade.objects.bulk_create([make_grade(run, one) for one in waiting])
    Attempt.objects.waiting().update(status=Attempt.Status.GRADED)
    for one in benchmark.submissions.filter(published_at=None):
        one.published_at, one.published_by = one.created_at, one.uploaded_by
        one.save(update_fields=["published_at", "published_by"])


# What becomes of a part that is lost with its worker CI holds in `test_change_sets.py`, and of
# killed workers in `tests/phybench/work/test_kills.py`.
@pytest.mark.slow
@pytest.mark.parametrize(
    "size", [Size(20, 20, models=6), Size(1112, 1112, models=40)], ids=["some", "20,000"]
)
def test_a_run_whose_worker_is_killed_twice_ends_exact_and_the_board_shows_only_what_counts(
    processes: Processes, size: Size
) -> None:
    bank.make(size)
    benchmark = Attempt.objects.waiting()[0].revision.problem.benchmark
    misjudge_what_waits(benchmark)
    before = make_board(benchmark).rows
    run = actions.begin(benchmark=benchmark, why="A better grader.")
    parts = len(actions.queue(run))
    worker = processes.start(web.worker, **QUICK)
    processes.start(web.beat, **QUICK)
    count = list_settled(benchmark).count()
    print(f"{count} answers in {parts} parts")
    for quarter in (1, 2):
        least = quarter * count // 4
        assert wait_until(partial(is_said, run, least), PATIENCE_SECONDS)
        kill(worker)
        assert said(run) < count
        assert make_board(benchmark).rows == before
        worker = processes.start(web.worker, **QUICK)
    assert wait_until(lambda: not run.parts.filter(done_at=None).exists(), PATIENCE_SECONDS)
    assert make_board(benchmark).rows == before
    assert_exact(run, count)
    ours = make_board(benchmark, run=run).rows
    actions.adopt(run=run)
    assert make_board(benchmark).rows == ours != before


def is_said(run: GradingRun, least: int) -> bool:
    return said(run) > least


def said(run: GradingRun) -> int:
    return run.grades.count() + run.ungraded.count()


def assert_exact(run: GradingRun, count: int) -> None:
    """Of each answer the run says one thing, and of the same words the same."""
    assert said(run) == count
    assert not set(run.grades.values_list("attempt")) & set(run.ungraded.values_list("attempt"))
    assert "worker_lost" not in run.ungraded.values_list("reason", flat=True)
    verdicts: dict[tuple[int, str], set[str]] = {}
    for revision, response, verdict in run.grades.values_list(
        "attempt__revision", "attempt__response", "verdict"
    ):
        verdicts.setdefault((revision, response), set()).add(verdict)
    assert {len(one) for one in verdicts.values()} == {1}
    assert compare(run).other_verdicts > count // 4, "most were counted as wrong before"
