"""Functions: their names, bases and powers, and how far an argument without brackets reaches."""

from __future__ import annotations

import sympy

from phybench_grader.numbers import arithmetic
from phybench_grader.numbers.functions import (
    BRACKETED,
    EXTREMES,
    FUNCTIONS,
    INVERSES,
    LINEAR,
    SPELLINGS,
    SPELT,
    TYPED,
)
from phybench_grader.numbers.sentences import Sentence
from phybench_grader.numbers.symbols import GREEK
from phybench_grader.reading.grammar.brackets import SIZED, close_bracket, read_group, take_absolute
from phybench_grader.reading.grammar.factors import (
    read_argument_sign,
    read_exponent,
    read_factor,
    read_powers,
    read_signed_factor,
    read_signs,
    starts_factor,
    write_product,
)
from phybench_grader.reading.grammar.numbers import read_number, refuse_neighbours
from phybench_grader.reading.grammar.parser import Parser
from phybench_grader.reading.lexer import Token
from phybench_grader.reading.reading import Finding, Unreadable, write_latex
from phybench_grader.reading.stream import CLOSERS
from phybench_grader.reading.transcript import name_function

_AROUND = {
    "abs": SIZED["|"],
    "floor": SIZED["⌊"],
    "ceil": SIZED["⌈"],
    "sqrt": (r"\sqrt{", "}"),
    "cbrt": (r"\sqrt[3]{", "}"),
}
"""What is written around the argument of some functions."""


def read_function(parser: Parser, name: str) -> sympy.Expr:
    """Read what follows a function's name: base, power, argument."""
    start = parser.last.start
    mark = parser.typed.mark()
    base: sympy.Expr | None = None
    power: sympy.Expr | None = None
    while parser.sees("^", "_"):
        sign = parser.take()
        if sign.kind == "^" and power is None:
            power = read_exponent(parser, sign)
        elif sign.kind == "_" and base is None and name == "log":
            here = parser.typed.mark()
            # Everybody means `\log_10 x` so, though LaTeX lowers the 1 alone.
            if parser.sees("number"):
                base = read_number(parser)
            elif (end := _find_base_e(parser)) is not None:
                parser.position = end
                base = parser.take_constant(sympy.E)
            else:
                base = read_argument_sign(parser)
            parser.typed.join(here, "_{", "}")
        else:
            raise Unreadable("script", sign.start, sign.end)
    scripts = parser.typed.cut(mark)
    if power == -1 and name in INVERSES:
        name, power, scripts = INVERSES[name], None, ""
    argument = read_factor(parser) if name in LINEAR else _read_argument(parser, name)
    if name == "sinc" and parser.choices.pick("sinc", start, parser.last.end):
        argument = parser.build(start, arithmetic.multiply, [sympy.pi, argument])
        parser.typed.join(mark, r"\left(\implied{\pi\cdot}", r"\right)")
    if name in LINEAR and (name == "Tr" or not argument.has(sympy.I)):
        value = _take_part(parser, name, argument, start)
    else:
        value = _apply(parser, name, argument, start)
    if name in _AROUND:
        before, after = _AROUND[name]
        parser.typed.add(f"{before}{parser.typed.cut_inside(mark)}{after}{scripts}")
    else:
        parser.typed.join(mark, f"{name_function(name)}{scripts}")
    if base is not None:
        divisor = parser.build(start, arithmetic.apply, sympy.log, base)
        value = parser.build(start, arithmetic.divide, value, divisor)
    if power is not None:
        value = parser.build(start, arithmetic.raise_to, value, power)
    return value


def _find_base_e(parser: Parser) -> int | None:
    r"""Find where the e of `\log_e` or `\log_{e}` ends: nobody takes a logarithm to a charge."""
    texts = [token.text for token in parser.tokens[parser.position : parser.position + 3]]
    if texts[:1] == ["e"]:
        return parser.position + 1
    return parser.position + 3 if texts == ["{", "e", "}"] else None


def _apply(parser: Parser, name: str, argument: sympy.Expr, start: int) -> sympy.Expr:
    if name == "abs":
        return take_absolute(parser, argument, parser.tokens[max(parser.position - 1, 0)])
    if name == "cbrt":
        return parser.build(start, arithmetic.take_root, argument, sympy.Integer(3))
    if name == "exp":
        return parser.build(start, arithmetic.exponentiate, argument)
    return parser.build(start, arithmetic.apply, FUNCTIONS[name], argument)


