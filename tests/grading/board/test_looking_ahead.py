"""Once a board is graded, workers work out what its pages ask, before anybody opens one."""

import logging
from datetime import datetime, timedelta

import pgtrigger
import pytest
from django.core.cache import cache
from django.db.models import QuerySet
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from development import web
from grading.answers.models import Attempt
from grading.answers.submissions.models import Submission
from grading.board.analyses.kinds import list_kinds
from grading.board.analyses.models import Analysis
from grading.board.panels.models import Panel
from grading.board.scaling.models import AnswerSorting
from grading.board.tasks import ALL_IS_THERE, QUIET, look_ahead
from phybench.celery import app
from tests.boards import MadeBoard, add_model, make_scored_board
from tests.grading.board.test_carried_answers import publish_next
from tests.work import sort_answers, work_out_analyses

pytestmark = pytest.mark.django_db

PAGES = ("board_of", "domains", "items", "scaling", "eed", "contrasts")


@pytest.fixture(autouse=True)
def fresh():
    cache.clear()
    app.loader.import_default_modules()


@pytest.fixture
def made(evaluator) -> MadeBoard:
    """Six models stand on a board of problems of several domains."""
    rows = [[100.0]] * 20 + [[0.0]] * 16
    board = make_scored_board({f"M{one}": rows for one in range(6)}, uploader=evaluator)
    _publish(Submission.objects.all(), timezone.now() - QUIET)
    return board


def _publish(submissions: QuerySet[Submission], at: datetime) -> None:
    with pgtrigger.ignore("grading.Submission:submission_is_published_for_good"):
        submissions.update(published_at=at)


def test_what_pages_show_is_there_before_anybody_has_opened_one(client: Client, made) -> None:
    assert look_ahead() is False, "no worker had time"
    assert Panel.objects.get().size == 6
    work_out_analyses()
    assert look_ahead() is True
    asked = set(Analysis.objects.values_list("pk", flat=True))
    for name in PAGES:
        page = client.get(reverse(name, args=[made.benchmark.slug]))
        assert page.status_code == 200
        assert "being calculated" not in page.text, name
    assert set(Analysis.objects.values_list("pk", flat=True)) == asked, "pages ask nothing else"
    assert {one.name for one in list_kinds()} == set(
        Analysis.objects.values_list("kind", flat=True)
    )


def test_the_version_that_pages_show_is_looked_ahead_of_until_a_newer_one_is_answered(made) -> None:
    second = publish_next(made, added=4)
    look_ahead()
    assert set(Analysis.objects.values_list("version", flat=True)) == {made.version.pk}

    add_model(second, "M0", [[100.0]] * 40)
    _publish(Submission.objects.filter(version=second.version), timezone.now() - QUIET)
    look_ahead()
    assert second.version.pk in Analysis.objects.values_list("version", flat=True)


def test_nothing_is_asked_or_frozen_while_an_answer_waits(made) -> None:
    attempt = Attempt.objects.order_by("pk").last()
    Attempt.objects.filter(pk=attempt.pk).update(status="QUEUED")
    assert look_ahead() is False
    assert not Analysis.objects.exists()
    assert not Panel.objects.exists()


def test_the_first_panel_waits_until_nobody_publishes_one_model_after_another(made) -> None:
    last = Submission.objects.filter(pk=Submission.objects.latest("pk").pk)
    _publish(last, timezone.now() - QUIET + timedelta(seconds=20))
    assert look_ahead() is False
    assert not Panel.objects.exists()


def test_it_is_said_once_and_only_when_all_is_there(made, caplog) -> None:
    """`dev.py run` tells it to who waits for the demo."""
    assert web.ALL_IS_THERE == ALL_IS_THERE
    caplog.set_level(logging.INFO, "grading.board.tasks")
    look_ahead()
    assert ALL_IS_THERE not in caplog.text
    work_out_analyses()
    for _again in range(2):
        assert look_ahead() is True
        cache.delete("boards-looked-ahead-of")
    assert [one.message for one in caplog.records] == [f"{made.version}: {ALL_IS_THERE}"]
    line = f"[2026-11-26 22:50:00,000: INFO/MainProcess] {caplog.records[0].message}"
    assert not web.worker({"VAR_DIR": "/"}).is_hidden(line)


def test_it_waits_for_the_votes_of_several_samples_too(client: Client, evaluator, caplog) -> None:
    """Their wrong answers are compared once the figures have asked for it, after all else."""
    rows = [[100.0, 0.0, 0.0]] * 20 + [[0.0, 0.0, 100.0]] * 16
    made = make_scored_board({f"M{one}": rows for one in range(6)}, uploader=evaluator)
    _publish(Submission.objects.all(), timezone.now() - QUIET)
    caplog.set_level(logging.INFO, "grading.board.tasks")
    look_ahead()
    work_out_analyses()
    assert AnswerSorting.objects.to_do().exists()
    assert look_ahead() is False
    sort_answers()
    assert look_ahead() is False, "the votes are to be calculated"
    assert not caplog.records
    work_out_analyses()
    assert look_ahead() is True
    assert ALL_IS_THERE in caplog.text
    page = client.get(reverse("scaling", args=[made.benchmark.slug]), {"figure": "vote"}).text
    assert "being calculated" not in page
    assert "not yet" not in page


def test_while_nothing_is_new_it_looks_at_the_ends_of_tables_only(
    made, django_assert_num_queries
) -> None:
    look_ahead()
    work_out_analyses()
    look_ahead()
    with django_assert_num_queries(10):
        assert look_ahead() is True
