"""The board, counted by hand; the answers are really graded."""

import csv
import json
from collections.abc import Callable

import pytest
from django.test import Client
from django.urls import reverse

from curation.problems.benchmarks.models import Benchmark
from curation.problems.models import Problem
from grading.answers import actions
from grading.answers.models import Attempt
from grading.answers.submissions.models import Submission
from grading.board.figures import SORTS
from grading.board.table import BoardRow, Unranked, make_board
from grading.submissions import publication
from grading.submissions.publication import CannotPublish
from phybench.people.models import Role, User
from phybench_grader.statistics.metrics import Mean
from tests import versions
from tests.conftest import make_person
from tests.grading.conftest import HandIn
from tests.memory import remembered
from tests.organisations import organisation_of, publish
from tests.work import grade_together

pytestmark = pytest.mark.django_db

RIGHT = ("m g h", r"\frac{a}{b}", r"2mg + 4m\frac{v_0^2}{l}", "x + y", r"\sqrt{2 g h}")
WRONG, UNREADABLE = "0", r"\frac{x"
PARTLY = r"2mg + 2m\frac{v_0^2}{l}"
"""To the third problem: EED 60 − 100 × 2/15 = 46.67."""


def grade_all() -> None:
    grade_together(Attempt.objects.waiting())


def publish_all() -> None:
    grade_all()
    publish(*Submission.objects.filter(published_at=None, withdrawn_at=None))


def set_failed(attempt: Attempt) -> None:
    Attempt.objects.filter(pk=attempt.pk).update(
        status=Attempt.Status.FAILED, failure_reason="timeout"
    )


@pytest.fixture
@remembered
def model(problems: list[Problem], hand_in: HandIn) -> Submission:
    """Right, unreadable, partly right, not graded, missing."""
    submission = hand_in(*zip(problems[:4], (RIGHT[0], UNREADABLE, PARTLY, RIGHT[3]), strict=True))
    set_failed(submission.attempts.get(revision__problem=problems[3]))
    publish_all()
    return submission


@pytest.fixture
def people(problems: list[Problem]) -> list[User]:
    """Two who gave five answers: right and wrong; right, unreadable, and one not graded."""
    one, other = (make_person(Role.PARTICIPANT, name) for name in ("one", "other"))
    for person, problem, response in [
        (one, problems[0], RIGHT[0]),
        (one, problems[1], WRONG),
        (other, problems[0], RIGHT[0]),
        (other, problems[1], UNREADABLE),
        (other, problems[2], RIGHT[2]),
    ]:
        actions.answer(revision=problem.revisions.get(), person=person, response=response)
    set_failed(Attempt.objects.get(revision__problem=problems[2], submission=None))
    grade_all()
    return [one, other]


def only_row(benchmark: Benchmark) -> BoardRow:
    [row] = make_board(benchmark).rows
    return row


def test_counts_and_means_are_those_counted_by_hand(
    benchmark: Benchmark, model: Submission
) -> None:
    row = only_row(benchmark).tally
    assert (row.scored, row.unreadable, row.missing, row.ungraded) == (3, 1, 1, 1)
    # 100 and 146.67 over three scored and the missing one; the fourth is left out.
    assert (row.accuracy.value, row.accuracy.count) == (25, 4)
    assert row.eed.value == pytest.approx(36.667, abs=0.001)
    # Of four, the missing one among them; the fourth is left out.
    assert row.accuracy == Mean.of([100.0, 0.0, 0.0, 0.0])
    eed = Mean.of([100.0, 46.667, 0.0, 0.0])
    assert (row.eed.low, row.eed.high) == pytest.approx((eed.low, eed.high), abs=0.01)


def test_a_failed_attempt_that_is_graded_later_joins_the_mean(
    benchmark: Benchmark, model: Submission
) -> None:
    actions.try_again(attempts=model.attempts.all())
    grade_all()
    row = only_row(benchmark).tally
    assert (row.scored, row.ungraded, row.accuracy.value) == (4, 0, 40)


def test_fewer_than_five_people_are_only_counted(benchmark: Benchmark, people: list[User]) -> None:
    board = make_board(benchmark)
    assert (board.rows, board.people, board.few_people, board.is_empty) == ([], None, 2, True)


def test_answers_of_people_still_to_be_graded_are_not_on_the_board(
    benchmark: Benchmark, problems: list[Problem], participant: User
) -> None:
    actions.answer(revision=problems[0].revisions.get(), person=participant, response=RIGHT[0])
    assert make_board(benchmark).rows == []


