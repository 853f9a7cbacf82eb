"""People and problems that most tests begin with."""

import tempfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from django.conf import settings
from django.utils import translation

from curation.drafts import actions
from curation.problems.models import Benchmark, Problem
from curation.reviewing.pipelines import shipped
from curation.reviewing.rounds.models import ReviewRound
from development.sockets import temporary_folder
from grading.endpoints.scripted_server import Script, ScriptedServer
from grading.endpoints.scripted_steps import Step
from phybench.celery import app
from phybench.models import Role, User
from tests.certificates import give_certificate
from tests.processes import Processes

COMPARED_WITH_ALL = range(1, 10**9)
"""For problems whose statements are the same: their author has compared them."""
PASSWORD = "a long enough secret"
STATEMENT = "A ball of mass $m$ is at rest at the height $h$. Which energy does it lose in falling?"


@pytest.fixture(autouse=True)
def quick_passwords(settings) -> None:
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]


@pytest.fixture(autouse=True)
def spoken_language() -> Iterator[None]:
    """Begin each test in English: a request leaves the language of its page to the thread."""
    with translation.override("en"):
        yield


@pytest.fixture(scope="session")
def own_queues() -> Iterator[None]:
    """Leave no queue of these tests with a broker that others share."""
    yield
    # At the end only: whoever has sent to a queue takes it to be there from then on.
    with app.connection_for_write() as connection, connection.channel() as channel:
        for queue in settings.WORK_QUEUES.values():
            channel.queue_delete(queue)


@pytest.fixture
def processes(transactional_db: None, own_queues: None) -> Iterator[Processes]:
    # Sockets want a shorter path than that of `tmp_path`.
    with tempfile.TemporaryDirectory(prefix="phybench-", dir=temporary_folder()) as folder:
        made = Processes(Path(folder))
        yield made
        for supervisor in reversed(made.supervisors):
            supervisor.stop()


def make_person(role: Role | None, name: str = "") -> User:
    name = name or (role.lower() if role else "nobody")
    roles = [role] if role else []
    return User.objects.create_user(
        f"{name}@test.example", PASSWORD, display_name=name.capitalize(), roles=roles
    )


@pytest.fixture
def contributor(db) -> User:
    return make_person(Role.CONTRIBUTOR)


@pytest.fixture
def reviewer(db) -> User:
    return make_person(Role.REVIEWER)


@pytest.fixture
def participant(db) -> User:
    return make_person(Role.PARTICIPANT)


@pytest.fixture
def evaluator(db) -> User:
    return make_person(Role.EVALUATOR)


@pytest.fixture
def admin(db) -> User:
    return make_person(Role.ADMIN)


@pytest.fixture
def benchmark(db) -> Benchmark:
    """A benchmark for a small group: one stage, and one review decides it."""
    return Benchmark.objects.create(
        name="Test", slug="test", pipeline=shipped.make_pipeline(shipped.ONE_REVIEW)
    )


@pytest.fixture
def draft(contributor: User, benchmark: Benchmark) -> Problem:
    return make_draft(contributor, benchmark)


def make_draft(author: User, benchmark: Benchmark, **fields: str) -> Problem:
    """Write a draft that its author has had certified, if it can be."""
    problem = actions.create_draft(
        author=author,
        benchmark=benchmark,
        **{
            "title": "A falling ball",
            "domain": "MECHANICS",
            "difficulty": "HIGH_SCHOOL",
            "statement": STATEMENT,
            "answer": "m g h",
            "solution": "Its energy above the ground is $m g h$.",
            **fields,
        },
    )
    give_certificate(problem)
    return problem


@pytest.fixture
def accepted_problem(draft: Problem, contributor: User, reviewer: User) -> Problem:
    return accept(draft, contributor, reviewer)


def submit(problem: Problem, author: User) -> ReviewRound:
    """Submit a draft that its author has compared with all others like it."""
    return actions.submit(problem=problem, author=author, different_from=COMPARED_WITH_ALL)


def accept(problem: Problem, author: User, reviewer: User) -> Problem:
    actions.submit_review(
        review_round=submit(problem, author),
        reviewer=reviewer,
        recommendation="ACCEPT",
        comment="",
    )
    problem.refresh_from_db()
    return problem


Serve = Callable[..., ScriptedServer]


@pytest.fixture
def serve() -> Iterator[Serve]:
    """Start an endpoint that answers with steps in turn, or by a function."""
    with ExitStack() as running:

        def start(*steps: Step | Script) -> ScriptedServer:
            script: Iterable[Step] | Script = steps
            if len(steps) == 1 and callable(steps[0]):
                script = steps[0]
            return running.enter_context(ScriptedServer(script))

        yield start
