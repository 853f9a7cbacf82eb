"""A judgement has a verdict or a reason, never both and never neither."""

import pickle

import pytest

from phybench_grader.judges.judgement import Flag, Judgement
from phybench_grader.judges.reasons import Reason


@pytest.mark.parametrize(("verdict", "reason"), [(True, Reason.EMPTY), (None, None)])
def test_both_or_neither_is_refused(verdict, reason):
    with pytest.raises(ValueError, match="and not both"):
        Judgement(verdict, reason)


def test_a_verdict_of_no_is_a_verdict():
    assert Judgement(False).is_scored


def test_turning_a_verdict_into_another_keeps_the_reason_and_the_flags():
    missing = Judgement.missing(Reason.EMPTY, Flag.FENCED).map(len)

    assert (missing.reason, missing.flags) == (Reason.EMPTY, {Flag.FENCED})
    assert Judgement("ab").map(len).verdict == 2


@pytest.mark.parametrize(
    ("judgement", "expected"),
    [
        (Judgement(True), False),
        (Judgement(True, flags=frozenset({Flag.INCONSISTENT})), True),
        (Judgement.missing(Reason.NO_VERDICT), True),
        (Judgement.missing(Reason.TRUNCATED), True),
        (Judgement.missing(Reason.REFUSAL), False),
        (Judgement.missing(Reason.TIMEOUT), False),
    ],
)
def test_a_judge_is_asked_again_where_its_reply_was_the_trouble(judgement, expected):
    assert judgement.asks_again is expected


def test_a_judgement_survives_being_sent_to_another_process():
    judgement = Judgement(True, flags=frozenset({Flag.FENCED}), path="json")

    assert pickle.loads(pickle.dumps(judgement)) == judgement