def _take_part(parser: Parser, name: str, argument: sympy.Expr, start: int) -> sympy.Expr:
    """Take a part, or a trace, of each term: it is not its own real part, nor is that zero."""
    terms = []
    for term in sympy.Add.make_args(argument):
        number, rest = term.as_coeff_Mul()
        part = f"mathrm{{{name}}}({write_latex(rest)})"
        parser.order[part] = None
        factors = [number, parser.declared.make_symbol(part)]
        terms.append(parser.build(start, arithmetic.multiply, factors))
    return parser.build(start, arithmetic.add, terms)


def read_extreme(parser: Parser, name: str) -> sympy.Expr:
    """Read the bracket behind max or min."""
    opener = parser.next
    if not parser.sees("(", "[", "{"):
        raise Unreadable("missing", parser.last.start, parser.last.end)
    parser.take()
    mark = parser.typed.mark()
    values = [parser.read_sum()]
    while parser.sees(","):
        parser.take()
        parser.typed.add(", ")
        values.append(parser.read_sum())
    close_bracket(parser, opener, CLOSERS[opener.kind])
    parser.typed.join(mark, rf"\{name}\left(", r"\right)")
    values = sorted(set(values), key=sympy.default_sort_key)
    if len(values) == 1:
        return values[0]
    return parser.build(opener.start, arithmetic.apply, EXTREMES[name], *values)


def find_typed_function(parser: Parser, token: Token) -> str | None:
    """Find a function in letters typed together (`sin`, `sinx`) and move behind its name."""
    word = token.word
    if word in SPELT and _is_spelt(parser, word):
        parser.position += len(word)
        return SPELLINGS[word]
    if word in TYPED:
        here, parser.position = parser.position, parser.position + len(word)
        if parser.sees("(", "[", "{") or (
            word not in BRACKETED and (starts_factor(parser) or parser.sees("^", "_"))
        ):
            return SPELLINGS[word]
        parser.position = here
        if word in BRACKETED:
            note = Sentence.of("read_as_letters", word=word)
            parser.findings.append(Finding("letters", note, token.start, token.start + len(word)))
        return None
    shortest = 3 if parser.names.is_latex else 2
    for name in sorted(TYPED - BRACKETED, key=len, reverse=True):
        rest = word[len(name) :]
        if len(name) < shortest or not word.startswith(name):
            continue
        if len(rest) == 1 or rest in GREEK or rest == "pi" or rest in TYPED:
            parser.position += len(name)
            first = parser.next
            parser.tokens[parser.position] = Token(
                first.kind, first.text, first.start, first.end, rest
            )
            return SPELLINGS[name]
    return None


def _is_spelt(parser: Parser, word: str) -> bool:
    """Whether letters such as `Re` are a function: right before a bracket, and no symbols."""
    known = parser.declared.names | parser.declared.usage.symbols
    is_part = SPELLINGS[word] in LINEAR
    is_symbols = not known.isdisjoint(word) if is_part else known.issuperset(word)
    return parser.tokens[parser.position + len(word)].kind in "([" and not is_symbols


def _read_argument(parser: Parser, name: str) -> sympy.Expr:
    is_exponential = name == "exp"
    parser.open_exponentials += is_exponential
    parser.open_functions += not is_exponential
    argument = _read_enclosed_or_bare(parser, name)
    parser.open_exponentials -= is_exponential
    parser.open_functions -= not is_exponential
    return argument


def _read_enclosed_or_bare(parser: Parser, name: str) -> sympy.Expr:
    if parser.sees("(", "["):
        return read_group(parser)
    mark = parser.typed.mark()
    if parser.sees("{"):
        closer = parser.find_closer(parser.position)
        is_bracketed = parser.tokens[parser.position + 1].kind in "([" and (
            parser.find_closer(parser.position + 1) == closer - 1
        )
        argument = read_group(parser)
        # `\sin{x}^2` looks like `\sin x^2`; its braces speak for the sine's square.
        is_open = not is_bracketed and parser.sees("^") and not _sees_degree(parser)
        if is_open and _pick_reach_of_power(parser, "braced"):
            argument = read_powers(parser, argument, mark)
        if not is_bracketed:
            parser.typed.enclose(mark)
        return argument
    argument = _read_bare(parser, name)
    parser.typed.enclose(mark)
    return argument


