"""What the database holds of runs, whichever kind they are, and of their calls."""

from collections.abc import Callable

import pytest
from django.db import DatabaseError, connection, transaction

from grading.model_runs.models import ModelRun
from grading.model_runs.trials.models import Trial
from grading.runs.models import ModelCall, Reservation, Run
from tests.grading.model_runs import running
from tests.grading.trials.trials import box, make_endpoint, try_on, work_off

pytestmark = pytest.mark.usefixtures("commits")

CALL = {"url": "http://localhost", "status": 200, "seconds": 1.0}
Both = tuple[ModelRun, Trial]


@pytest.fixture
def both(serve, version, draft, evaluator) -> Both:
    endpoint = make_endpoint(serve(lambda _request: box("m g h")))
    run = running.work_off(running.begin(version, endpoint, evaluator))
    trial = try_on(endpoint, draft)
    work_off(trial)
    return run, trial


@transaction.atomic
def do(act: Callable[[], object]) -> None:
    """Act, and have checked now what is checked late."""
    act()
    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")


def find_item_of(run: ModelRun, *, but_of: Trial) -> int:
    return run.answers.exclude(pk__in=but_of.answers.values("pk")).latest("pk").pk


def reserve_twice(run: ModelRun) -> None:
    for _time in range(2):
        Reservation.objects.create(endpoint=run.endpoint, run=run, calls=1, tokens=1, money=0)


REFUSED: dict[str, tuple[str, Callable[[ModelRun, Trial], object]]] = {
    "a call for what another run asked": (
        "call_is_for_an_item_of_its_run",
        lambda run, trial: ModelCall.objects.create(
            endpoint=run.endpoint, run=trial, item=find_item_of(run, but_of=trial), **CALL
        ),
    ),
    "a call for an item of no run": (
        "call_is_for_an_item_of_its_run|call_for_an_item_is_of_a_run",
        lambda run, trial: ModelCall.objects.create(
            endpoint=run.endpoint, item=run.answers.latest("pk").pk, **CALL
        ),
    ),
    "another who began": (
        "Cannot update",
        lambda run, trial: Run.objects.filter(pk=run.pk).update(started_by=trial.problem.author),
    ),
    "another time at which it began": (
        "Cannot update",
        lambda run, trial: Run.objects.filter(pk=trial.pk).update(created_at=run.created_at),
    ),
    "a pause without a reason": (
        "run_is_paused_for_a_reason",
        lambda run, trial: Run.objects.filter(pk=trial.pk).update(state=Run.State.PAUSED),
    ),
    "a reason without a pause": (
        "run_is_paused_for_a_reason",
        lambda run, trial: Run.objects.filter(pk=run.pk).update(paused_for="person"),
    ),
    "an answer that goes without its calls": (
        "Cannot delete",
        lambda run, trial: run.answers.all().delete(),
    ),
    "an answer of a trial that goes without its calls": (
        "trial_answer_goes_with_its_calls",
        lambda run, trial: trial.answers.all().delete(),
    ),
    "a run that goes with its calls": ("Cannot delete", lambda run, trial: run.delete()),
    "two reservations of a run at one endpoint": (
        "run_reserves_once",
        lambda run, trial: reserve_twice(run),
    ),
}


@pytest.mark.parametrize(("why", "act"), REFUSED.values(), ids=list(REFUSED))
def test_the_database_refuses(both: Both, why: str, act: Callable[..., object]) -> None:
    with pytest.raises(DatabaseError, match=why):
        do(lambda: act(*both))


def test_a_call_of_which_somebody_else_has_the_item_is_of_its_run_alone(both: Both) -> None:
    run, _trial = both
    before = run.calls.count()
    ModelCall.objects.create(endpoint=run.endpoint, run=run, **CALL)
    assert run.calls.count() == before + 1
    assert sum(answer.calls.count() for answer in run.answers.all()) == before
