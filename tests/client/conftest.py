"""A live server with a worker, and somebody with a token."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from pytest_django.live_server_helper import LiveServer

from curation.problems.benchmarks.models import Benchmark
from curation.problems.models import Problem
from development import web
from phybench.people.models import User
from tests.client.loaded import run
from tests.grading.conftest import problems
from tests.organisations import organisation_of
from tests.processes import Processes
from tests.tokens import make_secret
from tests.versions import publish_version

__all__ = ["problems"]
Client = Callable[..., Any]


@pytest.fixture
def version(
    transactional_db: None, problems: list[Problem], benchmark: Benchmark, evaluator: User
) -> None:
    organisation_of(evaluator)
    publish_version(benchmark)


@pytest.fixture
def secret(version: None, evaluator: User) -> str:
    return make_secret(evaluator)


@pytest.fixture
def worker(version: None, processes: Processes) -> None:
    processes.start(web.workers)


@pytest.fixture
def client_of(live_server: LiveServer, secret: str, tmp_path: Path) -> Client:
    """Return what runs the client with the evaluator's token."""

    def start(*arguments: object, **environment: str) -> Any:
        given = {"PHYBENCH_URL": live_server.url, "PHYBENCH_TOKEN": secret, **environment}
        return run(*arguments, folder=tmp_path, **given)

    return start
