import pytest

from curation.problems.models import Problem
from phybench.people.models import Role, User
from tests.conftest import make_person, submit
from tests.curation.translations.texts import assign
from tests.memory import remembered


@pytest.fixture
def translator(db) -> User:
    return make_person(Role.CONTRIBUTOR, "translator")


@pytest.fixture
@remembered
def assigned(draft, contributor, translator) -> Problem:
    """A problem in review that has a translator."""
    submit(draft, contributor)
    assign(draft, contributor, translator)
    return draft
