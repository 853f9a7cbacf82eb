"""
Which parts of a set of problems figures may be told of, so that none tells of a single problem.

A mean over few problems is nearly a verdict, and so is the difference of two means over parts that
differ in few. Problems of one domain and difficulty are a cell. The whole is told always; then
parts are taken in, the larger first: each domain, each difficulty, each cell. One is taken in only
if no set of one to four problems can then be worked out from all that are, which is so if no such
set's sum is a sum of multiples of the sums that are told: suppression of cells and of others beside
them, as L. H. Cox has it for tables (J. Am. Stat. Assoc. 75, 377, 1980). What a mean of 0 or of 100
tells of each of its problems remains.

Pure: NumPy, no Django, no database.
"""

from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

LEAST_PROBLEMS = 5
"""Of fewer problems no figure is told."""
Cell = tuple[str, str]
"""A domain and a difficulty."""
Part = tuple[str, str]
"""As a cell; "" for all of them."""
WHOLE: Part = ("", "")
Matrix = NDArray[np.float64]
_NOTHING = 1e-9


@lru_cache(maxsize=64)
def find_told(counts: frozenset[tuple[Cell, int]]) -> frozenset[Part]:
    """
    Find the parts of which figures may be told.

    Args:
        counts: how many problems each cell has.

    >>> told = find_told(frozenset({(("A", "x"), 12), (("A", "y"), 7), (("A", "z"), 1)}))
    >>> sorted(told)
    [('', ''), ('', 'x'), ('A', ''), ('A', 'x')]
    """
    cells = sorted(cell for cell, count in counts if count)
    sizes = np.array([dict(counts)[cell] for cell in cells], dtype=np.int64)
    told: list[Part] = [WHOLE]
    if sizes.sum() < LEAST_PROBLEMS:
        return frozenset(told)
    few = np.array(list(_list_few(sizes)), dtype=np.float64).reshape(-1, len(cells))
    rows = [np.ones(len(cells))]
    for part in _list_parts(cells, sizes):
        row = np.array([_is_within(cell, part) for cell in cells], dtype=np.float64)
        if row @ sizes >= LEAST_PROBLEMS and not _gives_away(np.array([*rows, row]), few):
            told.append(part)
            rows.append(row)
    return frozenset(told)


def _is_within(cell: Cell, part: Part) -> bool:
    return part[0] in ("", cell[0]) and part[1] in ("", cell[1])


def _list_parts(cells: list[Cell], sizes: NDArray[np.int64]) -> list[Part]:
    """List domains, then difficulties, then cells, of each the largest first."""
    domains = {(domain, "") for domain, _difficulty in cells}
    difficulties = {("", difficulty) for _domain, difficulty in cells}

    def count(part: Part) -> int:
        return sum(
            int(size) for cell, size in zip(cells, sizes, strict=True) if _is_within(cell, part)
        )

    def order(parts: Iterable[Part]) -> list[Part]:
        return sorted(parts, key=lambda part: (-count(part), part))

    return [*order(domains), *order(difficulties), *order(cells)]


def _list_few(sizes: NDArray[np.int64]) -> Iterator[list[int]]:
    """Yield the sets of cells with one to four problems together, a 1 for each that is in it."""
    small = [place for place, size in enumerate(sizes) if size < LEAST_PROBLEMS]
    for length in range(1, LEAST_PROBLEMS):
        for some in combinations(small, length):
            if sizes[list(some)].sum() < LEAST_PROBLEMS:
                yield [int(place in some) for place in range(len(sizes))]


def _gives_away(told: Matrix, few: Matrix) -> bool:
    """Say whether one of the sets `few` is a sum of multiples of what is told."""
    if not few.size:
        return False
    # What is told spans a space; a set that lies in it has no part orthogonal to it.
    _left, lengths, basis = np.linalg.svd(told, full_matrices=False)
    spanning = basis[lengths > _NOTHING]
    apart = few - few @ spanning.T @ spanning
    return bool((np.abs(apart).max(axis=1) < 1e-6).any())
