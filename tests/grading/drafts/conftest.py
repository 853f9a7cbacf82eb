"""A draft to put files into."""

import pytest

from curation.problems.benchmarks.models import Benchmark
from curation.problems.models import Problem
from grading.submissions.drafts import actions
from grading.submissions.drafts.models import Draft
from phybench.people.models import User
from tests.organisations import organisation_of
from tests.versions import publish_version


@pytest.fixture
def draft(problems: list[Problem], benchmark: Benchmark, evaluator: User) -> Draft:
    """Return an empty draft of the evaluator's organisation."""
    publish_version(benchmark)
    return actions.begin(organisation=organisation_of(evaluator), benchmark=benchmark, by=evaluator)