def hand_in_two(hand_in: HandIn, problems: list[Problem]) -> None:
    """Of five answers one is right (accuracy 20, EED 20), or three are near (accuracy 0)."""
    hand_in((problems[0], RIGHT[0]), model="Right once")
    hand_in(
        (problems[0], "2 m g h"), (problems[2], PARTLY), (problems[4], r"\sqrt{g h}"), model="Near"
    )
    publish_all()


def test_the_order_is_by_what_is_asked_for(
    benchmark: Benchmark, problems: list[Problem], hand_in: HandIn
) -> None:
    hand_in_two(hand_in, problems)
    board = make_board(benchmark)
    by_accuracy, by_eed = ([row.name for row in board.by(sort).rows] for sort in SORTS[::-1])
    assert (by_accuracy, by_eed) == (["Right once", "Near"], ["Near", "Right once"])


def test_a_published_submission_that_is_graded_once_more_has_no_rank(
    benchmark: Benchmark, model: Submission
) -> None:
    actions.try_again(attempts=model.attempts.all())
    row = only_row(benchmark)
    assert (row.submission, row.waiting, row.unranked) == (model, 1, Unranked.WAITING)


def test_nothing_of_a_submission_stands_before_it_is_published(
    client: Client, benchmark: Benchmark, problems: list[Problem], hand_in: HandIn
) -> None:
    hand_in((problems[0], RIGHT[0]), model="Secret")
    for _graded in range(2):
        assert make_board(benchmark).rows == []
        assert "Secret" not in client.get("/").content.decode()
        grade_all()


def test_the_last_that_is_graded_is_ranked_once_it_is_published(
    benchmark: Benchmark, problems: list[Problem], hand_in: HandIn
) -> None:
    first = hand_in((problems[0], RIGHT[0]))
    publish_all()
    second = hand_in((problems[0], WRONG))
    row = only_row(benchmark)
    assert (row.submission, row.of) == (first, 2), "the second is not graded yet"
    grade_all()
    assert make_board(benchmark).rows == [], "nor is the better one ranked any more"
    publish(second)
    row = only_row(benchmark)
    assert (row.submission, row.submission.number, row.of) == (second, 2, 2)


def test_who_withdraws_a_bad_result_has_no_better_one_return(
    client: Client, benchmark: Benchmark, problems: list[Problem], hand_in: HandIn, evaluator: User
) -> None:
    hand_in((problems[0], RIGHT[0]))
    publish_all()
    second = hand_in((problems[0], WRONG))
    publish_all()
    publication.withdraw(submission=second, by=evaluator)
    board = make_board(benchmark)
    assert (board.rows, board.withdrawn) == ([], [second])
    assert "submission 2, on" in client.get("/").content.decode()
    third = hand_in((problems[0], WRONG))
    publish_all()
    assert only_row(benchmark).submission == third


def test_what_was_named_before_it_was_graded_stays_ranked(
    benchmark: Benchmark, problems: list[Problem], hand_in: HandIn, evaluator: User
) -> None:
    named = hand_in((problems[0], WRONG), is_named=True)
    publish_all()
    better = hand_in((problems[0], RIGHT[0]))
    grade_all()
    with pytest.raises(CannotPublish, match="Submission 1 of this model is the one that counts"):
        publish(better)
    assert only_row(benchmark).submission == named
    other = hand_in((problems[0], WRONG), is_named=True)
    assert make_board(benchmark).rows == [], "the last named is not published"
    grade_all()
    publish(other)
    publication.withdraw(submission=other, by=evaluator)
    assert make_board(benchmark).rows == [], "neither the first named nor the right one returns"


def test_who_withdraws_the_named_one_chooses_none_that_they_know(
    benchmark: Benchmark, problems: list[Problem], hand_in: HandIn, evaluator: User
) -> None:
    named = hand_in((problems[0], WRONG), is_named=True)
    better = hand_in((problems[0], RIGHT[0]))
    grade_all()
    publication.withdraw(submission=named, by=evaluator)
    with pytest.raises(CannotPublish, match="Submission 1 of this model"):
        publish(better)
    third = hand_in((problems[0], WRONG))
    publish_all_but(better)
    assert only_row(benchmark).submission == third


def publish_all_but(submission: Submission) -> None:
    grade_all()
    publish(
        *Submission.objects.filter(published_at=None, withdrawn_at=None).exclude(pk=submission.pk)
    )


