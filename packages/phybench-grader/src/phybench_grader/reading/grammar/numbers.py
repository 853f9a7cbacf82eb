"""Numbers: digits, powers of ten, and the imaginary unit."""

from __future__ import annotations

import re

import sympy

from phybench_grader.numbers.limits import MAX_DIGITS
from phybench_grader.numbers.sentences import Sentence
from phybench_grader.reading.grammar.parser import Parser
from phybench_grader.reading.lexer import Token
from phybench_grader.reading.reading import Finding, Unreadable

_SCIENTIFIC = re.compile(
    r"(?P<digits>\d+(?:\.\d+)?)(?P<sign>[eE])(?P<power>[+-]?\d{1,4})(?![\d.^_{])"
)
_LARGEST_POWER_OF_TEN = 400


def read_number(parser: Parser) -> sympy.Expr:
    if (number := _read_scientific(parser)) is not None:
        return number
    token = parser.take()
    if len(token.text) > MAX_DIGITS:
        raise Unreadable("too_large", token.start, token.end)
    if "." in token.text:
        note = Sentence("decimal_read_exactly")
        parser.findings.append(Finding("float", note, token.start, token.end))
    parser.typed.add(token.text)
    return sympy.Rational(token.text)


def _read_scientific(parser: Parser) -> sympy.Expr | None:
    """Read `3e8` and `1.6E-19` as numbers, unless e or E is a symbol of the problem."""
    first = parser.next
    match = _SCIENTIFIC.match(parser.text, first.start)
    if match is None or match["digits"] != first.text:
        return None
    known = parser.declared.names | parser.declared.usage.symbols
    is_likely = "." in match["digits"] or (match["sign"] == "e" and len(match["power"]) != 2)
    options = 1 if match["sign"] in known else 2
    taken = parser.choices.pick("number", first.start, match.end(), options)
    if options == 1 or is_likely == bool(taken):
        return None
    if abs(int(match["power"])) > _LARGEST_POWER_OF_TEN:
        raise Unreadable("too_large", first.start, match.end())
    while parser.next.start < match.end():
        parser.take()
    note = Sentence("decimal_read_exactly")
    parser.findings.append(Finding("float", note, first.start, match.end()))
    parser.typed.add(rf"{match['digits']}\cdot 10^{{{int(match['power'])}}}")
    return sympy.Rational(match["digits"]) * sympy.Integer(10) ** int(match["power"])


def refuse_neighbours(parser: Parser) -> None:
    if not parser.sees("number") or parser.last.kind != "number":
        return
    # A lone digit raised or lowered belongs to what is before it: `\hbar^2 2^n`.
    base, sign = parser.tokens[parser.position - 3], parser.tokens[parser.position - 2]
    is_script = sign.kind in ("^", "_") and base.kind not in ("number", "end")
    if not is_script and parser.position != parser.fraction_end:
        raise Unreadable("numbers", parser.last.start, parser.next.end)


def read_imaginary_unit(parser: Parser, token: Token) -> sympy.Expr:
    """Tell the imaginary unit from a current, an angle or an index."""
    letter = token.text
    usage = parser.declared.usage
    if letter == "i" and parser.open_exponentials:
        is_unit = True
    elif parser.open_functions or letter in usage.symbols:
        is_unit = False
    elif letter in parser.units:
        is_unit = True
    else:
        # Beside a problem that has no imaginary unit a symbol i is one.
        options = 2 if letter == "i" and (letter in usage.units or not usage.symbols) else 1
        is_unit = bool(parser.choices.pick("i", token.start, token.end, options))
    return parser.take_constant(sympy.I) if is_unit else parser.make_symbol(letter)
