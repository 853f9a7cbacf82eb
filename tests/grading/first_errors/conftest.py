"""A version of four problems, and two published models of two organisations that err on three."""

import json
from collections.abc import Callable, Sequence

import pytest

from curation.problems.benchmarks.models import Benchmark
from curation.problems.models import Problem
from curation.versions.models import BenchmarkVersion
from grading.answers.submissions.models import Submission
from grading.board.first_errors.drawing import draw
from grading.samples.first_errors import actions
from grading.samples.first_errors.models import ERRORS, FirstErrorItem, FirstErrorSample
from phybench.people.models import Role, User
from tests import drafts
from tests.conftest import accept, make_draft, make_person
from tests.memory import remembered
from tests.organisations import organisation_of, publish
from tests.versions import publish_version
from tests.work import grade_together

RIGHT = r"The energy is \boxed{m g h}."
WRONG = "Its weight is $2 m g$.\r\nSo the energy is \\boxed{2 m g h}."
UNREADABLE = "nothing"
PASSAGE = "Its weight is $2 m g$."
DOMAINS = ("MECHANICS", "MECHANICS", "OPTICS", "MODERN")

Answer = Callable[..., Submission]


@pytest.fixture
@remembered
def problems(contributor: User, reviewer: User, benchmark: Benchmark) -> list[Problem]:
    return [
        accept(make_draft(contributor, benchmark, domain=domain), contributor, reviewer)
        for domain in DOMAINS
    ]


@pytest.fixture
@remembered
def version(problems: list[Problem], benchmark: Benchmark) -> BenchmarkVersion:
    return publish_version(benchmark)


@pytest.fixture
@remembered
def rival(db) -> User:
    return make_person(Role.EVALUATOR, "rival")


@pytest.fixture
def answer(problems: list[Problem], version: BenchmarkVersion) -> Answer:
    """Hand in a model's answers, one or several to each problem, grade and publish them."""

    def give(by: User, model: str, answers: Sequence[str | list[str]]) -> Submission:
        rows = [
            {"id": problem.identifier, "model": model, "model_answer": one, "repeat_index": sample}
            for problem, given in zip(problems, answers, strict=True)
            for sample, one in enumerate([given] if isinstance(given, str) else given)
        ]
        [submission] = drafts.grade(
            organisation=organisation_of(by),
            benchmark=version.benchmark,
            uploaded_by=by,
            file_name="secret-model-name.json",
            content=json.dumps(rows).encode(),
        )
        grade_together(submission.attempts.all())
        publish(submission)
        return submission

    return give


@pytest.fixture
@remembered
def submissions(answer: Answer, evaluator: User, rival: User) -> list[Submission]:
    return [
        answer(evaluator, "Secret Alpha", [WRONG, WRONG, WRONG, RIGHT]),
        answer(rival, "Secret Beta", [WRONG, WRONG, WRONG, WRONG]),
    ]


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
def sample(
    submissions: list[Submission], version: BenchmarkVersion, admin: User
) -> FirstErrorSample:
    """Six answers: two to each of the three problems that both got wrong."""
    return draw(version=version, by=admin, submissions=[one.pk for one in submissions], size=5)


def label(item: FirstErrorItem, choices: dict[User, str]) -> None:
    for person, choice in choices.items():
        place = {"passage": PASSAGE, "start": 0} if choice in ERRORS else {}
        actions.label(item=item, by=person, choice=choice, **place)


def label_all(
    sample: FirstErrorSample, first: User, second: User, truth: Callable[[FirstErrorItem], str]
) -> None:
    """Have two people say the same of every answer."""
    for item in sample.items.all():
        label(item, dict.fromkeys((first, second), truth(item)))
    sample.refresh_from_db()