def test_to_try_a_bad_one_again_brings_no_better_one_back(
    benchmark: Benchmark, problems: list[Problem], hand_in: HandIn
) -> None:
    hand_in((problems[0], RIGHT[0]))
    publish_all()
    second = hand_in((problems[0], WRONG), (problems[1], WRONG))
    second.attempts.update(tries=1)
    grade_all()
    set_failed(second.attempts.earliest("pk"))
    assert make_board(benchmark).rows == []
    actions.try_again(attempts=second.attempts.all())
    assert second.attempts.waiting().exists()
    assert make_board(benchmark).rows == []


def test_two_organisations_may_have_a_model_of_one_name(
    benchmark: Benchmark, problems: list[Problem], hand_in: HandIn
) -> None:
    other = make_person(Role.EVALUATOR, "other-evaluator")
    hand_in((problems[0], RIGHT[0]), model="alpha-1")
    hand_in((problems[0], WRONG), model="alpha-1", by=other)
    publish_all()
    assert [row.name for row in make_board(benchmark).rows] == [
        "alpha-1 (Organisation of Evaluator)",
        "alpha-1 (Organisation of Other-evaluator)",
    ]


def test_a_benchmark_s_board_knows_nothing_of_another_s(
    model: Submission, people: list[User]
) -> None:
    other = Benchmark.objects.create(name="Other", slug="other")
    assert make_board(other).rows == []


def test_the_board_takes_seven_queries_however_many_rows_there_are(
    benchmark: Benchmark, problems: list[Problem], hand_in: HandIn, people: list[User],
    django_assert_num_queries: Callable,
) -> None:  # fmt: skip
    for name in "ABC":
        hand_in((problems[0], RIGHT[0]), model=name)
        publish_all()
        with django_assert_num_queries(7):
            make_board(benchmark)


@pytest.mark.parametrize(("of_each", "has_rank"), [(20, True), (19, False)])
def test_with_more_than_one_in_a_hundred_not_graded_a_row_has_no_rank(
    benchmark: Benchmark, evaluator: User, problems: list[Problem], of_each: int, has_rank: bool
) -> None:
    rows = [
        {
            "id": problem.identifier,
            "model": "A model",
            "repeat_index": sample,
            "model_answer": right,
        }
        for problem, right in zip(problems, RIGHT, strict=True)
        for sample in range(of_each)
    ]
    [submission] = versions.hand_in(
        organisation=organisation_of(evaluator),
        benchmark=benchmark,
        uploaded_by=evaluator,
        file_name="answers.json",
        content=json.dumps(rows).encode(),
    )
    set_failed(submission.attempts.earliest("pk"))
    publish_all()
    row = only_row(benchmark)
    share = 1 / len(rows)
    assert row.tally.accuracy_range
    assert (row.tally.accuracy_range.low, row.tally.accuracy_range.high) == (
        pytest.approx(100 * (1 - share)),
        100,
    )
    assert (row.unranked is not Unranked.UNGRADED) is has_rank


def test_rows_that_stand_apart_are_sorted_by_the_lowest_that_they_can_be(
    benchmark: Benchmark, problems: list[Problem], hand_in: HandIn
) -> None:
    hand_in(*zip(problems, RIGHT, strict=True), model="All right but for one")
    hand_in(*zip(problems[:3], RIGHT[:3], strict=True), model="Three but for one")
    hand_in((problems[0], RIGHT[0]), model="One")
    for name in ("All right but for one", "Three but for one"):
        set_failed(Attempt.objects.filter(solver__name=name).earliest("pk"))
    publish_all()
    board = make_board(benchmark)
    assert [(row.name, row.stands_apart) for row in board.rows] == [
        ("All right but for one", True),
        ("Three but for one", True),
        ("One", True),
    ]


def test_a_name_can_not_become_a_formula(
    client: Client, benchmark: Benchmark, problems: list[Problem], hand_in: HandIn
) -> None:
    hand_in((problems[0], RIGHT[0]), model="=HYPERLINK(1)")
    publish_all()
    file = client.get(reverse("board_csv", args=[benchmark.slug])).content.decode()
    [row] = csv.DictReader(file.splitlines())
    assert row["solver"] == "'=HYPERLINK(1)"


def test_an_empty_board_sends_only_those_who_may_to_hand_answers_in(
    client, problems, evaluator, contributor
):
    upload = reverse("grading:upload")
    assert upload not in client.get("/").content.decode()
    for person, may in ((contributor, False), (evaluator, True)):
        client.force_login(person)
        assert (upload in client.get("/").content.decode()) is may
