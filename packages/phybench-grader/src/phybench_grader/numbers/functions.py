"""The functions an answer may use, under all their spellings."""

from __future__ import annotations

from collections.abc import Callable

import sympy

from phybench_grader.numbers.special import (
    BesselI,
    BesselJ,
    BesselK,
    BesselY,
    Ceiling,
    Erf,
    Erfc,
    Floor,
    ImaginaryPart,
    Maximum,
    Minimum,
    RealPart,
)

Function = Callable[[sympy.Expr], sympy.Expr]

_TRIGONOMETRIC = ("sin", "cos", "tan", "cot", "sec", "csc")
_HYPERBOLIC = ("sinh", "cosh", "tanh", "coth", "sech", "csch")

INVERSES = {name: f"arc{name}" for name in _TRIGONOMETRIC + _HYPERBOLIC}
"""What `^{-1}` after a function makes of it."""

FUNCTIONS: dict[str, Function] = {
    **{name: getattr(sympy, name) for name in _TRIGONOMETRIC + _HYPERBOLIC},
    **{f"arc{name}": getattr(sympy, f"a{name}") for name in _TRIGONOMETRIC + _HYPERBOLIC},
    "ln": sympy.log,
    "log": sympy.log,
    "lg": lambda argument: sympy.log(argument) / sympy.log(10),
    "exp": sympy.exp,
    "abs": sympy.Abs,
    "sqrt": sympy.sqrt,
    "cbrt": sympy.cbrt,
    "erf": Erf,
    "erfc": Erfc,
    "Re": RealPart,
    "Im": ImaginaryPart,
    "Tr": lambda argument: argument,
    "floor": Floor,
    "ceil": Ceiling,
    "sinc": lambda argument: sympy.sin(argument) / argument,
}

SPELLINGS: dict[str, str] = {
    **{name: name for name in FUNCTIONS},
    **{f"a{name}": f"arc{name}" for name in _TRIGONOMETRIC + _HYPERBOLIC},
    **{f"ar{name}": f"arc{name}" for name in _HYPERBOLIC},
    "cosec": "csc", "arccosec": "arccsc", "tg": "tan", "ctg": "cot", "arctg": "arctan",
    "arcctg": "arccot", "sh": "sinh", "ch": "cosh", "th": "tanh", "cth": "coth",
    **{
        f"{start}{end}": f"arc{name}"
        for start in ("ar", "Ar", "arc")
        for end, name in (("sh", "sinh"), ("ch", "cosh"), ("th", "tanh"), ("cth", "coth"))
    },
    "log10": "lg", "Abs": "abs", "tr": "Tr",
    **{
        name.capitalize(): name
        for name in (*_TRIGONOMETRIC, *_HYPERBOLIC, "ln", "log", "exp", "arctan", "arcsin")
    },
}  # fmt: skip
"""How each function may be written as a command or in upright letters."""

TYPED = frozenset(SPELLINGS) - {
    "sh", "ch", "th", "tg", "ctg", "cth", "lg", "Abs", "arch", "Arch", "Re", "Im", "Tr", "tr",
}  # fmt: skip
"""Those recognised in letters typed plainly, where `ch` is as well a product."""

LINEAR = frozenset({"Re", "Im", "Tr"})
"""Functions of whatever is complex or a matrix: nothing says what they make of a symbol."""

SPELT = frozenset({"Re", "Im", "Tr", "tr", "sh", "ch", "th", "tg", "ctg", "cth", "lg"})
"""Typed plainly, these are functions before a bracket, where their letters are no symbols."""

BRACKETED = frozenset({"exp", "abs", "sqrt", "cbrt", "erf", "erfc", "floor", "ceil", "sinc"})
"""Typed plainly, these are functions only before a bracket."""

_GLUED = (
    *("arcsin", "arccos", "arctan", "sinh", "cosh", "tanh"),
    *("sin", "cos", "tan", "cot", "log", "ln"),
)


def split_glued(word: str, spells: Callable[[str], bool]) -> tuple[str, str] | None:
    """
    Part letters typed together where a function's name follows what the problem's symbols spell.

    >>> split_glued("mgsin", {"mg"}.__contains__), split_glued("using", {"mg"}.__contains__)
    (('mg', 'sin'), None)
    """
    for name in _GLUED:
        place = word.find(name)
        if place > 0 and spells(word[:place]):
            return word[:place], word[place:]
    return None


EXTREMES: dict[str, Callable[..., sympy.Expr]] = {"max": Maximum, "min": Minimum}
"""Functions of several arguments, in brackets with commas."""

BRACKETS: dict[str, Function] = {"⌊": Floor, "⌈": Ceiling}
"""Brackets that are functions."""

FAMILIES: dict[str, tuple[str, Function]] = {
    "J": ("bessel", BesselJ),
    "Y": ("bessel", BesselY),
    "I": ("modified bessel", BesselI),
    "K": ("modified bessel", BesselK),
    "H": ("hermite", sympy.hermite),
    "P": ("legendre", sympy.legendre),
}
"""Letters that with a whole index may be functions, and the words by which a statement says so."""
