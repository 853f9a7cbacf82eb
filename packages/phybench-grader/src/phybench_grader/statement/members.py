"""Reading a member of a statement: tokens to one expression."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import sympy

from phybench_grader.numbers.limits import MAX_NODES
from phybench_grader.reading.ambiguity import Choices, Site
from phybench_grader.reading.grammar.reader import Reader
from phybench_grader.reading.lexer import Token
from phybench_grader.reading.names import Declared
from phybench_grader.reading.reading import Finding, Unreadable
from phybench_grader.statement.statement import close_off


@dataclass(frozen=True, slots=True)
class Value:
    """Tokens that were read as one expression."""

    tokens: tuple[Token, ...]
    expression: sympy.Expr
    findings: tuple[Finding, ...] = ()
    met: Mapping[Site, tuple[int, int]] = field(default_factory=dict)
    order: tuple[str, ...] = ()
    """The names of its symbols as they are first written."""
    typed: str = ""
    """It in LaTeX, in the order in which it was typed; see `transcript`."""


def read_tokens(
    text: str, tokens: Sequence[Token], declared: Declared, taken: Mapping[Site, int] | None = None
) -> Value:
    """Read tokens as one expression, with other choices where its notation is ambiguous."""
    choices = Choices(taken or {})
    closed = close_off(tokens)
    reader = Reader(text, closed, declared, choices)
    expression = reader.read_all()
    first, last = closed[0].start, closed[-1].end
    for count, _ in enumerate(sympy.preorder_traversal(expression), start=1):
        if count > MAX_NODES:
            raise Unreadable("too_large", first, last)
    if expression.has(sympy.zoo, sympy.nan, sympy.oo, -sympy.oo):
        raise Unreadable("undefined", first, last)
    return Value(
        tuple(tokens),
        expression,
        tuple(reader.findings),
        dict(choices.met),
        tuple(reader.order),
        str(reader.typed),
    )


def list_names(expression: sympy.Expr) -> set[str]:
    """List the names of an expression's symbols."""
    return {str(symbol.name) for symbol in expression.free_symbols}


def is_exponential(expression: sympy.Expr) -> bool:
    """
    Whether the only symbol is an e that stands under exponents alone: then it is Euler's number.

    >>> e, x = sympy.symbols("e x", positive=True)
    >>> [is_exponential(one) for one in (1 - 1 / e, e**16 - 1, 2 * e, e / 3, x * e**2)]
    [True, True, False, False, False]
    """
    if list_names(expression) != {"e"}:
        return False
    (symbol,) = expression.free_symbols
    powers = {one: sympy.S.One for one in expression.atoms(sympy.Pow) if one.base == symbol}
    return not expression.xreplace(powers).free_symbols


def read_euler(expression: sympy.Expr) -> sympy.Expr:
    """Read the e of a pure exponential as Euler's number."""
    if not is_exponential(expression):
        return expression
    return expression.xreplace(dict.fromkeys(expression.free_symbols, sympy.E))
