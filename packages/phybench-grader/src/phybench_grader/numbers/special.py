r"""
Special functions, as SymPy functions that stay as they are written.

SymPy's own of these names rewrite themselves, some without bound (`zeta(1000)`, `Max` of sums).
These keep their arguments, so a tree shows what was typed; `evaluation` knows their values.
"""

from __future__ import annotations

from typing import Any

import sympy


class Special(sympy.Function):  # type: ignore[misc]  # SymPy is untyped
    """A function of real arguments whose values are real; `written` is its name in LaTeX."""

    written: str
    typed: str

    def _eval_is_extended_real(self) -> bool | None:
        return True if all(argument.is_extended_real for argument in self.args) else None

    def _latex(self, printer: Any, exp: str | None = None) -> str:
        inside = ",".join(printer._print(argument) for argument in self.args)
        return _raise(rf"{self.written}\left({inside}\right)", exp)

    def _sympystr(self, printer: Any) -> str:
        return f"{self.typed}({', '.join(printer._print(argument) for argument in self.args)})"


def _raise(text: str, exponent: str | None) -> str:
    return text if exponent is None else f"{text}^{{{exponent}}}"


class Erf(Special):
    """The error function."""

    written, typed = r"\operatorname{erf}", "erf"


class Erfc(Special):
    """One minus the error function."""

    written, typed = r"\operatorname{erfc}", "erfc"


class Zeta(Special):
    """Riemann's ζ of a number."""

    written, typed = r"\zeta", "zeta"


class Maximum(Special):
    """The largest of some values."""

    written, typed = r"\max", "max"


class Minimum(Special):
    """The smallest of some values."""

    written, typed = r"\min", "min"


class RealPart(Special):
    """The real part; `sympy.re` would multiply powers out to find it."""

    written, typed = r"\operatorname{Re}", "Re"


class ImaginaryPart(Special):
    """The imaginary part."""

    written, typed = r"\operatorname{Im}", "Im"


class Floor(Special):
    """The largest whole number not above a value."""

    written, typed = r"\lfloor", "floor"

    def _latex(self, printer: Any, exp: str | None = None) -> str:
        inside = printer._print(self.args[0])
        return _raise(rf"\left\lfloor {inside}\right\rfloor", exp)


class Ceiling(Special):
    """The smallest whole number not below a value."""

    written, typed = r"\lceil", "ceil"

    def _latex(self, printer: Any, exp: str | None = None) -> str:
        inside = printer._print(self.args[0])
        return _raise(rf"\left\lceil {inside}\right\rceil", exp)


class DoubleFactorial(Special):
    """The product of every second number down to 1 or 2."""

    written, typed = "", ""

    def _latex(self, printer: Any, exp: str | None = None) -> str:
        text = rf"\left({printer._print(self.args[0])}\right)!!"
        return text if exp is None else rf"\left({text}\right)^{{{exp}}}"

    def _sympystr(self, printer: Any) -> str:
        return f"({printer._print(self.args[0])})!!"


class RealRoot(Special):
    """The real root of odd index, of negative numbers as well: radicand and index."""

    written, typed = r"\sqrt", "root"

    def _latex(self, printer: Any, exp: str | None = None) -> str:
        radicand, index = (printer._print(argument) for argument in self.args)
        return _raise(rf"\sqrt[{index}]{{{radicand}}}", exp)


class Bessel(Special):
    """A Bessel function: its whole index, and its argument."""

    def _latex(self, printer: Any, exp: str | None = None) -> str:
        index, argument = (printer._print(one) for one in self.args)
        return _raise(rf"{self.written}_{{{index}}}\left({argument}\right)", exp)

    def _sympystr(self, printer: Any) -> str:
        index, argument = (printer._print(one) for one in self.args)
        return f"{self.typed}_{index}({argument})"


class BesselJ(Bessel):
    """Of the first kind."""

    written, typed = "J", "J"


class BesselY(Bessel):
    """Of the second kind."""

    written, typed = "Y", "Y"


class BesselI(Bessel):
    """Modified, of the first kind."""

    written, typed = "I", "I"


class BesselK(Bessel):
    """Modified, of the second kind."""

    written, typed = "K", "K"
