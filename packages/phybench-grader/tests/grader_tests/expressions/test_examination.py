"""Slips that the rules for references find, and what is said of them."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from phybench_grader import read
from phybench_grader.authoring.examination import check_reference, examine
from phybench_grader.reading.question import Question
from phybench_grader.reading.rules import check_statement, list_formulas, list_symbols


def list_codes(rules):
    return [rule.code for rule in rules]


@pytest.mark.parametrize(
    ("answer", "statement", "meant"),
    [
        ("h u_0", r"The frequency $\nu_0$ and $h$", r"\nu_0"),
        ("m v", r"A mass $m$ at frequency $\nu$", r"\nu"),
        ("M g", "A mass $m$ under $g$", "m"),
        (r"2 \eta", r"an angle $\beta$", r"\beta"),
        ("I^2", "a length $l$", "l"),
        ("w t", r"turning at $\omega$ for $t$", r"\omega"),
    ],
)
def test_a_symbol_that_looks_like_an_introduced_one_names_it(answer, statement, meant):
    broken = check_reference(answer, statement=statement)

    assert list_codes(broken) == ["not_introduced"]
    assert f"does introduce ${meant}$" in str(broken[0].message)


@pytest.mark.parametrize(
    ("answer", "statement", "count"),
    [
        (r"\nu v", r"$v$ and $\nu$", 1),
        (r"\nu", r"$v$ and $\nu$", 1),
        ("l + 1", "$l$", 1),
        ("l + 10", "$l$", 0),
        (r"\epsilon E", r"$\varepsilon$, $\epsilon$ and $E$", 1),
        (r"\varphi", r"$\phi$ and $\varphi$", 1),
        (r"\nu m", r"$\nu$ and $m$", 0),
        ("vl", r"$l$ after 1 second at $v$", 0),
    ],
)
def test_pairs_that_readers_mix_up_are_flagged_but_break_no_rule(answer, statement, count):
    examined = examine(answer, statement=statement)

    assert examined.broken == ()
    assert list_codes(examined.doubts) == ["lookalike"] * count


@pytest.mark.parametrize(
    "eaten", ["\theta", "\tau r", "\frac{1}{2}", "\beta", "\nu_0", "\rho g", "\varepsilon", "\x00x"]
)
def test_what_is_left_of_an_eaten_escape_is_said_before_all_else(eaten):
    assert list_codes(check_reference(eaten, statement="$x$")) == ["control_character"]
    assert list_codes(check_statement(f"Here is ${eaten}$.")) == ["control_character"]


@pytest.mark.parametrize("text", ["a\n+ b", "$a$\n\nnu is a word", "x\ty", "$u$\nu"])
def test_line_ends_and_tabs_that_ate_nothing_are_no_slips(text):
    assert check_statement(text) == []


def test_of_an_ambiguous_answer_the_other_readings_are_kept():
    examined = examine(r"R/2\pi", statement="")

    assert list_codes(examined.broken) == ["ambiguous"]
    assert [other.latex for other in examined.others] == [r"\frac{\pi R}{2}"]


@pytest.mark.parametrize(
    ("answer", "plain", "advice"),
    [
        (r"1/2\pi x", [r"\left(1/2\right)\pi \,x", r"1/\left(2\pi \,x\right)"], "add brackets"),
        (r"\sin\theta l", [True, True], "add brackets"),
        # Brackets can't say everything.
        (r"2\psi(2)", ["", r"2\psi \cdot \left(2\right)"], "if it is a value, declare it"),
        ("x J_1(x)", ["", True], "if it is a function, name it in the statement"),
        (r"E_F^{0} + x", ["", ""], "if it is a name, declare it"),
        (r"\operatorname{sinc}(x)", ["", ""], r"write it with \sin"),
        ("R i", ["", True], r"write \mathrm{i}"),
    ],
)
def test_an_ambiguous_answer_comes_with_spellings_that_are_plain(answer, plain, advice):
    examined = examine(answer)

    given = [spelling for _, spelling in examined.readings]
    assert [bool(one) for one in given[:2]] == [bool(one) for one in plain]
    assert all(one in (True, spelling) for one, spelling in zip(plain, given, strict=False))
    [ambiguous] = [rule for rule in examined.broken if rule.code == "ambiguous"]
    assert advice in str(ambiguous.message)


def test_what_is_declared_settles_whether_a_bracket_holds_an_argument():
    assert examine(r"2\psi(2)", declared=[r"\psi(2)"]).others == ()


def test_readings_with_the_same_value_are_not_others():
    assert examine(r"\sin x^{2 - 1}").others == ()


def test_a_declared_symbol_counts_as_introduced_only_where_that_is_enough():
    declared = ["v_0"]

    assert examine("m v_0", statement="$m$", declared=declared).broken == ()
    strict = examine("m v_0", statement="$m$", declared=declared, is_declaring_enough=False)
    assert list_codes(strict.broken) == ["not_introduced"]


def test_a_declared_symbol_of_several_signs_is_found_in_the_statement():
    assert list_symbols(r"The pressure falls by $\Delta p$.", declared=[r"\Delta p"]) == {"Delta p"}
    assert list_symbols(r"The pressure falls by $\Delta p$.") == {"Delta p"}
    assert list_symbols(r"Where $\Delta > 0$ and $\Delta + \Delta p$.") == {"Delta", "p"}


@pytest.mark.parametrize(
    ("answer", "code"),
    [
        ("x - x", "zero"),
        ("0", "zero"),
        (r"\sin^2 x + \cos^2 x - 1", "zero"),
        (r"\ln(e^x) - x", "zero"),
        (r"\frac{1}{\sin^2 x + \cos^2 x - 1}", "undefined"),
        (r"\ln(x - x)", "undefined"),
        (r"\tan\frac{\pi}{2}", "undefined"),
    ],
)
def test_an_answer_that_has_no_value_to_compare_is_refused(answer, code):
    assert list_codes(check_reference(answer)) == [code]


@pytest.mark.parametrize("answer", [r"\sqrt{-x}", r"\ln x", "x - y", "10^{-40} x", r"\arcsin(x)"])
def test_an_answer_with_a_value_somewhere_is_none_such(answer):
    assert check_reference(answer) == []


@pytest.mark.parametrize(
    ("formula", "names"),
    [
        (r"\mathrm{e}^{-r/a}", {"r", "a"}),
        (r"e^{-r/a}", {"r", "a"}),
        (r"e^{i\omega t}", {"omega", "t"}),
        (r"\mathrm{e}^{\mathrm{i}\omega t}", {"omega", "t"}),
        (r"\int f\,\mathrm{d}x", {"f", "x"}),
        (r"10\,\mathrm{m/s}", set()),
        (r"F_{\mathrm{eq}}", {"F_{eq}"}),
        ("e^2 + e", {"e"}),
        ("n e v", {"n", "e", "v"}),
        ("e^", {"e"}),
        ("e^{", set()),
    ],
)
def test_what_an_exponential_is_written_with_introduces_no_symbol(formula, names):
    assert list_symbols(f"Given is ${formula}$.", counts_upright=False) == names


def test_of_a_charge_and_an_exponential_in_one_problem_neither_is_declared():
    examined = examine(
        r"n e v \exp(-k t)", statement="A charge $e$, $n$, $v$, $k$, $t$: $e^{-k t}$"
    )
    assert examined.broken == ()
    assert "e" not in examined.introduced


def test_an_exponential_beside_a_charge_is_to_be_written_as_one():
    statement = "A charge $e$ at $t$, with $k$ and $n$"
    assert list_codes(check_reference("n e^{-k t}", statement=statement)) == ["ambiguous"]
    assert list_codes(check_reference(r"n e \mathrm{e}^{-k t}", statement=statement)) == []
    assert list_codes(check_reference("n e^2 t", statement=statement)) == []


@pytest.mark.parametrize(
    ("answer", "formula"),
    [("R_1", "{R}_{1}"), ("R_2", "{{R}}_{2}"), ("E_0", r"\vec{E}_{0}"), (r"\mu_0", r"{\mu}_0")],
)
def test_a_symbol_is_introduced_whatever_braces_or_arrow_it_wears(answer, formula):
    assert check_reference(answer, statement=f"Given ${formula}$.") == []


AS_A_PATTERN = re.compile(r"\$\$(.+?)\$\$|\$(.+?)\$|\\\[(.+?)\\\]|\\\((.+?)\\\)", re.DOTALL)


@given(st.text(alphabet="$\\[]()a\n", max_size=40))
def test_formulas_are_found_as_one_pattern_finds_them(text):
    """The pattern says what a formula is; where many open and none closes, it takes seconds."""
    found = [next(part for part in one.groups() if part) for one in AS_A_PATTERN.finditer(text)]
    assert list_formulas(text) == found


@pytest.mark.parametrize(
    ("answer", "asked", "codes"),
    [
        (r"v = \sqrt{2gh}", "", ["equation"]),
        (r"v = \sqrt{2gh}", "v", ["equation"]),
        (r"v = \sqrt{2gh} \text{ for } h > 0", "", ["equation"]),
        (r"\frac{T_2}{T_1} = x", "T_2/T_1", ["equation"]),
        (r"\frac{T_2}{T_1} = x", "", ["equation"]),
        ("v^2 = 2gh", "", ["equation"]),
        ("v^2 = 2gh", "v", ["other_quantity"]),
        ("-v = x", "v", ["other_quantity"]),
        (r"v \neq x", "", ["no_equality"]),
        ("v > x", "", ["no_equality"]),
        (r"v \propto x", "", ["no_equality"]),
        (r"\text{not } v = x", "", ["negated"]),
        (r"v = a \text{ or } v = b", "", ["several"]),
        (r"v = a \\ w = b", "", ["several"]),
        (r"v = x \text{ m/s}", "", ["units"]),
        (r"x = \frac{\beta}{2}, \beta = mg", "", ["equation", "ambiguous"]),
        (r"y = \sin x \approx x", "", ["equation", "ambiguous"]),
        (r"(a)\, F", "", ["words", "ambiguous"]),
        (r"\text{(a) } F", "", ["words"]),
    ],
)
def test_a_key_says_one_value_of_what_is_asked(answer, asked, codes):
    assert list_codes(check_reference(answer, declared=Question(asked=asked))) == codes


def test_conditions_and_definitions_are_kept_with_the_reading():
    reading = read(r"x = \frac{\beta}{2} \text{ for } t > 0 \text{, where } \beta = mg")

    assert reading.conditions == (r"\text{ for } t > 0", r"\text{, where } \beta = mg")
    assert reading.definitions == ("beta",)


@pytest.mark.parametrize("number", ["42", r"\pi", r"\sqrt{2}", r"30^\circ", r"1/3 + \arctan 2"])
def test_a_reference_answer_has_a_symbol(number):
    assert list_codes(check_reference(number)) == ["without_symbol"]


ROUNDED = {
    r"\frac{157}{100} R": [r"\frac{157}{100}"],
    r"\dfrac{ 981 }{ 1000 } m": [r"\dfrac{ 981 }{ 1000 }"],
    "157/50 R + 314/100 R": ["157/50", "314/100"],
    r"\frac{3}{10} m R^2 + \frac{1}{128} m + \frac{22}{7} m": [],
    r"\frac{9}{25} m + \frac{1000}{3} m": [],
}


@pytest.mark.parametrize(("answer", "asked"), ROUNDED.items())
def test_a_fraction_that_may_be_a_rounded_decimal_is_asked_about(answer, asked):
    rounded = [rule for rule in check_reference(answer) if rule.code == "rounded"]
    assert [answer[rule.start : rule.end] for rule in rounded] == asked
