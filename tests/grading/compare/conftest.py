"""A board of sixteen problems: ten of mechanics, five of optics and one of modern physics."""

from collections.abc import Callable, Mapping, Sequence

import pytest
from django.utils import timezone

from curation.problems.benchmarks.models import Benchmark
from curation.problems.models import Problem, Revision
from grading.answers.models import Attempt
from grading.answers.runs.models import GradingRun
from grading.answers.submissions.models import Submission
from grading.solvers.models import Solver
from phybench.people.models import Role, User
from tests.boards import NOT_GRADED, Score, store
from tests.conftest import make_person
from tests.memory import remembered
from tests.organisations import organisation_of
from tests.versions import publish_version

RIGHT, SIMILAR, WRONG = 100.0, 50.0, 0.0
DOMAINS = ("MECHANICS",) * 10 + ("OPTICS",) * 5 + ("MODERN",)

Stand = Callable[..., Submission]
Answer = Callable[..., User]


@pytest.fixture
@remembered
def problems(benchmark: Benchmark) -> list[Problem]:
    """Of two levels in turn, and each with a longer solution than the one before."""
    return [make_problem(benchmark, place, domain) for place, domain in enumerate(DOMAINS)]


def make_problem(benchmark: Benchmark, place: int, domain: str) -> Problem:
    problem = Problem.objects.create(
        benchmark=benchmark,
        title=f"Problem {place}",
        domain=domain,
        difficulty="OLYMPIAD" if place % 2 else "HIGH_SCHOOL",
    )
    now = timezone.now()
    revision = problem.revisions.create(
        number=1,
        statement="What comes of it?",
        answer="m g h",
        solution="It is $m g h$." + " Indeed." * place,
        submitted_at=now,
    )
    Problem.objects.filter(pk=problem.pk).update(
        accepted_revision=revision, accepted_at=now, status="ACCEPTED"
    )
    problem.refresh_from_db()
    return problem


@pytest.fixture
def stand(evaluator: User, benchmark: Benchmark, problems: list[Problem]) -> Stand:
    """Have a model stand on the board: right on the first problems, else wrong."""

    def run(
        model: str,
        right: int,
        *,
        answers: Mapping[int, Score] | None = None,
        not_graded: int = 0,
        is_published: bool = True,
    ) -> Submission:
        scores = score_all(right, range(len(problems)), not_graded) | (answers or {})
        version = publish_version(benchmark)
        solver = Solver.objects.create(
            name=model, kind="MODEL", organisation=organisation_of(evaluator)
        )
        made = Submission.objects.create(
            solver=solver,
            benchmark=benchmark,
            version=version,
            number=1,
            uploaded_by=evaluator,
            published_by=evaluator if is_published else None,
            published_at=timezone.now() if is_published else None,
            file_name="answers.json",
            file_sha256="0" * 64,
            expected=len(problems),
        )
        answer_all(solver, made, problems, scores)
        return made

    return run


def score_all(right: int, places: Sequence[int], not_graded: int) -> dict[int, Score]:
    """Say what answers are worth: the first are right, and the last few we could not grade."""
    scores: dict[int, Score] = {one: RIGHT if one < right else WRONG for one in places}
    return scores | dict.fromkeys(list(places)[len(places) - not_graded :], NOT_GRADED)


def answer_all(
    solver: Solver,
    submission: Submission | None,
    problems: Sequence[Problem],
    scores: Mapping[int, Score],
) -> None:
    answers = [
        (
            Attempt(
                solver=solver,
                submission=submission,
                revision=Revision(pk=problems[place].accepted_revision_id),
                origin=Attempt.Origin.FILE if submission else Attempt.Origin.OUTSIDE,
                response=r"\boxed{m g h}",
                status="FAILED" if score is NOT_GRADED else "GRADED",
                failure_reason="timeout" if score is NOT_GRADED else "",
            ),
            score,
        )
        for place, score in scores.items()
    ]
    store(GradingRun.objects.get_adopted(problems[0].benchmark_id), answers)


@pytest.fixture
def answer(problems: list[Problem]) -> Answer:
    """Have somebody answer problems in the app: right on the first, else wrong."""

    def run(name: str, right: int, places: Sequence[int] = range(16), not_graded: int = 0) -> User:
        person = make_person(Role.PARTICIPANT, name)
        solver = Solver.objects.create(name=str(person), kind="HUMAN", user=person)
        answer_all(solver, None, problems, score_all(right, places, not_graded))
        return person

    return run
