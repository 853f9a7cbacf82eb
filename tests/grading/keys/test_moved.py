"""What was looked at before there were decisions is kept by the migration that made them."""

import pytest
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

from grading.disputes.keys.models import KeyCheck
from phybench.people.models import User
from tests.grading.keys.test_decisions import check, decide

__all__ = ["check"]
# Each later migration makes it longer, and what it tries is done.
pytestmark = [pytest.mark.django_db, pytest.mark.slow]


def migrate(name: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
    MigrationExecutor(connection).migrate([("grading", name)])


def test_what_was_looked_at_is_kept_as_a_decision_that_says_no_more(
    check: KeyCheck, admin: User
) -> None:
    made = decide(check, admin, "KEY_RIGHT")
    migrate("0008_drafts_and_runs")
    with connection.cursor() as cursor:
        cursor.execute("SELECT looked_at, looked_by_id, looked_grade, note FROM grading_keycheck")
        assert cursor.fetchall() == [(made.at, admin.pk, made.last_grade, made.note)]
    migrate("0009_key_decisions")

    moved = KeyCheck.objects.get().last_decision
    assert moved
    assert (moved.choice, moved.said, moved.note) == ("", "checked", made.note)
    assert (moved.by, moved.at, moved.last_grade) == (admin, made.at, made.last_grade)
    assert not KeyCheck.objects.waiting().exists()
