r"""
How far a slash reaches: `E/kT` is E/(kT), and `1/2 mv^2` is half of it.

Behind a slash, numbers, π and letters side by side are the divisor. A function is a factor anew,
and so is a bracket behind a number or a bracket. A number over a number stays a number.
"""

from __future__ import annotations

from collections.abc import Sequence

import sympy

from phybench_grader.numbers.functions import BRACKETS
from phybench_grader.reading.lexer import Token


def classify(first: Token, factor: sympy.Expr) -> str:
    """Tell what kind of factor stands behind a slash: number, plain letters, bracket, function."""
    if first.kind == "number" and factor.is_Rational:
        return "number"
    if first.kind in ("(", "[", "bar") or first.kind in BRACKETS:
        return "bracket"
    if first.text in ("frac", "sqrt", "cbrt"):
        return "function"
    base = factor.base if factor.is_Pow else factor
    if base.is_Symbol or base.is_Rational or base in (sympy.pi, sympy.I):
        return "plain"
    return "bracket" if first.kind == "{" else "function"


def list_reaches(kinds: Sequence[str], *, is_over_number: bool) -> list[int]:
    r"""
    List how many of the factors behind a slash it may divide by, the standard reach first.

    `kinds` are those of the factors side by side, as `classify` tells them.

    >>> list_reaches(["plain", "plain"], is_over_number=False)
    [2, 1]
    >>> list_reaches(["number", "plain", "function"], is_over_number=True)
    [1, 3, 2]
    """
    standard = _measure(kinds, is_over_number=is_over_number)
    ends = (n for n, kind in enumerate(kinds) if n and kind in ("bracket", "function"))
    letters = next(ends, len(kinds))
    other = len(kinds) if standard == 1 else 1
    return list(dict.fromkeys([standard, other, letters]))


def _measure(kinds: Sequence[str], *, is_over_number: bool) -> int:
    if (kinds[0] == "number" and is_over_number) or kinds[0] == "function":
        return 1
    count = 1
    while count < len(kinds) and kinds[count] != "function":
        # A bracket is a factor anew, but for one behind letters: `a/b(c+d)`.
        if kinds[count] == "bracket" and kinds[count - 1] != "plain":
            break
        count += 1
    return count
