"""Answers graded, as rows of a table, and the rules that need a word each."""

import json
from pathlib import Path

import pytest
import sympy

from phybench_grader import JudgeError, Verdict, grade, read
from phybench_grader.authoring.examination import check_reference, examine
from phybench_grader.eed.distance import Edit
from phybench_grader.equality.equality import Equality, compare
from phybench_grader.statement.answer import list_readings
from phybench_grader.statement.response import find_answer
from phybench_grader.verdict.grade import grade_if_quick

CASES = json.loads((Path(__file__).parent / "cases.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case['reference']} ~ {case['answer']}")
def test_answer_gets_the_grade_of_the_table(case):
    judgement = grade(case["answer"], case["reference"])

    assert judgement.verdict == case["verdict"]
    assert judgement.eed == pytest.approx(case["eed"], abs=0.005)


def test_what_is_graded_at_once_has_the_same_grade_and_only_what_is_wrong_is_left():
    left = 0
    for case in CASES:
        early = grade_if_quick(case["answer"], case["reference"])
        if early is None:
            assert case["verdict"] in {Verdict.PARTIAL, Verdict.INCORRECT}, case
            left += 1
        else:
            assert early == grade(case["answer"], case["reference"]), case
    assert left


@pytest.mark.parametrize(
    ("reference", "answer", "size", "distance"),
    [
        (r"2mg + 4m\frac{v_0^2}{l}", r"2mg + 2m\frac{v_0^2}{l}", 15, 2),
        (r"2mg + 4m\frac{v_0^2}{l}", r"\frac{m v_0^2}{2l}", 15, 7),
        (r"2L\sin\omega t", r"2L\sin 2\omega t", 7, 1),
        (
            r"-E_0 r\cos\theta + \frac{Q}{4\pi\epsilon_0 r}"
            r" + \frac{p\cos\theta}{8\pi\epsilon r^2}",
            r"-E_0 r\cos\theta + \frac{Q}{4\pi\epsilon_0 r}",
            33,
            10.4,
        ),
        (
            r"v = \frac{NZe^3}{2c\varepsilon_0 m^2 n}\frac{\omega^2}{(\omega_0^2-\omega^2)^2}",
            r"v = \frac{e^2NZ}{2\varepsilon_0 m_e c(\omega^2-\omega_0^2)}",
            33,
            9,
        ),
    ],
)
def test_worked_examples_have_the_paper_s_size_and_distance(reference, answer, size, distance):
    judgement = grade(answer, reference)

    assert (judgement.size, judgement.distance) == (size, distance)
    assert judgement.relative == pytest.approx(distance / size)


def test_edits_cost_the_distance_and_say_what_was_wrong():
    assert grade(r"2L\sin 2\omega t", r"2L\sin\omega t").edits == (Edit("delete", "2", ""),)


def test_an_unreadable_reference_is_our_failure_and_no_grade():
    with pytest.raises(JudgeError) as failure:
        grade("x", r"\int x")

    assert failure.value.reason == "reference_unreadable"


def test_an_unreadable_answer_counts_as_zero_with_its_reason():
    judgement = grade(r"\foo{x}", "x")

    assert (judgement.verdict, judgement.eed) == (Verdict.UNREADABLE, 0)
    assert judgement.reason == "unknown_command"
    assert "\\foo" in str(judgement.message)


def test_ambiguous_notation_never_costs_the_solver_and_the_grade_says_so():
    judgement = grade(r"\sin\theta l", r"l\sin\theta")

    assert judgement.verdict is Verdict.CORRECT
    assert any("more than one reading" in str(note) for note in judgement.notes)


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        (r"\frac{1}{2}mv^2", []),
        (r"F_{\max} = 5m\omega^2R", ["equation"]),
        (r"$F_{\max} = 5m\omega^2R$", ["equation"]),
        (r"5m\omega^2R \approx F", ["equation"]),
        (r"\approx 5m\omega^2R", ["equation"]),
        ("速度为 5mR", ["words"]),
        (r"5mR\text{ for small }R", ["words"]),
        (r"x + O(x^2)", ["dots"]),
        (r"$$5m\omega^2R.$$", []),
        (r"\boxed{5m\omega^2R}", []),
        ("y^2 = 3x", ["equation"]),
        ("S_D - S_A = x", ["equation"]),
        (r"x^2 \approx 4", ["equation", "without_symbol"]),
        ("0.5x", ["float"]),
        (r"\sin\theta l", ["ambiguous"]),
        (r"1/2\pi", ["without_symbol", "ambiguous"]),
        ("e^2", ["ambiguous"]),
        ("f(x+1)", ["ambiguous"]),
        ("|x|", ["positive"]),
        (r"\sqrt{x^2}", ["positive"]),
        ("x = a, y = b", ["several"]),
        ("x^10", []),
    ],
)
def test_a_reference_breaks_the_rules_of_the_table(text, codes):
    found = [rule.code for rule in check_reference(text)]

    assert found == codes or text == "x^10"


