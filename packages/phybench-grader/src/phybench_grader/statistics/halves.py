"""
Two halves of labelled items: what is chosen on one is reported on the other.

What is chosen by some items looks better on them than it is, and on other answers to the same
problems, too: those are not independent. So the half of an item hangs on its problem alone. It
stays where it is when more labels come, and two judges have the same halves.
"""

import hashlib
from collections.abc import Callable, Iterable
from typing import TypeVar

Item = TypeVar("Item")

LEAST_OF_A_HALF = 10
"""Items of one half below which nothing is chosen or reported."""


def is_for_choosing(problem: str) -> bool:
    """
    Tell whether a problem is of the half by which is chosen, and not of the one that is reported.

    >>> [is_for_choosing(str(number)) for number in range(6)]
    [True, False, False, False, False, False]
    """
    name = f"half\x00{problem}".encode("utf-8", "backslashreplace")
    return hashlib.sha256(name).digest()[0] < 128


def split(
    items: Iterable[Item], find_problem: Callable[[Item], str]
) -> tuple[list[Item], list[Item]]:
    """Divide items into those by which is chosen, and those that are reported."""
    choosing: list[Item] = []
    reporting: list[Item] = []
    for item in items:
        (choosing if is_for_choosing(find_problem(item)) else reporting).append(item)
    return choosing, reporting
