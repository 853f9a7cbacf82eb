"""A model over versions: its place on each board, and a picture of it."""

import csv

import pgtrigger
import pytest
from django.test import Client
from django.urls import reverse

from curation.problems.benchmarks.models import Benchmark
from curation.versions import actions as versioning
from grading.answers.submissions.models import Submission
from grading.board.scores.requests import find_scope
from grading.board.table import show_board
from grading.submissions import publication
from phybench.people.models import User
from tests.boards import MadeBoard, make_scored_board
from tests.grading.answers.test_views import count_queries, read
from tests.grading.compare.conftest import RIGHT, WRONG, answer_all
from tests.memory import remembered
from tests.versions import publish_version
from tests.work import work_out_analyses

pytestmark = pytest.mark.django_db


@pytest.fixture
@remembered
def made(db) -> MadeBoard:
    """Two models of forty problems, one right on all and one on none."""
    return make_scored_board({"Alpha": [[RIGHT]] * 40, "Beta": [[WRONG]] * 40})


@pytest.fixture
def alpha(made: MadeBoard) -> Submission:
    return made.submissions["Alpha"]


def hand_in_again(made: MadeBoard, before: Submission, right: int) -> Submission:
    """Hand in to the newest version, with so many right."""
    version = publish_version(made.benchmark)
    problems = [one for one in made.problems if version.items.filter(problem=one).exists()]
    again = Submission.objects.create(
        solver=before.solver,
        benchmark=made.benchmark,
        version=version,
        number=before.number + 1,
        uploaded_by=before.uploaded_by,
        published_by=before.uploaded_by,
        published_at=before.published_at,
        file_name="answers.json",
        file_sha256="0" * 64,
        expected=len(problems),
    )
    scores = {place: RIGHT if place < right else WRONG for place in range(len(problems))}
    answer_all(before.solver, again, problems, scores)
    return again


def rows_of(client: Client, submission: Submission) -> list[dict[str, str]]:
    text = read(client, reverse("grading:solver_csv", args=[submission.solver_id]))
    return list(csv.DictReader(text.splitlines()))


def rank(benchmark: Benchmark) -> None:
    show_board(find_scope(benchmark))
    work_out_analyses()


def withdraw_first(made: MadeBoard, admin: User) -> None:
    item = made.version.items.get(problem=made.problems[0])
    versioning.withdraw_item(item=item, reason="It has two answers.", by=admin)


def test_a_rank_is_shown_once_it_is_known(client: Client, made: MadeBoard, alpha) -> None:
    assert [row["rank"] for row in rows_of(client, alpha)] == [""]
    rank(made.benchmark)
    assert [row["rank"] for row in rows_of(client, alpha)] == ["1"]
    assert [row["rank"] for row in rows_of(client, made.submissions["Beta"])] == ["2"]


def test_while_answers_wait_there_is_no_rank_as_on_the_board(
    client: Client, made: MadeBoard, alpha: Submission
) -> None:
    rank(made.benchmark)
    some = alpha.attempts.order_by("pk")[:1].values("pk")
    with pgtrigger.ignore("grading.Attempt:failed_attempt_has_no_grade"):
        alpha.attempts.filter(pk__in=some).update(status="QUEUED")
    assert [row["rank"] for row in rows_of(client, alpha)] == [""]
    page = read(client, alpha.solver.get_absolute_url())
    assert '<td class="number" data-label="Rank">–</td>' in page


def test_what_is_no_longer_on_the_board_has_no_rank(client: Client, made, alpha) -> None:
    rank(made.benchmark)
    publication.withdraw(submission=alpha, by=alpha.uploaded_by)
    [row] = rows_of(client, alpha)
    assert (row["rank"], row["accuracy"], row["on_the_board"]) == ("", "", "no")


def test_means_are_those_of_the_board_without_what_was_withdrawn(
    client: Client, made: MadeBoard, alpha: Submission, admin: User
) -> None:
    withdraw_first(made, admin)
    [row] = rows_of(client, alpha)
    assert (row["problems"], row["scored"], row["missing"]) == ("39", "39", "0")


def test_each_version_has_its_own_line_and_the_page_says_that_their_problems_differ(
    client: Client, made: MadeBoard, alpha: Submission, admin: User
) -> None:
    rank(made.benchmark)
    withdraw_first(made, admin)
    hand_in_again(made, alpha, 30)
    rows = rows_of(client, alpha)
    assert [(row["version"], row["number"], row["problems"]) for row in rows] == [
        ("2", "2", "39"),
        ("1", "1", "39"),
    ]
    assert [row["on_the_board"] for row in rows] == ["yes", "yes"]
    assert [row["rank"] for row in rows] == ["", "1"]
    page = read(client, alpha.solver.get_absolute_url())
    assert "Versions have different problems" in page
    for version in (1, 2):
        assert f"/b/scored/compare/?version={version}&amp;a={alpha.solver_id}" in page


def test_the_picture_begins_with_two_points_and_says_them(
    client: Client, made: MadeBoard, alpha: Submission, admin: User
) -> None:
    address = reverse("grading:solver_picture", args=[alpha.solver_id])
    assert address not in read(client, alpha.solver.get_absolute_url())
    withdraw_first(made, admin)
    hand_in_again(made, alpha, 30)
    page = read(client, alpha.solver.get_absolute_url())
    assert f'src="{address}"' in page
    assert "Scored, version 1 · 1: 100.0; Scored, version 2 · 2: 76.9" in page
    for layout, width in (("", 1080), ("narrow", 360)):
        picture = client.get(address, {"layout": layout} if layout else {})
        assert f'viewBox="0 0 {width} ' in picture.text
        assert picture.text.count("<circle") == 2


def test_of_what_is_not_published_nothing_is_drawn(client: Client, made, alpha, db) -> None:
    publication.withdraw(submission=alpha, by=alpha.uploaded_by)
    address = reverse("grading:solver_picture", args=[alpha.solver_id])
    assert client.get(address).status_code == 404


def test_it_takes_as_many_queries_for_many_versions_as_for_one(
    client: Client, made: MadeBoard, alpha: Submission, admin: User
) -> None:
    rank(made.benchmark)
    address = alpha.solver.get_absolute_url()
    one = count_queries(client, address)
    withdraw_first(made, admin)
    hand_in_again(made, alpha, 30)
    rank(made.benchmark)
    assert count_queries(client, address) == one
