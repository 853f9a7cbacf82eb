"""Where a mean can lie: by hand, and by filling in every grade that there could be."""

import random
from itertools import product

import pytest

from phybench_grader.statistics.metrics import AnswerOutcome, count_lacking, tally
from phybench_grader.statistics.provisional import UNRANKED_ABOVE, Range, find_range

RIGHT, WRONG = 100.0, 0.0


def test_the_ends_are_all_wrong_and_all_right() -> None:
    right, wrong = AnswerOutcome(1, RIGHT, 100.0), [AnswerOutcome(n, WRONG, 50.0) for n in (2, 3)]
    row = tally([right, *wrong, AnswerOutcome(4)], missing=1)
    # 100 / 5 and 200 / 5; 200 / 5 and 300 / 5
    assert row.accuracy_range == Range(20, 40, 0.2)
    assert row.eed_range == Range(40, 60, 0.2)
    assert row.is_provisional


def test_what_is_wholly_graded_has_no_range() -> None:
    row = tally([AnswerOutcome(1, RIGHT, 100.0), AnswerOutcome(2, WRONG, 20.0)], missing=1)
    assert row.accuracy_range == Range(row.accuracy.value or 0, row.accuracy.value or 0, 0)
    assert row.eed_range
    assert (row.eed_range.low, row.eed_range.high) == (40, 40)
    assert not row.is_provisional
    assert not row.eed_range.is_provisional


def test_of_several_answers_to_a_problem_one_that_is_not_graded_weighs_its_part() -> None:
    given = [AnswerOutcome(1, RIGHT, 100.0), AnswerOutcome(1, WRONG, 20.0), AnswerOutcome(1)]
    row = tally([*given, AnswerOutcome(2, WRONG, 0.0)])
    # 100 / 3 / 2 and 200 / 3 / 2
    assert row.accuracy_range
    assert row.accuracy_range.low == pytest.approx(50 / 3)
    assert row.accuracy_range.high == pytest.approx(100 / 3)
    assert row.accuracy_range.share == pytest.approx(1 / 6)
    # What is left out of a problem's mean moves it; the mean of what is graded lies between.
    assert row.accuracy_range.low < (row.accuracy.value or 0) < row.accuracy_range.high


def test_of_no_graded_answer_nothing_is_known() -> None:
    nothing = tally([AnswerOutcome(1), AnswerOutcome(2)])
    assert (nothing.accuracy_range, nothing.eed_range) == (None, None)
    assert nothing.is_unranked
    assert find_range({}, {}) is None
    assert find_range({}, {}, missing=2) == Range(0, 0, 0)


def test_no_grade_that_there_could_be_leaves_the_range() -> None:
    chance = random.Random(8)
    for _round in range(200):
        graded = [
            AnswerOutcome(chance.randrange(4), right, eed)
            for right, eed in chance.choices([(RIGHT, 100.0), (WRONG, 46.7), (WRONG, 0.0)], k=6)
        ]
        left = [AnswerOutcome(chance.randrange(5)) for _answer in range(chance.randrange(4))]
        given = dict.fromkeys((one.problem for one in [*graded, *left]), 0)
        for one in [*graded, *left]:
            given[one.problem] += 1
        more = {"missing": chance.randrange(3), "lacking": count_lacking(given)}
        found = tally([*graded, *left], **more)  # type: ignore[arg-type]
        assert found.eed_range
        possible = []
        for scores in product([0.0, 30.0, 100.0], repeat=len(left)):
            settled = [
                AnswerOutcome(one.problem, RIGHT if eed == 100 else WRONG, eed)
                for one, eed in zip(left, scores, strict=True)
            ]
            possible.append(tally([*graded, *settled], **more).eed.value or 0.0)  # type: ignore[arg-type]
        assert found.eed_range.low == pytest.approx(min(possible))
        assert found.eed_range.high == pytest.approx(max(possible))


def test_above_one_per_cent_nothing_is_ranked() -> None:
    graded = [AnswerOutcome(n, WRONG, 0.0) for n in range(99)]
    at_the_limit = tally([*graded, AnswerOutcome(99)]).eed_range
    above = tally([*graded, AnswerOutcome(99), AnswerOutcome(100)]).eed_range
    assert at_the_limit
    assert above
    assert at_the_limit.share == pytest.approx(UNRANKED_ABOVE)
    assert not at_the_limit.is_unranked
    assert above.is_unranked


def test_better_is_only_who_is_better_whatever_is_not_graded_turns_out_to_be() -> None:
    assert Range(50, 60, 0.1).is_above(Range(40, 49, 0.09))
    assert not Range(50, 60, 0.1).is_above(Range(40, 55, 0.15))
    assert not Range(40, 40, 0).is_above(Range(40, 40, 0))
