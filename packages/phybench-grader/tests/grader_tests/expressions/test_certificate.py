"""A reference's certificate: rewritings score 100, mutations don't, and open is not green."""

import pickle

import pytest

from grader_tests.cases import leave_most_to_slow
from grader_tests.expressions.references import OWN, PUBLISHED, needs_published, one_of_them
from phybench_grader import JudgeError, grade, read
from phybench_grader.authoring.certificate import (
    Case,
    CaseOutcome,
    Expected,
    TriedCase,
    list_cases,
    try_case,
)
from phybench_grader.equality.equality import Equality, compare
from phybench_grader.equality.tree import measure_work
from phybench_grader.numbers.sentences import Sentence
from phybench_grader.reading.reading import Unreadable
from phybench_grader.statement.answer import list_readings
from phybench_grader.statement.response import find_answer

QUICK = 25
"""Work of simplifying up to which mutations are graded here; above, they are only compared."""
SMALL = [
    r"\frac{1}{2}mv^2",
    r"F_{\max} = 5m\omega^2R",
    r"2L\sin\left(\omega t\right)",
    r"\left|a-b\right|",
    r"e^{-\frac{t}{RC}}",
    r"\sqrt{\frac{\hbar}{m\vec{v}_0}}",
    r"\arctan\left(\frac{x}{y}\right)+\ln\left(1+\frac{x}{y}\right)",
    r"\frac{2}{5}",
    r"\frac{n!}{2^n}",
    r"\frac{t'^2}{\cosh^2\left(t'\right)}",
]


def _list_wrong_rows(reference):
    plan = list_cases(reference)
    expression = read(find_answer(reference)).expression
    is_quick = measure_work(expression) <= QUICK
    wrong = []
    for case in plan.cases:
        if case.expected is Expected.ACCEPTED or is_quick:
            row = try_case(case, reference)
            if row.outcome is not CaseOutcome.PASSED:
                wrong.append(row)
        else:
            # What decides about 100 is this alone; how far below it is, takes seconds.
            found = {compare(one.expression, expression) for one in list_readings(case.text)}
            if found != {Equality.DIFFERENT}:
                wrong.append(case)
    return wrong


@needs_published
@one_of_them
def test_a_published_reference_gets_nothing_but_passes(number):
    assert _list_wrong_rows(PUBLISHED[number]) == []


@pytest.mark.parametrize("key", leave_most_to_slow(sorted(OWN), one_of=8))
def test_a_demo_reference_gets_nothing_but_passes(key):
    assert _list_wrong_rows(OWN[key]) == []


@pytest.mark.parametrize("reference", SMALL)
def test_a_small_reference_is_certified(reference):
    outcomes = {try_case(case, reference).outcome for case in list_cases(reference).cases}

    assert outcomes == {CaseOutcome.PASSED}


@pytest.mark.parametrize("reference", leave_most_to_slow(SMALL))
def test_who_is_the_reference_changes_nothing_about_equality(reference):
    for case in list_cases(reference).cases:
        is_equal = grade(reference, case.text).accuracy == 100

        assert is_equal == (case.expected is Expected.ACCEPTED)


def test_the_cases_cover_every_kind_that_an_expression_has_room_for():
    plan = list_cases(r"a\left(b+\frac{c^2}{d}\right)+\sin\left(t\right)")

    assert {case.kind for case in plan.cases} == {
        *("as_written", "no_left", "dfrac", "printed", "slash", "reordered", "expanded"),
        *("factored", "combined", "dollars", "double_dollars", "boxed", "label"),
        *(
            "plain",
            "sign",
            "coefficient",
            "exponent",
            "term",
            "factor",
            "symbol",
            "function",
            "added",
        ),
    }
    assert len({case.text for case in plan.cases}) == len(plan.cases)


def test_a_variant_that_cannot_be_made_is_left_out_and_says_so():
    left_out = {(one.kind, one.reason) for one in list_cases(r"\vec{v}_0 + u").left_out}

    assert ("plain", "variant_untypable") in left_out
    assert ("symbol", "variant_equal") in left_out


def test_a_variant_beyond_the_limits_is_left_out_and_says_so():
    plan = list_cases("(a+b)^{300}(c+d)^{300}")

    assert {one.kind for one in plan.left_out} >= {"expanded", "factored", "combined"}
    assert "expanded" not in {case.kind for case in plan.cases}


def test_what_the_author_says_is_tried_too():
    plan = list_cases("mgh", accept=["ghm", "mg"], reject=["mg", "hgm", "nothing at all"])

    assert [(case.text, try_case(case, "mgh").outcome) for case in plan.cases[-5:]] == [
        ("ghm", CaseOutcome.PASSED),
        ("mg", CaseOutcome.FAILED),
        ("mg", CaseOutcome.PASSED),
        ("hgm", CaseOutcome.FAILED),
        ("nothing at all", CaseOutcome.PASSED),
    ]


def test_a_case_without_a_judgement_is_open():
    case = Case("printed", "x", Expected.ACCEPTED)
    stopped = TriedCase(case, reason="timeout", message=Sentence("grading_stopped"))

    assert stopped.outcome is CaseOutcome.OPEN


def test_a_mutation_that_is_not_read_proves_nothing():
    row = try_case(Case("sign", r"\foo", Expected.REJECTED), "x")

    assert (row.outcome, row.reason) == (CaseOutcome.OPEN, "unknown_command")


def test_a_case_that_the_grader_cannot_judge_is_open_with_its_reason():
    row = try_case(Case("printed", "x", Expected.ACCEPTED), r"\int x")

    assert (row.outcome, row.reason) == (CaseOutcome.OPEN, "reference_unreadable")
    with pytest.raises(JudgeError):
        grade("x", r"\int x")


def test_a_reference_that_cannot_be_read_has_no_cases():
    with pytest.raises(Unreadable):
        list_cases(r"\int x")


def test_a_tried_case_crosses_to_another_process():
    tried = try_case(list_cases("mgh").cases[0], "mgh")

    assert pickle.loads(pickle.dumps(tried)) == tried
