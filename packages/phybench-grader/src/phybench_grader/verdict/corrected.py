"""Whether a corrected reference answer is another one, or the same in other words."""

from __future__ import annotations

from collections.abc import Collection

from phybench_grader.equality.equality import Equality, compare_readings
from phybench_grader.reading.conditions import read_space
from phybench_grader.statement.answer import read
from phybench_grader.statement.response import find_answer


def compare_references(
    before: str,
    after: str,
    *,
    declared_before: Collection[str] = (),
    declared_after: Collection[str] = (),
) -> Equality:
    r"""
    Compare two reference answers by value, where the symbols of the later one may lie.

    Raises `Unreadable`.

    >>> compare_references(r"\frac{v^2}{2g}", r"v^2/(2g)")
    <Equality.EQUAL: 'equal'>
    """
    old = read(find_answer(before), declared=declared_before)
    new = read(find_answer(after), declared=declared_after)
    return compare_readings(old, new, read_space(declared_after))
