"""Where a submission stands, or would: by means and intervals that everybody sees."""

import re
from collections.abc import Sequence

import pgtrigger
import pytest

from grading.answers.submissions.models import Submission
from grading.board.results.place import Place, find_place
from grading.board.table import Unranked
from grading.submissions.results.progress import measure_progress
from phybench_grader.statistics.ranks import RankRange, place_among
from tests.addresses import client_of
from tests.boards import MISSING, NOT_GRADED, MadeBoard, Score, add_model, make_scored_board
from tests.grading.answers.test_views import count_queries, read
from tests.work import work_out_analyses

pytestmark = pytest.mark.django_db
COUNT = 60


def draw(right: int, turn: int = 0) -> list[list[Score]]:
    """Return an answer to each problem, so many of them right; `turn` says which."""
    return [[100.0 if (place + turn) % COUNT < right else 0.0] for place in range(COUNT)]


def hand_in(made: MadeBoard, rows: Sequence[Sequence[Score]], name: str = "Mine") -> Submission:
    submission = add_model(made, name, rows)
    with pgtrigger.ignore():
        Submission.objects.filter(pk=submission.pk).update(published_at=None, published_by=None)
    return Submission.objects.select_related("version__benchmark").get(pk=submission.pk)


def place(submission: Submission) -> Place:
    return find_place(submission, measure_progress(submission).answers)


@pytest.fixture
def made(db: None) -> MadeBoard:
    return make_scored_board({"Best": draw(57), "Middle": draw(32), "Last": draw(2)})


def test_it_says_which_ranks_it_would_take(made: MadeBoard) -> None:
    found = place(hand_in(made, draw(30)))
    assert (found.ranks, found.of, found.is_on_board) == (RankRange(2, 3), 4, False)


def test_which_problems_others_have_right_changes_nothing(made: MadeBoard) -> None:
    """Else submissions of one's own, whose verdicts one knows, would tell those of others."""
    turned = make_scored_board(
        {"Best": draw(57, 20), "Middle": draw(32, 30), "Last": draw(2, 40)}, slug="turned"
    )
    assert place(hand_in(made, draw(30))).ranks == place(hand_in(turned, draw(30))).ranks


def test_it_takes_the_place_of_its_own_model(made: MadeBoard) -> None:
    before = made.submissions["Middle"]
    own = hand_in(made, draw(57))
    with pgtrigger.ignore():
        Submission.objects.filter(pk=own.pk).update(solver=before.solver, number=2)
    own.solver_id = before.solver_id
    found = place(own)
    assert (found.ranks, found.of) == (RankRange(1, 2), 3)


def test_what_is_on_the_board_has_the_rank_of_the_board(made: MadeBoard) -> None:
    place(made.submissions["Best"])
    work_out_analyses()
    found = place(made.submissions["Best"])
    assert (found.ranks, found.of, found.is_on_board) == (RankRange(1, 1), 3, True)


@pytest.mark.parametrize(
    ("score", "why"), [(MISSING, Unranked.COVERAGE), (NOT_GRADED, Unranked.UNGRADED)]
)
def test_what_could_have_no_rank_says_why(made: MadeBoard, score: Score, why: Unranked) -> None:
    found = place(hand_in(made, [*draw(30)[:50], *[[score]] * 10]))
    assert (found.ranks, found.unranked) == (None, why)


def test_with_few_problems_there_is_no_rank_and_the_page_says_it() -> None:
    made = make_scored_board({"Other": draw(20)[:29]})
    mine = hand_in(made, draw(20)[:29])
    assert place(mine).unranked is Unranked.FEW_PROBLEMS
    page = read(client_of(mine.uploaded_by), mine.get_absolute_url())
    assert "It has no rank: ranks need at least 30 problems." in page
    assert "Would rank" not in page


def test_the_page_says_the_rank_beside_the_figures(made: MadeBoard) -> None:
    mine = hand_in(made, draw(30))
    page = read(client_of(mine.uploaded_by), mine.get_absolute_url())
    assert re.search(r"<dt>Would rank</dt><dd>2–3</dd>", page)
    assert "among 4 models" in page


def test_a_page_takes_as_many_queries_beside_many_models_as_beside_one(made: MadeBoard) -> None:
    mine = hand_in(made, draw(30))
    client = client_of(mine.uploaded_by)
    client.get(mine.get_absolute_url())
    work_out_analyses()
    few = count_queries(client, mine.get_absolute_url())
    for number in range(3):
        add_model(made, f"More {number}", draw(10 * number))
    client.get(mine.get_absolute_url())
    work_out_analyses()
    assert count_queries(client, mine.get_absolute_url()) == few


def test_an_interval_that_reaches_across_leaves_a_rank_open() -> None:
    mine = (50.0, 40.0, 60.0)
    assert place_among(mine, []) == RankRange(1, 1)
    assert place_among(mine, [(63.0, 53.0, 73.0), (37.0, 27.0, 47.0)]) == RankRange(1, 3)
    # 15 apart, beyond √(10² + 10²).
    assert place_among(mine, [(65.0, 55.0, 75.0), (35.0, 25.0, 45.0)]) == RankRange(2, 2)
