"""Factors: an atom with its exponents and factorials, and what is written between two."""

from __future__ import annotations

import re

import sympy

from phybench_grader.numbers import arithmetic
from phybench_grader.numbers.functions import EXTREMES, SPELLINGS
from phybench_grader.numbers.sentences import Sentence
from phybench_grader.reading.grammar.numbers import read_imaginary_unit
from phybench_grader.reading.grammar.parser import CONSTANTS, UPRIGHT, Parser
from phybench_grader.reading.lexer import Token
from phybench_grader.reading.reading import Finding, Unreadable
from phybench_grader.reading.stream import CLOSERS
from phybench_grader.reading.transcript import IMPLIED_PRODUCT


def starts_factor(parser: Parser) -> bool:
    token = parser.next
    if token.kind == "bar":
        return token.text == "(" or (token.text == "" and not parser.open_bars[-1])
    if token.kind == "command":
        return (
            parser.names.starts()
            or token.text in SPELLINGS
            or token.text in UPRIGHT
            or token.text in EXTREMES
            or token.text in ("frac", "cbrt", "pi", "binom")
        )
    return token.kind in ("number", "letter", *CLOSERS)


def read_factor(parser: Parser) -> sympy.Expr:
    mark = parser.typed.mark()
    is_braced = parser.sees("{")
    atom = parser.read_atom()
    if is_braced:
        parser.typed.enclose_several(mark)
    return read_powers(parser, atom, mark)


def read_signed_factor(parser: Parser) -> sympy.Expr:
    is_negative = read_signs(parser)
    mark = parser.typed.mark()
    factor = read_factor(parser)
    if not is_negative:
        return factor
    parser.typed.join(mark, "-")
    parser.typed.enclose(mark)
    return -factor


def read_signs(parser: Parser) -> bool:
    is_negative = False
    while parser.sees("+", "-"):
        is_negative ^= parser.take().kind == "-"
    return is_negative


def write_product(parser: Parser, before: sympy.Expr) -> None:
    """Write what tells a factor from the next one that stands beside it."""
    last, following = parser.last, parser.next
    is_word = last.kind == following.kind == "letter" and last.end == following.start
    may_be_value = before.is_Symbol and following.kind in ("(", "[")
    if following.kind == "number" or may_be_value or (is_word and _is_in_word(parser, last.start)):
        parser.typed.add(IMPLIED_PRODUCT)
    elif not before.is_Number:
        parser.typed.add(r"\,")


def _is_in_word(parser: Parser, start: int) -> bool:
    """Whether the letter there is one of at least three typed together."""
    around = parser.text[max(start - 1, 0) : start + 3]
    return re.search(r"[A-Za-z]{3}", around) is not None


def read_powers(parser: Parser, base: sympy.Expr, mark: int) -> sympy.Expr:
    """Read the exponents and factorials after an atom, which stands at the mark."""
    start = parser.last.start
    if base.is_number and parser.sees("%"):
        base = _read_percent(parser, base)
    is_atom = base.is_Symbol or base in CONSTANTS or parser.last.kind == "number"
    while parser.sees("^", "!"):
        parser.typed.prepare_base(mark, is_atom=is_atom)
        is_atom = False
        if parser.sees("^"):
            base = _read_power(parser, base, start)
        else:
            base = _read_factorial(parser, base, start)
        parser.typed.join(mark)
    return base


def _read_percent(parser: Parser, base: sympy.Expr) -> sympy.Expr:
    sign = parser.take()
    parser.typed.add(r"\%")
    parser.findings.append(Finding("percent", Sentence("percent_read"), sign.start, sign.end))
    return base / 100


def _read_factorial(parser: Parser, base: sympy.Expr, start: int) -> sympy.Expr:
    parser.take()
    step = arithmetic.take_factorial
    if parser.sees("!") and parser.next.start == parser.last.end:
        parser.take()
        step = arithmetic.take_double_factorial
    if parser.sees("!"):
        raise Unreadable("unknown_function", parser.last.start, parser.next.end, "!!!")
    parser.typed.add("!" if step is arithmetic.take_factorial else "!!")
    return parser.build(start, step, base)


