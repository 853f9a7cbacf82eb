"""Brackets of all kinds: groups, absolute values, floors and ceilings, means."""

from __future__ import annotations

import sympy

from phybench_grader.numbers import arithmetic
from phybench_grader.numbers.functions import BRACKETS
from phybench_grader.reading.grammar.parser import Parser
from phybench_grader.reading.grammar.vectors import has_vector
from phybench_grader.reading.lexer import Token
from phybench_grader.reading.reading import Unreadable
from phybench_grader.reading.scripts import spell_inside
from phybench_grader.reading.stream import CLOSERS

_MARKUP = frozenset({"implied", "typed", "htmlClass", "htmlId", "htmlStyle", "href", "url"})
"""Commands that would be drawn as something else than mathematics."""
SIZED = {
    "(": (r"\left(", r"\right)"),
    "[": (r"\left[", r"\right]"),
    "|": (r"\left|", r"\right|"),
    "⌊": (r"\left\lfloor ", r"\right\rfloor "),
    "⌈": (r"\left\lceil ", r"\right\rceil "),
}
"""Brackets as they are written around what is read."""


def read_group(parser: Parser) -> sympy.Expr:
    opener = parser.next
    if opener.kind == "{" and parser.tokens[parser.position + 1].text == "rm":
        return parser.read_roman_group()
    parser.take()
    if parser.sees(CLOSERS[opener.kind]):
        raise Unreadable("missing", opener.start, parser.next.end)
    first = parser.position
    mark = parser.typed.mark()
    parser.open_bars.append(0)
    inside = parser.read_fractions_over()
    parser.open_bars.pop()
    close_bracket(parser, opener, CLOSERS[opener.kind])
    if opener.kind != "{":
        before, after = SIZED[opener.kind]
        parser.typed.join(mark, before, after)
    elif inside.is_Symbol and parser.sees("_", "'", "^"):
        parser.typed.cut(mark)
        is_direction = inside.name == "e" and parser.sees("_") and parser.tokens[first].is_bold
        return parser.make_symbol(parser.names.decorate("hat{e}" if is_direction else inside.name))
    return inside


def close_bracket(parser: Parser, opener: Token, closer: str) -> None:
    if parser.sees("end") or (parser.next.kind in CLOSERS.values() and not parser.sees(closer)):
        raise Unreadable("bracket", opener.start, opener.end)
    if not parser.sees(closer):
        raise parser.refuse()
    parser.take()


def read_function_bracket(parser: Parser) -> sympy.Expr:
    r"""Read `\lfloor x \rfloor` and `\lceil x \rceil`."""
    opener = parser.next
    inside = read_group(parser)
    return parser.build(opener.start, arithmetic.apply, BRACKETS[opener.kind], inside)


def read_absolute(parser: Parser) -> sympy.Expr:
    opener = parser.take()
    mark = parser.typed.mark()
    parser.open_bars[-1] += 1
    began = parser.position
    inside = parser.read_sum()
    if inside.is_Add and has_vector(parser, parser.tokens[began : parser.position]):
        raise Unreadable("vectors", opener.start, parser.last.end)
    parser.open_bars[-1] -= 1
    if not parser.sees("bar"):
        raise Unreadable("bracket", opener.start, opener.end)
    parser.take()
    parser.typed.join(mark, *SIZED["|"])
    return take_absolute(parser, inside, opener)


def take_absolute(parser: Parser, inside: sympy.Expr, place: Token) -> sympy.Expr:
    value = parser.build(place.start, arithmetic.apply, sympy.Abs, inside)
    if value == inside and not inside.is_number:
        parser.note_positive(place)
    return value


def read_mean(parser: Parser) -> sympy.Expr:
    r"""
    Read `\langle r^2 \rangle`, a ket or a bra as one symbol, whatever is inside.

    Kets and bras side by side are one: their order says what they are.
    """
    name = _name_mean(parser)
    while _is_ket(parser, parser.position - 1) and _is_ket(parser, parser.position):
        name += "\\" + _name_mean(parser)
    return parser.make_symbol(parser.names.decorate(name))


def _is_ket(parser: Parser, place: int) -> bool:
    """Whether a ket or a bra begins or ends here: a bar is one of its two sides."""
    token = parser.tokens[place]
    if token.kind == "⟨":
        return "|" in (token.text, parser.tokens[parser.find_closer(place)].text)
    if token.kind != "⟩":
        return False
    while parser.tokens[place].kind != "⟨":
        place -= 1
    return "|" in (token.text, parser.tokens[place].text)


def _name_mean(parser: Parser) -> str:
    """Name what stands between angles: in LaTeX, without the first backslash."""
    opener = parser.next
    end = parser.find_closer(parser.position)
    inside = parser.tokens[parser.position + 1 : end]
    if not inside or parser.tokens[end].kind != "⟩":
        raise parser.refuse()
    for token in inside:
        if token.kind == "command" and token.text in _MARKUP:
            raise Unreadable("unknown_command", token.start, token.end, f"\\{token.text}")
    parser.position = end + 1
    before = "vert" if opener.text == "|" else "langle"
    behind = r"\vert" if parser.last.text == "|" else r"\rangle"
    return f"{before} {spell_inside(inside)}{behind}"
