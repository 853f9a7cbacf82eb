"""
What a board tells of each problem: how hard it is, and whether it tells good solvers from others.

Discrimination is the correlation of the solvers' scores on a problem with their means over the
*other* problems that they have (the corrected item-rest correlation: with the problem itself among
the rest it would be above 0 by itself). A negative one asks to look at the reference answer. It is
no model of the solvers: theirs are too few, and too alike, for item response theory.

Pure: no Django, no database.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

LEAST_FOR_CORRELATION = 10
"""Solvers. Of 10 without any true correlation one in twenty shows 0.63 or more either way."""

Matrix = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Item:
    """What solvers made of one problem."""

    solvers: int
    right: float | None
    """
    Mean accuracy, 0 to 100, each solver counting alike; None of no solver. The field calls it the
    item's difficulty, and an easy item's is high.
    """
    discrimination: float | None
    """-1 to 1; None of few solvers, and where all score alike on it or on the rest."""


def find_items(accuracy: Matrix) -> list[Item]:
    """
    Describe each problem of a board.

    Args:
        accuracy: mean accuracy, a row a solver and a column a problem, 0 to 100; NaN where a solver
            has nothing of a problem.
    """
    has = ~np.isnan(accuracy)
    given = np.where(has, accuracy, 0.0)
    sums, counts = given.sum(axis=1), has.sum(axis=1)
    items = []
    for place in range(accuracy.shape[1]):
        scores = given[has[:, place], place]
        right = float(scores.mean()) if len(scores) else None
        with_rest = has[:, place] & (counts > 1)
        own = given[with_rest, place]
        rest = (sums[with_rest] - own) / (counts[with_rest] - 1)
        items.append(Item(len(scores), right, _correlate(own, rest)))
    return items


def _correlate(own: Matrix, rest: Matrix) -> float | None:
    if len(own) < LEAST_FOR_CORRELATION or np.ptp(own) < 1e-9 or np.ptp(rest) < 1e-9:
        return None
    return float(np.corrcoef(own, rest)[0, 1])
