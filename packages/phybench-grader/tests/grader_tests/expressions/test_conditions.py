"""Conditions between symbols: how they are read, and that none is ignored in silence."""

import json
import time
from pathlib import Path

import pytest

from phybench_grader import JudgeError, Verdict, grade
from phybench_grader.authoring.certificate import CaseOutcome, list_cases, try_case
from phybench_grader.authoring.examination import check_reference
from phybench_grader.numbers.domains import Domain
from phybench_grader.reading.conditions import list_faults, read_space
from phybench_grader.reading.question import Question
from phybench_grader.verdict.clusters import group_answers

CASES = json.loads((Path(__file__).parent / "conditions.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case['rule']} {case['condition']}")
def test_a_condition_is_read_or_reported(case):
    question = Question(conditions=(case["condition"],))
    space = read_space(question)

    assert [fault.code for fault in list_faults(question)] == [
        case[name] for name in ("fault",) if name in case
    ]
    if "fault" not in case:
        read = [f"{one.left} {one.relation} {one.right}" for one in space.conditions]
        given = {str(symbol): str(value) for symbol, value in space.given.items()}
        assert (read, given) == (case["read"], case.get("given", {}))


def test_conditions_that_contradict_one_another_are_reported():
    question = Question(conditions=("a < b", "b < c", "c < a"))

    assert [fault.code for fault in list_faults(question)] == ["conditions_unmet"]


def test_a_condition_beyond_a_declared_range_is_reported_and_one_within_is_met():
    negative = (("x", Domain(None, None)),)

    assert list_faults(Question(negative, conditions=("x < 0",))) == []
    assert [one.code for one in list_faults(Question(conditions=("x < 0",)))] == ["condition_unmet"]


def test_what_is_wrong_with_a_condition_is_said_to_the_author_and_on_the_grade():
    question = Question(conditions=(r"n \text{ is odd}",))

    assert [rule.code for rule in check_reference("n x", declared=question)] == ["condition"]
    judgement = grade("x n", "n x", declared=question)
    assert judgement.verdict is Verdict.CORRECT
    assert [note.code for note in judgement.notes] == ["condition_unreadable"]


def test_where_no_values_meet_the_conditions_nothing_is_wrong():
    question = Question(conditions=("a > a + b",))

    with pytest.raises(JudgeError) as failure:
        grade("a + 2b", "a + b", declared=question)

    assert failure.value.reason == "undecided"
    assert [rule.code for rule in check_reference("a + b", declared=question)] == ["condition"]


def test_a_certificate_goes_by_the_conditions():
    reference, question = r"\left|a-b\right|", Question(conditions=("a < b",))
    plan = list_cases(reference, declared=question, accept=["b-a"], reject=["a-b"])

    outcomes = {try_case(case, reference, declared=question).outcome for case in plan.cases}
    assert outcomes == {CaseOutcome.PASSED}


def test_answers_are_grouped_by_the_conditions():
    answers = ["|a-b|", "b-a", "a-b"]

    assert len(group_answers(answers)) == 3
    assert len(group_answers(answers, declared=Question(conditions=("a < b",)))) == 2


def test_a_long_chain_is_met_often_enough_to_decide():
    question = Question(conditions=("a < b < c < d < f < g",))

    assert grade("|a-g|", "g-a", declared=question).verdict is Verdict.CORRECT
    assert grade("|a-g|", "a-g", declared=question).verdict is not Verdict.CORRECT


@pytest.mark.parametrize(
    "text", ["a<" * 5_000 + "a", "a," * 9_000 + "a>0", "(" * 19_000, "a" * 10**6]
)
def test_a_hostile_condition_is_dealt_with_in_seconds(text):
    begun = time.process_time()

    list_faults(Question(conditions=(text,)))

    assert time.process_time() - begun < 4
