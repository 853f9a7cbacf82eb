"""Submissions of several answers to a problem."""

import json
from collections.abc import Callable

import pytest

from curation.problems.benchmarks.models import Benchmark
from curation.problems.models import Problem
from grading.answers.models import Attempt
from grading.answers.submissions.models import Submission
from phybench.people.models import User
from tests import versions
from tests.organisations import organisation_of
from tests.work import grade_together

HandInSamples = Callable[..., Submission]


@pytest.fixture
def hand_in_samples(evaluator: User, benchmark: Benchmark) -> HandInSamples:
    """Hand in answers, several to a problem, and have them graded."""

    def run(
        answers: dict[Problem, list[str]],
        *,
        model: str = "A model",
        by: User = evaluator,
        is_graded: bool = True,
    ) -> Submission:
        rows = [
            {
                "id": problem.identifier,
                "model": model,
                "model_answer": text,
                "repeat_index": number,
            }
            for problem, texts in answers.items()
            for number, text in enumerate(texts)
        ]
        [made] = versions.hand_in(
            organisation=organisation_of(by),
            benchmark=benchmark,
            uploaded_by=by,
            file_name="answers.json",
            content=json.dumps(rows).encode(),
        )
        if is_graded:
            grade_all(made)
        return made

    return run


def grade_all(submission: Submission) -> None:
    grade_together(submission.attempts.all())


def fail(attempt: Attempt, reason: str = "timeout") -> None:
    """Have one answer not graded that still waits."""
    Attempt.objects.filter(pk=attempt.pk).update(status="FAILED", failure_reason=reason)
