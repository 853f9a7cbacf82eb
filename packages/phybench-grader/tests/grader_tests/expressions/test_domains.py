"""What a problem declares of its symbols decides what is equal; nothing declared is positive."""

import pickle
import random
from itertools import islice

import pytest
import sympy

from phybench_grader import Verdict, grade, read
from phybench_grader.authoring.certificate import CaseOutcome, list_cases, try_case
from phybench_grader.authoring.examination import check_reference
from phybench_grader.authoring.second_reader import read_twice
from phybench_grader.equality.equality import Equality, PointwiseComparison, compare
from phybench_grader.numbers.domains import POSITIVE, Domain
from phybench_grader.numbers.evaluation import Program
from phybench_grader.numbers.space import Space
from phybench_grader.reading.question import Question
from phybench_grader.reading.reading import Unreadable
from phybench_grader.verdict.ranges import read_domain

REAL = Domain(None, None)
WHOLE = Domain(sympy.S.One, None, is_integer=True)
ACUTE = read_domain("0", r"\pi/2")
NEGATIVE = Domain(None, sympy.Integer(0))


@pytest.mark.parametrize(
    ("answer", "reference", "declared", "is_equal"),
    [
        (r"\sqrt{x^2}", "x", {}, True),
        (r"\sqrt{x^2}", "x", ["x"], True),
        (r"\sqrt{x^2}", "x", {"x": POSITIVE}, True),
        (r"\sqrt{x^2}", "x", {"x": REAL}, False),
        (r"\sqrt{x^2}", "|x|", {"x": REAL}, True),
        (r"\sqrt{x^2}", "-x", {"x": NEGATIVE}, True),
        (r"\sqrt{v_0^2}", "v_{0}", {"v_0": REAL}, False),
        (r"\sqrt{\varphi^2}", r"\phi", {r"\phi": REAL}, False),
        (r"\ln\left(ab\right)", r"\ln a+\ln b", {}, True),
        (r"\sqrt{1-\cos^2\theta}", r"\sin\theta", {}, False),
        (r"\sqrt{1-\cos^2\theta}", r"\sin\theta", {r"\theta": ACUTE}, True),
        (r"\arcsin\left(\sin\theta\right)", r"\theta", {r"\theta": ACUTE}, True),
        (r"\arcsin\left(\sin\theta\right)", r"\theta", {}, False),
        (r"\cos\left(\pi n\right)", "(-1)^n", {"n": WHOLE}, True),
        (r"\cos\left(\pi n\right)", "(-1)^{n+1}", {"n": WHOLE}, False),
        (r"\sin\left(\pi n\right)", "0", {"n": WHOLE}, True),
        (r"\sin\left(\pi n\right)", "0", {}, False),
        ("n!", r"n\left(n-1\right)!", {"n": WHOLE}, True),
        (r"\arccosh x", r"\ln\left(x+\sqrt{x^2-1}\right)", {"x": read_domain("1")}, True),
        (r"\arccosh x", r"\ln\left(x+\sqrt{x^2-1}\right)", {}, True),
        (r"\arccosh x", r"-\ln\left(x+\sqrt{x^2-1}\right)", {"x": read_domain("1")}, False),
        (r"|x-1|", "x-1", {"x": read_domain("1")}, True),
        (r"|x-1|", "1-x", {"x": read_domain("0", "1")}, True),
        (r"|x-1|", "1-x", {}, False),
        # Of a few whole numbers all are tried.
        ("(n-1)(n-2)", "0", {"n": read_domain("1", "2", is_integer=True)}, True),
        ("(n-1)(n-2)", "0", {"n": read_domain("1", "3", is_integer=True)}, False),
    ],
)
def test_equality_is_that_of_the_declared_domain(answer, reference, declared, is_equal):
    judgement = grade(answer, reference, declared=declared)

    assert (judgement.verdict is Verdict.CORRECT) == is_equal


def test_a_certificate_goes_by_the_declared_domains():
    declared = {r"\theta": ACUTE, "x": REAL}
    reference = r"\left|x\right|\sin\left(\theta\right)"
    plan = list_cases(
        reference,
        declared=declared,
        accept=[r"\sqrt{x^2-x^2\cos^2\theta}"],
        reject=[r"x\sin\theta"],
    )

    outcomes = {try_case(case, reference, declared=declared).outcome for case in plan.cases}
    assert outcomes == {CaseOutcome.PASSED}


