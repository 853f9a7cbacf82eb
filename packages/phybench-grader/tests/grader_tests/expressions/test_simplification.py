"""Our `simplify` is SymPy's: compared with a process in which SymPy is as it comes."""

import subprocess
import sys
from pathlib import Path

import pytest
import sympy

from grader_tests.expressions.pairs import load_formulas, make_pairs
from phybench_grader.eed.simplification import simplify
from phybench_grader.numbers.parts import list_parts

ROOT = Path(__file__).parents[2]
UNTOUCHED = """
import sys, sympy
from grader_tests.expressions.pairs import load_formulas, make_pairs
for source, formula in list(load_formulas().items())[::3][:{checked}]:
    for pair in list(make_pairs(source, formula))[:4]:
        print(sympy.srepr(sympy.simplify(pair.answer)))
assert not any(name.startswith("phybench_grader") for name in sys.modules)
"""


@pytest.mark.parametrize("checked", [4, pytest.param(15, marks=pytest.mark.slow)])
def test_simplify_returns_what_untouched_sympy_returns(checked):
    expected = subprocess.run(
        [sys.executable, "-c", UNTOUCHED.format(checked=checked)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    ).stdout.splitlines()

    found = [
        sympy.srepr(simplify(pair.answer))
        for source, formula in list(load_formulas().items())[::3][:checked]
        for pair in list(make_pairs(source, formula))[:4]
    ]

    assert len(found) > 3 * checked
    assert found == expected


def test_one_is_no_dictionary_and_still_equals_what_it_did():
    one, x = sympy.Integer(1), sympy.Symbol("x")

    assert one != {x: one}
    assert {x: one} != one
    assert one == 1
    assert one == sympy.Rational(3, 3)
    assert one != x
    assert hash(one) == hash(1)


def test_each_part_is_listed_once_where_sympy_comes_to_it_first():
    for formula in load_formulas().values():
        expanded = sympy.expand(formula**2)

        assert list(list_parts(expanded)) == list(dict.fromkeys(sympy.preorder_traversal(expanded)))


def test_what_is_no_expression_is_left_to_sympy():
    x = sympy.Symbol("x")
    piecewise = sympy.Piecewise((x + 1, x > 2), (x, True))

    assert piecewise.atoms(sympy.Symbol) == {x}
    assert piecewise.replace(lambda part: part == 1, lambda part: part + 2).has(x + 3)
    assert sympy.signsimp(sympy.Eq(x, -(1 - x))) == sympy.signsimp(sympy.Eq(x, x - 1))
    assert sympy.expand(sympy.Eq(x, x * (x + 1))) == sympy.Eq(x, x**2 + x)
