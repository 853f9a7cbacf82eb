"""What an author declares of a symbol, row by row."""

import pickle

import pytest
import sympy

from phybench_grader import Declaration
from phybench_grader.numbers.domains import Domain
from phybench_grader.numbers.sentences import Sentence
from phybench_grader.verdict.declarations import SIGNS, Undeclarable, declare, is_symbol


@pytest.mark.parametrize(
    ("declaration", "domain"),
    [
        (Declaration("m"), Domain()),
        (Declaration("q", "any"), Domain(None, None)),
        (Declaration("x", "negative"), Domain(None, sympy.S.Zero)),
        (Declaration("n", "positive_whole"), Domain(sympy.S.One, None, True)),
        (Declaration("n", "whole", "-2", "2"), Domain(sympy.Integer(-2), sympy.Integer(2), True)),
        (Declaration(r"\theta", high=r"\pi/2"), Domain(sympy.S.Zero, sympy.pi / 2)),
        (Declaration("x", "any", low="-1"), Domain(sympy.Integer(-1), None)),
    ],
)
def test_a_row_gives_the_numbers_that_its_sign_and_range_allow(declaration, domain):
    assert declaration.read() == domain


@pytest.mark.parametrize(
    ("declaration", "field"),
    [
        (Declaration(""), "latex"),
        (Declaration("a b"), "latex"),
        (Declaration(r"\frac{a}{b}"), "latex"),
        (Declaration("x" * 50), "latex"),
        (Declaration("x", "odd"), "sign"),
        (Declaration("x", low="-1"), "range"),
        (Declaration("x", "negative", high="1"), "range"),
        (Declaration("x", low="2", high="1"), "range"),
        (Declaration("x", low="9^{9^{9^9}}"), "range"),
        (Declaration("x", low=r"\frac{"), "range"),
        (Declaration("x", high="y"), "range"),
        (Declaration("n", "whole", high=r"\pi"), "range"),
    ],
)
def test_a_row_that_declares_nothing_says_which_field_is_wrong(declaration, field):
    with pytest.raises(Undeclarable) as refused:
        declaration.read()

    assert refused.value.field == field
    assert str(refused.value)


@pytest.mark.parametrize("sign", SIGNS)
def test_each_sign_can_be_read(sign):
    assert declare([Declaration("x", sign)]).domains[0][0] == "x"


def test_of_a_symbol_declared_twice_the_first_row_counts():
    twice = declare([Declaration("x", "any"), Declaration(" x ")])

    assert dict(twice.domains) == {"x": Domain(None, None)}


@pytest.mark.parametrize(
    "latex", ["m", "v_0", r"\vec v", r"F_{\max}", "t'", r"\Delta p", r"\delta x_1", "dx", r"\hbar"]
)
def test_symbols_are_told_from_expressions(latex):
    assert is_symbol(latex)
    assert not is_symbol(latex + "+1")


@pytest.mark.parametrize(
    ("row", "field", "says"),
    [
        (Declaration("a b"), "latex", Sentence.of("no_symbol", symbol="a b")),
        (Declaration("a", "odd"), "sign", Sentence("no_sign")),
        (
            Declaration("a", low=r"\foo"),
            "range",
            Sentence.of("bound_unreadable", message=Sentence.of("unknown_command", what=r"\foo")),
        ),
        (
            Declaration("a", high="x"),
            "range",
            Sentence.of("no_range", error=Sentence.of("bound_not_real", bound="x")),
        ),
        (
            Declaration("a", "whole", low="1/2"),
            "range",
            Sentence.of("no_range", error=Sentence.of("bound_not_whole", bound="1/2")),
        ),
        (
            Declaration("a", low="2", high="1"),
            "range",
            Sentence.of("no_range", error=Sentence.of("range_empty", low="2", high="1")),
        ),
        (Declaration("a", "positive", low="-1"), "range", Sentence("range_contradicts_sign")),
        (Declaration("a", "negative", high="1"), "range", Sentence("range_contradicts_sign")),
    ],
)
def test_a_row_that_declares_nothing_says_why_and_where(row, field, says):
    with pytest.raises(Undeclarable) as refused:
        row.read()

    # It comes out of a child process.
    error = pickle.loads(pickle.dumps(refused.value))
    assert (error.field, error.message, str(error)) == (field, says, str(says))
