"""`manage.py leaderboard`: the board in a terminal, in a file, for a program."""

import csv
import json

import pytest
from django.core.management import CommandError, call_command

from grading.answers.models import Attempt
from grading.answers.submissions.models import Submission
from tests.boards import make_scored_board

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def board() -> None:
    make_scored_board({"Best": [[100.0]] * 40, "=Worst": [[0.0]] * 40})


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> list[str]:
    call_command("leaderboard", *arguments)
    return capsys.readouterr().out.splitlines()


def test_it_prints_ranks_and_means(capsys: pytest.CaptureFixture[str]) -> None:
    title, head, best, worst = run(capsys)
    assert title == "Scored, version 1, 40 problems"
    assert head.split()[:2] == ["Solver", "Rank"]
    assert best.split()[:3] == ["Best", "1", "100.0"]
    assert worst.split()[:3] == ["=Worst", "2", "0.0"]


def test_a_row_says_how_many_of_its_answers_wait(capsys: pytest.CaptureFixture[str]) -> None:
    again = Submission.objects.get(solver__name="Best").attempts.order_by("pk")[:4]
    Attempt.objects.filter(pk__in=[one.pk for one in again]).update(status="QUEUED")
    shown = " ".join(run(capsys))
    assert "Best (4 still being graded)" in shown
    assert "90.0–100.0" in shown


def test_its_csv_and_json_say_the_same(capsys: pytest.CaptureFixture[str]) -> None:
    table = list(csv.DictReader(run(capsys, "--csv")))
    told = [json.loads(line) for line in run(capsys, "--json", "--sort", "accuracy")]
    assert [one["solver"] for one in table] == ["Best", "'=Worst"], "no formula"
    assert [one["solver"] for one in told] == ["Best", "=Worst"]
    for one, other in zip(table, told, strict=True):
        assert (one["accuracy"], int(one["rank_low"])) == (other["accuracy"], other["rank_low"])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--benchmark", "none"), "There is no benchmark “none”."),
        (("--number", "7"), "No version 7 exists."),
        (("--domain", "POETRY"), "No domain POETRY exists."),
    ],
)
def test_what_is_not_there_is_said(arguments: tuple[str, str], message: str) -> None:
    with pytest.raises(CommandError, match=message):
        call_command("leaderboard", *arguments)
