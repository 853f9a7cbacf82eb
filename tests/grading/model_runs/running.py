"""Runs of models for tests: begun as an evaluator would, worked off as the workers would."""

from functools import partial
from typing import Any

from curation.versions.models import BenchmarkVersion
from grading.endpoints import Parameters
from grading.model_runs import actions
from grading.model_runs.actions import Plan
from grading.model_runs.models import ModelRun, ModelRunAnswer
from grading.model_runs.tasks import ASKING
from grading.runs.models import Endpoint
from grading.submissions.drafts.tasks import HANDING_OVER
from phybench.people.models import User
from tests.grading.trials.trials import MODEL
from tests.organisations import organisation_of
from tests.work import do

ask = partial(do, ASKING)
hand_over = partial(do, HANDING_OVER)


def make_plan(version: BenchmarkVersion, endpoint: Endpoint, by: User, **fields: Any) -> Plan:
    return Plan(
        **{
            "organisation": organisation_of(by),
            "version": version,
            "endpoint": endpoint,
            "host": endpoint.host,
            "parameters": Parameters(model=MODEL, max_tokens=1000),
            **fields,
        }
    )


def begin(version: BenchmarkVersion, endpoint: Endpoint, by: User, **fields: Any) -> ModelRun:
    return actions.begin(plan=make_plan(version, endpoint, by, **fields), by=by)


def work_off(run: ModelRun, times: int = 1) -> ModelRun:
    """Do what the workers would; each time what was put off has become due."""
    for _time in range(times):
        for pk in run.answers.waiting().values_list("pk", flat=True):
            ask(pk)
        ModelRunAnswer.objects.filter(run=run, state="QUEUED").update(next_at=None)
    hand_over(run.pk)
    run.refresh_from_db()
    return run


def read_states(run: ModelRun) -> list[tuple[str, str]]:
    """Return how far each answer got, and what is to be said of it."""
    rows = run.answers.values_list("state", "remark", "failure_reason")
    return [(state, remark or reason) for state, remark, reason in rows]
