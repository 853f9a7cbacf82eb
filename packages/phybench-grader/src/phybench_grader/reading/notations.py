"""
Writing one expression in the ways that people write it.

The certificate of a reference is made of these: each must be read back as what it was.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import sympy
from sympy.core.function import Function
from sympy.printing.str import StrPrinter

from phybench_grader.numbers.symbols import latex_names
from phybench_grader.reading.reading import Printer

_TYPED_NAMES = {"log": "ln", "Abs": "abs"}
_INVERSE = re.compile(r"a(?=(?:sin|cos|tan|cot|sec|csc)h?$)")
_SIMPLE = (sympy.Symbol, sympy.Function, sympy.NumberSymbol, sympy.exp)


class Unwritable(Exception):
    """An expression has no spelling of this kind."""


def write_with_slashes(expression: sympy.Expr) -> str:
    r"""
    Write an expression in LaTeX with `/` where others write `\frac`.

    >>> m, k = sympy.symbols("m k", positive=True)
    >>> write_with_slashes(2 * sympy.pi * sympy.sqrt(m / k))
    '2 \\cdot \\pi \\cdot \\sqrt{m}/\\sqrt{k}'
    """
    return _write(_SlashPrinter, expression)


def write_reordered(expression: sympy.Expr) -> str:
    r"""
    Write an expression in LaTeX with its terms and factors the other way round.

    >>> m, g, h = sympy.symbols("m g h", positive=True)
    >>> write_reordered(m * g * h - h)
    '-h+m \\cdot h \\cdot g'
    """
    return _write(_ReversingPrinter, expression)


def write_plainly(expression: sympy.Expr) -> str:
    """
    Write an expression as people type it without LaTeX; `Unwritable` where a name needs LaTeX.

    >>> m, k = sympy.symbols("m k", positive=True)
    >>> write_plainly(2 * sympy.pi * sympy.sqrt(m / k))
    '2*pi*sqrt(m)/sqrt(k)'
    """
    return str(_PlainPrinter().doprint(expression))


def _write(printer: type[Printer], expression: sympy.Expr) -> str:
    settings = {
        "symbol_names": latex_names(expression),
        "ln_notation": True,
        "imaginary_unit": "ri",
    }
    return str(printer(settings).doprint(expression))


class _TermPrinter(Printer):
    """Puts sums and products together from their parts, in an order of its own."""

    def _arrange(self, parts: Sequence[sympy.Expr]) -> Sequence[sympy.Expr]:
        return parts

    def _print_Add(self, expression: sympy.Add, order: str | None = None) -> str:
        terms = [self._print(term) for term in self._arrange(expression.as_ordered_terms())]
        return terms[0] + "".join(
            term if term.startswith("-") else f"+{term}" for term in terms[1:]
        )

    def _print_Mul(self, expression: sympy.Mul) -> str:
        if expression.could_extract_minus_sign():
            positive = -expression
            text = self._print(positive)
            return f"-{self._bracket(text)}" if positive.is_Add else f"-{text}"
        numerator, denominator = sympy.fraction(expression, exact=True)
        if denominator == 1:
            return self._multiply(numerator)
        return self._divide(numerator, denominator)

    def _print_Pow(self, expression: sympy.Pow) -> str:
        numerator, denominator = sympy.fraction(expression, exact=True)
        if denominator == 1:
            return str(super()._print_Pow(expression))
        return self._divide(numerator, denominator)

    def _multiply(self, product: sympy.Expr) -> str:
        factors = self._arrange(sympy.Mul.make_args(product))
        return r" \cdot ".join(self._write_factor(factor) for factor in factors)

    def _write_factor(self, factor: sympy.Expr) -> str:
        text = str(self._print(factor))
        return self._bracket(text) if factor.is_Add or text.startswith("-") else text

    def _divide(self, numerator: sympy.Expr, denominator: sympy.Expr) -> str:
        return rf"\frac{{{self._print(numerator)}}}{{{self._print(denominator)}}}"

    @staticmethod
    def _bracket(text: str) -> str:
        return f"({text})"


class _ReversingPrinter(_TermPrinter):
    def _arrange(self, parts: Sequence[sympy.Expr]) -> Sequence[sympy.Expr]:
        return parts[::-1]


class _SlashPrinter(_TermPrinter):
    def _print_Rational(self, number: sympy.Rational) -> str:
        return str(number.p) if number.q == 1 else f"{number.p}/{number.q}"

    def _divide(self, numerator: sympy.Expr, denominator: sympy.Expr) -> str:
        above = self._multiply(numerator)
        below = str(self._print(denominator))
        is_simple = isinstance(denominator, _SIMPLE) or (
            denominator.is_Integer or (denominator.is_Pow and r"\cdot" not in below)
        )
        return f"{above}/{below if is_simple else self._bracket(below)}"


class _PlainPrinter(StrPrinter):  # type: ignore[misc]  # SymPy is untyped
    def _print_Symbol(self, symbol: sympy.Symbol) -> str:
        name = str(symbol.name)
        if re.search(r"[\\*|]|[A-Za-z]\{", name):
            raise Unwritable
        return name

    def _print_Function(self, function: Function) -> str:
        name = function.func.__name__
        name = _INVERSE.sub("arc", _TYPED_NAMES.get(name, name))
        return f"{name}({self.stringify(function.args, ', ')})"

    def _print_Abs(self, expression: sympy.Abs) -> str:
        return self._print_Function(expression)

    def _print_factorial(self, expression: sympy.Expr) -> str:
        return f"({self._print(expression.args[0])})!"

    def _print_Exp1(self, _: sympy.Expr) -> str:
        return "exp(1)"

    def _print_ImaginaryUnit(self, _: sympy.Expr) -> str:
        return "i"
