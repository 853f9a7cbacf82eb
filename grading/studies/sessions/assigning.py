"""
Which problems somebody gets, and in what order; without a database.

Problems are balanced over a study by how often each was given, and within a session by domain and
difficulty, in proportion to the pool. The rest is chance, from a seed that is kept.
"""

import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Candidate:
    """A problem that somebody may get."""

    pk: int
    domain: str
    difficulty: str
    given: int
    """How many people of the study got it already."""


def choose(pool: Sequence[Candidate], count: int, seed: int) -> list[int]:
    """
    Choose problems for one session, in random order.

    Args:
        pool: what this person may get.
        count: problems in a session, 1 or more.
        seed: the same one gives the same problems in the same order.

    Returns:
        Numbers of problems: `count` of them, or all where the pool has fewer.

    >>> pool = [Candidate(pk, "OPTICS" if pk % 2 else "MODERN", "", pk // 8) for pk in range(16)]
    >>> chosen = choose(pool, 4, seed=1)
    >>> sorted(pk % 2 for pk in chosen), max(chosen) < 8
    ([0, 0, 1, 1], True)
    """
    source = random.Random(seed)
    left = sorted(pool, key=lambda one: one.pk)
    source.shuffle(left)
    domains = Counter(one.domain for one in pool)
    levels = Counter(one.difficulty for one in pool)
    chosen: list[Candidate] = []

    def lacks(one: Candidate) -> tuple[float, int, float]:
        """Order by what the session lacks most; of the same, what was given least."""
        share = (len(chosen) + 1) / len(pool)
        of_domain = sum(other.domain == one.domain for other in chosen)
        of_level = sum(other.difficulty == one.difficulty for other in chosen)
        return (
            of_domain - share * domains[one.domain],
            one.given,
            of_level - share * levels[one.difficulty],
        )

    while left and len(chosen) < count:
        # `min` takes the first of several, and they were shuffled.
        best = min(left, key=lacks)
        left.remove(best)
        chosen.append(best)
    source.shuffle(chosen)
    return [one.pk for one in chosen]
