"""
What physicists mean inside an expression: rules E1 to E12, those of R1 to R16 that are about
writing, and the writing itself (W), each with its hostile twin.
"""

import json
from pathlib import Path

import pytest
import sympy

from grader_tests.cases import try_each
from phybench_grader import JudgeError, Verdict, grade, read
from phybench_grader.equality.equality import Equality, compare
from phybench_grader.numbers.domains import POSITIVE, Domain
from phybench_grader.reading.names import Declared
from phybench_grader.reading.question import Question
from phybench_grader.reading.reading import Unreadable
from phybench_grader.statement.answer import list_readings

CASES = json.loads((Path(__file__).parent / "meaning.json").read_text(encoding="utf-8"))
DOMAINS = {"whole": Domain(sympy.S.One, None, is_integer=True)}


def _ask(case):
    """Make the question that a case puts: its symbols, declared or whole numbers, and its words."""
    names = [*case.get("declared", ()), *case.get("domains", ())]
    domains = [(name, DOMAINS.get(case.get("domains", {}).get(name), POSITIVE)) for name in names]
    said = {name: case.get(name, "") for name in ("statement", "unit")}
    return Question(tuple(domains), **said)


def _name(case):
    about = case.get("text") or f"{case['reference']} ~ {case['answer']}"
    return f"{case['rule']} {case['kind']}: {about}"


def _each_having(key, attempt):
    try_each([case for case in CASES if key in case], attempt, _name)


def test_a_notation_is_read_as_what_it_means():
    def attempt(case):
        question = _ask(case)
        # What it means is spelled out with signs, so the same words beside it leave nothing open.
        meant = read(case["means"], declared=question).expression

        read_as = read(case["text"], declared=question).expression

        assert compare(read_as, meant, Declared(question).domains) is Equality.EQUAL

    _each_having("means", attempt)


def test_a_notation_is_not_read_as_its_twin():
    def attempt(case):
        assert (
            compare(read(case["text"]).expression, read(case["never"]).expression)
            is Equality.DIFFERENT
        )

    _each_having("never", attempt)


def test_what_a_notation_may_also_mean_is_a_second_reading():
    def attempt(case):
        meant = read(case["also"]).expression

        others = [one.expression for one in list_readings(case["text"], declared=_ask(case))][1:]

        assert any(compare(one, meant) is Equality.EQUAL for one in others)

    _each_having("also", attempt)


def test_a_notation_that_says_all_has_no_second_reading():
    def attempt(case):
        assert len(list(list_readings(case["text"], declared=_ask(case)))) == 1

    _each_having("only", attempt)


def test_a_notation_has_these_symbols_and_no_others():
    def attempt(case):
        assert sorted(read(case["text"], declared=_ask(case)).symbols) == sorted(case["symbols"])

    _each_having("symbols", attempt)


def test_a_notation_that_is_no_expression_is_refused_with_its_reason():
    def attempt(case):
        with pytest.raises(Unreadable) as refused:
            read(case["text"], declared=_ask(case))

        assert refused.value.reason == case["refused"]

    _each_having("refused", attempt)


def test_an_answer_beside_its_reference_gets_what_it_is_worth():
    def attempt(case):
        try:
            graded = grade(case["answer"], case["reference"], declared=_ask(case))
        except JudgeError:
            assert case["verdict"] == "PERSON"
            return

        outcomes = {Verdict.CORRECT: "CORRECT", Verdict.UNREADABLE: "UNREADABLE"}
        assert outcomes.get(graded.verdict, "WRONG") == case["verdict"]
        assert case.get("note") is None or case["note"] in [note.code for note in graded.notes]

    _each_having("verdict", attempt)


def test_every_rule_has_its_twins():
    kinds = {(case["rule"], case["kind"]) for case in CASES}

    rules = [f"E{n}" for n in range(1, 13)] + [f"R{n}" for n in (2, 8, 9, 10, 12, 13, 14, 15)]
    assert kinds == {(rule, kind) for rule in [*rules, "W"] for kind in ("rule", "twin")}
