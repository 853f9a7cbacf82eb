r"""Upright letters, as in `\mathrm{Re}`: a function, a constant, a symbol, a unit, or words."""

from __future__ import annotations

import re

import sympy

from phybench_grader.numbers.functions import EXTREMES, LINEAR, SPELLINGS
from phybench_grader.reading.grammar.brackets import close_bracket
from phybench_grader.reading.grammar.factors import starts_factor
from phybench_grader.reading.grammar.functions import read_extreme, read_function
from phybench_grader.reading.grammar.parser import Parser
from phybench_grader.reading.lexer import Token
from phybench_grader.reading.reading import Unreadable
from phybench_grader.reading.usage import is_symbol_at
from phybench_grader.reading.vocabulary import SEVERAL_WORDS, UNITS, UNKNOWN_FUNCTIONS

_UPRIGHT_INSIDE = re.compile(r"^\\(?:rm|mathrm)\s*\{?\s*([A-Za-z]+)\s*\}?$")


def read_upright(parser: Parser) -> sympy.Expr:
    command = parser.take()
    if parser.sees("{"):
        end = parser.find_closer(parser.position)
        parser.take()
        return read_word(parser, command, end, command.text)
    end = parser.position + 1
    if parser.sees("end"):
        raise Unreadable("missing", command.start, command.end)
    return read_word(parser, command, end, command.text)


def read_word(parser: Parser, command: Token, end: int, style: str) -> sympy.Expr:
    """Read upright letters up to token `end`: a function, a constant, a symbol, a unit."""
    tokens = parser.tokens[parser.position : end]
    closes = parser.tokens[end].kind == "}" and end > parser.position
    content = parser.text[tokens[0].start : tokens[-1].end].strip() if tokens else ""
    behind = end + 1 if closes else end
    content = _UPRIGHT_INSIDE.sub(r"\1", content)
    if content in LINEAR and _is_plain_symbol(parser, content, behind):
        parser.position = behind
        return parser.make_symbol(parser.names.decorate(f"mathrm{{{content}}}"))
    if content in SPELLINGS:
        parser.position = behind
        return read_function(parser, SPELLINGS[content])
    if content in EXTREMES and parser.tokens[behind].kind in "([{":
        parser.position = behind
        return read_extreme(parser, content)
    if content == "d" and "d" not in parser.declared.names and is_symbol_at(parser.tokens, behind):
        raise Unreadable("differential", command.start, parser.tokens[behind].end)
    if content in ("e", "i", "j", "pi", "\\pi") and style != "text":
        parser.position = behind
        value = {"e": sympy.E, "i": sympy.I, "j": sympy.I}.get(content, sympy.pi)
        return parser.take_constant(value)
    if re.fullmatch(r"\d+(?:\.\d+)?", content):
        parser.position = behind
        parser.typed.add(content)
        return sympy.Rational(content)
    words = re.findall(r"[A-Za-z]+", content)
    place = (command.start, parser.tokens[end].end)
    if content in UNKNOWN_FUNCTIONS and parser.tokens[behind].kind in "([{":
        raise Unreadable("unknown_function", *place, content)
    if any(word.lower() in SEVERAL_WORDS for word in words):
        raise Unreadable("several", *place)
    # At the very beginning upright letters are a symbol: there is nothing to measure yet.
    is_first = parser.tokens[0].start == command.start
    if words and all(word in UNITS for word in words) and not is_first:
        raise Unreadable("units", *place)
    if style == "operatorname":
        raise Unreadable("unknown_function", *place, content)
    if re.fullmatch(r"[A-Za-z]{1,4}", content):
        parser.position = behind
        base = content if len(content) == 1 else f"mathrm{{{content}}}"
        return parser.make_symbol(parser.names.decorate(base))
    if style == "text" or not tokens or len(words) > 1 or re.fullmatch("[A-Za-z]+", content):
        raise Unreadable("words", *place)
    inside = parser.read_sum()
    if closes:
        close_bracket(parser, command, "}")
    return inside


def _is_plain_symbol(parser: Parser, content: str, behind: int) -> bool:
    """Whether `Re` is a Reynolds number: where it is declared, or has nothing to be a part of."""
    if f"mathrm{{{content}}}" in parser.declared.names:
        return True
    here, parser.position = parser.position, behind
    is_alone = not starts_factor(parser)
    parser.position = here
    return is_alone
