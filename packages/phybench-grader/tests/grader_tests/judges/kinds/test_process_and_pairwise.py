"""The process judge's four scores, and preferences asked in both orders."""

import json

import pytest

from phybench_grader.judges.judgement import Flag, Judgement
from phybench_grader.judges.kinds.pairwise import (
    PairVerdict,
    Preference,
    combine_orders,
    read_preference,
)
from phybench_grader.judges.kinds.process import read_process
from phybench_grader.judges.reasons import Reason
from phybench_grader.judges.replies.reply import JudgeReply

SCORES = {"answer": 0, "physics": 0, "mathematics": 0, "completeness": 0}


def test_the_overall_score_is_ours_and_not_the_judge_s():
    judgement = read_process(json.dumps({**SCORES, "overall": 100}))

    assert judgement.verdict.overall == 0
    assert judgement.flags == {Flag.OVERALL_IGNORED}


def test_the_weights_are_those_of_the_answer_the_physics_the_mathematics_and_completeness():
    scores = {"answer": 100, "physics": 80, "mathematics": 60, "completeness": 40}

    assert read_process(json.dumps(scores)).verdict.overall == 50 + 20 + 9 + 4


def test_latex_in_the_comment_costs_no_score():
    text = (
        '{"answer": 1, "physics": 2, "mathematics": 3, "completeness": 4, "comment": "\\sqrt{2}"}'
    )

    assert read_process(text).verdict.comment == r"\sqrt{2}"


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"answer": 101}, Reason.OUT_OF_RANGE),
        ({"answer": -1}, Reason.OUT_OF_RANGE),
        ({"answer": 10**400}, Reason.OUT_OF_RANGE),
        ({"answer": None}, Reason.SCHEMA),
        ({"answer": "good"}, Reason.SCHEMA),
        ({"answer": True}, Reason.SCHEMA),
        ({"answer": [100]}, Reason.SCHEMA),
    ],
)
def test_one_score_of_no_use_leaves_no_verdict(changes, reason):
    assert read_process(json.dumps({**SCORES, **changes})).reason is reason


def test_a_lacking_score_leaves_no_verdict():
    assert read_process('{"answer": 100, "physics": 100}').reason is Reason.SCHEMA


def test_braces_in_a_preamble_are_passed_over():
    reply = "For {x} in S: " + json.dumps({**SCORES, "id": "q1"})

    assert read_process(reply, token="q1").verdict.overall == 0


@pytest.mark.parametrize(
    ("text", "preference"),
    [
        ("[[A]]", Preference.A),
        ("Based on A's work: [[B]]", Preference.B),
        ("[[tie]]", Preference.TIE),
        ("[[ **b** ]]", Preference.B),
    ],
)
def test_the_last_preference_counts(text, preference):
    assert read_preference(text).verdict is preference


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("A", Reason.NO_VERDICT),
        ("[[C]]", Reason.NO_VERDICT),
        ("[[A]] [[none]]", Reason.NO_VERDICT),
        ("[[A]]? No: [[B]]", Reason.CONFLICTING_VERDICTS),
        ("[[A/B]]", Reason.AMBIGUOUS),
        ("[[A or B]]", Reason.AMBIGUOUS),
        ("", Reason.EMPTY),
        (JudgeReply("[[A]]", finish_reason="length"), Reason.TRUNCATED),
    ],
)
def test_no_preference_is_no_tie(text, reason):
    assert read_preference(text).reason is reason


@pytest.mark.parametrize(
    ("shown", "exchanged", "verdict"),
    [
        (Preference.A, Preference.B, PairVerdict.FIRST),
        (Preference.B, Preference.A, PairVerdict.SECOND),
        (Preference.TIE, Preference.TIE, PairVerdict.TIE),
    ],
)
def test_what_is_said_in_both_orders_is_the_verdict(shown, exchanged, verdict):
    assert combine_orders(Judgement(shown), Judgement(exchanged)).verdict is verdict


@pytest.mark.parametrize(
    ("shown", "exchanged"),
    [
        (Preference.A, Preference.A),
        (Preference.B, Preference.B),
        (Preference.A, Preference.TIE),
        (Preference.TIE, Preference.A),
    ],
)
def test_a_mind_changed_with_the_order_is_no_verdict(shown, exchanged):
    found = combine_orders(Judgement(shown), Judgement(exchanged))

    assert found.reason is Reason.POSITION_INCONSISTENT


def test_a_reply_that_is_missing_leaves_the_pair_without_a_verdict():
    found = combine_orders(Judgement(Preference.A), Judgement.missing(Reason.EMPTY))

    assert (found.verdict, found.reason) == (None, Reason.EMPTY)


def test_a_score_given_as_text_is_taken_and_flagged_and_an_echo_is_no_verdict():
    coerced = read_process(json.dumps({**SCORES, "answer": "85"}))
    echoed = read_process(json.dumps({**SCORES, "comment": "<two to four sentences>"}))

    assert (coerced.verdict.answer, coerced.flags) == (85, {Flag.COERCED})
    assert echoed.reason is Reason.NO_VERDICT
