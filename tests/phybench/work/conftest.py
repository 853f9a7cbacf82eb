"""Answers of a model, many at once: work that nobody waits for."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from curation.problems.benchmarks.models import Benchmark
from curation.problems.models import Problem
from grading.answers.submissions.models import Submission
from phybench.people.models import User
from tests.grading.conftest import problems as _problems
from tests.organisations import organisation_of
from tests.versions import hand_in

problems = _problems
HandInMany = Callable[[int], Submission]


@pytest.fixture
def hand_in_many(
    evaluator: User, benchmark: Benchmark, problems: list[Problem], settings: Any
) -> HandInMany:
    """Hand in so many answers of a model."""

    settings.MOST_SAMPLES_A_DAY = 1_000_000

    def run(count: int) -> Submission:
        rows = [
            {
                "id": problems[number % len(problems)].identifier,
                "model": f"A model with {count} answers",
                "repeat_index": number // len(problems),
                "model_answer": f"m g h + {number}",
            }
            for number in range(count)
        ]
        [submission] = hand_in(
            organisation=organisation_of(evaluator),
            benchmark=benchmark,
            uploaded_by=evaluator,
            file_name="answers.json",
            content=json.dumps(rows).encode(),
        )
        return submission

    return run
