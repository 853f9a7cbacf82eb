"""What a monitor is told: whether all is there that people need, and if not, what."""

import socket
import time
from datetime import timedelta

import pytest
from django.conf import settings
from django.db import connection
from django.test import Client, override_settings
from django.utils import timezone

from grading.answers import actions as answering
from phybench.work import health
from phybench.work.environment import choose_cache
from phybench.work.kinds import Pool, kinds
from phybench.work.models import Priority


@pytest.fixture(autouse=True)
def looks_anew(monkeypatch):
    monkeypatch.setattr(health, "REMEMBERED_SECONDS", 0.0)
    monkeypatch.setattr(health, "_said", {})


def ask() -> tuple[int, dict[str, object]]:
    answer = Client().get("/health/ready")
    return answer.status_code, answer.json()


def beat_everywhere() -> None:
    for pool in Pool:
        health.beat(pool)


def test_it_is_alive_without_a_database(django_assert_num_queries, db):
    with django_assert_num_queries(0):
        answer = Client().get("/health/live")
    assert (answer.status_code, answer.json()) == (200, {"status": "ok"})


@pytest.mark.django_db
def test_it_is_ready_once_workers_of_all_kinds_are_at_work():
    status, said = ask()
    assert status == 503
    assert len(said["faults"]) == len(Pool)
    beat_everywhere()
    status, said = ask()
    assert (status, said["status"], said["faults"]) == (200, "ok", [])
    assert all(said["seconds"][pool.value] < 60 for pool in Pool)


@pytest.mark.django_db
def test_one_kind_of_worker_that_is_gone_is_named(monkeypatch):
    beat_everywhere()
    monkeypatch.setattr(health, "SILENT_SECONDS", -1.0)
    monkeypatch.setattr(health, "Pool", [Pool.CALLS])
    status, said = ask()
    [fault] = said["faults"]
    assert status == 503
    assert settings.WORK_QUEUES[Pool.CALLS] in fault


@pytest.mark.django_db
def test_a_broker_that_is_away_is_said():
    beat_everywhere()
    with override_settings(CELERY_BROKER_URL="redis://127.0.0.1:1/0"):
        status, said = ask()
    assert (status, said["faults"]) == (
        503,
        ["The broker does not answer: see that it runs. What waits is done once it does."],
    )


@pytest.mark.django_db
def test_a_broker_that_takes_connections_and_says_nothing_holds_nobody(monkeypatch):
    monkeypatch.setattr(health, "BROKER_SECONDS", 0.5)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        url = f"redis://127.0.0.1:{silent.getsockname()[1]}/0"
        began_at = time.monotonic()
        with override_settings(
            CELERY_BROKER_URL=url, CACHES={"default": choose_cache(url, table="")}
        ):
            status, said = ask()
    assert status == 503
    assert "The broker does not answer" in said["faults"][0]
    assert time.monotonic() - began_at < 30


@pytest.mark.django_db
def test_tables_that_are_not_the_codes_are_said():
    beat_everywhere()
    with connection.cursor() as cursor:
        cursor.execute("ALTER TABLE phybench_news ADD COLUMN another int")
    status, said = ask()
    assert status == 503
    assert "newer version" in said["faults"][0]


@pytest.mark.django_db
def test_somebody_who_waits_too_long_is_said(accepted_problem, participant):
    beat_everywhere()
    revision = accepted_problem.accepted_revision
    answering.answer(revision=revision, person=participant, response="m g h")
    [kind] = [one for one in kinds if one.list_due(Priority.NOW).exists()]
    long_ago = timezone.now() - timedelta(seconds=health.LONGEST_WAIT_SECONDS + 5)
    kind.rows.update(queued_at=long_ago)
    status, said = ask()
    assert status == 503
    assert said["faults"][0].startswith("Somebody has waited for ")


def test_robots_are_kept_from_what_is_sorted_and_compared(db):
    answer = Client().get("/robots.txt")
    assert answer.headers["Content-Type"].startswith("text/plain")
    assert "Disallow: /*?" in answer.content.decode()
