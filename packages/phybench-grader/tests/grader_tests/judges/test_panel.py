"""Several judges together, and what is said of many items."""

from decimal import Decimal

import pytest

from phybench_grader.judges.judgement import Flag, Judgement
from phybench_grader.judges.panel import FlipRate, join_ratings, measure_flips, summarise, vote
from phybench_grader.judges.reasons import Reason

YES, NO = Judgement(True), Judgement(False)
LOST = Judgement.missing(Reason.TIMEOUT)


@pytest.mark.parametrize(
    ("judgements", "quorum", "verdict", "reason"),
    [
        ([YES, YES, NO], 1, True, None),
        ([YES, NO, NO, LOST], 1, False, None),
        ([YES, LOST, LOST], 1, True, None),
        ([YES, NO], 1, None, Reason.NO_CONSENSUS),
        ([YES, NO, LOST], 1, None, Reason.NO_CONSENSUS),
        ([YES, LOST, LOST], 2, None, Reason.TIMEOUT),
        ([LOST], 1, None, Reason.TIMEOUT),
        ([], 1, None, Reason.NO_CONSENSUS),
    ],
)
def test_the_majority_of_those_that_have_a_verdict_decides(judgements, quorum, verdict, reason):
    found = vote(judgements, quorum=quorum)

    assert (found.verdict, found.reason) == (verdict, reason)


def test_ratings_are_joined_by_their_median_or_their_mean():
    ratings = [Judgement(Decimal(one)) for one in (1, 8, 9)]

    assert join_ratings([*ratings, Judgement.missing(Reason.EMPTY)]).verdict == 8
    assert join_ratings([Judgement.missing(Reason.EMPTY)]).reason is Reason.EMPTY


def test_a_missing_repeat_is_no_flip():
    assert measure_flips([[YES, LOST], [YES, LOST, YES], [YES, NO, NO]]) == FlipRate(1 / 3, 2, 1)
    assert measure_flips([]) == FlipRate(None, 0, 0)


def test_what_is_missing_moves_the_bounds_and_never_the_mean():
    skipped = Judgement.missing(Reason.MISSING_REFERENCE)
    ratings = [Judgement(Decimal(8)), Judgement(Decimal(6)), LOST, skipped]

    summary = summarise(ratings, float, lowest=1, highest=10)

    assert (summary.total, summary.scored, summary.mean) == (4, 2, 7)
    assert (summary.low, summary.high) == (4, 8.5)
    assert summary.unscored == {Reason.TIMEOUT: 1, Reason.MISSING_REFERENCE: 1}
    assert (summary.coverage, summary.skipped, summary.may_rank()) == (0.5, 1, False)


@pytest.mark.parametrize(("missing", "expected"), [(2, True), (3, False)])
def test_too_much_missing_ranks_nobody(missing, expected):
    judgements = [YES] * (100 - missing) + [LOST] * missing

    assert summarise(judgements, float, lowest=0, highest=1).may_rank() is expected


def test_of_nothing_there_is_no_mean_and_no_rank():
    summary = summarise([], float, lowest=0, highest=1)

    assert (summary.mean, summary.low, summary.coverage, summary.may_rank()) == (
        None,
        None,
        None,
        False,
    )


def test_flags_of_every_vote_are_kept():
    flagged = Judgement(True, flags=frozenset({Flag.INJECTION_SUSPECTED}))

    assert vote([YES, flagged]).flags == {Flag.INJECTION_SUSPECTED}
