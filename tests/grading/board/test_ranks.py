"""Ranks as ranges, what keeps a row from having one, and who works them out."""

import random
from collections.abc import Callable

import pytest
from django.test import Client
from django.urls import reverse

from grading.answers.models import Attempt
from grading.answers.runs.models import GradingRun
from grading.board.analyses.models import Analysis
from grading.board.scores.scope import Scope
from grading.board.table import Board, Unranked, rank_board, show_board
from tests.boards import MISSING, NOT_GRADED, Score, grade, make_scored_board
from tests.work import work_out_analyses

pytestmark = pytest.mark.django_db

PROBLEMS = 60


def draw(share: float, seed: int, count: int = PROBLEMS) -> list[list[Score]]:
    """Draw one answer a problem, so many of them right."""
    chance = random.Random(seed)
    right = set(chance.sample(range(count), round(share * count)))
    return [[100.0 if number in right else 0.0] for number in range(count)]


def ranges(board: Board) -> dict[str, str]:
    return {row.name: str(row.rank(board.sort) or row.unranked) for row in board.rows}


def test_only_what_is_significantly_better_stands_above() -> None:
    made = make_scored_board({"Best": draw(0.9, 1), "Near": draw(0.85, 2), "Worst": draw(0.1, 3)})
    assert ranges(rank_board(Scope.of(made.version))) == {
        "Best": "1–2",
        "Near": "1–2",
        "Worst": "3",
    }


def test_fewer_than_thirty_problems_give_no_ranks() -> None:
    made = make_scored_board({"Best": draw(1, 1, 29), "Worst": draw(0, 2, 29)})
    assert set(ranges(rank_board(Scope.of(made.version))).values()) == {Unranked.FEW_PROBLEMS}
    thirty = {"Best": draw(1, 1, 30), "Worst": draw(0, 2, 30)}
    made = make_scored_board(thirty, slug="thirty")
    assert ranges(rank_board(Scope.of(made.version))) == {"Best": "1", "Worst": "2"}


def test_a_row_that_leaves_out_a_tenth_stands_apart_without_a_rank() -> None:
    few = draw(1, 1)
    for number in range(7):
        few[number] = [MISSING]
    made = make_scored_board({"Few": few, "Worse": draw(0.3, 2)})
    board = rank_board(Scope.of(made.version))
    assert ranges(board) == {"Worse": "1", "Few": Unranked.COVERAGE}
    assert [row.name for row in board.rows] == ["Worse", "Few"], "though its mean is higher"


def test_what_we_could_not_grade_decides_nothing() -> None:
    """One is better by ten answers; with 1 % of 400 not graded it is, whatever these are worth."""
    count = 400
    low, high = draw(0.5, 1, count), draw(0.5, 1, count)
    for number in [place for place, [score] in enumerate(low) if not score][:12]:
        high[number] = [100.0]
    sure = make_scored_board({"High": high, "Low": low})
    assert ranges(rank_board(Scope.of(sure.version))) == {"High": "1", "Low": "2"}
    for number in [place for place, [score] in enumerate(low) if not score][12:16]:
        low[number] = [NOT_GRADED]
    open_ = make_scored_board({"High": high, "Low": low}, slug="open")
    found = rank_board(Scope.of(open_.version))
    assert found.rows[1].tally.ungraded == 4
    assert ranges(found) == {"High": "1–2", "Low": "1–2"}


def test_a_worker_finds_the_ranks_and_they_are_kept(
    client: Client, django_assert_num_queries: Callable
) -> None:
    made = make_scored_board({"Best": draw(0.9, 1), "Worst": draw(0.1, 3)})
    address = reverse("board_of", args=[made.benchmark.slug])
    page = client.get(address).content.decode()
    assert "The ranks are being calculated" in page
    [asked] = Analysis.objects.all()
    assert asked.is_waiting
    client.get(address)
    assert Analysis.objects.count() == 1, "who asks again waits for the same"
    work_out_analyses()
    board = show_board(Scope.of(made.version))
    assert ranges(board) == {"Best": "1", "Worst": "2"}
    assert board.rows == rank_board(Scope.of(made.version)).rows, "nothing is lost on the way"
    page = client.get(address).content.decode()
    assert "The ranks are being calculated" not in page


def test_new_grades_make_new_ranks() -> None:
    worst = draw(0.1, 3, 120)
    worst[0] = [NOT_GRADED]
    made = make_scored_board({"Best": draw(0.9, 1, 120), "Worst": worst})
    scope = Scope.of(made.version)
    show_board(scope)
    work_out_analyses()
    assert not show_board(scope).is_coming
    failed = made.submissions["Worst"].attempts.get(status=Attempt.Status.FAILED)
    Attempt.objects.filter(pk=failed.pk).update(status=Attempt.Status.GRADED, failure_reason="")
    grade(GradingRun.objects.get_adopted(made.benchmark.pk), failed, 100.0).save()
    assert show_board(scope).is_coming
    work_out_analyses()
    assert not show_board(scope).is_coming
    assert Analysis.objects.count() == 2, "of older states the last stays"


@pytest.mark.parametrize("models", [1, 3])
def test_a_board_takes_as_many_queries_for_one_row_as_for_three(
    client: Client, django_assert_max_num_queries: Callable, models: int
) -> None:
    made = make_scored_board(
        {f"Model {number}": draw(0.5, number) for number in range(models)},
        {f"person-{number}": dict.fromkeys(range(8), 100.0) for number in range(6)},
    )
    address = reverse("board_of", args=[made.benchmark.slug])
    client.get(address)
    work_out_analyses()
    with django_assert_max_num_queries(QUERIES):
        client.get(address)


QUERIES = 24
