"""The second reader: it disagrees about structure, never about names, and never fails."""

import os
import subprocess
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grader_tests.expressions.references import PUBLISHED, needs_published, one_of_them
from phybench_grader.authoring.second_reader import Accord, SecondReading, read_twice
from phybench_grader.reading.reading import Unreadable


@needs_published
@one_of_them
def test_it_agrees_about_a_published_reference(number):
    assert read_twice(PUBLISHED[number]).agreement is Accord.AGREES


@pytest.mark.parametrize(
    "text",
    [
        r"\frac{M}{m}\omega\Omega",
        r"\gamma\mu(\beta+1)",
        r"\gamma(\mu)",
        "e^2+ne",
        r"q e+\mathrm{e}^{-\frac{t}{\tau}}+e^{-kt}",
        r"\mathrm{e}^{\mathrm{i}\varphi}",
        r"\sin^2 i",
        r"I E N S O Q C",
        r"t'^2+t",
        r"F_{\max}+R_{\rm eq}+T_\mathrm{eff}",
        r"\vec v_0+\dot{x}",
        r"\frac12mv^2+\sqrt3",
        r"2\frac{1}{2}x",
        r"\log x+\lg y+\log_{2}z",
        r"\mathrm{sin}(x)\mathrm{arctan}\left(y\right)",
        r"\tan^{2}{\left(2\phi\right)}",
        r"\boxed{T = 2\pi\sqrt{\frac{m}{k}}}.",
        r"\left|a-b\right|",
        "0.5x",
        "mgh",
        "U/kT",
        r"\Delta U/T",
        r"R+i\omega L",
        r"R+j\omega L",
        r"A\mathbf e_r+B\hat\theta",
        r"\psi(0)-\psi(a)",
    ],
)
def test_its_habits_with_names_are_no_disagreement(text):
    assert read_twice(text).agreement is Accord.AGREES


@pytest.mark.parametrize(
    ("text", "ours", "theirs"),
    [
        (
            r"\cos\theta[a+b]",
            r"\cos\left(\theta \right)\,\left[a+b\right]",
            r"\cos{\left(\theta \left(a + b\right) \right)}",
        ),
        ("x/2(a+b)", r"\left(x/2\right)\left(a+b\right)", r"\frac{x}{2 a + 2 b}"),
    ],
)
def test_a_disagreement_comes_with_both_readings(text, ours, theirs):
    assert read_twice(text) == SecondReading(Accord.DISAGREES, ours, theirs)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("2*pi*sqrt(m/k)", "notation"),
        (r"\coth x", "notation"),
        (r"\Gamma(1/4)", "notation"),
        (r"P_2(\cos\theta)", "notation"),
        (r"\max(a,b)", "notation"),
        (r"\sin 30^\circ", "notation"),
        (r"a+b \over c", "notation"),
        ("v^2_0", "notation"),
        (r"\frac\frac123", "notation"),
        ("(n+1)!^2", "refused"),
    ],
)
def test_what_it_cannot_read_is_told_with_the_reason(text, reason):
    found = read_twice(text)

    assert (found.agreement, found.reason) == (Accord.UNREAD, reason)
    assert found.ours


def test_declared_symbols_are_symbols_to_both():
    assert read_twice(r"\Delta p(x+1)", declared=[r"\Delta p"]).agreement is Accord.AGREES
    assert read_twice("e^x", declared=["e"]).agreement is Accord.AGREES


def test_what_our_reader_refuses_is_refused():
    with pytest.raises(Unreadable):
        read_twice(r"\int x")


SIGNS = r"\frac \sqrt ( ) { } [ ] | ^ _ + - / ! ' 12 0.5 x e i \pi \sin \log \mathrm{e} \over"


@settings(
    max_examples=100,
    derandomize=True,
)
@given(st.lists(st.sampled_from(SIGNS.split(" ")), max_size=12).map(" ".join))
def test_it_raises_nothing_but_unreadable(text):
    try:
        found = read_twice(text)
    except Unreadable:
        return

    assert found.agreement in Accord


def test_grading_imports_neither_it_nor_django():
    script = (
        "import sys; from phybench_grader import grade;"
        "from phybench_grader.authoring.certificate import list_cases;"
        "from phybench_grader.authoring.examination import check_reference;"
        "grade('x', 'y'); list_cases('m g'); check_reference('x');"
        "assert not any(name.startswith(('latex2sympy', 'antlr4')) for name in sys.modules);"
        "assert not {'django', 'numpy', 'celery'} & {*sys.modules}"
    )
    subprocess.run(
        [sys.executable, "-c", script],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        check=True,
    )
