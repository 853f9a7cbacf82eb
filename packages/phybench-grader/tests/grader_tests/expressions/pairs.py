"""Pairs of a reference and an answer, made from formulas: one equal and five wrong each."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import sympy

WRONG_PER_FORMULA = 5
TRIES = 200

Rewriting = Callable[[sympy.Expr, random.Random], sympy.Expr]


@dataclass(frozen=True, slots=True)
class Pair:
    """Two expressions; `kind` says how the answer was made of the reference."""

    source: str
    kind: str
    reference: sympy.Expr
    answer: sympy.Expr

    @property
    def is_equal(self) -> bool:
        return self.kind == "equal"


def load_formulas() -> dict[str, sympy.Expr]:
    """Load our own formulas. They are SymPy's notation, so that no LaTeX reader is trusted."""
    lines = (Path(__file__).parent / "formulas.txt").read_text(encoding="utf-8").splitlines()
    return {line: _parse(line) for line in lines if not line.startswith("#")}


def _parse(line: str) -> sympy.Expr:
    functions = {"sin", "cos", "tan", "tanh", "asin", "atan", "sqrt", "exp", "log", "Rational"}
    names = set(re.findall(r"[A-Za-z]\w*", line)) - functions - {"pi"}
    # `lambda` is a word of Python's.
    symbols = {name: make_symbol(name.replace("lamda", "lambda")) for name in names}
    return sympy.sympify(line, locals=symbols)


def make_symbol(name: str) -> sympy.Symbol:
    return sympy.Symbol(name, positive=True)


def make_pairs(source: str, reference: sympy.Expr) -> Iterator[Pair]:
    """Make the pairs of one formula, the same ones every time."""
    source_of_chance = random.Random(source)
    yield Pair(source, "equal", reference, _rewrite(reference))
    met = {reference}
    kinds = list(MUTATIONS)
    for count in range(TRIES):
        kind = kinds[count % len(kinds)]
        answer = MUTATIONS[kind](reference, source_of_chance)
        if answer not in met and _differ(reference, answer):
            met.add(answer)
            yield Pair(source, kind, reference, answer)
        if len(met) > WRONG_PER_FORMULA:
            return


def _rewrite(expression: sympy.Expr) -> sympy.Expr:
    """Write an expression another way, if SymPy knows one that is not much longer."""
    for rewriting in (sympy.together, sympy.factor_terms, sympy.expand, _expand_roots):
        other = rewriting(expression)
        if other != expression and sympy.count_ops(other) <= 2 * sympy.count_ops(expression) + 9:
            return other
    return expression


def _expand_roots(expression: sympy.Expr) -> sympy.Expr:
    return sympy.powsimp(expression, force=True)


def find_value(expression: sympy.Expr, seed: str) -> complex:
    """Find the value where each symbol has a number that depends on its name and the seed."""
    point = {
        # Floats: SymPy would look for the factors of a power of rational numbers.
        symbol: sympy.Float(random.Random(f"{seed} {symbol.name}").uniform(0.6, 1.8), 30)
        for symbol in expression.free_symbols
    }
    return complex(expression.xreplace(point).evalf(30))


def agree(one: sympy.Expr, other: sympy.Expr) -> bool:
    """Tell whether two expressions have the same values, as far as three points can tell."""
    for seed in ("a", "b", "c"):
        left, right = find_value(one, seed), find_value(other, seed)
        if abs(left - right) > 1e-12 * max(abs(left), abs(right)):
            return False
    return True


def _differ(reference: sympy.Expr, answer: sympy.Expr) -> bool:
    if answer.has(sympy.nan, sympy.zoo, sympy.oo, -sympy.oo) or answer == 0:
        return False
    try:
        return not agree(reference, answer)
    except (TypeError, ZeroDivisionError, OverflowError):
        return False


def _replace_one(
    expression: sympy.Expr,
    chance: random.Random,
    fits: Callable[[sympy.Basic], bool],
    change: Callable[[sympy.Basic], sympy.Basic],
) -> sympy.Expr:
    """Change one part that fits, wherever it occurs; without one, the expression stays."""
    parts = [part for part in sympy.preorder_traversal(expression) if fits(part)]
    if not parts:
        return expression
    part = chance.choice(parts)
    return expression.xreplace({part: change(part)})


def _change_coefficient(expression: sympy.Expr, chance: random.Random) -> sympy.Expr:
    factor = chance.choice([sympy.Integer(2), sympy.Integer(3), sympy.Rational(1, 2), sympy.pi])

    def fits(part: sympy.Basic) -> bool:
        return isinstance(part, sympy.Mul) or part == expression

    return _replace_one(expression, chance, fits, lambda part: factor * part)


def _change_sign(expression: sympy.Expr, chance: random.Random) -> sympy.Expr:
    def change(total: sympy.Basic) -> sympy.Basic:
        terms = list(total.args)
        place = chance.randrange(len(terms))
        terms[place] = -terms[place]
        return sympy.Add(*terms)

    return _replace_one(expression, chance, lambda part: isinstance(part, sympy.Add), change)


def _change_exponent(expression: sympy.Expr, chance: random.Random) -> sympy.Expr:
    def fits(part: sympy.Basic) -> bool:
        return part.is_Symbol or (isinstance(part, sympy.Pow) and part.exp.is_Rational)

    def change(part: sympy.Basic) -> sympy.Basic:
        base, exponent = part.as_base_exp()
        return base ** (exponent + chance.choice([1, -1, 2]))

    return _replace_one(expression, chance, fits, change)


def _drop(expression: sympy.Expr, chance: random.Random) -> sympy.Expr:
    def change(part: sympy.Basic) -> sympy.Basic:
        rest = list(part.args)
        rest.pop(chance.randrange(len(rest)))
        return part.func(*rest)

    return _replace_one(
        expression, chance, lambda part: isinstance(part, (sympy.Add, sympy.Mul)), change
    )


def _change_symbol(expression: sympy.Expr, chance: random.Random) -> sympy.Expr:
    symbols = sorted(expression.free_symbols, key=lambda symbol: str(symbol.name))
    if not symbols:
        return expression
    before = chance.choice(symbols)
    after = chance.choice([*symbols, make_symbol("y"), before + symbols[0]])
    return expression.xreplace({before: after})


def _change_function(expression: sympy.Expr, chance: random.Random) -> sympy.Expr:
    swaps = {sympy.sin: sympy.cos, sympy.cos: sympy.sin, sympy.tan: sympy.sin}

    def change(part: sympy.Basic) -> sympy.Basic:
        swap = swaps.get(part.func)
        return swap(*part.args) if swap else part.args[0]

    return _replace_one(expression, chance, lambda part: isinstance(part, sympy.Function), change)


MUTATIONS: dict[str, Rewriting] = {
    "coefficient": _change_coefficient,
    "sign": _change_sign,
    "exponent": _change_exponent,
    "dropped": _drop,
    "symbol": _change_symbol,
    "function": _change_function,
}
"""Mistakes that people make, one at a time."""
