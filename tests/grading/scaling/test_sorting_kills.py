"""Wrong answers are sorted although workers are killed: each problem once, and exactly."""

import pytest
from django.db import transaction

from development import web
from grading.answers.models import Attempt, Grade
from grading.answers.runs.models import GradingRun
from grading.board.scaling.figures import KEPT, SCALING
from grading.board.scaling.models import AnswerSorting
from grading.board.scores.collecting import arrange
from grading.board.scores.scope import Scope
from tests.boards import MISSING, MadeBoard, add_model, grade, make_scored_board
from tests.development.checkout import wait_until
from tests.processes import Processes, kill

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.own_server]

QUICK = {"WORK_LEASE_SECONDS": "1", "WORK_SWEEP_SECONDS": "0.5"}
PROBLEMS = 150
PATIENCE_SECONDS = 300.0
ANSWERS = ("m + {n}", "{n} + m", "m - {n}", "m g + {n} m g", "({n} + 1) m g")
"""Each problem's: of the five, two and two are equal."""


@transaction.atomic
def put_several(made: MadeBoard) -> None:
    submission = add_model(made, "Several", [[MISSING]] * PROBLEMS)
    run = GradingRun.objects.get_adopted(made.benchmark.pk)
    attempts = [
        Attempt(
            solver=submission.solver,
            submission=submission,
            revision_id=problem.accepted_revision_id,
            origin=Attempt.Origin.FILE,
            sample=sample,
            response=answer.format(n=number),
            status="GRADED",
        )
        for number, problem in enumerate(made.problems, 2)
        for sample, answer in enumerate(ANSWERS, 1)
    ]
    grades = []
    for attempt in Attempt.objects.bulk_create(attempts):
        one = grade(run, attempt, 0.0)
        one.answer_read = attempt.response
        grades.append(one)
    Grade.objects.bulk_create(grades)


def count_done() -> int:
    return AnswerSorting.objects.exclude(done_at=None).count()


@pytest.mark.slow
def test_workers_killed_while_they_sort_lose_nothing(processes: Processes) -> None:
    made = make_scored_board({"One": [[0.0]] * PROBLEMS})
    put_several(made)
    SCALING.work_out(arrange(Scope.of(made.version)))
    worker = processes.start(web.worker, **QUICK)
    processes.start(web.beat, **QUICK)
    for quarter in (1, 2):
        least = quarter * PROBLEMS // 4
        assert wait_until(lambda least=least: count_done() >= least, PATIENCE_SECONDS)
        kill(worker)
        assert count_done() < PROBLEMS
        worker = processes.start(web.worker, **QUICK)
    assert wait_until(lambda: count_done() == PROBLEMS, PATIENCE_SECONDS)
    rows = list(AnswerSorting.objects.all())
    assert len(rows) == PROBLEMS
    assert {tuple(sorted(map(len, one.groups))) for one in rows} == {(1, 2, 2)}
    assert {(one.stopped, one.not_compared) for one in rows} == {("", 0)}
    figures = KEPT.validate_python(SCALING.work_out(arrange(Scope.of(made.version))))
    assert [len(one.vote) for one in figures.rows.values()] == [5]
