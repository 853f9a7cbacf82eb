"""Fractions, binomials and roots: commands that LaTeX gives their arguments."""

from __future__ import annotations

import re

import sympy

from phybench_grader.numbers import arithmetic
from phybench_grader.reading.grammar.brackets import SIZED, read_group
from phybench_grader.reading.grammar.factors import read_argument_sign
from phybench_grader.reading.grammar.numbers import read_number
from phybench_grader.reading.grammar.parser import Parser
from phybench_grader.reading.lexer import Token
from phybench_grader.reading.reading import Unreadable

_DERIVATIVE = re.compile(
    r"\s*(?:d|\\mathrm\{d\})(?:\s*\^\s*\{?\d\}?)?\s*(?P<of>\\?[A-Za-z]+(?:_\w|_\{\w+\})?)?\s*"
)


def read_fraction(parser: Parser) -> sympy.Expr:
    r"""Read `\frac` or `\binom` with its two arguments."""
    command = parser.take()
    mark = parser.typed.mark()
    first = parser.position
    above = read_argument_sign(parser)
    parser.typed.join(mark, rf"\{command.text}{{", "}{")
    middle = parser.position
    below = read_argument_sign(parser)
    parser.typed.join(mark, after="}")
    if command.text == "binom":
        return parser.build(command.start, arithmetic.choose, above, below)
    _refuse_derivative(parser, command, first, middle)
    parser.fraction_end = parser.position
    return parser.build(command.start, arithmetic.divide, above, below)


def _refuse_derivative(parser: Parser, command: Token, first: int, middle: int) -> None:
    if "d" in parser.declared.names:
        return
    halves = [
        _DERIVATIVE.fullmatch(parser.text[tokens[0].end : tokens[-1].start])
        for tokens in (parser.tokens[first:middle], parser.tokens[middle : parser.position])
        if tokens
    ]
    if len(halves) == 2 and halves[0] and halves[1] and halves[1]["of"]:
        raise Unreadable("derivative", command.start, parser.last.end)


def read_root(parser: Parser) -> sympy.Expr:
    command = parser.take()
    mark = parser.typed.mark()
    index: sympy.Expr = sympy.Integer(2)
    if command.text == "cbrt":
        index = sympy.Integer(3)
        parser.typed.add(r"\sqrt[3]{")
    elif parser.sees("[") and _has_index(parser, command):
        index = read_group(parser)
        before, after = SIZED["["]
        shown = parser.typed.cut(mark).removeprefix(before).removesuffix(after)
        parser.typed.add(rf"\sqrt[{shown}]{{")
    else:
        parser.typed.add(r"\sqrt{")
    inside = parser.typed.mark()
    # `√12` typed in plain text is the root of twelve.
    if parser.sees("number") and not parser.names.is_latex:
        radicand = read_number(parser)
    else:
        radicand = read_argument_sign(parser)
    parser.typed.add(parser.typed.cut_inside(inside) + "}")
    parser.typed.join(mark)
    root = parser.build(command.start, arithmetic.take_root, radicand, index)
    if index == 2 and radicand == root**2 and root.is_Symbol:
        parser.note_positive(command)
    return root


def _has_index(parser: Parser, command: Token) -> bool:
    r"""Whether the square bracket behind a root is its index: of `√[a+b]` it is what stands in."""
    opener = parser.next
    is_bracket = parser.text[: opener.start].rstrip().endswith(r"\left")
    if is_bracket:
        return False
    closer = parser.find_closer(parser.position)
    if parser.tokens[closer + 1].kind == "{":
        return True
    is_sign = not parser.text.startswith("\\", command.start)
    inside = parser.tokens[parser.position + 1 : closer]
    return not is_sign and len(inside) == 1 and inside[0].kind in ("number", "letter")
