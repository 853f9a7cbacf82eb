"""Of which parts of a board figures are told: never of so few problems that one's is known."""

import doctest
import random
from collections.abc import Iterable
from fractions import Fraction
from itertools import combinations

import pytest

from phybench_grader.statistics import disclosure
from phybench_grader.statistics.disclosure import LEAST_PROBLEMS, WHOLE, Cell, Part, find_told


def tell(**rows: str) -> frozenset[Part]:
    """Find what is told of a table: a row a domain, a count for each of the difficulties."""
    return find_told(
        frozenset(
            ((domain, "xyz"[place]), int(count))
            for domain, counts in rows.items()
            for place, count in enumerate(counts.split())
        )
    )


def test_doctests() -> None:
    assert doctest.testmod(disclosure).failed == 0


def test_all_is_told_where_every_cell_is_large() -> None:
    assert len(tell(A="5 6 7", B="8 9 10")) == 1 + 2 + 3 + 6


def test_the_whole_is_told_however_small_it_is_and_nothing_else() -> None:
    assert tell(A="1 1 0", B="1 1 0") == {WHOLE}
    assert find_told(frozenset()) == {WHOLE}


def test_a_part_is_not_told_where_the_rest_of_a_larger_one_is_small() -> None:
    told = tell(A="10 0 0", B="3 0 0")
    assert told == {WHOLE, ("", "x")}


def test_the_last_of_several_cells_is_held_back_where_it_would_leave_few() -> None:
    # 20 less 12 less 7 is one problem: of 7 nothing is told.
    told = tell(A="12 7 1", B="9 9 9")
    assert ("A", "x") in told
    assert ("A", "y") not in told


def test_two_tables_of_sums_do_not_tell_of_a_cell_together() -> None:
    told = tell(A="4 20 20", B="20 20 20", C="20 20 20")
    assert not any(gives_away(told, cell) for cell in [("A", "x")])


@pytest.mark.parametrize("seed", range(12))
def test_no_set_of_few_problems_can_be_worked_out_from_what_is_told(seed: int) -> None:
    chance = random.Random(seed)
    sizes: dict[Cell, int] = {
        (domain, difficulty): chance.choice([0, 1, 2, 3, 6, 20])
        for domain in "ABC"
        for difficulty in "xyz"
    }
    told = find_told(frozenset(sizes.items()))
    cells = [cell for cell, size in sizes.items() if size]
    for length in range(1, LEAST_PROBLEMS):
        for some in combinations(cells, length):
            if sum(sizes[cell] for cell in some) < LEAST_PROBLEMS:
                assert not is_spanned(told, some, cells)


def gives_away(told: Iterable[Part], cell: Cell) -> bool:
    return is_spanned(told, [cell], [(domain, level) for domain in "ABC" for level in "xyz"])


def is_spanned(told: Iterable[Part], some: Iterable[Cell], cells: list[Cell]) -> bool:
    """Say, by elimination in fractions, whether a set is a sum of multiples of what is told."""
    rows = [[int(is_within(cell, part)) for cell in cells] for part in told]
    return rank(rows) == rank([*rows, [int(cell in set(some)) for cell in cells]])


def is_within(cell: Cell, part: Part) -> bool:
    return all(asked in ("", has) for asked, has in zip(part, cell, strict=True))


def rank(rows: list[list[int]]) -> int:
    left = [[Fraction(one) for one in row] for row in rows]
    found = 0
    for column in range(len(left[0]) if left else 0):
        place = next((n for n in range(found, len(left)) if left[n][column]), None)
        if place is None:
            continue
        left[found], left[place] = left[place], left[found]
        for n in range(found + 1, len(left)):
            factor = left[n][column] / left[found][column]
            left[n] = [a - factor * b for a, b in zip(left[n], left[found], strict=True)]
        found += 1
    return found
