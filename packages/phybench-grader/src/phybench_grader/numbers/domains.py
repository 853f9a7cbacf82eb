"""
Where the values of a symbol lie: positive numbers, unless a problem declares otherwise.

A domain shapes the symbol itself (SymPy takes the root of x² for x only where x is positive) and
the points at which expressions are compared.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import mpmath
import sympy

from phybench_grader.numbers.sentences import Sentence

_DRAWN_BITS = 24
"""Bits of a number drawn at random: enough that no two agree by accident."""
_LARGEST_REACH = 12
"""Whole numbers are drawn up to 2 to this power: their factorials and powers stay finite."""
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

    def list_all(self) -> list[Any]:
        """List the numbers of a domain that has a `size`."""
        if self.size is None or self.low is None:
            raise ValueError(self)
        return [mpmath.mpf(int(self.low) + step) for step in range(self.size)]

    def holds(self, value: Any) -> bool:
        """Whether a number, real or not, lies in the domain."""
        if isinstance(value, mpmath.mpc) or (self.is_integer and value != mpmath.nint(value)):
            return False
        low, high = _evaluate_bound(self.low), _evaluate_bound(self.high)
        if self.is_integer:
            return (low is None or value >= low) and (high is None or value <= high)
        return (low is None or value > low) and (high is None or value < high)

    def draw(self, source: random.Random, width: int, scale: int = 0) -> Any:
        """
        Draw a number; those of unbounded domains spread wider with `width`.

        `scale` moves it by that power of two: toward a bound, or away from zero and all bounds.
        """
        if self.is_integer:
            reach = 4**width if scale <= 0 else 2 ** min(scale, _LARGEST_REACH)
            return mpmath.mpf(self._draw_integer(source, reach))
        if self == POSITIVE:
            return _draw_positive(source, width, scale)
        with mpmath.workprec(_BOUND_PRECISION):
            return self._draw_real(source, width, scale)

    def _draw_integer(self, source: random.Random, reach: int) -> int:
        if self.low is not None:
            low = int(self.low)
            high = low + reach
            return source.randint(low, high if self.high is None else min(high, int(self.high)))
        if self.high is not None:
            return int(self.high) - source.randint(0, reach)
        return source.randint(-reach, reach)

    def _draw_real(self, source: random.Random, width: int, scale: int) -> Any:
        low, high = _evaluate_bound(self.low), _evaluate_bound(self.high)
        if low is not None and high is not None:
            part = (source.getrandbits(_DRAWN_BITS) + mpmath.mpf(0.5)) / 2**_DRAWN_BITS
            part = mpmath.ldexp(part, -abs(scale))
            return high - (high - low) * part if scale > 0 else low + (high - low) * part
        drawn = _draw_positive(source, width, scale)
        if low is not None:
            return low + drawn
        if high is not None:
            return high - drawn
        return drawn if source.getrandbits(1) else -drawn


@lru_cache(maxsize=256)
def _evaluate_bound(bound: sympy.Expr | None) -> Any:
    return None if bound is None else mpmath.mpf(str(bound.evalf(40)))


def _draw_positive(source: random.Random, width: int, scale: int) -> Any:
    exponent = source.randint(-width, width) + scale - _DRAWN_BITS
    return mpmath.ldexp(2**_DRAWN_BITS + source.getrandbits(_DRAWN_BITS), exponent)


POSITIVE = Domain()
"""Any positive number: what a symbol is where nothing is declared."""