def _read_power(parser: Parser, base: sympy.Expr, start: int) -> sympy.Expr:
    sign = parser.take()
    if takes_degree(parser):
        _refuse_temperature(parser, base)
        parser.typed.add(r"^{\circ}")
        return parser.build(start, arithmetic.multiply, [base, sympy.pi / 180])
    exponent = read_exponent(parser, sign)
    return parser.build(start, arithmetic.raise_to, base, exponent)


def _refuse_temperature(parser: Parser, base: sympy.Expr) -> None:
    r"""Refuse `20^\circ C`: degrees of another kind, unless the problem has a C."""
    at = parser.position
    kinds = [token.kind for token in parser.tokens[at : at + 3]]
    if parser.sees_command("mathrm", "text") and kinds[1:] == ["{", "letter"]:
        at += 2
    unit, behind = parser.tokens[at], parser.tokens[min(at + 1, len(parser.tokens) - 1)]
    known = parser.declared.names | parser.declared.usage.symbols
    is_temperature = unit.kind == "letter" and unit.text in ("C", "F", "K")
    if base.is_number and is_temperature and unit.text not in known and behind.kind != "_":
        raise Unreadable("units", parser.last.start, unit.end)


def takes_degree(parser: Parser) -> bool:
    if parser.sees_command("circ"):
        parser.take()
        return True
    signs = [token.text for token in parser.tokens[parser.position : parser.position + 3]]
    if signs == ["{", "circ", "}"]:
        parser.position += 3
        return True
    return False


def read_exponent(parser: Parser, sign: Token) -> sympy.Expr:
    """Read what stands raised after `^`, and write it so."""
    is_negative = read_signs(parser)
    if parser.sees("end", ")", "]", "}"):
        raise Unreadable("script", sign.start, sign.end)
    mark = parser.typed.mark()
    exponent = read_argument_sign(parser, raised=True)
    if parser.sees("^"):
        parser.descend()
        parser.typed.enclose_several(mark)
        exponent = _read_power(parser, exponent, sign.start)
        parser.level -= 1
    inside = parser.typed.cut_inside(mark)
    parser.typed.add(f"^{{{'-' if is_negative else ''}{inside}}}")
    return -exponent if is_negative else exponent


def read_argument_sign(parser: Parser, *, raised: bool = False) -> sympy.Expr:
    r"""
    Read what LaTeX takes after `^`, `\frac` or `\sqrt`: a group in brackets or one sign.

    Of a number that is one digit; in plain text after `^` it is the whole number.
    """
    token = parser.next
    if token.kind == "number" and len(token.text) > 1:
        only_one = True
        if raised:
            only_one = parser.names.is_latex
            if "." not in token.text:
                only_one ^= bool(parser.choices.pick("digits", token.start, token.end))
            else:
                only_one = False
        if only_one and token.text[0] != ".":
            parser.split_number(1)
    elif token.kind == "letter" and (raised is False or parser.names.is_latex):
        parser.tokens[parser.position] = Token("letter", token.text, token.start, token.end)
        return _read_lone_letter(parser)
    elif token.kind == "command":
        parser.descend()
        argument = parser.read_atom()
        parser.level -= 1
        return argument
    return parser.read_atom()


def choose_e(parser: Parser, token: Token) -> sympy.Expr:
    """Read an e as a symbol, or else as Euler's number."""
    if parser.choices.pick("e", token.start, parser.last.end):
        return parser.take_constant(sympy.E)
    return parser.make_symbol("e")


def _read_lone_letter(parser: Parser) -> sympy.Expr:
    letter = parser.take().text
    if letter == "e" and "e" not in parser.declared.names:
        return choose_e(parser, parser.last)
    if letter == "i" and "i" not in parser.declared.names:
        return read_imaginary_unit(parser, parser.last)
    return parser.make_symbol(letter)
