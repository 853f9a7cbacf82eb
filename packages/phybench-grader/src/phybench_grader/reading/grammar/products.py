"""Products: factors side by side or with signs between them, and how far a slash reaches."""

from __future__ import annotations

import sympy

from phybench_grader.numbers import arithmetic
from phybench_grader.reading.grammar.factors import (
    read_factor,
    read_signed_factor,
    starts_factor,
    write_product,
)
from phybench_grader.reading.grammar.numbers import refuse_neighbours
from phybench_grader.reading.grammar.parser import Parser
from phybench_grader.reading.grammar.slashes import classify, list_reaches
from phybench_grader.reading.grammar.vectors import is_vector_factor
from phybench_grader.reading.reading import Unreadable


def read_product(parser: Parser) -> sympy.Expr:
    start = parser.next.start
    began = parser.position
    mark = parser.typed.mark()
    factors = [read_factor(parser)]
    is_quotient = False
    while True:
        if is_quotient and (parser.sees("*", "/") or parser.sees_command("cdot", "div")):
            parser.typed.enclose(mark)
            is_quotient = False
        if parser.sees("*") or parser.sees_command("cdot"):
            sign = parser.take()
            parser.typed.add(r"\cdot")
            is_vector = is_vector_factor(parser, began, factors[-1])
            began = parser.position
            factors.append(read_signed_factor(parser))
            are_vectors = [is_vector, is_vector_factor(parser, began, factors[-1])]
            are_symbols = all(factor.is_Symbol for factor in factors[-2:])
            is_cross = are_symbols and parser.text[sign.start : sign.end] in (r"\times", "×")
            if all(are_vectors) or (is_cross and any(are_vectors)):
                raise Unreadable("vectors", sign.start, sign.end)
        elif parser.sees("/") or parser.sees_command("div"):
            read = _read_quotient(parser, factors[-1], mark)
            is_quotient = len(read) == 1
            factors += read
        elif starts_factor(parser):
            refuse_neighbours(parser)
            write_product(parser, factors[-1])
            began = parser.position
            factors.append(read_factor(parser))
        else:
            return parser.build(start, arithmetic.multiply, factors)


def _read_quotient(parser: Parser, numerator: sympy.Expr, mark: int) -> list[sympy.Expr]:
    """
    Read a slash and all that stands side by side behind it: the divisor, further factors.

    At the mark the product before the slash begins.
    """
    sign = parser.take()
    parser.typed.add("/")
    divisors: list[sympy.Expr] = []
    kinds: list[str] = []
    marks: list[int] = []
    while not divisors or starts_factor(parser):
        marks.append(parser.typed.mark())
        if divisors:
            refuse_neighbours(parser)
            write_product(parser, divisors[-1])
        first = parser.next
        divisors.append(read_factor(parser) if divisors else read_signed_factor(parser))
        kinds.append(classify(first, divisors[-1]))
    reaches = list_reaches(kinds, is_over_number=numerator.is_Rational)
    reach = reaches[parser.choices.pick("slash", sign.start, parser.last.end, len(reaches))]
    behind = parser.typed.cut(marks[reach]) if reach < len(marks) else ""
    parser.typed.enclose_several(marks[0])
    if behind:
        parser.typed.enclose(mark)
        parser.typed.add(behind)
    divisor = parser.build(sign.start, arithmetic.multiply, divisors[:reach])
    inverse = parser.build(sign.start, arithmetic.raise_to, divisor, sympy.Integer(-1))
    return [inverse, *divisors[reach:]]
