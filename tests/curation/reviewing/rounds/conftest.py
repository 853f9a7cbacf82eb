"""A problem on its way through three stages, and people who have not seen it."""

import pytest

from curation.problems.models import Problem
from phybench.people.models import Role, User
from tests.conftest import make_draft, make_person, submit
from tests.curation.reviewing.rounds.opened import make_benchmark
from tests.memory import remembered


@pytest.fixture
@remembered
def problem(contributor) -> Problem:
    """In the first of the three stages."""
    made = make_draft(contributor, make_benchmark())
    submit(made, contributor)
    made.refresh_from_db()
    return made


@pytest.fixture
def solvers(db) -> list[User]:
    return [make_person(Role.REVIEWER, f"solver-{number}") for number in (1, 2, 3)]
