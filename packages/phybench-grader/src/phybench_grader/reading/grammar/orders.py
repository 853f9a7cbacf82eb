r"""
What ends an expansion: `+ O(x^5)`, `+ \cdots`. It is left out where something stands before it.
"""

from __future__ import annotations

import sympy

from phybench_grader.reading.grammar.parser import Parser
from phybench_grader.reading.lexer import Token
from phybench_grader.reading.reading import Unreadable
from phybench_grader.reading.stream import CLOSERS

_DRESSES = frozenset({"mathcal", "mathscr", "mathrm", "cal"})


def cut_order(parser: Parser) -> list[Token]:
    r"""
    Take a closing `+ O(…)` or `+ \cdots` off the tokens, and return all of it.

    Raises `Unreadable` where nothing else is said.
    """
    tokens = parser.tokens
    last = len(tokens) - 2
    start = last if tokens[last].text == "ldots" else _find_order(parser, last)
    if start < 0:
        return []
    if start == 0:
        raise Unreadable("dots", tokens[0].start, tokens[last].end)
    if start < 2 or tokens[start - 1].kind not in ("+", "-"):
        return []
    order = tokens[start : last + 1]
    del tokens[start - 1 : last + 1]
    return order


def _find_order(parser: Parser, closer: int) -> int:
    """Find where the `O(…)` begins that ends there; -1 if there is none."""
    tokens = parser.tokens
    place = _find_opener(tokens, closer) - 1 if tokens[closer].kind == ")" else -1
    while place > 0 and tokens[place].kind == "}":
        place -= 1
    known = parser.declared.names | parser.declared.usage.plain
    if place < 0 or tokens[place].text not in ("O", "o") or tokens[place].text in known:
        return -1
    while place > 0 and (tokens[place - 1].kind == "{" or tokens[place - 1].text in _DRESSES):
        place -= 1
    return place


def _find_opener(tokens: list[Token], closer: int) -> int:
    level = 0
    for place in range(closer, -1, -1):
        level += (tokens[place].kind in CLOSERS.values()) - (tokens[place].kind in CLOSERS)
        if level == 0:
            return place
    return -1


def is_kept(power: sympy.Expr, expression: sympy.Expr) -> bool:
    """
    Whether an expression has a term of the order that is said to be left out, or of a higher one.

    >>> x = sympy.Symbol("x", positive=True)
    >>> is_kept(x**3, x - x**3 / 6), is_kept(x**5, x - x**3 / 6), is_kept(x**-4, 1 + x**-2)
    (True, False, False)

    Of O(1) nobody knows in what: it may be all that there is.

    >>> is_kept(sympy.S.One, 1 / x)
    True
    """
    if power.is_number:
        return True
    for symbol, order in power.as_powers_dict().items():
        if not symbol.is_Symbol or not order.is_number:
            continue
        kept = [part.exp for part in expression.atoms(sympy.Pow) if part.base == symbol]
        kept += [sympy.S.One] if expression.has(symbol) and not kept else []
        if any(one.is_number and abs(one) >= abs(order) and one * order > 0 for one in kept):
            return True
    return False
