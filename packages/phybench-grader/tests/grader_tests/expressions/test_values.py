"""Values of an answer and its key at a few points, as who rules on a grade reads them."""

import pytest
import sympy

from phybench_grader.numbers.domains import Domain
from phybench_grader.reading.question import Question
from phybench_grader.reading.reading import Unreadable
from phybench_grader.verdict.values import PointValues, compare_values

READ = {r"\times": "*", r"\,": "", r"\mathrm{i}": "j", "{": "(", "}": ")", "^": "**", " ": ""}


def number(latex: str) -> complex:
    for written, meant in READ.items():
        latex = latex.replace(written, meant)
    return complex(eval(latex))  # only what `write_number` wrote


def at(point: PointValues) -> dict[str, float]:
    return {symbol: number(value).real for symbol, value in point.symbols}


def test_values_are_those_of_the_points_that_are_shown():
    values = compare_values(r"\frac{m g h}{2}", r"m g \sqrt{h}")
    assert len(values.points) == 5
    for point in values.points:
        here = at(point)
        weight = here["m"] * here["g"]
        assert number(point.reference) == pytest.approx(weight * here["h"] ** 0.5, rel=2e-3)
        assert number(point.answer) == pytest.approx(weight * here["h"] / 2, rel=2e-3)
        assert number(point.ratio) == pytest.approx(here["h"] ** 0.5 / 2, rel=2e-3)
        assert point.agrees is False


def test_equal_values_have_the_ratio_one_and_no_difference():
    values = compare_values(r"\sin(2x)", r"2 \sin(x) \cos(x)")
    assert {(one.ratio, one.difference, one.agrees) for one in values.points} == {("1", "0", True)}


def test_what_differs_in_the_tenth_digit_is_not_called_one():
    [point] = compare_values(r"m (1 + 10^{-10})", "m", most=1).points
    assert (point.ratio, point.agrees) == (r"1 + 1.000 \times 10^{-10}", False)


def test_points_lie_in_the_domains_and_meet_the_conditions_and_given_symbols_are_named():
    whole = Domain(low=sympy.Integer(1), is_integer=True)
    question = Question((("n", whole), ("a", Domain()), ("b", Domain()), ("c", Domain())))
    question = Question(question.domains, conditions=("a < b", "c = 2 a"))
    for point in compare_values("n b c", "n a", declared=question).points:
        here = at(point)
        assert here["n"] == int(here["n"]) >= 1
        assert here["a"] < here["b"]
        assert here["c"] == pytest.approx(2 * here["a"], rel=2e-3)


def test_where_no_value_is_real_those_of_the_principal_branch_are_shown():
    for point in compare_values(r"\sqrt{-1 - x^2}", "x").points:
        here = at(point)
        assert number(point.answer) == pytest.approx(1j * (1 + here["x"] ** 2) ** 0.5, rel=2e-3)


def test_numbers_alone_are_one_point_and_zero_divides_nothing():
    [point] = compare_values("2", "0").points
    assert point == PointValues((), "0", "2", "", "2", agrees=False)


def test_the_boxed_answer_of_a_response_counts_in_the_reading_that_is_meant():
    response = r"First $3 x$. So \boxed{a/2b}."
    standard = compare_values(response, "a")
    other = compare_values(response, "a", read_as=r"\frac{a}{2 b}")
    assert {standard.answer, other.answer} <= {r"\frac{a b}{2}", r"\frac{a}{2 b}"}
    assert other.answer == r"\frac{a}{2 b}"


def test_what_can_not_be_read_is_said():
    with pytest.raises(Unreadable):
        compare_values(r"\frac{m", "m")


def test_nothing_is_shown_where_there_is_no_point():
    question = Question((("a", Domain()),), conditions=("a > a + 1",))
    values = compare_values("a", "2 a", declared=question)
    assert (values.points, values.reason) == ((), "no_point")
