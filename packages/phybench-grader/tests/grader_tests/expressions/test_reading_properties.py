"""What holds for every expression and every text."""

import io
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import redirect_stdout

import pytest
import sympy
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from phybench_grader import read
from phybench_grader.equality.equality import Equality, compare
from phybench_grader.numbers.symbols import make_symbol
from phybench_grader.reading.reading import Unreadable, write_latex

SYMBOLS = [
    make_symbol(name) for name in ("x", "m", "v_0", "omega", "varepsilon_0", "F_{max}", "t'")
]
leaves = st.one_of(
    st.sampled_from(SYMBOLS),
    st.integers(1, 12).map(sympy.Integer),
    st.builds(sympy.Rational, st.integers(1, 9), st.integers(1, 9)),
    st.just(sympy.pi),
)


def _extend(inner):
    return st.one_of(
        st.builds(sympy.Add, inner, inner),
        st.builds(sympy.Mul, inner, inner),
        st.builds(lambda a, b: a - b, inner, inner),
        st.builds(lambda a, b: a / b if b != 0 else a, inner, inner),
        st.builds(lambda a, n: a**n if a != 0 else a, inner, st.sampled_from([2, 3, -1])),
        st.builds(
            lambda f, a: f(a),
            st.sampled_from([sympy.sin, sympy.cos, sympy.exp, sympy.atan, sympy.sinh]),
            inner,
        ),
        st.builds(lambda a: sympy.sqrt(a**2 + 1), inner),
        st.builds(lambda a: sympy.log(a**2 + 2), inner),
    )


expressions = st.recursive(leaves, _extend, max_leaves=6)
quick = settings(max_examples=60, derandomize=True)
SIGNS = st.sampled_from(
    (
        r"\frac \sqrt \left( \right) { } ( ) [ ] | ^ _ + - * / = , . ! ' 1 23 0.5 x e i "
        + r"\pi \sin \ln \exp \text{ \boxed{ sin pi theta \alpha \vec \log 9 \cdot \over $ d f"
    ).split(" ")
)


@quick
@given(expressions)
def test_what_sympy_prints_is_read_as_what_it_was(expression):
    assume(not expression.has(sympy.zoo, sympy.nan, sympy.oo))
    try:
        reading = read(write_latex(expression))
    except Unreadable as refusal:
        if refusal.reason != "too_large":
            raise
        return
    # A value beyond reach leaves it open, but it must never be found different.
    assert compare(reading.expression, expression) is not Equality.DIFFERENT


@quick
@given(expressions, expressions)
def test_equality_does_not_depend_on_the_order(one, other):
    assume(not (one + other).has(sympy.zoo, sympy.nan, sympy.oo))
    assert compare(one, other) is compare(other, one)


texts = st.one_of(st.text(max_size=80), st.lists(SIGNS, max_size=40).map(" ".join))


@quick
@given(texts)
def test_the_reader_raises_nothing_but_unreadable(text):
    check_that_nothing_else_is_raised(text)


@pytest.mark.slow
@settings(quick, max_examples=2_000)
@given(texts)
def test_the_reader_raises_nothing_but_unreadable_of_many_texts(text):
    check_that_nothing_else_is_raised(text)


def check_that_nothing_else_is_raised(text):
    try:
        read(text)
    except Unreadable as refusal:
        found = refusal
    else:
        return

    assert found.message
    assert 0 <= found.start <= found.end <= len(text)


SAMPLE = r"""
from phybench_grader import grade
from phybench_grader.authoring.certificate import list_cases
from phybench_grader.authoring.second_reader import read_twice
from phybench_grader.numbers.domains import Domain
from phybench_grader.statement.answer import list_readings

REAL = Domain(None, None)

pairs = [
    (r"a\sin\theta b+\sqrt{x-y}+e^{-kt}", r"a b\cos\theta+\sqrt{x+y}"),
    (r"\arccosh(a/b)-\sqrt{a-b}", r"\ln(a/b+\sqrt{a^2/b^2-1})-\sqrt{a-b}"),
    (r"2mg + 2m\frac{v_0^2}{l}", r"2mg + 4m\frac{v_0^2}{l}"),
    (r"1/2\pi xyz+\sin\alpha\beta\gamma", r"\frac{xyz}{2\pi}"),
    (r"\foo", "x"),
]
for answer, reference in pairs:
    print(grade(answer, reference))
print(grade(r"\sqrt{x^2}+y", "x+y", declared={"x": REAL, "y": REAL}))
print(list_cases(r"\frac{a+b}{c}\sin\left(d\right)"))
print([one.latex for one in list_readings(r"\sin a b c/d e f")])
print(read_twice(r"\cos\theta[a+b]"))
"""


@pytest.mark.parametrize("seeds", [("0",), pytest.param(("0", "1", "42"), marks=pytest.mark.slow)])
def test_whatever_is_decided_is_the_same_in_every_process(seeds):
    """This process has a seed of its own, and much in its caches."""
    with redirect_stdout(io.StringIO()) as here:
        exec(SAMPLE, {})
    outputs = {
        subprocess.run(
            [sys.executable, "-c", SAMPLE],
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": os.pathsep.join(sys.path)},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in seeds
    }
    outputs.add(here.getvalue())

    assert len(outputs) == 1
    assert len(outputs.pop().splitlines()) == 9


def test_threads_that_compare_at_the_same_time_do_not_disturb_each_other():
    x, y = make_symbol("x"), make_symbol("y")
    one, other = sympy.sin(x + y), sympy.sin(x) * sympy.cos(y) + sympy.cos(x) * sympy.sin(y)

    with ThreadPoolExecutor(8) as threads:
        found = list(threads.map(lambda _: compare(one, other), range(40)))

    assert set(found) == {Equality.EQUAL}
