"""Endpoints and trials for tests: rows, and steps that a scripted server answers with."""

from typing import Any

from curation.problems.models import Problem
from grading.demo.fake_replies import FakeReply
from grading.endpoints import APIKey
from grading.model_runs.trials import actions as trial_actions
from grading.model_runs.trials.actions import Choice
from grading.model_runs.trials.models import Trial, TrialAnswer
from grading.runs import actions as endpoint_actions
from grading.runs.models import Endpoint
from tests.grading.endpoints.scripted_server import ScriptedServer
from tests.grading.endpoints.steps import ok
from tests.work import ask_model, grade_trial_answer

MODEL = "fake-solver"
KEY = "sk-test-9876543210zyxwvutabc"
NOWHERE = "http://127.0.0.1:9/v1"
"""Nothing listens there."""


def make_endpoint(
    server: ScriptedServer | None = None, *, key: str | None = KEY, **fields: Any
) -> Endpoint:
    """Set an endpoint up as an admin would; without a server nothing answers there."""
    endpoint = Endpoint(
        **{
            "name": "An endpoint",
            "base_url": str(server.base_url) if server else NOWHERE,
            "offered": [MODEL],
            "seconds_a_call": 10,
            "longest_reply": 1000,
            **fields,
        }
    )
    endpoint_actions.save(endpoint, key=APIKey(key) if key else None)
    return endpoint


def choose(endpoint: Endpoint, model: str = MODEL) -> Choice:
    return Choice(endpoint, model, endpoint.host)


def try_on(endpoint: Endpoint, problem: Problem, *, times: int = 1) -> Trial:
    """Begin a trial as the problem's author; nobody works on it yet."""
    assert problem.author
    [trial] = trial_actions.begin(
        problem=problem, by=problem.author, choices=[choose(endpoint)], times=times
    )
    return trial


def work_off(trial: Trial) -> list[TrialAnswer]:
    """Do what the workers would, each thing once."""
    for pk in trial.answers.values_list("pk", flat=True):
        ask_model(pk)
        grade_trial_answer(pk)
    return list(trial.answers.all())


def box(answer: str) -> FakeReply:
    return ok(f"So it is \\boxed{{{answer}}}.")


def read_states(trial: Trial) -> list[tuple[str, str]]:
    """Return how far each answer got, and why one failed."""
    return list(trial.answers.values_list("state", "failure_reason"))
