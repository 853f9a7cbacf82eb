"""People and problems that most tests begin with."""

import gc
import itertools
import os
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any
from uuid import uuid4

import hypothesis
import pytest
from django.conf import settings
from django.core import mail
from django.core.cache import caches
from django.db import connection
from django.test import TransactionTestCase, override_settings
from django.utils import timezone, translation
from pytest_django import DjangoDbBlocker

from curation.authoring.drafts import actions
from curation.authoring.translations.actions import assign_translator
from curation.problems.benchmarks.models import Benchmark
from curation.problems.credits.actions import accept_credit, give_credit
from curation.problems.models import Problem
from curation.problems.people.models import Credit
from curation.reviewing.pipelines import shipped
from curation.reviewing.pipelines.models import ReviewSettings
from curation.reviewing.rounds.lifecycle import submit_review
from curation.reviewing.rounds.models import ReviewRound
from curation.texts.stage_texts import ONE_REVIEW
from development.sockets import temporary_folder
from grading.demo.fake_endpoint import Script
from grading.demo.fake_replies import FakeReply
from phybench import charging
from phybench.celery import app
from phybench.people.models import Role, User
from phybench.work.stack import with_room
from tests import databases
from tests.certificates import give_certificate
from tests.grading.endpoints.scripted_server import ScriptedServer
from tests.memory import memory, remembered
from tests.processes import Processes
from tests.rendered import WRITTEN_FOR_PROGRAMS

# How long this machine takes is no fault of what is tested.
hypothesis.settings.register_profile(
    "any machine", deadline=None, suppress_health_check=[hypothesis.HealthCheck.too_slow]
)
hypothesis.settings.load_profile("any machine")

COMPARED_WITH_ALL = range(1, 10**9)
"""For problems whose statements are the same: their author has compared them."""
PASSWORD = "a long enough secret"
STATEMENT = "A ball of mass $m$ is at rest at the height $h$. Which energy does it lose in falling?"


IN_ORDER = (
    *("contributor", "benchmark", "draft", "reviewer", "accepted_problem", "problems"),
    *("participant", "evaluator", "admin"),
)
"""Fixtures that many tests ask for, in the order in which they are made for all of them."""


def prepare(items: list[pytest.Item]) -> None:
    """
    Have rows made in one order, and mark what another server can change.

    What is made in one order is remembered once (`tests/memory.py`), and not once for each order;
    what another server can change `.ci/run` has local ones do as well; what only commits, and so
    asks no broker, once on whichever there is.
    """
    for item in items:
        fixtures: list[str] = getattr(item, "fixturenames", [])
        places = [place for place, name in enumerate(fixtures) if name in IN_ORDER]
        names = sorted((fixtures[place] for place in places), key=IN_ORDER.index)
        for place, name in zip(places, names, strict=True):
            fixtures[place] = name
        [*own] = item.iter_markers("django_db")
        commits = "transactional_db" in fixtures or any(
            one.kwargs.get("transaction") for one in own
        )
        is_seen_whole = "browser" in fixtures or "live_server" in fixtures
        brings_its_own = is_seen_whole or "own_server" in item.keywords
        has_processes = "processes" in fixtures
        if not brings_its_own and (has_processes or commits):
            item.add_marker("servers")
            if not has_processes:
                item.add_marker("one_server")


LONG = {"browser", "checkout", "filled", "live_server", "processes", "world"}
"""Fixtures whose tests wait for browsers and processes, or walk over all pages."""


