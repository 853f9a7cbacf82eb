"""Letters: symbols and their values, e and i, functions that are typed, and prose."""

from __future__ import annotations

import sympy

from phybench_grader.numbers import arithmetic
from phybench_grader.numbers.symbols import GREEK, LETTERLIKE, name_in_latex
from phybench_grader.reading.grammar.brackets import read_group
from phybench_grader.reading.grammar.factors import choose_e, read_exponent, takes_degree
from phybench_grader.reading.grammar.functions import find_typed_function, read_function
from phybench_grader.reading.grammar.numbers import read_imaginary_unit
from phybench_grader.reading.grammar.parser import Parser
from phybench_grader.reading.grammar.special_names import INDEXED, find_special
from phybench_grader.reading.lexer import Token
from phybench_grader.reading.reading import Unreadable, write_latex
from phybench_grader.reading.vocabulary import LONGEST_PRODUCT, PROSE, SEVERAL_WORDS


def read_letters(parser: Parser) -> sympy.Expr:
    token = parser.next
    if token.word:
        if (function := find_typed_function(parser, token)) is not None:
            return read_function(parser, function)
        _refuse_prose(parser, token)
    if token.word == "pi" and not parser.names.is_latex and "pi" not in parser.declared.names:
        parser.position += 2
        return parser.take_constant(sympy.pi)
    name = _read_symbol_name(parser)
    if name in parser.declared.names:
        return _finish_symbol(parser, name)
    if name == "e":
        return _read_e(parser, token)
    if name in ("i", "j"):
        return read_imaginary_unit(parser, token)
    if name == "f" and parser.sees("("):
        value = parser.names.read_value(name)
        return _read_application(parser, token) if value == name else parser.make_symbol(value)
    return _finish_symbol(parser, name)


def read_symbol(parser: Parser) -> sympy.Expr:
    """Read a symbol, its value in a bracket, or a special function that has its name."""
    return _finish_symbol(parser, _read_symbol_name(parser))


def _finish_symbol(parser: Parser, name: str) -> sympy.Expr:
    start = parser.last.start
    power = _lift_power(parser, name)
    if (function := find_special(parser, parser.names, name)) is not None:
        mark = parser.typed.mark()
        parser.open_functions += 1
        argument = read_group(parser)
        parser.open_functions -= 1
        parser.typed.join(mark, name_in_latex(name))
        parser.tokens[parser.position : parser.position] = power
        return parser.build(start, function, argument)
    if power and parser.names.holds_zero(parser.position):
        # A square of a value: the letter squared, times 0, would be 0 in silence.
        value = parser.make_symbol(parser.names.read_value(name))
        parser.tokens[parser.position : parser.position] = power
        return value
    parser.tokens[parser.position : parser.position] = power
    if ("special", parser.next.start) in parser.choices.met:
        # It was read as a function first: then it is a factor.
        return parser.make_symbol(name)
    return parser.make_symbol(parser.names.read_value(name))


def _lift_power(parser: Parser, name: str) -> list[Token]:
    r"""Take out the exponent of `J_1^2(x)` or `\psi^2(0)`, to be put back behind the bracket."""
    if not parser.sees("^"):
        return []
    end = _find_script_end(parser, parser.position + 1)
    if end is None or parser.tokens[end].kind not in "([":
        return []
    if not INDEXED.fullmatch(name) and not parser.names.holds_zero(end):
        return []
    power = parser.tokens[parser.position : end]
    del parser.tokens[parser.position : end]
    return power


def _read_symbol_name(parser: Parser) -> str:
    r"""Read a symbol; of `v^2_0` the exponent is left to be read after the subscript."""
    base = parser.names.read_base()
    if parser.sees("^") and not parser.names.sees_label(base):
        end = _find_script_end(parser, parser.position + 1)
        if end is not None and parser.tokens[end].kind == "_":
            script = parser.tokens[parser.position : end]
            del parser.tokens[parser.position : end]
            name = parser.names.decorate(base)
            parser.tokens[parser.position : parser.position] = script
            return name
    return parser.names.decorate(base)


def _find_script_end(parser: Parser, position: int) -> int | None:
    kind = parser.tokens[position].kind
    if kind == "{":
        return parser.find_closer(position) + 1
    return position + 1 if kind in ("number", "letter", "command", "*") else None


def _read_e(parser: Parser, token: Token) -> sympy.Expr:
    """Tell an exponential from the charge e: an integer exponent is the charge's."""
    if not parser.sees("^"):
        return choose_e(parser, token)
    sign = parser.take()
    mark = parser.typed.mark()
    if takes_degree(parser):
        symbol = parser.make_symbol("e")
        parser.typed.add(r"^{\circ}")
        return parser.build(token.start, arithmetic.multiply, [symbol, sympy.pi / 180])
    parser.open_exponentials += 1
    exponent = read_exponent(parser, sign)
    parser.open_exponentials -= 1
    raised = parser.typed.cut(mark)
    base = choose_e(parser, token) if exponent.is_Integer else parser.take_constant(sympy.E)
    parser.typed.add(raised)
    parser.typed.join(mark)
    return parser.build(token.start, arithmetic.raise_to, base, exponent)


def _read_application(parser: Parser, token: Token) -> sympy.Expr:
    """Read `f(x+1)`: a product, or else a value of an unknown function f."""
    if not parser.choices.pick("application", token.start, parser.next.end):
        return parser.make_symbol("f")
    mark = parser.typed.mark()
    argument = read_group(parser)
    parser.typed.cut(mark)
    return parser.make_symbol(f"f({write_latex(argument)})")


def _refuse_prose(parser: Parser, token: Token) -> None:
    word = token.word
    end = token.start + len(word)
    if word.lower() in SEVERAL_WORDS:
        raise Unreadable("several", token.start, end)
    known = parser.declared.names | parser.declared.usage.symbols
    is_airy = word in ("Ai", "Bi") and not known.issuperset({word[0], "i"})
    if is_airy and parser.tokens[parser.position + 2].kind == "(":
        raise Unreadable("unknown_function", token.start, end, word)
    if word.lower() in PROSE or (
        len(word) > LONGEST_PRODUCT and word not in GREEK and word not in LETTERLIKE
    ):
        raise Unreadable("words", token.start, end)
