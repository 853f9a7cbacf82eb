"""Who is named on problems."""

import pytest

from phybench.people.models import Role, User
from tests.conftest import make_person


@pytest.fixture
def other() -> User:
    """Somebody of every role but admin, so that nothing else keeps them from anything."""
    person = make_person(Role.CONTRIBUTOR, "other")
    person.roles = [role for role in Role if role != Role.ADMIN]
    person.save()
    return person
