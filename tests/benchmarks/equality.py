"""
Deciding whether two expressions are equal, beside the plain way: CPU time and agreement.

    python -m tests.benchmarks.equality [--own] [--limit 30]

The plain way simplifies the expanded difference and asks SymPy's `equals`, as the plain
implementation of the paper does. Both decide the same pairs in the same run, as `grading` has them:
one equal and five wrong for each published answer, or for each formula of our own.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from statistics import median

from grader_tests.expressions import plain_eed
from grader_tests.expressions.pairs import Pair, load_formulas, make_pairs
from tests.benchmarks.children import Outcome, run_each
from tests.benchmarks.grading import LIMIT, MAKING_LIMIT, divide_each, print_row, times
from tests.benchmarks.published import load_answers

REPEATS = 50
"""Ours are too quick for the clock to be seen once."""


def list_pairs(answers: dict[int, str] | None) -> list[Pair]:
    """List the pairs of published answers or of our own formulas, without those alike in form."""
    from phybench_grader import read
    from phybench_grader.statement.response import find_answer

    formulas = load_formulas()
    if answers is not None:
        formulas = {
            str(number): read(find_answer(text)).expression for number, text in answers.items()
        }
    pairs = (pair for source, one in formulas.items() for pair in make_pairs(source, one))
    return [pair for pair in pairs if pair.answer != pair.reference]


def decide_ours(pair: Pair) -> bool | None:
    from phybench_grader.equality.equality import Equality, compare

    for _ in range(REPEATS):
        found = compare(pair.answer, pair.reference)
    return None if found is Equality.UNDECIDED else found is Equality.EQUAL


def decide_plainly(pair: Pair) -> bool:
    return plain_eed.are_equal(pair.answer, pair.reference)


def compare_ways(pairs: Sequence[Pair], limit: int) -> None:
    ours = [
        Outcome(outcome.seconds / REPEATS, outcome.result, outcome.is_stopped)
        for outcome in run_each(decide_ours, pairs, limit=limit * REPEATS)
    ]
    plain = list(run_each(decide_plainly, pairs, limit=limit))
    print(f"{len(pairs)} pairs, CPU time in milliseconds\n")
    print(f"{'':28}{'ours':>12}{'plain':>12}{'ratio':>9}")
    for name, kinds in (("all", (True, False)), ("equal", (True,)), ("different", (False,))):
        places = [place for place, pair in enumerate(pairs) if pair.is_equal in kinds]
        here, there = (times([outcomes[i] for i in places]) for outcomes in (ours, plain))
        print_row(f"{name}, median", median(here), median(there))
        print_row(f"{name}, total", sum(here), sum(there))
        print_row(f"{name}, median of ratios", None, None, median(divide_each(there, here)))
    for way, outcomes in (("ours", ours), ("plain", plain)):
        right = sum(
            outcome.result is pair.is_equal for outcome, pair in zip(outcomes, pairs, strict=True)
        )
        stopped = sum(outcome.is_stopped for outcome in outcomes)
        print(f"{way}: {right} of {len(pairs)} decided right, {stopped} stopped at {limit} s")


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").strip().splitlines()[0])
    parser.add_argument("--own", action="store_true", help="our own formulas, not the published")
    parser.add_argument("--limit", type=int, default=LIMIT, help="seconds of CPU time for a pair")
    options = parser.parse_args()
    answers = None if options.own else load_answers()
    (made,) = run_each(list_pairs, [answers], limit=MAKING_LIMIT)
    assert made.result is not None, "making the pairs took too long"
    compare_ways(made.result, options.limit)


if __name__ == "__main__":
    main()
