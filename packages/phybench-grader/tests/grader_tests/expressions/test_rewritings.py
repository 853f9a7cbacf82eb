"""
Answers as SymPy's printers write them, in orders and forms that nobody here chose: none may flip.

A rewriting of a key is right, and a rewriting of a changed key is wrong, whatever its form and
whatever letters it is in.
"""

import random

import pytest
import sympy

from grader_tests.expressions.references import OWN, PUBLISHED
from phybench_grader import JudgeError, Verdict, grade, read
from phybench_grader.numbers.symbols import latex_names
from phybench_grader.statement.response import find_answer
from phybench_grader.verdict import grade as grading

SEED = 20261127
KEYS = sorted({*PUBLISHED.values(), *OWN.values()})
LETTERS = [
    *"abcdfghklmnpqrstuvwxyzABCDFGHKLMNPQRSTUVWXYZ",
    *(f"{letter}_{index}" for letter in "mvxRT" for index in ("0", "1", "2", "{max}")),
    *(f"\\{name}" for name in ("alpha", "beta", "gamma", "theta", "lambda", "mu", "rho", "omega")),
]
"""Without δ, which with the letter behind it is one symbol."""
FORMS = (
    lambda one: one,
    sympy.expand,
    sympy.together,
    sympy.factor_terms,
    lambda one: sympy.powsimp(one, force=True),
    lambda one: sympy.expand_log(one, force=True),
    lambda one: sympy.collect(one, sorted(one.free_symbols, key=str)[:1]),
)


def write(
    expression: sympy.Expr,
    names: dict[sympy.Symbol, str],
    chance: random.Random,
    *,
    has_slashes: bool,
) -> str:
    return sympy.latex(
        expression,
        symbol_names=names,
        order=chance.choice(["lex", "grlex", "grevlex", "rev-lex", "rev-grlex", "none"]),
        mul_symbol=chance.choice([None, "dot", "times"]),
        fold_short_frac=has_slashes,
        fold_frac_powers=chance.random() < 0.3,
        root_notation=chance.random() < 0.7,
        inv_trig_style=chance.choice(["abbreviated", "full", "power"]),
        ln_notation=chance.random() < 0.5,
        mode=chance.choice(["plain", "inline", "equation*"]),
    )


def rename(
    names: dict[sympy.Symbol, str], chance: random.Random
) -> tuple[dict[sympy.Symbol, sympy.Symbol], dict[sympy.Symbol, str]]:
    """Choose other letters, and return the symbols' partners with their names in LaTeX."""
    partners = {}
    for symbol, letter in zip(names, chance.sample(LETTERS, len(names)), strict=True):
        partners[symbol] = read(letter).expression
    return partners, latex_names(sympy.Add(*partners.values()))


def change(expression: sympy.Expr, chance: random.Random) -> sympy.Expr:
    """Make another expression of one: by a sign, a number or a power."""
    symbol = chance.choice(sorted(expression.free_symbols, key=str))
    return chance.choice(
        [
            -expression,
            2 * expression,
            expression + symbol,
            expression.xreplace({symbol: 2 * symbol}),
            expression * symbol,
        ]
    )


@pytest.mark.parametrize("rounds", [2, pytest.param(18, marks=pytest.mark.slow)])
def test_what_sympy_writes_in_any_form_and_letters_is_right_if_it_is_the_key(rounds, monkeypatch):
    # How near a wrong answer is takes long, and is not the question.
    wrong = grading.GradedAnswer(Verdict.INCORRECT, 0.0, 0.0)
    monkeypatch.setattr(grading, "_judge_unequal", lambda *_: wrong)
    chance = random.Random(SEED)
    flips = []
    for key in KEYS:
        expression = read(find_answer(key)).expression
        names = latex_names(expression)
        if not names or expression.has(sympy.I):
            continue
        for _ in range(rounds):
            partners, others = rename(names, chance)
            is_right = chance.random() < 0.6
            meant = expression if is_right else change(expression, chance)
            form = chance.choice(FORMS)(meant)
            if sympy.count_ops(form) > 150:
                continue
            renamed = chance.random() < 0.5
            told = key
            if renamed:
                # How far its slash reaches is what a key would have to say.
                told = write(expression.xreplace(partners), others, chance, has_slashes=False)
            answer = form.xreplace(partners) if renamed else form
            symbols = others if renamed else names
            text = write(answer, symbols, chance, has_slashes=chance.random() < 0.3)
            try:
                verdict = grade(text, told).verdict.value
            except JudgeError as error:
                verdict = f"not graded: {error}"
            if (verdict == "CORRECT") is not (is_right or form == expression):
                flips.append((told, text, verdict))
    assert flips == []
