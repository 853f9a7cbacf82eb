"""What one review, judge item, answer or submission enters becomes no more (`tests/stays.py`)."""

import io
import json
from collections.abc import Callable
from typing import Any

import pytest

from curation.problems.benchmarks.models import Benchmark
from curation.problems.models import Problem
from grading.answers.tasks import GRADING
from grading.judging.runs.tasks import JUDGING
from grading.submissions.drafts import actions as drafting
from grading.submissions.drafts import submitting
from phybench.people.models import User
from phybench.work import sandbox
from tests.conftest import Serve, accept, make_draft, submit
from tests.curation.reviewing.rounds.opened import review
from tests.drafts import read
from tests.grading.conftest import HandIn, hand_in
from tests.grading.judging.judging import begin, say_right
from tests.grading.trials.trials import make_endpoint
from tests.organisations import organisation_of
from tests.stays import describe, follow
from tests.versions import publish_version
from tests.work import do

__all__ = ["hand_in"]
pytestmark = pytest.mark.django_db
AT_MOST = {"review": 10, "judge item": 55, "answer": 71, "submission": 32}
"""Write a number down here as soon as it has fallen; none may rise."""


def check(name: str, take: Callable[[Any], object], first: Any, second: Any) -> None:
    take(first)
    with follow() as stays:
        take(second)
    said = describe(name, stays)
    print(f"\n{said}")
    assert len(stays) == AT_MOST[name], said


@pytest.fixture
def problems(contributor: User, reviewer: User, benchmark: Benchmark) -> list[Problem]:
    return [accept(make_draft(contributor, benchmark), contributor, reviewer) for _one in range(2)]


def test_one_review(contributor: User, reviewer: User, benchmark: Benchmark) -> None:
    """From the action of the page to what its one review decides."""
    rounds = [submit(make_draft(contributor, benchmark), contributor) for _one in range(2)]
    check("review", lambda one: review(one, reviewer), *rounds)


def test_one_answer(
    problems: list[Problem], hand_in: HandIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    """From the claim by a worker to the grade, with what a child process does for it."""

    def call(
        function: Callable[..., object], *args: Any, deadline: float, **options: Any
    ) -> object:
        return function(*args, **options)

    monkeypatch.setattr(sandbox, "run", call)
    submission = hand_in((problems[0], r"\frac{m g h}{2}"), (problems[1], r"\frac{2 m g h}{3}"))
    check("answer", lambda one: do(GRADING, one.pk), *submission.attempts.all())


def test_one_judge_item(problems: list[Problem], hand_in: HandIn, serve: Serve) -> None:
    """From the claim by a worker to the verdict of a model."""
    submission = hand_in((problems[0], "m g h"), (problems[1], "2 m g h"))
    for attempt in submission.attempts.all():
        do(GRADING, attempt.pk)
    run = begin(submission, make_endpoint(serve(say_right), price_prompt=10))
    check("judge item", lambda one: do(JUDGING, one.pk), *run.items.filter(canary=""))


def test_one_submission(problems: list[Problem], evaluator: User, benchmark: Benchmark) -> None:
    """From a file to answers that wait to be graded."""
    publish_version(benchmark)
    organisation = organisation_of(evaluator)

    def upload(model: str) -> None:
        draft = drafting.begin(organisation=organisation, benchmark=benchmark, by=evaluator)
        row = {"id": problems[0].identifier, "model": model, "model_answer": "m g h"}
        content = io.BytesIO(json.dumps([row]).encode())
        read(drafting.add_file(draft=draft, file=content, name="answers.json", by=evaluator))
        [made] = submitting.grade(draft=draft, by=evaluator)
        assert made.attempts.count() == 1

    check("submission", upload, "One", "Another")