def test_a_bar_around_a_symbol_of_either_sign_breaks_no_rule():
    assert [rule.code for rule in check_reference("|x|")] == ["positive"]
    assert check_reference("|x|", declared={"x": REAL}) == []


def test_the_second_reader_goes_by_the_declared_domains():
    assert read_twice(r"\left|x\right|", declared={"x": REAL}).agreement == "AGREES"


def test_declared_names_alone_are_positive_as_ever():
    assert Question.of(["x", r"\Delta p"]).domains == (("x", POSITIVE), (r"\Delta p", POSITIVE))
    assert list(Question.of({"x": REAL})) == ["x"]
    assert "x" in Question.of(["x"])
    assert len(Question.of(["x"]).including(["e", "x"])) == 2
    assert read("x", declared=["x"]).expression == read("x").expression
    assert read("x", declared={"x": REAL}).expression != read("x").expression


def _draw(left, right, domains):
    program = Program(read(left).expression, read(right).expression)
    comparison = PointwiseComparison(program, Space.of(domains))
    return [dict(point) for point, _ in islice(comparison._draw_points(), 6)]


def test_the_points_depend_on_the_expressions_and_domains_alone():
    assert _draw("xy", "x+y", {}) == _draw("xy", "x+y", {"x": Domain(), "z": REAL})
    assert _draw("xy", "x+y", {"x": REAL}) == _draw("xy", "x+y", {"x": Domain(None, None)})
    assert _draw("xy", "x+y", {"x": REAL}) != _draw("xy", "x+y", {})
    # These are the points of this version: a change moves grades.
    values = [f"{float(point['x']):.6g}" for point in _draw("xy", "x+y", {})]
    assert values == ["0.775859", "1.55326", "0.00105955", "3.24135", "14430.2", "2.30115"]


@pytest.mark.parametrize(
    "domain",
    [
        *(POSITIVE, REAL, WHOLE, NEGATIVE, ACUTE),
        *(read_domain("-1", "1"), read_domain("-3"), read_domain("", "-2")),
        *(read_domain("0", is_integer=True), read_domain("-2", "2", is_integer=True)),
        *(read_domain("", "0", is_integer=True), read_domain(is_integer=True)),
    ],
    ids=str,
)
def test_what_is_drawn_lies_in_the_domain_and_is_what_is_assumed(domain):
    source = random.Random(1)
    symbol = sympy.Symbol("x", **domain.assumptions)

    for count in range(200):
        value = domain.draw(source, 1 + count % 4)
        assert domain.low is None or value >= float(domain.low)
        assert domain.high is None or value <= float(domain.high)
        assert not domain.is_integer or value == int(value)
        exact = sympy.Rational(str(value))
        for assumption in domain.assumptions:
            assert getattr(exact, f"is_{assumption}") is getattr(symbol, f"is_{assumption}") is True


@pytest.mark.parametrize(
    ("low", "high", "is_integer"),
    [("1", "1", False), ("2", "1", True), ("x", "", False), (r"\pi", "", True), ("i^2", "", True)],
)
def test_bounds_that_bound_nothing_are_refused(low, high, is_integer):
    with pytest.raises(ValueError, match=r"no|nothing"):
        read_domain(low, high, is_integer=is_integer)


def test_a_bound_that_is_no_expression_is_refused():
    with pytest.raises(Unreadable):
        read_domain(r"\int")


def test_one_whole_number_is_a_domain():
    two = read_domain("2", "2", is_integer=True)
    n = sympy.Symbol("n", **two.assumptions)

    assert two.size == 1
    assert compare(n**2, n + 2, {"n": two}) is Equality.EQUAL


def test_symbols_cross_to_another_process_and_can_be_kept_in_a_table():
    symbols = Question.of({r"\theta": ACUTE, "n": WHOLE})

    assert pickle.loads(pickle.dumps(symbols)) == symbols
    assert hash(pickle.loads(pickle.dumps(symbols))) == hash(symbols)
