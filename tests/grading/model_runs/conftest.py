import random

import pytest

from curation.problems.benchmarks.models import Benchmark
from curation.problems.models import Problem
from curation.versions.models import BenchmarkVersion
from tests.grading.trials.trials import make_endpoint
from tests.memory import remembered
from tests.versions import publish_version


@pytest.fixture(autouse=True)
def at_once(monkeypatch):
    """Retries come as soon as the endpoint lets them: chance adds nothing."""
    monkeypatch.setattr(random, "random", lambda: 0.0)


@pytest.fixture
@remembered
def version(settings, problems: list[Problem], benchmark: Benchmark) -> BenchmarkVersion:
    """Return a version of five problems, the last of its hidden part."""
    settings.LEAST_HIDDEN_ITEMS = 1
    return publish_version(benchmark, hidden=(problems[-1].identifier,))


@pytest.fixture
def endpoint():
    """Return an endpoint at which nothing answers."""
    return make_endpoint()
