"""
Where the values of a symbol lie: positive numbers, unless a problem declares otherwise.

A domain shapes the symbol itself (SymPy takes the root of x² for x only where x is positive) and
the points at which expressions are compared.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Any

import mpmath
import sympy

from grading.expressions.sentences import Sentence

_DRAWN_BITS = 24
"""Bits of a number drawn at random: enough that no two agree by accident."""
_BOUND_PRECISION = 100
"""Bits of a bound such as pi/2, whatever precision mpmath is at."""


class NoDomain(ValueError):
    """A bound is no number, or nothing lies between two of them."""

    def __init__(self, message: Sentence) -> None:
        super().__init__(message)
        self.message = message


@dataclass(frozen=True, slots=True)
class Domain:
    """
    The numbers between two bounds, or the whole numbers there; None is no bound.

    Whole numbers may be the bounds themselves, other numbers lie strictly between them.

    >>> Domain(sympy.Integer(0), sympy.pi / 2).assumptions
    {'positive': True}
    >>> Domain(sympy.Integer(0), None, is_integer=True).assumptions
    {'integer': True, 'nonnegative': True}
    """

    low: sympy.Expr | None = sympy.S.Zero
    high: sympy.Expr | None = None
    is_integer: bool = False

    def __post_init__(self) -> None:
        for bound in (self.low, self.high):
            if bound is not None and not (bound.is_number and bound.is_extended_real):
                raise NoDomain(Sentence.of("bound_not_real", bound=str(bound)))
            if bound is not None and self.is_integer and not bound.is_Integer:
                raise NoDomain(Sentence.of("bound_not_whole", bound=str(bound)))
        if self.low is not None and self.high is not None:
            is_empty = self.low > self.high or (self.low == self.high and not self.is_integer)
            if is_empty:
                raise NoDomain(Sentence.of("range_empty", low=str(self.low), high=str(self.high)))

    @property
    def assumptions(self) -> dict[str, bool]:
        """List what SymPy may take for granted of a symbol."""
        kind = {"integer": True} if self.is_integer else {}
        # What lies strictly above 0 is positive; a whole number may be 0 itself.
        if self.low is not None and self.low >= 0:
            is_zero_in = self.is_integer and self.low == 0
            return {**kind, "nonnegative" if is_zero_in else "positive": True}
        if self.high is not None and self.high <= 0:
            is_zero_in = self.is_integer and self.high == 0
            return {**kind, "nonpositive" if is_zero_in else "negative": True}
        return kind or {"real": True}

    @property
    def size(self) -> int | None:
        """Count the numbers; None where they can't be counted off."""
        if not self.is_integer or self.low is None or self.high is None:
            return None
        return int(self.high - self.low) + 1

    def draw(self, source: random.Random, width: int) -> Any:
        """Draw a number; those of unbounded domains spread wider with `width`."""
        if self == POSITIVE:
            return _draw_positive(source, width)
        if self.is_integer:
            return mpmath.mpf(self._draw_integer(source, 4**width))
        with mpmath.workprec(_BOUND_PRECISION):
            return self._draw_real(source, width)

    def _draw_integer(self, source: random.Random, reach: int) -> int:
        if self.low is not None:
            low = int(self.low)
            high = low + reach
            return source.randint(low, high if self.high is None else min(high, int(self.high)))
        if self.high is not None:
            return int(self.high) - source.randint(0, reach)
        return source.randint(-reach, reach)

    def _draw_real(self, source: random.Random, width: int) -> Any:
        low, high = (
            None if bound is None else mpmath.mpf(str(bound.evalf(40)))
            for bound in (self.low, self.high)
        )
        if low is not None and high is not None:
            part = (source.getrandbits(_DRAWN_BITS) + mpmath.mpf(0.5)) / 2**_DRAWN_BITS
            return low + (high - low) * part
        drawn = _draw_positive(source, width)
        if low is not None:
            return low + drawn
        if high is not None:
            return high - drawn
        return drawn if source.getrandbits(1) else -drawn


def _draw_positive(source: random.Random, width: int) -> Any:
    scale = mpmath.mpf(2) ** source.randint(-width, width)
    return scale * (1 + mpmath.mpf(source.getrandbits(_DRAWN_BITS)) / 2**_DRAWN_BITS)


POSITIVE = Domain()
"""Any positive number: what a symbol is where nothing is declared."""
