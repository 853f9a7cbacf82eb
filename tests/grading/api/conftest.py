"""A benchmark with a published version, an evaluator, and a program of theirs."""

import pytest

from curation.problems.benchmarks.models import Benchmark
from curation.problems.models import Problem
from curation.versions.models import BenchmarkVersion
from phybench.people.models import User
from tests.memory import remembered
from tests.organisations import organisation_of
from tests.tokens import Program, make_secret
from tests.versions import publish_version


@pytest.fixture
@remembered
def version(problems: list[Problem], benchmark: Benchmark, evaluator: User) -> BenchmarkVersion:
    organisation_of(evaluator)
    return publish_version(benchmark)


@pytest.fixture
def program(version: BenchmarkVersion, evaluator: User) -> Program:
    return Program(make_secret(evaluator))
