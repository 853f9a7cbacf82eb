"""The rows that a new database comes with."""

import pytest
from django.apps import apps

from curation.migrations import _by_hand
from curation.problems.people.models import DEFAULT_POINTS, ContributionWeight

pytestmark = pytest.mark.django_db


def test_the_weights_of_the_migration_are_those_of_the_code():
    ContributionWeight.objects.all().delete()
    _by_hand.make_weights(apps, None)
    made = ContributionWeight.objects.values_list("kind", "points")
    assert dict(made) == DEFAULT_POINTS
