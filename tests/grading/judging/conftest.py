import random

import pytest

from tests.grading.endpoints.scripted_server import ScriptedServer
from tests.grading.judging.judging import begin, grade_all, say_right, work_off
from tests.grading.trials.trials import make_endpoint
from tests.memory import remembered


@pytest.fixture(autouse=True)
def at_once(monkeypatch):
    """Retries come as soon as the endpoint lets them: chance adds nothing."""
    monkeypatch.setattr(random, "random", lambda: 0.0)


@pytest.fixture
@remembered
def submission(problems, hand_in):
    made = hand_in((problems[0], "m g h"), (problems[2], "x"))
    grade_all(made)
    return made


@pytest.fixture
def endpoint(serve):
    return make_endpoint(serve(say_right), price_prompt=10, price_completion=100)


@pytest.fixture
@remembered
def run(submission):
    """A run that has ended, and its endpoint with it."""
    with ScriptedServer(say_right) as server:
        made = begin(submission, make_endpoint(server, price_prompt=10, price_completion=100))
        work_off(made)
    return made
