"""
EED a second time, straight from the paper and with nothing of ours (arXiv 2504.16074, eq. 1 to 6).

Both sides are read by latex2sympy2_extended, simplified, compared by simplifying, drawn as trees,
and measured by a recursion over ordered forests. It is what `phybench_grader` is checked
against and timed beside, so it is plain, and as slow as that makes it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import sympy
from latex2sympy2_extended import latex2sympy
from latex2sympy2_extended.latex2sympy2 import ConversionConfig

CONVERSION = ConversionConfig(lowercase_symbols=False, interpret_as_mixed_fractions=False)


@dataclass(frozen=True, slots=True)
class Score:
    """What equations 1 and 2 give, with the distance and the size they are made of."""

    eed: float
    accuracy: float
    distance: float
    size: int


def write(expression: sympy.Expr) -> tuple[str, dict[str, sympy.Symbol]]:
    """
    Write an expression in LaTeX that latex2sympy2_extended reads right.

    It takes some letters for constants or functions, so all symbols are renamed; the dictionary
    tells which is which.
    """
    symbols = sorted(expression.free_symbols, key=lambda symbol: str(symbol.name))
    names = {symbol: f"x_{{{number}}}" for number, symbol in enumerate(symbols, start=1)}
    text = sympy.latex(expression, symbol_names=names, inv_trig_style="full", ln_notation=True)
    return text, {_strip(name): symbol for symbol, name in names.items()}


def read(text: str, names: dict[str, sympy.Symbol]) -> sympy.Expr:
    """Read LaTeX, giving the symbols back their names and making them positive."""
    try:
        expression = latex2sympy(text, conversion_config=CONVERSION)
        found = {symbol: names[_strip(symbol.name)] for symbol in expression.free_symbols}
    except Exception as reason:  # it raises whatever went wrong inside
        raise Misread(text) from reason
    return expression.xreplace(found)


class Misread(Exception):
    """latex2sympy2_extended reads nothing, or not these symbols."""


def _strip(name: str) -> str:
    """Take the braces off a name: they come back from reading, or do not."""
    return name.replace("{", "").replace("}", "")


def score(answer: sympy.Expr, reference: sympy.Expr) -> Score:
    """Score an answer, both sides read and their symbols positive."""
    target, given = sympy.simplify(reference), sympy.simplify(answer)
    return score_simplified(given, target, is_equal=are_equal(given, target))


def score_simplified(given: sympy.Expr, target: sympy.Expr, *, is_equal: bool) -> Score:
    """Score an answer once it is known whether it is the reference (equations 1 and 2)."""
    goal = Forest(target)
    if is_equal:
        return Score(eed=100.0, accuracy=100.0, distance=0.0, size=goal.size)
    distance = measure_distance(Forest(given), goal)
    relative = distance / goal.size
    return Score(
        eed=60 - 100 * relative if relative < 0.6 else 0.0,
        accuracy=0.0,
        distance=distance,
        size=goal.size,
    )


def are_equal(one: sympy.Expr, other: sympy.Expr) -> bool:
    """Tell whether simplifying, or else SymPy's `equals`, finds two expressions equal."""
    return sympy.simplify(sympy.expand(one - other)) == 0 or one.equals(other) is True


class Forest:
    """The trees of some expressions, their nodes numbered from 1, children before parents."""

    def __init__(self, *expressions: sympy.Basic) -> None:
        self.labels: list[tuple[str, str]] = [("", "")]
        self.sizes = [0]
        self._number(expressions)

    @property
    def size(self) -> int:
        return self.sizes[-1]

    def _number(self, expressions: Iterable[sympy.Basic]) -> int:
        """Number the nodes below, and return how many there are."""
        count = 0
        for expression in expressions:
            below = self._number(expression.args)
            kind = "inner" if below else type(expression).__name__
            label = "" if isinstance(expression, sympy.Number) else expression.func.__name__
            self.labels.append((kind, label if below else str(expression)))
            self.sizes.append(below + 1)
            count += below + 1
        return count


def price_tree(size: int) -> float:
    """Price inserting or deleting a whole tree (equation 6)."""
    return min(float(size), 0.6 * (size - 5) + 5)


def measure_distance(given: Forest, goal: Forest) -> float:
    """
    Measure the distance by the recursion over rightmost roots that Zhang and Shasha begin with.

    A forest is a run of nodes, named by its first and last number. Its rightmost tree goes as a
    whole or at its root, or meets the other's rightmost tree: then what is below the two and what
    is left of them are two separate questions. Whoever asks waits on the stack until what it asks
    for is known.
    """
    known: dict[tuple[int, int, int, int], float] = {}
    whole = (1, given.size, 1, goal.size)
    waiting = [whole]
    while waiting:
        question = waiting[-1]
        first, last, begin, end = question
        if question in known:
            waiting.pop()
            continue
        size, extent = given.sizes[last] if last >= first else 0, 0
        if end >= begin:
            extent = goal.sizes[end]
        steps: list[tuple[float, list[tuple[int, int, int, int]]]] = []
        if size:
            steps.append((1, [(first, last - 1, begin, end)]))
            steps.append((price_tree(size), [(first, last - size, begin, end)]))
        if extent:
            steps.append((1, [(first, last, begin, end - 1)]))
            steps.append((price_tree(extent), [(first, last, begin, end - extent)]))
        if size and extent:
            relabelling = float(given.labels[last] != goal.labels[end])
            below = (last - size + 1, last - 1, end - extent + 1, end - 1)
            left = (first, last - size, begin, end - extent)
            steps.append((relabelling, [below, left]))
        unknown = [part for _, parts in steps for part in parts if part not in known]
        if unknown:
            waiting.extend(unknown)
            continue
        known[question] = min(
            (price + sum(known[part] for part in parts) for price, parts in steps), default=0.0
        )
        waiting.pop()
    return known[whole]
