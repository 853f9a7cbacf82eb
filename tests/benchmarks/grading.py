"""
Grading, side by side with a plain implementation of the paper: CPU time and agreement.

    python -m tests.benchmarks.grading [--own] [--limit 30]

The plain one reads with latex2sympy2_extended, simplifies both sides, decides by simplifying the
expanded difference and by SymPy's `equals`, and measures the distance by plain recursion. Both
grade the same pairs in the same run: one equal to and five wrong for each published answer, or for
each formula of our own. Each has a child process, which the kernel stops at a pair that costs more
CPU time than the limit; such a pair counts with the limit, which flatters the plain one.

`phybench_grader` is imported in its own child only, for it makes SymPy quicker wherever it is.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median
from typing import Any

import sympy

from grader_tests.expressions import plain_eed
from grader_tests.expressions.pairs import Pair, agree, load_formulas, make_pairs
from tests.benchmarks.children import Outcome, run_each
from tests.benchmarks.published import load_answers

LIMIT = 30
MAKING_LIMIT = 300
TOLERANCE = 0.01
Spelling = tuple[str, dict[str, sympy.Symbol]]


@dataclass(frozen=True, slots=True)
class Texts:
    """A pair as each competitor's reader reads it right, with what it means."""

    pair: Pair
    ours: tuple[str, str]
    plain: tuple[Spelling, Spelling]


def spell_pairs(answers: dict[int, str] | None) -> list[Texts]:
    """Make and spell all pairs, of published answers or of our own formulas."""
    from phybench_grader import read
    from phybench_grader.reading.reading import write_latex

    if answers is None:
        formulas = load_formulas()
    else:
        formulas = {str(number): read(answer).expression for number, answer in answers.items()}
    # Of each reference a wrong answer comes first, and pays for reading and simplifying it.
    pairs = [
        pair
        for source, one in formulas.items()
        for pair in sorted(make_pairs(source, one), key=lambda pair: pair.is_equal)
    ]
    return [
        Texts(
            pair,
            (write_latex(pair.answer), write_latex(pair.reference)),
            (plain_eed.write(pair.answer), plain_eed.write(pair.reference)),
        )
        for pair in pairs
    ]


def grade_ours(texts: Texts) -> float | None:
    from phybench_grader import JudgeError, grade

    try:
        return grade(*texts.ours).eed
    except JudgeError:
        return None


def grade_plainly(texts: Texts) -> tuple[float, sympy.Expr, sympy.Expr] | None:
    """Grade as the paper says; with the score go both readings, to be checked on nobody's time."""
    try:
        answer, reference = (plain_eed.read(*side) for side in texts.plain)
    except plain_eed.Misread:
        return None
    return plain_eed.score(answer, reference).eed, answer, reference


def compare(pairs: Sequence[Texts], limit: int) -> None:
    ours: list[Outcome[float | None]] = []
    plain: list[Outcome[tuple[float, sympy.Expr, sympy.Expr] | None]] = []
    for mine, other in zip(
        run_each(grade_ours, pairs, limit=limit),
        run_each(grade_plainly, pairs, limit=limit),
        strict=True,
    ):
        ours.append(mine)
        plain.append(other)
    ours_took, plain_took = times(ours), times(plain)

    print(f"{len(pairs)} pairs, CPU time in milliseconds\n")
    print(f"{'':28}{'ours':>12}{'plain':>12}{'ratio':>9}")
    print_row("total", sum(ours_took), sum(plain_took))
    print_row("median pair", median(ours_took), median(plain_took))
    print_row("median of the ratios", None, None, median(divide_each(plain_took, ours_took)))
    for name, is_equal in (("equal", True), ("wrong", False)):
        places = [place for place, texts in enumerate(pairs) if texts.pair.is_equal is is_equal]
        here, there = [ours_took[i] for i in places], [plain_took[i] for i in places]
        print_row(f"{name}, total", sum(here), sum(there))
        print_row(f"{name}, median", median(here), median(there))
    print_row("slowest pair", max(ours_took), max(plain_took))
    print(f"\nStopped at {limit} s: ours {count(ours)}, plain {count(plain)}.")
    print_agreement(pairs, ours, plain)
    print_slowest(pairs, ours, plain)


def times(outcomes: Sequence[Outcome[Any]]) -> list[float]:
    return [outcome.seconds for outcome in outcomes]


def count(outcomes: Sequence[Outcome[Any]]) -> int:
    return sum(outcome.is_stopped for outcome in outcomes)


def divide_each(above: Sequence[float], below: Sequence[float]) -> list[float]:
    # A clock may tick too slowly to see the quickest.
    return [one / other for one, other in zip(above, below, strict=True) if other]


def print_row(
    name: str, ours: float | None, plain: float | None, ratio: float | None = None
) -> None:
    cells = "".join(
        f"{'' if value is None else f'{1000 * value:,.1f}':>{width}}"
        for value, width in ((ours, 12), (plain, 12))
    )
    if ratio is None and ours and plain:
        ratio = plain / ours
    print(f"{name:28}{cells}{ratio:>8.1f}×")


def print_agreement(
    pairs: Sequence[Texts],
    ours: Sequence[Outcome[float | None]],
    plain: Sequence[Outcome[tuple[float, sympy.Expr, sympy.Expr] | None]],
) -> None:
    """Say on how many pairs the scores are the same, of those that the plain one reads right."""
    compared, differences = 0, []
    for texts, one, other in zip(pairs, ours, plain, strict=True):
        pair = texts.pair
        if one.result is None or other.result is None:
            continue
        eed, answer, reference = other.result
        if agree(answer, pair.answer) and agree(reference, pair.reference):
            compared += 1
            if abs(one.result - eed) > TOLERANCE:
                differences.append((pair.source, pair.kind, one.result, eed))
    print(
        f"The same EED on {compared - len(differences)} of {compared} pairs that both read right."
    )
    for source, kind, eed, expected in differences:
        print(f"  {source} ({kind}): {eed:.2f} ours, {expected:.2f} plain")


def print_slowest(
    pairs: Sequence[Texts], ours: Sequence[Outcome[Any]], plain: Sequence[Outcome[Any]]
) -> None:
    print("\nOur slowest pairs:")
    places = sorted(range(len(pairs)), key=lambda place: -ours[place].seconds)
    for place in places[:5]:
        pair = pairs[place].pair
        print_row(f"  {pair.source[:16]} ({pair.kind})", ours[place].seconds, plain[place].seconds)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").strip().splitlines()[0])
    parser.add_argument("--own", action="store_true", help="our own formulas, not the published")
    parser.add_argument("--limit", type=int, default=LIMIT, help="seconds of CPU time for a pair")
    options = parser.parse_args()
    answers = None if options.own else load_answers()
    (made,) = run_each(spell_pairs, [answers], limit=MAKING_LIMIT)
    assert made.result is not None, "making the pairs took too long"
    compare(made.result, options.limit)


if __name__ == "__main__":
    main()
