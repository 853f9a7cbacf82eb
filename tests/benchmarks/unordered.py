"""
What unordered EED costs beside EED, and how far apart the two are, on pairs made of our formulas.

    python -m tests.benchmarks.unordered

Both are distances between the same trees. What comes before, reading and simplifying, is for both
and not counted, but for the last line. Ratios are printed, since they say the same on any machine.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from dataclasses import dataclass
from statistics import mean, median
from typing import TypeVar

import sympy

from grader_tests.expressions.pairs import Pair, load_formulas, make_pairs
from phybench_grader.eed.alignment import align
from phybench_grader.eed.distance import Distance, score_distance
from phybench_grader.eed.simplification import simplify
from phybench_grader.eed.unordered import measure_unordered
from phybench_grader.equality.tree import build_tree

TIMES = 3
LARGE = 160
"""Nodes of trees that are like nothing else: no published key has as many."""
Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class Compared:
    kind: str
    size: int
    simplifying: float
    ordered_seconds: float
    unordered_seconds: float
    eed: float
    unordered: float


def measure_time(function: Callable[[], Result]) -> tuple[Result, float]:
    """Call a function and return what it returns, and the least of a few times."""
    seconds = []
    for _time in range(TIMES):
        began = time.perf_counter()
        result = function()
        seconds.append(time.perf_counter() - began)
    return result, min(seconds)


def compare(pair: Pair) -> Compared:
    began = time.perf_counter()
    before, after = build_tree(simplify(pair.answer)), build_tree(simplify(pair.reference))
    simplifying = time.perf_counter() - began
    distance, ordered = measure_time(lambda: Distance(before, after))
    trees = align(distance)
    found, unordered = measure_time(lambda: measure_unordered(trees))
    eed = score_distance(distance.total / after.size)
    return Compared(pair.kind, after.size, simplifying, ordered, unordered, eed, found.score)


def grow(chance: random.Random, size: int = LARGE) -> sympy.Basic:
    """Make some expression of about so many nodes, with long sums and products."""
    if size <= 1:
        return chance.choice(sympy.symbols("a:h", positive=True))
    count = min(chance.randint(2, 7), size - 1)
    parts = [grow(chance, (size - 1) // count) for _part in range(count)]
    return chance.choice([sympy.Add, sympy.Mul])(*parts, evaluate=False)


def main() -> None:
    formulas = [*load_formulas().items()]
    pairs = [pair for formula in formulas for pair in make_pairs(*formula) if not pair.is_equal]
    compared = [compare(pair) for pair in pairs]
    print(f"{len(compared)} wrong answers to {len(formulas)} formulas\n")
    print(f"{'':34}{'median':>10}{'mean':>10}{'most':>10}")
    rows = {
        "unordered / EED": [one.unordered_seconds / one.ordered_seconds for one in compared],
        "unordered / (simplifying + EED)": [
            one.unordered_seconds / (one.simplifying + one.ordered_seconds) for one in compared
        ],
    }
    for name, ratios in rows.items():
        print(f"{name:34}{median(ratios):>10.2f}{mean(ratios):>10.2f}{max(ratios):>10.2f}")
    times = [1000 * one.unordered_seconds for one in compared]
    print(f"{'unordered, ms':34}{median(times):>10.2f}{mean(times):>10.2f}{max(times):>10.2f}\n")
    moved = [one for one in compared if abs(one.eed - one.unordered) > 0.05]
    higher = sum(one.unordered > one.eed for one in moved)
    print(f"{len(moved)} have another score by it, {higher} of them a higher one")
    print(f"mean EED {mean(one.eed for one in compared):.1f},", end=" ")
    print(f"mean unordered EED {mean(one.unordered for one in compared):.1f}")
    before, after = build_tree(grow(random.Random(1))), build_tree(grow(random.Random(2)))
    distance, ordered = measure_time(lambda: Distance(before, after))
    _found, unordered = measure_time(lambda: measure_unordered(align(distance)))
    sizes = f"trees of {before.size} and {after.size} nodes, made by chance"
    print(f"{sizes}: {unordered / ordered:.2f} times EED, {1000 * unordered:.0f} ms")


if __name__ == "__main__":
    main()
