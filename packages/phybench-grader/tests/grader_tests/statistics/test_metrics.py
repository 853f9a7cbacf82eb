"""Figures checked by hand; `Z` is 1.95996."""

import pytest

from phybench_grader.statistics.intervals import Method
from phybench_grader.statistics.metrics import AnswerOutcome, Mean, count_lacking, tally

RIGHT, WRONG = 100.0, 0.0


def about(mean: Mean) -> tuple[float | None, ...]:
    figures = (mean.value, mean.standard_error, mean.low, mean.high)
    return tuple(None if figure is None else round(figure, 2) for figure in figures)


def test_a_mean_of_scores_has_its_standard_error_and_an_interval_that_is_not_even() -> None:
    scores = [100.0, 0.0, 46.7, 0.0, 20.0, 33.3, 0.0, 100.0, 0.0, 13.4, 0.0, 0.0, 55.0, 0.0, 100.0,
              0.0]  # fmt: skip
    mean = Mean.of(scores)
    assert (mean.count, mean.method, mean.is_rough) == (16, Method.BETA, False)
    # scipy.stats.sem of SciPy 1.17.1
    assert mean.standard_error == pytest.approx(9.828091116793738)
    assert mean.value is not None
    assert mean.low is not None
    assert mean.high is not None
    assert mean.high - mean.value > mean.value - mean.low, "what was not seen is above"


def test_of_nothing_there_is_no_interval() -> None:
    assert about(Mean.of([])) == (None, None, None, None)
    assert Mean.of([]).method is Method.FEW


@pytest.mark.parametrize(
    ("scores", "low", "high"),
    [
        # By mpmath: 0.975 of Beta(0.8, 15) lies below; 0.975^(1 / 0.8); and mirrored
        ([0.0] * 15, 0, 19.61),
        ([100.0] * 15, 80.39, 100),
        ([0.0], 0, 96.88),
        # 40 for sure, but for what is imagined
        ([40.0] * 20, 35.26, 47.19),
    ],
)
def test_scores_that_are_all_alike_have_an_interval_that_is_rough(
    scores: list[float], low: float, high: float
) -> None:
    mean = Mean.of(scores)
    assert about(mean) == (scores[0], None, low, high)
    assert mean.is_rough


@pytest.mark.parametrize(("count", "is_rough"), [(8, False), (575, False)])
def test_rough_is_no_matter_of_how_many_problems_there_are(count: int, is_rough: bool) -> None:
    half = [100.0, 0.0] * (count // 2) + [0.0] * (count % 2)
    assert Mean.of(half).is_rough == is_rough
    assert Mean.of([0.0] * count).is_rough
    assert Mean.of([*[0.0] * (count - 1), 100.0]).is_rough == is_rough


def test_means_of_several_answers_have_a_narrower_interval_than_single_ones() -> None:
    scores = [25.0, 75.0, 0.0, 100.0, 0.0, 0.0, 50.0, 0.0]
    single, averaged = Mean.of(scores), Mean.of(scores, is_averaged=True)
    assert (single.value, single.standard_error) == (averaged.value, averaged.standard_error)
    assert single.low is not None
    assert single.high is not None
    assert averaged.low is not None
    assert averaged.high is not None
    assert single.low < averaged.low < averaged.high < single.high


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
def test_a_share_of_what_judges_said_has_wilsons_interval(
    right: int, count: int, low: float, high: float
) -> None:
    mean = Mean.of_shares([RIGHT] * right + [WRONG] * (count - right))
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


@pytest.mark.parametrize("missing", [1, 30])
def test_missing_answers_are_in_the_interval_as_wrong_ones(missing: int) -> None:
    """Left out of the interval, they would make it that of two problems."""
    row = tally([AnswerOutcome(1, RIGHT, 100.0), AnswerOutcome(2, WRONG, 20.0)], missing=missing)
    assert row.accuracy == Mean.of([RIGHT, WRONG, *[0.0] * missing])
    assert row.eed == Mean.of([100.0, 20.0, *[0.0] * missing])
    assert row.accuracy.high != Mean.of([RIGHT, WRONG]).high


def test_missing_samples_are_in_the_interval_as_wrong_ones() -> None:
    outcomes = [AnswerOutcome(1, RIGHT, 100.0), AnswerOutcome(1, RIGHT, 100.0)]
    outcomes += [AnswerOutcome(2, RIGHT, 100.0), AnswerOutcome(3, WRONG, 0.0)]
    row = tally(outcomes, missing=1, lacking=count_lacking({1: 2, 2: 1, 3: 1}))
    by_problem = [100.0, 50.0, 0.0, 0.0]
    assert about(row.accuracy) == about(Mean.of(by_problem, is_averaged=True))
    assert about(row.eed) == about(Mean.of(by_problem, is_averaged=True))


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
    assert about(row.accuracy) == about(Mean.of([50.0, 0.0], is_averaged=True))
    assert about(row.eed) == about(Mean.of([60.0, 0.0], is_averaged=True))


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
