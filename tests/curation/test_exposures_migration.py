"""What was known of exposures and accepted revisions before 0009, after it."""

from datetime import UTC, datetime
from importlib import import_module

import pytest
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

BEFORE = [("curation", "0008_rounds")]
AFTER = [("curation", "0009_exposures")]
AT = datetime(2026, 3, 4, 5, 46, 7, tzinfo=UTC)


@pytest.fixture
def old_apps(transactional_db):
    """Take the database back to what it was, and forward again whatever the test does."""
    executor = MigrationExecutor(connection)
    newest = executor.loader.graph.leaf_nodes()
    yield executor.migrate(BEFORE).apps
    executor = MigrationExecutor(connection)
    executor.migrate(newest)


def make_person(apps, name):
    return apps.get_model("phybench", "User").objects.create(
        email=f"{name}@test.example", display_name=name
    )


def make_problem(apps, **fields):
    benchmark, _new = apps.get_model("curation", "Benchmark").objects.get_or_create(
        name="Old", slug="old"
    )
    return apps.get_model("curation", "Problem").objects.create(
        benchmark=benchmark, title="Old", domain="MECHANICS", **fields
    )


def test_who_reviewed_before_there_were_rows_has_seen_the_key(old_apps):
    revision = make_problem(old_apps, status="IN_REVIEW").revisions.create(
        number=1, submitted_at=AT
    )
    reviewer = make_person(old_apps, "reviewer")
    review_round = revision.rounds.create()
    review_round.reviews.create(reviewer=reviewer, recommendation="ACCEPT", submitted_at=AT)
    import_module("curation.migrations.0008_rounds").record_reviewers(old_apps)
    seen = old_apps.get_model("curation", "KeyExposure").objects.get()
    assert (seen.revision, seen.person, seen.at) == (revision, reviewer, AT)


def test_the_rows_of_before_are_taken_over(old_apps):
    get = old_apps.get_model
    people = [make_person(old_apps, name) for name in ("saw", "took-out")]
    accepted = make_problem(old_apps, status="ACCEPTED", accepted_at=AT)
    draft = make_problem(old_apps, status="DRAFT")
    revisions = [
        accepted.revisions.create(number=number, answer="m", submitted_at=at)
        for number, at in ((1, AT), (2, AT), (3, None))
    ]
    draft.revisions.create(number=1)
    get("curation", "KeyExposure").objects.create(revision=revisions[0], person=people[0], at=AT)
    get("curation", "Download").objects.create(
        person=people[1],
        at=AT,
        format="JSON",
        fields=["answer"],
        has_keys=True,
        revisions=[one.pk for one in revisions],
        # One may be gone by now.
        revisions_with_keys=[revisions[1].pk, revisions[2].pk, 10**9],
    )

    new = MigrationExecutor(connection).migrate(AFTER).apps
    problems = new.get_model("curation", "Problem").objects.order_by("pk")
    assert [one.accepted_revision_id for one in problems] == [revisions[1].pk, None]
    rows = new.get_model("curation", "Exposure").objects.order_by("pk")
    assert [(one.revision_id, one.person_id, one.part, one.reason) for one in rows] == [
        (revisions[0].pk, people[0].pk, "ANSWER", "REVIEW"),
        (revisions[0].pk, people[0].pk, "SOLUTION", "REVIEW"),
        (revisions[1].pk, people[1].pk, "ANSWER", "EXPORT"),
        (revisions[1].pk, people[1].pk, "SOLUTION", "EXPORT"),
    ]
    assert {(one.at, one.slot) for one in rows} == {(AT, AT.replace(minute=40, second=0))}
