"""
What the interval of a mean costs beside Student's of the same scores, and where its time goes.

    python -m tests.benchmarks.intervals

The reference is `find_student` of the same 575 scores in the same run: a sum of squares and a
quantile that is remembered. Ratios are printed, since they say the same on any machine; the
milliseconds are those of this one. An interval may take 2 ms.
"""

import time
from collections.abc import Callable

import numpy as np

from grader_tests.statistics.made_scores import Cell
from phybench_grader.statistics.intervals import find_student
from phybench_grader.statistics.metrics import Mean

TIMES = 200
PROBLEMS = 575
KINDS = {
    "hard": Cell(PROBLEMS, 0.01, 0.1),
    "half right": Cell(PROBLEMS, 0.5, 0.4),
    "easy": Cell(PROBLEMS, 0.9, 0.02),
}


def measure(function: Callable[[], object]) -> float:
    """Return the median of its times, in milliseconds."""
    function()
    taken = []
    for _time in range(TIMES):
        began = time.perf_counter()
        function()
        taken.append(1000 * (time.perf_counter() - began))
    return float(np.median(taken))


def main() -> None:
    print(f"{PROBLEMS} scores, median of {TIMES}\n\n{'scores':12}   ms   beside Student's")
    boards = {name: (100 * cell.draw(1)[0]).tolist() for name, cell in KINDS.items()}
    boards["all 0"], boards["all 55"] = [0.0] * PROBLEMS, [55.0] * PROBLEMS
    reference = measure(lambda: find_student(boards["half right"], lowest=0.0, highest=100.0))
    for name, scores in boards.items():
        took = measure(lambda scores=scores: Mean.of(scores))  # type: ignore[misc]
        print(f"{name:12} {took:5.2f} {took / reference:8.1f}")


if __name__ == "__main__":
    main()
