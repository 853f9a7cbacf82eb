"""Very many numbers are one value of a query, and of none nothing is asked."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from curation.problems.models import among
from phybench.people.models import Role, User
from tests.conftest import make_person

pytestmark = pytest.mark.django_db


def test_rows_among_numbers_are_those_of_a_list_of_them() -> None:
    people = [make_person(Role.REVIEWER, f"person-{number}") for number in range(3)]
    some = [one.pk for one in people[:2]]
    found = User.objects.filter(pk__in=among(some))
    assert set(found) == set(people[:2])
    assert set(User.objects.exclude(pk__in=among(some))) == set(people[2:])
    assert len(found.query.sql_with_params()[1]) == 1


def test_of_no_number_nothing_is_asked() -> None:
    with CaptureQueriesContext(connection) as asked:
        assert list(User.objects.filter(pk__in=among([]))) == []
    assert len(asked) == 0