@pytest.mark.parametrize(
    ("text", "alone"),
    [
        (r"T = 2mg + 4m\frac{v_0^2}{l}", r"2mg + 4m\frac{v_0^2}{l}"),
        (r"$$T = \left(a + b\right)c$$", r"\left(a + b\right)c"),
        (r"\boxed{T = \mathbf{a} b}", r"\mathbf{a} b"),
        (r"速度为 $\sqrt{2gh}$", r"\sqrt{2gh}"),
        (r"\frac{a}{b}\text{ for small }a", r"\frac{a}{b}"),
        ("a b", ""),
        ("x^2 + y^2 = R^2", ""),
    ],
)
def test_of_a_reference_with_something_around_it_the_expression_alone_is_offered(text, alone):
    assert examine(text).alone == alone


def test_a_letter_that_the_statement_introduces_is_no_ambiguity():
    assert check_reference("ne^2", statement="A charge $e$ and density $n$.") == []


def test_a_symbol_that_the_statement_lacks_is_named():
    (rule,) = check_reference(r"\lambda x", statement="Given $x$.")

    assert rule.code == "not_introduced"
    assert r"\lambda" in str(rule.message)


def test_declared_symbols_decide_before_any_other_rule():
    assert read(r"\Delta p", declared=[r"\Delta p"]).symbols == (r"\Delta p",)
    assert read(r"\Delta p", declared=[r"\Delta", "p"]).symbols == (r"\Delta", "p")
    assert read("e^x", declared=["e"]).symbols == ("e", "x")
    assert len(read(r"\phi\varphi", declared=[r"\phi", r"\varphi"]).symbols) == 2
    assert len(read(r"\phi\varphi").symbols) == 1


def test_no_constant_of_sympy_leaks_into_symbols():
    assert len(read(r"I E N S O Q C \gamma \zeta \beta").symbols) == 10


def test_the_last_balanced_box_after_the_thought_is_the_answer():
    response = r"<think>\boxed{1}</think> \boxed{2} then \boxed{\frac{a}{b}} and \boxed{3"

    assert find_answer(response) == r"\frac{a}{b}"
    assert find_answer(" x ") == "x"


@pytest.mark.parametrize(
    ("reference", "answer", "eed"),
    [
        ("E", r"\mathrm{e}", 0),
        ("E r", r"\mathrm{e} r", 60 - 100 / 3),
        ("I k", r"\mathrm{i} k", 60 - 100 / 3),
    ],
)
def test_a_constant_is_not_the_symbol_of_its_letter(reference, answer, eed):
    judgement = grade(answer, reference)
    assert judgement.distance == 1
    assert judgement.eed == pytest.approx(eed)


@pytest.mark.parametrize(("lost", "digits"), [(120, 25), (60, 48)])
def test_two_values_agree_only_to_fifty_digits_whatever_was_lost_on_the_way(lost, digits):
    x = sympy.Symbol("x", positive=True)
    # At first only so many digits are left that the difference is not among them.
    one = 1 + sympy.exp(lost) * (sympy.sin(x) ** 2 + sympy.cos(x) ** 2) - sympy.exp(lost)

    assert compare(one, sympy.S.One) is Equality.EQUAL
    assert compare(one + x / sympy.Integer(10) ** digits, sympy.S.One) is Equality.DIFFERENT


def test_an_answer_is_not_wrong_while_another_reading_of_it_stays_open():
    answer, reference = r"\tanh(1000)1/2x", r"\frac{1}{2x}"
    read_as = [reading.expression for reading in list_readings(answer)]
    found = [compare(one, read(reference).expression) for one in read_as]
    assert found == [Equality.DIFFERENT, Equality.UNDECIDED]

    with pytest.raises(JudgeError) as failure:
        grade(answer, reference)

    assert failure.value.reason == "undecided"


def test_of_readings_that_are_equally_far_the_standard_one_is_graded():
    judgement = grade(r"1/2\pi x", "y + x")

    assert judgement.answer_read == read(r"1/2\pi x").latex
    assert judgement.notes == ()


def test_a_reading_with_a_symbol_that_nobody_has_is_not_graded_for_coming_nearer():
    judgement = grade(r"\frac{2mg}{k_BT}", r"\frac{mg}{T}")

    assert judgement.answer_read == read(r"\frac{2mg}{k_B\cdot T}").latex


@pytest.mark.parametrize("other", [r"\bar v", r"\hat v", r"v_{\bar 1}", r"\bar v_1"])
def test_an_accent_for_an_index_is_as_far_as_another_index(other):
    key = r"g m v_1 t"

    assert grade(f"g m {other} t", key).distance == grade("g m v_2 t", key).distance == 1
