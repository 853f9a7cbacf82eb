"""Figures checked by hand; `Z` is 1.95996."""

import pytest

from grading.statistics.intervals import Method, find_wilson
from grading.statistics.metrics import AnswerOutcome, Mean, count_lacking, tally

RIGHT, WRONG = 100.0, 0.0


def about(mean: Mean) -> tuple[float | None, ...]:
    figures = (mean.value, mean.standard_error, mean.low, mean.high)
    return tuple(None if figure is None else round(figure, 2) for figure in figures)


def test_a_mean_of_scores_has_the_interval_that_scipy_gives() -> None:
    scores = [100.0, 0.0, 46.7, 0.0, 20.0, 33.3, 0.0, 100.0, 0.0, 13.4, 0.0, 0.0, 55.0, 0.0, 100.0,
              0.0]  # fmt: skip
    mean = Mean.of(scores)
    assert (mean.count, mean.method, mean.is_rough) == (16, Method.STUDENT, True)
    # scipy.stats.ttest_1samp(scores, 0).confidence_interval() of SciPy 1.17.1, and scipy.stats.sem
    assert mean.low == pytest.approx(8.326919655389919)
    assert mean.high == pytest.approx(50.22308034461008)
    assert mean.standard_error == pytest.approx(9.828091116793738)


@pytest.mark.parametrize(
    ("scores", "value", "method"),
    [
        ([], None, Method.FEW),
        ([40.0], 40, Method.FEW),
        ([100.0, 0.0] * 7, 50, Method.FEW),
        ([0.0] * 15, 0, Method.ALIKE),
        ([100 / 3] * 40, pytest.approx(100 / 3), Method.ALIKE),
    ],
)
def test_of_few_scores_and_of_equal_ones_there_is_a_mean_and_no_interval(
    scores: list[float], value: float | None, method: Method
) -> None:
    mean = Mean.of(scores)
    assert (mean.value, mean.count, mean.method) == (value, len(scores), method)
    assert about(mean)[1:] == (None, None, None)


def test_an_interval_ends_where_no_score_can_be() -> None:
    mean = Mean.of([0.0] * 29 + [100.0])
    assert (mean.low, mean.is_rough) == (0, False)
    assert mean.high == pytest.approx(10.150765473775678)


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
    # As three answers: 0.25 × 0.75 over Var = 0.125 / 2. (0.25 + 0.6402 ± 1.96 √0.16921) / 2.2805
    assert about(row.accuracy) == (25, 25, 3.68, 74.39)


@pytest.mark.parametrize(
    ("by_problem", "answers", "effective"),
    [
        # What answers to one problem have in common tells no more than one of them.
        ([100.0, 0.0, 100.0, 0.0], 16, 4),
        # They differ as coins do: p (1 - p) / Var = 0.25 / (0.0208 / 4) = 48, of 16 answers
        ([50.0, 50.0, 75.0, 25.0], 16, 16),
        # 0.25 / (0.0833 / 4) = 12
        ([25.0, 75.0, 25.0, 75.0], 16, 12),
        # All alike tells nothing of how they scatter.
        ([50.0, 50.0, 50.0, 50.0], 16, 4),
        ([0.0, 0.0, 0.0, 0.0], 16, 4),
    ],
)
def test_several_answers_a_problem_count_as_so_many_independent_ones(
    by_problem: list[float], answers: int, effective: int
) -> None:
    mean = Mean.of_right_or_wrong(by_problem, answers=answers)
    share = sum(by_problem) / 400
    assert mean.method is Method.WILSON
    assert (mean.low, mean.high) == pytest.approx(
        tuple(100 * end for end in find_wilson(share, effective))
    )


def test_what_is_between_problems_is_told_beside_what_answers_scatter() -> None:
    outcomes = [AnswerOutcome(1, RIGHT, 100.0), AnswerOutcome(1, WRONG, 20.0)]
    outcomes += [AnswerOutcome(2, WRONG, 0.0), AnswerOutcome(2, WRONG, 0.0)]
    row = tally(outcomes)
    # s² of 50 and 0 is 1250; answers add 5000 / 2 to problem 1 and 0 to problem 2.
    assert row.accuracy.between == pytest.approx(max(0, 1250 - 2500 / 2))
    # s² of 60 and 0 is 1800; 3200 / 2 and 0
    assert row.eed.between == pytest.approx(1800 - 1600 / 2)
    # A problem without any answer is 0 each time: s² of 60, 0, 0 is 1200.
    assert tally(outcomes, missing=1).eed.between == pytest.approx(1200 - 1600 / 3)
    assert tally(outcomes[1:]).eed.between is None, "of one answer it can't be told"
    assert tally(outcomes[:2]).eed.between is None


def test_who_leaves_out_a_bad_repeat_gains_nothing() -> None:
    once = [AnswerOutcome(1, RIGHT, 100.0), AnswerOutcome(2, RIGHT, 100.0)]
    given = {1: 2, 2: 1}
    assert count_lacking(given) == {2: 1}
    row = tally([*once, AnswerOutcome(1, RIGHT, 100.0)], lacking=count_lacking(given))
    # Problem 2 is right once of two times.
    assert (row.accuracy.value, row.eed.value) == (75, 75)
    assert (row.scored, row.missing) == (3, 1)


def test_a_problem_left_out_is_worth_what_answering_it_wrong_each_time_is() -> None:
    """Whatever interval there is goes by as many answers."""
    given = [
        AnswerOutcome(problem, score, score) for problem in range(8) for score in (RIGHT, WRONG) * 2
    ]
    wrong = [AnswerOutcome(8, WRONG, 0.0)] * 4
    left_out, answered = tally(given, missing=1), tally([*given, *wrong])
    assert (left_out.accuracy, left_out.eed) == (answered.accuracy, answered.eed)


def test_lacking_answers_do_not_hide_one_that_we_could_not_grade() -> None:
    row = tally([AnswerOutcome(1)], lacking={1: 1})
    assert (row.accuracy.value, row.ungraded, row.missing, row.left_out) == (0, 1, 1, 0)


def test_of_nothing_there_is_no_mean() -> None:
    row = tally([AnswerOutcome(1)])
    assert (row.accuracy.value, row.eed.value, row.ungraded) == (None, None, 1)
    nothing = tally([])
    assert (nothing.accuracy_range, nothing.eed_range) == (None, None)
