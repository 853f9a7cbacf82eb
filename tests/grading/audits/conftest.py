"""A version with public and hidden items, and graded answers of two organisations to it."""

import json
from collections.abc import Callable

import pytest

from curation.problems.benchmarks.models import Benchmark
from curation.problems.models import Problem
from curation.versions.models import BenchmarkVersion
from grading.answers.submissions.models import Submission
from grading.samples.audits import actions
from grading.samples.audits.drawing import draw
from grading.samples.audits.models import AuditItem, AuditSample
from grading.submissions.hidden.tasks import GRADING
from phybench.people.models import Role, User
from tests import drafts
from tests.conftest import accept, make_draft, make_person
from tests.memory import remembered
from tests.organisations import organisation_of
from tests.versions import publish_version
from tests.work import do, grade_together

RIGHT, WRONG, SIMILAR, UNREADABLE = "m g h", "x", "2 m g h", "nothing"
"""Answers to each problem, by the verdict that they get."""

Answer = Callable[..., Submission]


@pytest.fixture(autouse=True)
def small(settings) -> None:
    settings.LEAST_HIDDEN_ITEMS = 2


@pytest.fixture
@remembered
def problems(contributor: User, reviewer: User, benchmark: Benchmark) -> list[Problem]:
    return [
        accept(make_draft(contributor, benchmark), contributor, reviewer) for _number in range(5)
    ]


@pytest.fixture
@remembered
def version(problems: list[Problem], benchmark: Benchmark) -> BenchmarkVersion:
    """Three public items, and two hidden ones."""
    return publish_version(benchmark, hidden=tuple(one.identifier for one in problems[3:]))


@pytest.fixture
def answer(evaluator: User, version: BenchmarkVersion) -> Answer:
    """Hand in a model's answers, and grade them: to each problem a list, one a sample."""

    def give(
        answers: dict[Problem, list[str]], model: str = "A model", by: User = evaluator
    ) -> Submission:
        rows = [
            {"id": problem.identifier, "model": model, "model_answer": one, "repeat_index": sample}
            for problem, given in answers.items()
            for sample, one in enumerate(given)
        ]
        [submission] = drafts.grade(
            organisation=organisation_of(by),
            benchmark=version.benchmark,
            uploaded_by=by,
            file_name="secret-model-name.json",
            content=json.dumps(rows).encode(),
        )
        grade_together(submission.attempts.all())
        if hasattr(submission, "hidden"):
            for one in submission.hidden.answers.all():
                do(GRADING, one.pk)
        return submission

    return give


@pytest.fixture
@remembered
def other_admin(db) -> User:
    return make_person(Role.ADMIN, "other-admin")


@pytest.fixture
@remembered
def third_admin(db) -> User:
    return make_person(Role.ADMIN, "third-admin")


@pytest.fixture
@remembered
def submission(problems: list[Problem], answer: Answer) -> Submission:
    """Four right and four other public answers: one similar, two incorrect, one unreadable."""
    return answer({problems[0]: [RIGHT] * 4, problems[1]: [SIMILAR, WRONG, WRONG, UNREADABLE]})


@pytest.fixture
@remembered
def with_hidden(submission: Submission, problems: list[Problem], answer: Answer) -> Submission:
    """Another model's answers beside these: a public one, and two to hidden items."""
    return answer(
        {problems[0]: [RIGHT], problems[3]: [RIGHT], problems[4]: [WRONG]}, model="Another"
    )


@pytest.fixture
@remembered
def sample(submission: Submission, version: BenchmarkVersion, admin: User) -> AuditSample:
    """All eight answers."""
    return draw(version=version, by=admin, size=20)


def label(item: AuditItem, choices: dict[User, str]) -> None:
    for person, choice in choices.items():
        actions.label(item=item, by=person, choice=choice)


def label_all(
    sample: AuditSample, first: User, second: User, truth: Callable[[AuditItem], str]
) -> None:
    """Have two people say the same of every answer."""
    for item in sample.items.all():
        label(item, dict.fromkeys((first, second), truth(item)))
    sample.refresh_from_db()


def agree_with_grader(item: AuditItem) -> str:
    return "RIGHT" if item.stratum == "ACCEPTED" else "WRONG"
