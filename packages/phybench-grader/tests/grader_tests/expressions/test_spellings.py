"""What people and models write, and what it says: each line once for each habit."""

import pytest

from phybench_grader import read
from phybench_grader.equality.equality import Equality, compare
from phybench_grader.reading.reading import Unreadable

SAME = [
    (r"\operatorname{arsh}\left(x\right)", r"\sinh^{-1} x"),
    (r"\mathrm{arch}(x)", r"\operatorname{arcosh} x"),
    (r"\operatorname{arth} x", r"\arctanh x"),
    (r"\mathop{\rm arctan} x", r"\arctan x"),
    (r"\mathop{\mathrm{arctan}} x", r"\arctan x"),
    (r"\begin{equation*} a + b \end{equation*}", "a + b"),
    (r"\begin{aligned}[t] F &= m a \\ &= m g \end{aligned}", "m g"),
    (r"\begin{align} x &= a b \\[2pt] &= b^2 \\ \end{align}", "b^2"),
    (r"\varGamma t", r"\Gamma t"),
    (r"a \mspace{2mu} b", "a b"),
    (r"\left\{ a + b \right\} c", "(a + b) c"),
    (r"{a \over b}", r"\frac{a}{b}"),
    (r"\sin{45^\circ}", r"\frac{\sqrt 2}{2}"),
    (r"90^\circ - \theta", r"\frac{\pi}{2} - \theta"),
    (r"\frac{1}{2}mv^{2}_{0}", r"\frac{m v_0^2}{2}"),
    (r"\cos{\theta}_0", r"\cos(\theta_0)"),
    ("½ m v²", r"\frac12 m v^2"),
]


@pytest.mark.parametrize(("one", "other"), SAME)
def test_two_ways_to_write_it_are_one_expression(one, other):
    assert compare(read(one).expression, read(other).expression) is Equality.EQUAL


REFUSED = [
    (r"\begin{cases} a \\ b \end{cases}", "piecewise"),
    (r"\begin{pmatrix} a & b \end{pmatrix}", "matrix"),
    (r"\begin{aligned} a \\ b \end{aligned}", "several"),
    (r"\begin{tabular} a \end{tabular}", "environment"),
    (r"\begin{", "environment"),
    (r"\end{aligned", "environment"),
    (r"a \\ b", "several"),
]


@pytest.mark.parametrize(("text", "reason"), REFUSED)
def test_what_is_no_single_expression_is_refused_with_its_reason(text, reason):
    with pytest.raises(Unreadable) as refused:
        read(text)
    assert refused.value.reason == reason


def test_letters_that_spell_a_short_function_are_a_product_where_typed_plainly():
    assert {one.name for one in read("arch").expression.free_symbols} == set("arch")
