import random

import pytest

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
def run(submission, endpoint):
    made = begin(submission, endpoint)
    work_off(made)
    return made
