"""Models that answer problems several times, really graded."""

import json

from curation.problems.benchmarks.models import Benchmark
from curation.problems.models import Problem
from grading.answers.models import Attempt
from grading.answers.submissions.models import Submission
from phybench.people.models import User
from tests import versions
from tests.organisations import organisation_of, publish
from tests.work import grade_together


def hand_in_samples(
    benchmark: Benchmark, by: User, rows: dict[Problem, list[str]], model: str = "A model"
) -> Submission:
    """Have each problem's answers graded and published."""
    content = [
        {"id": problem.identifier, "model": model, "model_answer": answer, "repeat_index": number}
        for problem, answers in rows.items()
        for number, answer in enumerate(answers)
    ]
    [submission] = versions.hand_in(
        organisation=organisation_of(by),
        benchmark=benchmark,
        uploaded_by=by,
        file_name="answers.json",
        content=json.dumps(content).encode(),
    )
    grade_together(Attempt.objects.waiting())
    publish(submission)
    return submission
