"""Each version has a board of its own, as published and corrected."""

import csv

import pgtrigger
import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from curation.problems.benchmarks.models import Benchmark
from curation.problems.models import Problem
from curation.versions import actions as versioning
from curation.versions.models import BenchmarkVersion
from grading.answers.submissions.models import Submission
from grading.board.analyses.kinds import FAILED
from grading.board.analyses.models import Analysis
from grading.board.panels.tasks import freeze_first_panels
from grading.board.scores.requests import find_scope
from grading.board.scores.scope import Scope
from grading.board.table import Board, make_board
from phybench.people.models import User
from tests.boards import make_scored_board
from tests.grading.board.test_board import publish_all
from tests.grading.conftest import HandIn
from tests.memory import remembered
from tests.versions import publish_version
from tests.work import work_out_analyses

pytestmark = pytest.mark.django_db

RIGHT = "m g h"
WRONG = "0"


@pytest.fixture
@remembered
def first(problems: list[Problem], benchmark: Benchmark) -> BenchmarkVersion:
    return publish_version(benchmark)


@pytest.fixture
@remembered
def row(first, problems, hand_in: HandIn) -> Submission:
    """A model that has the first problem right, and no other answer."""
    made = hand_in((problems[0], RIGHT), (problems[1], WRONG))
    publish_all()
    return made


def read(board: Board) -> dict[str, tuple[float | None, int, int]]:
    """Return accuracy, scored and missing by the names of a board's rows."""
    return {
        one.name: (one.tally.accuracy.value, one.tally.scored, one.tally.missing)
        for one in board.rows
    }


def withdraw(version: BenchmarkVersion, problem: Problem, by: User) -> None:
    item = version.items.get(problem=problem)
    versioning.withdraw_item(item=item, reason="It has two answers.", by=by)


def test_a_new_version_leaves_the_old_board_as_it_was(row, first, problems, benchmark, admin):
    before = read(make_board(Scope.of(first)))
    withdraw(first, problems[4], admin)
    second = publish_version(benchmark)

    assert make_board(benchmark).scope.version == second
    assert read(make_board(benchmark)) == {"A model": (25.0, 2, 2)}
    assert read(make_board(Scope.of(first, is_as_published=True))) == before


def test_withdrawn_item_is_left_out_of_means_and_of_what_is_missing(
    row, first, problems, benchmark, admin
):
    assert read(make_board(benchmark)) == {"A model": (20.0, 2, 3)}

    withdraw(first, problems[1], admin)
    withdraw(first, problems[2], admin)

    assert read(make_board(benchmark)) == {"A model": (pytest.approx(100 / 3), 1, 2)}
    published = make_board(find_scope(benchmark, is_as_published=True))
    assert read(published) == {"A model": (20.0, 2, 3)}


def test_ranked_is_chosen_among_those_to_one_version(
    row, first, problems, benchmark, hand_in, admin
):
    withdraw(first, problems[4], admin)
    publish_version(benchmark)
    later = hand_in((problems[0], WRONG))
    publish_all()

    assert [one.submission for one in make_board(Scope.of(first)).models] == [row]
    [shown] = make_board(benchmark).models
    # Its number counts all that the model handed in, to one version or another.
    assert (shown.submission, later.number, shown.of) == (later, 2, 2)


def test_submissions_from_before_there_were_versions_keep_a_board(
    client: Client, row, first, benchmark
):
    forget_version(row)

    assert read(make_board(Scope(benchmark))) == {"A model": (20.0, 2, 3)}
    page = client.get(reverse("board_of", args=["test"]))
    assert "before versions" in page.text
    assert "A model" not in page.text
    assert "A model" in client.get(reverse("board_of", args=["test"]) + "?version=0").text


def forget_version(submission: Submission) -> None:
    """Make it one of a database from before: nothing else in the code can."""
    with pgtrigger.ignore("grading.Submission:submission_is_only_published_and_withdrawn"):
        Submission.objects.filter(pk=submission.pk).update(version=None)


def test_page_shows_the_version_that_is_asked_for(
    client: Client, row, first, problems, benchmark, admin
):
    withdraw(first, problems[1], admin)
    publish_version(benchmark)
    address = reverse("board_of", args=["test"])

    assert "answered before version 2" in client.get(address).text
    page = client.get(f"{address}?version=1")
    assert "answered before" not in page.text
    assert "One problem was withdrawn" in page.text
    assert (
        "as published. They include one problem"
        in client.get(f"{address}?version=1&as=published").text
    )
    file = reverse("board_csv", args=["test"])
    asked = [
        next(csv.DictReader(client.get(f"{file}{query}").text.splitlines()))["asked"]
        for query in ("?version=1&as=published", "")
    ]
    assert asked == ["5", "4"]


@pytest.mark.parametrize("asked", ["9", "x", "-1", "1e9", "99999999999999999999"])
@pytest.mark.parametrize("name", ["board_of", "board_csv", "board_picture", "domains", "compare"])
def test_of_a_version_that_there_is_not_no_other_one_is_shown(
    client: Client, row, first, asked, name
):
    assert client.get(reverse(name, args=["test"]), {"version": asked}).status_code == 404


CALCULATED = ("domains", "items", "scaling", "eed", "contrasts")
"""Pages of a board whose figures a worker works out; each has a file, and EED has two."""
FILES = (*(f"{name}_csv" for name in CALCULATED), "unordered_csv")


@pytest.mark.parametrize("name", CALCULATED)
def test_what_is_not_measured_is_not_said_to_be_coming(client: Client, first, benchmark, name):
    page = client.get(reverse(name, args=[benchmark.slug])).text
    assert "being calculated" not in page
    assert "hx-get" not in page


@pytest.mark.parametrize("name", FILES)
def test_a_file_of_what_is_not_measured_has_headings_and_no_figure(
    client: Client, first, benchmark, name
):
    answer = client.get(reverse(name, args=[benchmark.slug]))
    assert answer.status_code == 200
    heading, *rows = answer.text.splitlines()
    assert "," in heading
    # The list of problems is no figure.
    assert len(rows) == (first.items.count() if name == "items_csv" else 0)


@pytest.fixture
def asked(name: str) -> str:
    """The address of a file of a board with a panel, as the first who asks for it finds it."""
    made = make_scored_board({f"Model {number}": [[100.0]] * 2 for number in range(5)})
    freeze_first_panels()
    return reverse(name, args=[made.benchmark.slug])


@pytest.mark.parametrize("name", FILES)
def test_a_file_asks_for_patience_until_a_worker_had_time(client: Client, asked: str):
    early = client.get(asked)
    assert (early.status_code, early.headers["Retry-After"]) == (503, "5")
    work_out_analyses()
    assert client.get(asked).status_code == 200


@pytest.mark.parametrize("name", FILES)
def test_a_file_that_could_not_be_calculated_says_so_and_promises_nothing(
    client: Client, asked: str
):
    client.get(asked)
    Analysis.objects.filter(done_at=None).update(failure=FAILED, done_at=timezone.now())
    answer = client.get(asked)
    assert answer.status_code == 503
    assert "Retry-After" not in answer.headers
    assert answer.text == FAILED
