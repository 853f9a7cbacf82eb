"""Figures checked by hand; `Z` is 1.95996."""

import pytest

from grading.statistics.metrics import AnswerOutcome, Mean, count_lacking, tally

RIGHT, WRONG = 100.0, 0.0


def about(mean: Mean) -> tuple[float | None, ...]:
    figures = (mean.value, mean.standard_error, mean.low, mean.high)
    return tuple(None if figure is None else round(figure, 2) for figure in figures)


@pytest.mark.parametrize(
    ("scores", "expected"),
    [
        ([], (None, None, None, None)),
        # One score says nothing of its spread.
        ([40.0], (40, None, None, None)),
        # s² = (10² + 10²) / 1, s / √2 = 10, 50 ± 19.60
        ([60.0, 40.0], (50, 10, 30.4, 69.6)),
        # s² = (15² + 5² + 5² + 15²) / 3, √(500 / 12) = 6.455, 25 ± 12.65
        ([10.0, 20.0, 30.0, 40.0], (25, 6.45, 12.35, 37.65)),
        # s² = 2500, √(2500 / 3) = 28.87, 50 ± 56.58: cut off where no score can be
        ([100.0, 0.0, 50.0], (50, 28.87, 0, 100)),
        ([100.0, 100.0], (100, 0, 100, 100)),
    ],
)
def test_a_mean_has_a_normal_interval_within_0_and_100(
    scores: list[float], expected: tuple[float | None, ...]
) -> None:
    assert about(Mean.of(scores)) == expected
    assert Mean.of(scores).count == len(scores)


@pytest.mark.parametrize(
    ("right", "count", "low", "high"),
    [
        # Z² / (n + Z²) = 3.8415 / 13.8415, and its mirror image
        (0, 10, 0, 27.75),
        (10, 10, 72.25, 100),
        # 1 / (1 + Z²): one answer, even right, says little
        (1, 1, 20.65, 100),
        # (0.25 + 0.4802 ± 1.96 √(0.046875 + 0.060023)) / 1.9604
        (1, 4, 4.56, 69.94),
        # Wilson's own way of writing it gives 10.78 and 60.32 for 3 of 10.
        (3, 10, 10.78, 60.32),
    ],
)
def test_a_share_of_right_answers_has_wilsons_interval(
    right: int, count: int, low: float, high: float
) -> None:
    mean = Mean.of_right_or_wrong([RIGHT] * right + [WRONG] * (count - right))
    assert mean.value == pytest.approx(100 * right / count)
    assert about(mean)[2:] == (low, high)


def test_a_missing_answer_counts_0_and_one_we_could_not_grade_counts_nothing() -> None:
    row = tally(
        [AnswerOutcome(1, RIGHT, 100.0), AnswerOutcome(2, WRONG, 50.0), AnswerOutcome(3)], missing=2
    )
    # 100 / 4 and 150 / 4, over two scored and two missing
    assert (row.accuracy.value, row.accuracy.count) == (25, 4)
    assert (row.eed.value, row.eed.count) == (37.5, 4)
    assert (row.scored, row.unreadable, row.missing, row.ungraded) == (2, 0, 2, 1)
    assert row.left_out == 1


def test_an_unreadable_answer_is_scored_with_0_and_counted() -> None:
    unreadable = [AnswerOutcome(number, WRONG, 0.0, is_unreadable=True) for number in (2, 3)]
    row = tally([*unreadable, AnswerOutcome(1, RIGHT, 100.0), AnswerOutcome(4, RIGHT, 100.0)])
    assert (row.accuracy.value, row.scored, row.unreadable) == (50, 4, 2)


def test_answers_that_are_right_or_wrong_have_wilsons_interval_with_the_missing_ones() -> None:
    row = tally([AnswerOutcome(1, RIGHT, 100.0), AnswerOutcome(2, WRONG, 0.0)], missing=1)
    assert row.accuracy == Mean.of_right_or_wrong([RIGHT, WRONG, WRONG])
    assert row.accuracy != Mean.of([RIGHT, WRONG, WRONG])


def test_several_answers_to_a_problem_count_as_their_mean() -> None:
    row = tally(
        [
            *(AnswerOutcome(1, RIGHT, 100.0), AnswerOutcome(1, WRONG, 20.0), AnswerOutcome(1)),
            AnswerOutcome(2, WRONG, 0.0),
        ]
    )
    # Problem 1: accuracy 50, EED 60, one of its three left out. 50 / 2 and 60 / 2
    assert (row.accuracy.value, row.eed.value) == (25, 30)
    assert (row.scored, row.ungraded, row.left_out) == (3, 1, 0)
    # 50 and 0 are no longer right or wrong: s² = 1250, √(1250 / 2) = 25, 25 ± 49
    assert about(row.accuracy) == (25, 25, 0, 74)


def test_who_leaves_out_a_bad_repeat_gains_nothing() -> None:
    once = [AnswerOutcome(1, RIGHT, 100.0), AnswerOutcome(2, RIGHT, 100.0)]
    given = {1: 2, 2: 1}
    assert count_lacking(given) == {2: 1}
    row = tally([*once, AnswerOutcome(1, RIGHT, 100.0)], lacking=count_lacking(given))
    # Problem 2 is right once of two times.
    assert (row.accuracy.value, row.eed.value) == (75, 75)
    assert (row.scored, row.missing) == (3, 1)


def test_lacking_answers_do_not_hide_one_that_we_could_not_grade() -> None:
    row = tally([AnswerOutcome(1)], lacking={1: 1})
    assert (row.accuracy.value, row.ungraded, row.missing, row.left_out) == (0, 1, 1, 0)


def test_of_nothing_there_is_no_mean() -> None:
    row = tally([AnswerOutcome(1)])
    assert (row.accuracy.value, row.eed.value, row.ungraded) == (None, None, 1)
    nothing = tally([])
    assert (nothing.accuracy_range, nothing.eed_range) == (None, None)
