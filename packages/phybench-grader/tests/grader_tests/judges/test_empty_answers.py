"""Answers that hold nothing: what they are, and how a judge that was tried with them is counted."""

from collections import Counter

import pytest

from phybench_grader.judges.deterministic import RuleOutcome, decide
from phybench_grader.judges.empty_answers import (
    EMPTY_ANSWERS,
    EMPTY_BY_NAME,
    EmptyTally,
    Withstood,
    find_known,
    is_empty_answer,
    tally_empty,
)
from phybench_grader.judges.kinds import KINDS
from phybench_grader.judges.truth import TruthKind

PASSED = [(one.name, True) for one in EMPTY_ANSWERS]


def test_there_are_at_least_forty_in_four_languages_and_no_two_alike():
    languages = Counter(one.name.split("_")[1] for one in EMPTY_ANSWERS)
    assert len(EMPTY_ANSWERS) >= 40
    assert set(languages) == {"any", "en", "de", "fi", "zh"}
    assert min(languages.values()) >= 9
    assert len({one.response for one in EMPTY_ANSWERS}) == len(EMPTY_BY_NAME) == len(EMPTY_ANSWERS)
    # The column that keeps them has no more room.
    assert max(len(one.name) for one in EMPTY_ANSWERS) <= 40


@pytest.mark.parametrize("one", EMPTY_ANSWERS, ids=lambda one: one.name)
def test_the_rules_take_none_of_them_for_right(one):
    for kind in (None, *TruthKind):
        found = decide(one.response, one.ground_truth, question=one.question, kind=kind)
        assert found.outcome is not RuleOutcome.MATCH


@pytest.mark.parametrize("one", EMPTY_ANSWERS, ids=lambda one: one.name)
def test_none_of_them_holds_a_number_or_a_formula(one):
    assert not any(sign.isdigit() for sign in one.response)
    assert one.ground_truth not in one.response
    assert not one.is_correct


def test_every_kind_that_judges_one_answer_is_tried_with_all_of_them():
    for kind in KINDS.values():
        items = kind.list_empty_answers(1)
        assert len(items) == (0 if kind.compares else len(EMPTY_ANSWERS))
        assert all(one.reference and one.reference_solution for one in items)


def test_they_are_told_from_traps_by_their_names():
    assert find_known("plain_right").is_correct
    assert find_known(EMPTY_ANSWERS[0].name) is EMPTY_ANSWERS[0]
    assert find_known("empty_en_gone") is None
    assert is_empty_answer("empty_en_gone")
    assert not is_empty_answer("plain_right")


def test_a_judge_that_rejected_all_of_them_has_passed():
    found = tally_empty(PASSED)
    assert (found.outcome, found.all, found.may_rank) == (Withstood.PASSED, len(PASSED), True)


def test_one_acceptance_bars_a_judge_for_good():
    found = tally_empty([*PASSED, (EMPTY_ANSWERS[3].name, False), *PASSED])
    assert (found.outcome, found.accepted) == (Withstood.ACCEPTED, ("…",))
    assert found.is_barred
    assert not found.may_rank


def test_an_acceptance_of_one_that_is_no_more_among_them_counts_too():
    assert tally_empty([*PASSED, ("empty_en_gone", False)]).accepted == ("empty_en_gone",)


@pytest.mark.parametrize("found", [[], PASSED[1:], [*PASSED[1:], (PASSED[0][0], None)]])
def test_what_nothing_was_said_of_is_neither_passed_nor_failed(found):
    tally = tally_empty(found)
    assert tally.outcome is Withstood.CANT_TELL
    assert (tally.is_barred, tally.may_rank) == (False, False)
    assert tally.passed + tally.missing == len(EMPTY_ANSWERS)


def test_a_later_try_makes_up_for_a_call_that_failed():
    assert tally_empty([(PASSED[0][0], None), *PASSED]).outcome is Withstood.PASSED


def test_rules_alone_need_not_be_tried():
    assert tally_empty([], is_needed=False).outcome is Withstood.NOT_NEEDED
    assert tally_empty([], is_needed=False).may_rank
    assert EmptyTally().outcome is Withstood.CANT_TELL