def _read_bare(parser: Parser, name: str) -> sympy.Expr:
    """Read an argument without brackets: the factors side by side, as far as it reaches."""
    start = parser.next.start
    is_negative = read_signs(parser)
    if is_negative:
        parser.typed.add("-")
    mark = parser.typed.mark()
    factors = [_read_atom_level(parser)]
    while _take_bare_power(parser, factors, mark) and _continues_bare(parser):
        if _may_end(name, factors) and _ends_bare(parser):
            break
        write_product(parser, factors[-1])
        mark = parser.typed.mark()
        factors.append(_read_atom_level(parser))
    argument = parser.build(start, arithmetic.multiply, factors)
    if parser.sees("/") and _divides_bare(parser, argument):
        divisor = _read_divisor(parser, is_angle=_is_angle(argument))
        argument = parser.build(start, arithmetic.multiply, [argument, divisor])
    return -argument if is_negative else argument


def _read_atom_level(parser: Parser) -> sympy.Expr:
    parser.descend()
    atom = parser.read_atom()
    parser.level -= 1
    return atom


def _take_bare_power(parser: Parser, factors: list[sympy.Expr], mark: int) -> bool:
    r"""Read the exponent of a bare argument's factor; tell whether the argument may go on."""
    if not parser.sees("^", "!"):
        return True
    is_letter = factors[-1].is_Symbol or factors[-1].is_number
    if not _sees_degree(parser) and _pick_reach_of_power(
        parser, "power" if is_letter else "braced"
    ):
        return False
    factors[-1] = read_powers(parser, factors[-1], mark)
    return True


def _sees_degree(parser: Parser) -> bool:
    signs = [token.text for token in parser.tokens[parser.position : parser.position + 3]]
    return signs[0] == "^" and "circ" in signs[1:] and signs[1] in ("circ", "{")


def _pick_reach_of_power(parser: Parser, kind: str) -> int:
    r"""
    Choose whether what is raised behind an argument belongs to it, or to the function's value.

    Behind a letter it does, as in `\ln x^2`. Of `\ln\frac ab^2` and `\sin{x}^2` nobody can tell.
    """
    place = parser.next
    if kind == "braced":
        note = Sentence("power_doubtful")
        parser.findings.append(Finding("power_doubtful", note, place.start, place.end))
    return parser.choices.pick(kind, place.start, place.end)


def _continues_bare(parser: Parser) -> bool:
    """Whether the next factor is simple enough to belong to a bare argument."""
    token = parser.next
    if token.kind == "letter" and token.text == "e" and not token.word[1:]:
        # An exponential is a factor of its own, a charge squared may be in the argument.
        raised = [one.kind for one in parser.tokens[parser.position + 1 :][:4] if one.kind != "{"]
        if raised[:1] == ["^"] and raised[1:2] != ["number"]:
            return False
    if token.kind == "letter" and token.word:
        here = parser.position
        tokens = list(parser.tokens)
        is_function = find_typed_function(parser, token) is not None
        parser.position, parser.tokens = here, tokens
        return not is_function
    if token.kind == "number":
        refuse_neighbours(parser)
        return True
    return parser.names.starts() or parser.sees_command("pi")


def _may_end(name: str, factors: list[sympy.Expr]) -> bool:
    """Whether an argument may end here: nobody means `sin 2` in `sin 2x`."""
    return name in ("ln", "log", "lg", "exp") or not all(factor.is_number for factor in factors)


def _ends_bare(parser: Parser) -> bool:
    r"""Whether a bare argument ends where it might: a space such as `\,` mostly ends it."""
    place = parser.next
    if place.is_spaced:
        return not parser.choices.pick("space", place.start, place.end)
    return bool(parser.choices.pick("reach", place.start, place.end))


def _divides_bare(parser: Parser, argument: sympy.Expr) -> bool:
    r"""Whether a slash belongs to the bare argument before it: of `\cos\pi/4` it does."""
    place = parser.next
    if _is_angle(argument) and parser.tokens[parser.position + 1].kind == "number":
        return not parser.choices.pick("angle", place.start, place.end)
    return bool(parser.choices.pick("over", place.start, place.end))


def _read_divisor(parser: Parser, *, is_angle: bool) -> sympy.Expr:
    """Read what a slash within a bare argument divides by: of an angle such as π, a number."""
    sign = parser.take()
    parser.typed.add("/")
    mark = parser.typed.mark()
    divisors = [read_signed_factor(parser)]
    while not is_angle and starts_factor(parser) and _continues_bare(parser):
        write_product(parser, divisors[-1])
        divisors.append(read_factor(parser))
    parser.typed.enclose_several(mark)
    divisor = parser.build(sign.start, arithmetic.multiply, divisors)
    return parser.build(sign.start, arithmetic.raise_to, divisor, sympy.Integer(-1))


def _is_angle(argument: sympy.Expr) -> bool:
    return bool((argument / sympy.pi).is_Rational)
