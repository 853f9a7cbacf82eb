r"""
Fractions that may be rounded decimals in disguise: 157/100 written for π/2.

A rounded number makes every exact answer wrong, so its author is asked. Nothing is refused for
good: 337/625 may be the square of a probability.
"""

from __future__ import annotations

import re
from fractions import Fraction

_FRACTION = re.compile(
    r"\\[dt]?frac\s*\{\s*(\d{1,20})\s*\}\s*\{\s*(\d{1,20})\s*\}"
    r"|(?<![\d.])(\d{1,20})\s*/\s*(\d{1,20})(?![\d.])"
)
_MANY_DIGITS = 100
"""A numerator from here on has three digits, as rounded numbers have."""


def find_rounded(text: str) -> list[tuple[int, int, str]]:
    r"""
    Find the fractions that a decimal of three digits gives, each with its place and its numbers.

    >>> find_rounded(r"\frac{157}{100} R + \frac{3}{10} m + \frac{1}{3} g")
    [(0, 15, '157/100')]
    """
    found = []
    for match in _FRACTION.finditer(text):
        above, below = (int(number) for number in match.groups() if number is not None)
        if below and _looks_rounded(above, below):
            found.append((match.start(), match.end(), f"{above}/{below}"))
    return found


def _looks_rounded(above: int, below: int) -> bool:
    exact = Fraction(above, below)
    if 10**40 % exact.denominator:
        return False  # no decimal ends there
    is_hundredth = below >= _MANY_DIGITS and str(below).strip("0") == "1"
    return is_hundredth or (exact.denominator % 5 == 0 and exact.numerator >= _MANY_DIGITS)
