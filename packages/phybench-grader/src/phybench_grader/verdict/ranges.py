"""Reading the bounds of a symbol's domain, as whoever writes a problem types them."""

from __future__ import annotations

import sympy

from phybench_grader.numbers.domains import Domain
from phybench_grader.statement.answer import read


def read_domain(low: str = "", high: str = "", *, is_integer: bool = False) -> Domain:
    r"""
    Read a domain; an empty text is no bound.

    Raises `Unreadable` for what is no expression, and `NoDomain` for what is no pair of bounds.

    >>> read_domain("0", r"\frac{\pi}{2}")
    Domain(low=0, high=pi/2, is_integer=False)
    >>> read_domain("1", is_integer=True)
    Domain(low=1, high=None, is_integer=True)
    """
    return Domain(_read_bound(low), _read_bound(high), is_integer)


def _read_bound(text: str) -> sympy.Expr | None:
    return read(text).expression if text.strip() else None