@pytest.hookimpl(wrapper=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> Iterator[None]:
    # Before those are taken out that other marks rule out, and after they are shuffled.
    prepare(items)
    yield
    deal_long_ones(items, int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1")))


def deal_long_ones(items: list[pytest.Item], workers: int) -> None:
    """
    Have each worker do its share of the long ones early: they are not to be left for the end.

    Half of the workers begin with them, so that not all wait, or start processes, at once.
    `--dist worksteal` cuts the list into as many equal parts as there are workers, and who is done
    takes over from the end of another's.
    """
    modules = [list(group) for _path, group in itertools.groupby(items, lambda one: one.path)]
    long, short = [], []
    for module in modules:
        is_long = any(LONG & {*getattr(one, "fixturenames", ())} for one in module)
        (long if is_long else short).append(module)
    rest = itertools.chain.from_iterable(short)
    dealt: list[pytest.Item] = []
    for worker in range(workers):
        share = [*itertools.chain.from_iterable(long[worker::workers])]
        least = len(items) * (worker + 1) // workers - len(dealt) - len(share)
        others = [*itertools.islice(rest, max(0, least))]
        first = others[: len(others) // 3 * (worker % 2)]
        dealt += [*first, *share, *others[len(first) :]]
    items[:] = [*dealt, *rest]


@pytest.hookimpl(tryfirst=True)
def pytest_runtestloop(session: pytest.Session) -> object:
    """Run the tests as the application runs: at no depth are calls to be slow."""
    plugins = session.config.pluginmanager
    # Without what is round this call already.
    around = [sys.modules[__name__], plugins.get_plugin("terminalreporter")]
    loop = plugins.subset_hook_caller("pytest_runtestloop", around)
    return with_room(loop)(session=session)


def pytest_collection_finish() -> None:
    """Spare looking again and again at what a process has for good: a tenth of its time."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(100_000, 20, 100)


@pytest.fixture(scope="session")
def django_db_setup(
    django_test_environment: None, django_db_blocker: DjangoDbBlocker
) -> Iterator[None]:
    """Have a database of this process's own, in place of one that pytest-django migrates."""
    with django_db_blocker.unblock():
        databases.copy_template()
    with pytest.MonkeyPatch.context() as patch:
        # Django's own truncates every table, and makes content types and permissions anew.
        patch.setattr(TransactionTestCase, "_fixture_teardown", lambda case: databases.restore())
        yield


@pytest.fixture(autouse=True)
def known_rows() -> Iterator[None]:
    with memory.begin():
        yield


@pytest.fixture(scope="session", autouse=True)
def quick_settings() -> Iterator[None]:
    """Spare each test what takes long on purpose, or is looked up once for each `Client`."""
    with (
        pytest.MonkeyPatch.context() as patch,
        override_settings(
            PASSWORD_HASHERS=["django.contrib.auth.hashers.MD5PasswordHasher"],
            # Else it looks at each static file there is, before the first page of every test.
            WHITENOISE_AUTOREFRESH=True,
            # Nothing that a test does is committed, and so counted as a change.
            KEEPS_PAGES=False,
        ),
    ):
        # How many queries a request takes would depend on how busy the machine is.
        patch.setattr(charging, "WORTH_COUNTING", float("inf"))
        yield


@pytest.fixture(autouse=True)
def own_cache() -> None:
    """Begin each test with nothing remembered: to empty a Redis would empty Celery's queues too."""
    settings.CACHES["default"]["KEY_PREFIX"] = f"tests-{uuid4()}"
    # It is made anew, of these settings.
    with suppress(AttributeError):
        del caches["default"]


@pytest.fixture(autouse=True)
def plain_mails() -> Iterator[None]:
    """Read each e-mail that a test has sent: none says a value as Python writes it."""
    yield
    for message in getattr(mail, "outbox", ()):
        lines = [message.subject, *str(message.body).splitlines()]
        assert [one for one in lines if WRITTEN_FOR_PROGRAMS.search(one)] == []


@pytest.fixture(autouse=True)
def spoken_language() -> Iterator[None]:
    """Begin each test in English: a request leaves the language of its page to the thread."""
    with translation.override("en"):
        yield


@pytest.fixture
def commits(db: None) -> Iterator[None]:
    """
    Do what waits for a commit when the app's own transaction ends, within the test's.

    A test in which others read along has `django_db(transaction=True)`, and then this does nothing.
    """
    if not connection.in_atomic_block:
        yield
        return

    def commit() -> None:
        if connection.savepoint_ids:
            return
        connection.check_constraints()
        waiting, connection.run_on_commit = connection.run_on_commit, []
        for _within, function, _is_robust in waiting:
            function()

    def then_commit(method: Callable[..., None]) -> Callable[..., None]:
        def run(*args: Any, **kwargs: Any) -> None:
            method(*args, **kwargs)
            commit()

        return run

    with pytest.MonkeyPatch.context() as patch:
        for name in ("savepoint_commit", "on_commit"):
            patch.setattr(connection, name, then_commit(getattr(connection, name)))
        yield


@pytest.fixture(scope="session", autouse=True)
def own_queues() -> Iterator[None]:
    """Leave no queue of these tests with a broker that others share."""
    yield
    # At the end only: whoever has sent to a queue takes it to be there from then on.
    with app.connection_for_write() as connection, connection.channel() as channel:
        for queue in settings.WORK_QUEUES.values():
            channel.queue_delete(queue)


@pytest.fixture
def processes(transactional_db: None) -> Iterator[Processes]:
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
        f"{name}@test.example",
        PASSWORD,
        display_name=name.capitalize(),
        roles=roles,
        # Else the first page of each would take one query more.
        last_seen_on=timezone.now().date(),
    )


@pytest.fixture
@remembered
def contributor(db) -> User:
    return make_person(Role.CONTRIBUTOR)


@pytest.fixture
@remembered
def reviewer(db) -> User:
    return make_person(Role.REVIEWER)


@pytest.fixture
@remembered
def participant(db) -> User:
    return make_person(Role.PARTICIPANT)


@pytest.fixture
@remembered
def evaluator(db) -> User:
    return make_person(Role.EVALUATOR)


@pytest.fixture
@remembered
def admin(db) -> User:
    return make_person(Role.ADMIN)


@pytest.fixture
@remembered
def benchmark(db) -> Benchmark:
    """A benchmark for a small group: one stage, and one review decides it."""
    return make_benchmark("Test", pipeline=shipped.make_pipeline(ONE_REVIEW))


def make_benchmark(name: str, **review: Any) -> Benchmark:
    """Make a benchmark that is reviewed as by default, but for what is said of it."""
    made = Benchmark.objects.create(name=name, slug=name.lower())
    set_review(made, **review)
    return made


def set_review(benchmark: Benchmark, **review: Any) -> None:
    """Say how a benchmark is reviewed; what it holds already is left as it is."""
    ReviewSettings.objects.update_or_create(benchmark=benchmark, defaults=review)


@pytest.fixture
@remembered
def draft(contributor: User, benchmark: Benchmark) -> Problem:
    return make_draft(contributor, benchmark)


def name_person(problem: Problem, author: User, person: User, role: str) -> Credit:
    """Have an author name somebody, and them accept it."""
    return accept_credit(
        credit=give_credit(problem=problem, author=author, person=person, role=role), by=person
    )


def ask_to_translate(problem: Problem, by: User, person: User, language: str = "zh") -> Credit:
    """Have somebody asked to translate a problem, and them accept it."""
    credit = assign_translator(problem=problem, by=by, person=person, language=language)
    return accept_credit(credit=credit, by=person) if credit.is_offered else credit


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
@remembered
def accepted_problem(draft: Problem, contributor: User, reviewer: User) -> Problem:
    return accept(draft, contributor, reviewer)


def submit(problem: Problem, author: User) -> ReviewRound:
    """Submit a draft that its author has compared with all others like it."""
    return actions.submit(problem=problem, author=author, different_from=COMPARED_WITH_ALL)


def accept(problem: Problem, author: User, reviewer: User) -> Problem:
    submit_review(
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

        def start(*steps: FakeReply | Script) -> ScriptedServer:
            script: Iterable[FakeReply] | Script = steps
            if len(steps) == 1 and callable(steps[0]):
                script = steps[0]
            return running.enter_context(ScriptedServer(script))

        yield start


@pytest.fixture
@remembered
def world(
    contributor: User,
    reviewer: User,
    participant: User,
    evaluator: User,
    admin: User,
    benchmark: Benchmark,
) -> Any:
    """Make something of everything (`tests/world.py`)."""
    from tests.world import make_world  # which is made of what is here

    return make_world(contributor, reviewer, participant, evaluator, admin, benchmark)
