"""What stands around an expression: each rule of reading it, and each rule's hostile twin."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from grader_tests.cases import try_each
from phybench_grader import JudgeError, Verdict, grade
from phybench_grader.reading.question import Question

CASES = json.loads((Path(__file__).parent / "statements.json").read_text(encoding="utf-8"))
FOR_A_PERSON = "PERSON"
WRONG = (Verdict.PARTIAL, Verdict.INCORRECT)


def name_case(case):
    return f"{case['rule']} {case['side']}: {case['answer']}"


def judge(case):
    """Grade a case: its verdict, the reason, and codes of notes, those on the key left out."""
    problem = Question.of(case.get("symbols", ()))
    said = {name: case.get(name, "") for name in ("asked", "unit", "statement")}
    try:
        judgement = grade(case["answer"], case["key"], declared=replace(problem, **said))
    except JudgeError as error:
        return FOR_A_PERSON, error.reason, []
    # How much a wrong answer resembles the key is not what these cases are about.
    verdict = "WRONG" if judgement.verdict in WRONG else judgement.verdict
    codes = [note.code for note in judgement.notes if note.code != "of_reference"]
    return verdict, judgement.reason, codes


def test_statement_around_an_expression_is_read_by_its_rule_and_not_beyond_it():
    def judge_it(case):
        verdict, reason, codes = judge(case)

        assert (verdict, reason) == (case["verdict"], case.get("reason", reason))
        assert case.get("note", "") in ["", *codes]

    try_each(CASES, judge_it, name_case)


def test_every_rule_stands_with_its_hostile_twin():
    sides = {(case["rule"], case["side"]) for case in CASES}
    rules = [f"S{n}" for n in range(1, 15)] + [f"R{n}" for n in (1, 3, 4, 5, 6, 7, 11, 16)]
    assert sides == {(rule, side) for rule in rules for side in ("rule", "twin")}


def test_what_is_left_to_a_person_says_how_it_was_read() -> None:
    with pytest.raises(JudgeError) as left:
        grade(r"\boxed{2hg} is not what we want", "2gh", declared=["g", "h"])
    assert (left.value.answer_read, left.value.answer_typed) == ("2 g h", r"2h\,g")
