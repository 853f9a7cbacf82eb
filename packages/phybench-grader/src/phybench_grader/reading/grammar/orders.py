r"""
What ends an expansion: `+ O(x^5)`, `+ \cdots`. It is left out where something stands before it.
"""

from __future__ import annotations

from dataclasses import dataclass

import sympy

from phybench_grader.reading.grammar.parser import Parser
from phybench_grader.reading.lexer import Token
from phybench_grader.reading.reading import Unreadable
from phybench_grader.reading.stream import CLOSERS

_MOST_ORDERS = 4
_DRESSES = frozenset({"mathcal", "mathscr", "mathrm", "cal"})


@dataclass(frozen=True, slots=True)
class Order:
    """What is said to be left out, and what it is left out of: of a bracket what else it holds."""

    tokens: list[Token]
    kept: list[Token] | None = None


def cut_orders(parser: Parser) -> list[Order]:
    r"""
    Take a closing `+ O(…)` or `+ \cdots` off the tokens and off brackets; return all of it.

    Raises `Unreadable` where nothing else is said.
    """
    tokens = parser.tokens
    orders: list[Order] = []
    last = len(tokens) - 2
    while last >= 0:
        behind = tokens[last + 1].kind
        is_last = behind == "end"
        is_dots = tokens[last].text == "ldots" and (is_last or _is_said(parser, tokens[last]))
        if is_last or (behind in (")", "]") and (is_dots or tokens[last].kind == ")")):
            start = last if is_dots else _find_order(parser, last)
            if start == 0:
                raise Unreadable("dots", tokens[0].start, tokens[last].end)
            if start > 1 and tokens[start - 1].kind in ("+", "-"):
                opener = -1 if is_last else _find_opener(tokens, last + 1)
                kept = None if is_last else tokens[opener + 1 : start - 1]
                if is_last or (kept and opener >= 0):
                    orders.append(Order(tokens[start : last + 1], kept))
                    del tokens[start - 1 : last + 1]
                    last = start - 1
                    if len(orders) == _MOST_ORDERS:
                        break
        last -= 1
    return orders


def _is_said(parser: Parser, dots: Token) -> bool:
    """Whether dots are said in words, as `h.o.t.` are."""
    return parser.text[dots.start : dots.end].strip("\\.")[:1] in ("h", "t", "m")


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
