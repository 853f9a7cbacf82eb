"""Signs of nodes in plain characters, as a physicist writes them."""

import pytest
import sympy

from grading.answers.trees.signs import shorten, write_sign
from phybench_grader import read
from phybench_grader.equality.tree import build_tree


@pytest.mark.parametrize(
    ("latex", "written"),
    [
        (r"\times", "×"),
        (r"\theta", "θ"),
        (r"\lambda_{n}", "λₙ"),
        (r"\Omega", "Ω"),
        (r"\varepsilon_{0}", "ε₀"),
        (r"\hbar", "ħ"),
        (r"\pi", "π"),
        (r"\mathrm{e}", "e"),
        (r"\bar{x}", "x̄"),
        (r"\hat{H}", "Ĥ"),
        (r"\dot{\theta}", "θ̇"),
        (r"F_{\max}", "F_max"),
        (r"v_{12}", "v₁₂"),
        (r"E^{(1)}", "E^(1)"),
        (r"T_{\odot}", "T_⊙"),
        (r"B_{\perp}", "B_⊥"),
        ("-3", "−3"),
        (r"\frac{3}{8}", "3/8"),
        (r"\operatorname{besselj}", "besselj"),
        (r"\Delta U", "ΔU"),
        (r"t''", "t′′"),
        ("}", "}"),
        ("{", ""),
        ("", ""),
    ],
)
def test_a_sign_is_written_in_plain_characters(latex, written):
    assert write_sign(latex) == written


def test_every_node_of_an_expression_has_a_sign_and_none_has_commands_left():
    expression = read(
        r"\frac{\hbar^2 k_B T_{\mathrm{eff}}}{2m\pi}\sin\left(\theta_0+\vec{k}'\right)"
        r"\sqrt{\varepsilon_0 x^{3/2}} + \mathrm{i}\exp(-\mathcal{E}_1/3) + \arctan\Gamma_{ab}"
    ).expression
    signs = [write_sign(node.write_sign()) for node in build_tree(expression).walk()]

    assert {"+", "×", "^", "ħ", "k_B", "T_eff", "θ₀", "sin", "exp", "atan", "π"} <= set(signs)
    assert all(sign and not set(sign) & set("\\{}") for sign in signs)


def test_a_long_number_is_cut_off():
    assert shorten(write_sign(str(sympy.Integer(10) ** 40))) == "100000000…"
