"""
The cheapest way to give each of some things a partner of its own.

The Hungarian method with potentials (H. W. Kuhn, Nav. Res. Logist. Q. 2, 83, 1955; J. Munkres,
J. SIAM 5, 32, 1957). SciPy has it too, but children that grade have no room for SciPy.
"""

from __future__ import annotations

import math
from collections.abc import Sequence


def match_cheapest(costs: Sequence[Sequence[float]]) -> float:
    """
    Return the least total cost of giving each row a column that no other row has.

    Args:
        costs: of each row with each column, any finite numbers; at least as many columns as rows.

    >>> match_cheapest([[4, 1, 3], [2, 0, 5]])
    3
    >>> match_cheapest([])
    0
    """
    if len(costs) == 1:
        return min(costs[0])
    partners = _find_partners(costs)
    return sum(costs[row][column] for column, row in partners.items())


def _find_partners(costs: Sequence[Sequence[float]]) -> dict[int, int]:
    """Find the row of each column that has one: rows join one after the other."""
    width = len(costs[0]) if costs else 0
    of_rows, of_columns = [0.0] * len(costs), [0.0] * width
    partners: dict[int, int] = {}
    for new in range(len(costs)):
        # A shortest path from the new row to a column that is free, by costs less potentials.
        least = [math.inf] * width
        came_from: list[int | None] = [None] * width
        unmet = set(range(width))
        met: list[int] = []
        row, column = new, None
        while True:
            taken = of_rows[row]
            for other in unmet:
                slack = costs[row][other] - taken - of_columns[other]
                if slack < least[other]:
                    least[other], came_from[other] = slack, column
            column = min(unmet, key=least.__getitem__)
            step = least[column]
            of_rows[new] += step
            for other in met:
                of_rows[partners[other]] += step
                of_columns[other] -= step
            for other in unmet:
                least[other] -= step
            unmet.remove(column)
            met.append(column)
            if column not in partners:
                break
            row = partners[column]
        _shift_partners(partners, column, came_from, new)
    return partners


def _shift_partners(
    partners: dict[int, int], last: int, came_from: Sequence[int | None], new: int
) -> None:
    """Hand the columns of a path on, from its free end to the row that is new."""
    column = last
    while (before := came_from[column]) is not None:
        partners[column] = partners[before]
        column = before
    partners[column] = new
