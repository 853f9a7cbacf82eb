"""Vectors: factors that are bold or have an arrow, and whose products are refused."""

from __future__ import annotations

from collections.abc import Sequence

import sympy

from phybench_grader.reading.grammar.parser import Parser
from phybench_grader.reading.lexer import Token

_ARROWS = frozenset({"vec", "overrightarrow", "hat"})


def is_vector_factor(parser: Parser, began: int, factor: sympy.Expr) -> bool:
    """Whether the factor that began there is a bold or arrowed symbol, or one over a scalar."""
    tokens = parser.tokens[began : parser.position]
    if any(token.kind == "bar" for token in tokens):
        return False
    is_one = tokens[0].text == "frac" and all(token.kind != "^" for token in tokens)
    return (factor.is_Symbol or is_one) and has_vector(parser, tokens)


def has_vector(parser: Parser, tokens: Sequence[Token]) -> bool:
    """Whether something is bold or arrowed here; where all is bold, that says nothing."""
    return any(
        (token.is_bold and not parser.is_all_bold) or token.text in _ARROWS for token in tokens
    )
