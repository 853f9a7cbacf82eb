"""The functions an answer may use, under all their spellings."""

from __future__ import annotations

from collections.abc import Callable

import sympy

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
    "log10": "lg", "Abs": "abs",
    **{
        name.capitalize(): name
        for name in (*_TRIGONOMETRIC, *_HYPERBOLIC, "ln", "log", "exp", "arctan", "arcsin")
    },
}  # fmt: skip
"""How each function may be written as a command or in upright letters."""

TYPED = frozenset(SPELLINGS) - {"sh", "ch", "th", "tg", "ctg", "cth", "lg", "Abs", "arch", "Arch"}
"""Those recognised in letters typed plainly, where `ch` is as well a product."""

BRACKETED = frozenset({"exp", "abs", "sqrt"})
"""Typed plainly, these are functions only before a bracket."""
