"""
Expression trees as the paper draws them (arXiv 2504.16074, section 3.3 and figure 2).

Sums, products, powers and functions are inner nodes; numbers, constants and symbols are leaves;
arguments stand in SymPy's own order. The tree is that of the simplified expression.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType

import sympy
from sympy.functions.elementary.hyperbolic import HyperbolicFunction
from sympy.functions.elementary.trigonometric import TrigonometricFunction

from phybench_grader.numbers.limits import (
    MAX_MULTIPLE,
    MAX_SIMPLIFY_TERMS,
    MAX_SIMPLIFY_WORK,
    MAX_SYMBOLS,
    MAX_WAVE_SYMBOLS,
)
from phybench_grader.numbers.special import DoubleFactorial
from phybench_grader.reading.reading import write_latex

_ACCENTED = re.compile(r"(bar|hat|tilde|vec|d?dot)\{\\?([A-Za-z]+)\}(.*)", re.DOTALL)
_SIGNS = {sympy.Add: "+", sympy.Mul: r"\times", sympy.Pow: r"\hat{}"}
COMMUTATIVE_SIGNS = frozenset({_SIGNS[sympy.Add], _SIGNS[sympy.Mul]})
"""Of inner nodes whose children mean the same in any order."""


@dataclass(frozen=True, slots=True)
class Node:
    """One node with what is below it."""

    label: str
    expression: sympy.Basic
    children: tuple[Node, ...]
    size: int
    """Nodes from here down, this one included."""

    @property
    def kind(self) -> str:
        """Whether the label names a function, a symbol or a constant: e and i are not E and I."""
        if self.children:
            return "inner"
        return "symbol" if self.expression.is_Symbol else "constant"

    def walk(self) -> Iterator[Node]:
        """Go over the nodes, children before their parent."""
        for child in self.children:
            yield from child.walk()
        yield self

    def write_sign(self) -> str:
        """Write this node alone in LaTeX."""
        if not self.children:
            return write_latex(self.expression)
        sign = _SIGNS.get(self.expression.func)
        return sign or rf"\operatorname{{{self.expression.func.__name__}}}"

    def write_whole(self) -> str:
        """Write this node with all below it in LaTeX."""
        return write_latex(self.expression)


Renamed = Mapping[sympy.Symbol, sympy.Symbol]


def build_tree(expression: sympy.Basic, named: Renamed = MappingProxyType({})) -> Node:
    """
    Build the tree of an expression as it stands, with the names that some of its symbols have.

    >>> x = sympy.Symbol("x", positive=True)
    >>> build_tree(2 * x + 1).size
    5
    """
    children = tuple(build_tree(argument, named) for argument in expression.args)
    if named:
        expression = expression.xreplace(named)
    label = expression.func.__name__ if children else str(expression)
    size = 1 + sum(child.size for child in children)
    return Node(label, expression, children, size)


def sort_by_letter(expression: sympy.Expr) -> tuple[sympy.Expr, Renamed]:
    r"""
    Give accented symbols names by which they stand beside their letter; say what they are called.

    SymPy orders by name, and by that of `\bar v`, which is `bar{v}`, it would stand before `m`: who
    writes it for `v_1` would be further away than by that symbol.

    >>> m, v = sympy.symbols("m bar{v}_1", positive=True)
    >>> [str(one) for one in sort_by_letter(m * v)[0].args]
    ['m', 'v_1 bar']
    """
    renamed = {
        symbol: sympy.Symbol(f"{match[2]}{match[3]} {match[1]}", **symbol.assumptions0)
        for symbol in expression.free_symbols
        if (match := _ACCENTED.fullmatch(symbol.name))
    }
    if not renamed:
        return expression, {}
    return expression.xreplace(renamed), {new: symbol for symbol, new in renamed.items()}


def is_simplifiable(expression: sympy.Expr) -> bool:
    """Whether simplifying an expression is not too much work for its size."""
    if measure_work(expression) + _measure_factorials(expression) > MAX_SIMPLIFY_WORK:
        return False
    if not _is_factored_soon(expression):
        return False
    above, below = _count_terms(expression)
    # With sines among them they are multiplied out and factored several times.
    times = 4 if expression.has(*_TRIGONOMETRIC) else 1
    return times * max(above, math.prod(below.values())) <= MAX_SIMPLIFY_TERMS


_FACTORIALS = (sympy.factorial, sympy.gamma, sympy.binomial, DoubleFactorial)
_FACTORIAL_WORK = 4
"""How much work a pair of factorials is: each is held against all others."""


_TRIGONOMETRIC = (TrigonometricFunction, HyperbolicFunction)


def _is_factored_soon(expression: sympy.Expr) -> bool:
    """
    Whether an expression has few enough symbols, functions and roots for SymPy to factor it.

    What holds sines is factored again and again, and multiples in them are written out.
    """
    waves = expression.atoms(*_TRIGONOMETRIC)
    roots = [one for one in expression.atoms(sympy.Pow) if not one.exp.is_Integer]
    symbols = len(expression.free_symbols) + len(expression.atoms(sympy.Function)) + len(roots)
    multiples = (number for wave in waves for number in wave.atoms(sympy.Rational))
    most = MAX_WAVE_SYMBOLS if waves or expression.has(sympy.I) else MAX_SYMBOLS
    return symbols <= most and all(abs(one.p) <= MAX_MULTIPLE for one in multiples)


def _measure_factorials(expression: sympy.Expr) -> int:
    return _FACTORIAL_WORK * len(expression.atoms(*_FACTORIALS)) ** 2


def _count_terms(expression: sympy.Expr) -> tuple[int, dict[sympy.Expr, int]]:
    """
    Estimate the terms that an expression has over its common denominator, once multiplied out.

    The denominator's sums come with theirs: `simplify` multiplies all of them.

    >>> a, b, c = sympy.symbols("a b c", positive=True)
    >>> _count_terms(1 / (a + b) + 1 / (b + c))
    (4, {a + b: 2, b + c: 2})
    """
    below: dict[sympy.Expr, int] = {}
    if isinstance(expression, sympy.Add):
        parts = [_count_terms(part) for part in expression.args]
        for _, one in parts:
            below |= one
        whole = math.prod(below.values())
        above = sum(count * whole // math.prod(one.values()) for count, one in parts)
        return min(above, _MOST_TERMS), below
    if isinstance(expression, sympy.Mul):
        above = 1
        for part in expression.args:
            count, one = _count_terms(part)
            above, below = min(above * count, _MOST_TERMS), below | one
        return above, below
    if isinstance(expression, sympy.Pow) and expression.exp.is_Integer:
        base, power = expression.base, min(abs(int(expression.exp)), MAX_SIMPLIFY_TERMS)
        count, one = _count_terms(base)
        multiplied = min(math.comb(power + count - 1, power), _MOST_TERMS)
        if expression.exp.is_positive:
            return multiplied, one
        return min(math.prod(one.values()), _MOST_TERMS), {base: multiplied}
    return 1, below


_MOST_TERMS = 10**6
_FUNCTION_WORK = 1.4
"""How much harder an argument is to simplify for the function around it."""


def measure_work(expression: sympy.Basic) -> int:
    """
    Estimate the work of simplifying: the nodes, those of a sum as often as a power multiplies them.

    Roots count more, and powers inside powers multiply, since so does what `simplify` tries.

    >>> x = sympy.Symbol("x", positive=True)
    >>> measure_work(x + 1), measure_work((x + 1) ** 100), measure_work(sympy.sqrt(x + 1))
    (3, 302, 11)
    """
    if not expression.args:
        return 1
    works: list[float] = [measure_work(argument) for argument in expression.args]
    if isinstance(expression, sympy.Pow) and not expression.base.is_Symbol:
        exponent = expression.exp
        if isinstance(exponent, sympy.Rational):
            times = int(abs(exponent.p)) + (2 if exponent.q > 1 else 0)
            works[0] *= min(times, MAX_SIMPLIFY_WORK)
    elif isinstance(expression, sympy.Function):
        works = [_FUNCTION_WORK * work for work in works]
    return 1 + min(int(sum(works)), MAX_SIMPLIFY_WORK**2)
