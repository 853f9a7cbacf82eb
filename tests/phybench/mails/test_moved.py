"""What was told before there was one kind of e-mails is not told again."""

import pytest
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

from phybench.news.mails.models import Mail, MailChoice, News
from tests.curation.reviewing.assignments.given import assign, open_rounds

# Each later migration makes it longer, and what it tries is done.
pytestmark = [pytest.mark.django_db, pytest.mark.slow]


def migrate(*targets: tuple[str, str]) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
    executor = MigrationExecutor(connection)
    executor.migrate([*targets])


def test_reminders_and_the_wish_for_none_are_kept(contributor, reviewer, admin):
    given = assign(open_rounds(contributor)[0], reviewer, admin)
    newest = MigrationExecutor(connection).loader.graph.leaf_nodes()
    migrate(
        ("grading", "0023_study_report_fields"),
        ("curation", "0011_people"),
        ("phybench", "0005_people"),
    )
    with connection.cursor() as cursor:
        cursor.execute("UPDATE phybench_user SET wants_digest = false WHERE id = %s", [admin.pk])
        cursor.execute(
            "INSERT INTO curation_digest (person_id, day, claimed_at, sent_at) "
            "VALUES (%s, current_date, clock_timestamp(), clock_timestamp())",
            [reviewer.pk],
        )
    migrate(*newest)
    sent = Mail.objects.get()
    assert (sent.person, bool(sent.sent_at), sent.failed_at) == (reviewer, True, None)
    told = News.objects.get()
    assert (told.person, told.kind, told.key) == (reviewer, "reviews", f"{given.pk} new")
    assert told.mail == sent
    choice = MailChoice.objects.get()
    assert (choice.person, choice.kind, choice.when) == (admin, "reviews", "NEVER")
