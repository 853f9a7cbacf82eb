"""
How often intervals of people's means hold the truth, and whether a study detects what it says.

    python -m tests.benchmarks.clusters [studies]

Studies are made as `grader_tests/statistics/made_studies.py` says: 8 problems for each person from
a pool of 100, assigned as in a session. Their truth is the mean over the populations that people
and problems were drawn from. 4,000 studies of each setting, unless said otherwise; the Monte-Carlo
error of a share is the square root of p (1 - p) / studies. Studies without an interval, since all
answers are alike, are not counted, and said. Settings without any effect of persons and problems
stand apart: there the variance is held to be at least that of people, which makes it a little long.
"""

from __future__ import annotations

import math
import sys

import numpy as np

from grader_tests.statistics.made_studies import (
    EACH,
    POOL,
    Setting,
    correlate,
    draw_study,
)
from phybench_grader.statistics.clusters import average, compare
from phybench_grader.statistics.power import Design, find_detectable

SIZES = 5, 20, 81
ACCURACIES = 20.0, 60.0, 90.0
EFFECTS = (0.5, 0.5), (1.0, 1.5), (0.5, 2.0), (1.5, 0.5)
NO_EFFECTS = 0.0, 0.0
AHEAD = -2.0, 0.0, 2.0
"""Of a solver before an average person, in logits."""
TIMES = 4_000
NAMES = "accuracy", "EED", *(f"solver {one:+g}" for one in AHEAD)


def seed(setting: Setting) -> np.random.Generator:
    effects = int(10 * setting.by_person), int(10 * setting.by_problem)
    return np.random.default_rng([20_261_124, setting.people, int(setting.accuracy), *effects])


def cover(setting: Setting, times: int) -> tuple[list[float], list[int], float]:
    """Return shares that hold the truth, how many have an interval, and accuracy's mean width."""
    source = seed(setting)
    truths = setting.accuracy, setting.eed, *(setting.find_difference(one) for one in AHEAD)
    held, known, width = [0] * len(truths), [0] * len(truths), 0.0
    for _time in range(times):
        study = draw_study(source, setting, AHEAD)
        names = study.people, study.problems
        found = [
            average(study.accuracy, *names),
            average(study.eed, *names),
            *(compare(study.accuracy, solver, *names) for solver in study.solvers),
        ]
        for place, (one, truth) in enumerate(zip(found, truths, strict=True)):
            if one.low is not None and one.high is not None:
                known[place] += 1
                held[place] += one.low <= truth <= one.high
        width += (found[0].high or 0) - (found[0].low or 0)
    shares = [part / whole for part, whole in zip(held, known, strict=True)]
    return shares, known, width / max(1, known[0])


def detect(setting: Setting, times: int) -> tuple[float, float, float, float]:
    """
    Return the difference that a study of this kind detects, and shares that find one.

    Of a fixed score so far below the truth, so far above it, and of the truth itself. Of the first
    two the one towards 50 % is what is planned for.
    """
    by_person, by_problem = correlate(setting)
    planned = Design(setting.people, EACH, POOL, setting.accuracy, by_person, by_problem)
    difference = find_detectable(planned) or math.nan
    source = seed(setting)
    found = np.zeros(3)
    for _time in range(times):
        study = draw_study(source, setting)
        mean = average(study.accuracy, study.people, study.problems)
        for place, away in enumerate((-difference, difference, 0.0)):
            fixed = setting.accuracy + away
            is_held = mean.low is None or mean.high is None or mean.low <= fixed <= mean.high
            found[place] += not is_held
    below, above, of_none = found / times
    return difference, below, above, of_none


def main() -> None:
    times = int(sys.argv[1]) if len(sys.argv) > 1 else TIMES
    print(f"{times} studies a setting; error of 95 %: {100 * math.sqrt(0.95 * 0.05 / times):.2f}\n")
    head = "".join(f"{name:>11}" for name in NAMES)
    print(f"held, %: people, right, effects{head}      width  no interval")
    for people in SIZES:
        for effects in (*EFFECTS, NO_EFFECTS):
            for accuracy in ACCURACIES:
                shares, known, width = cover(Setting(people, accuracy, *effects), times)
                row = "".join(f"{100 * one:11.1f}" for one in shares)
                where = f"{people:8} {accuracy:8.0f} {effects[0]:5} {effects[1]:5}"
                print(f"{where:31}{row}{width:11.1f}{times - known[0]:9}", flush=True)
    print("\ndetected, %: people, right, effects    points   below   above    of none")
    for people in SIZES:
        for effects in EFFECTS:
            for accuracy in ACCURACIES:
                points, *found = detect(Setting(people, accuracy, *effects), times)
                row = "".join(f"{100 * one:9.1f}" for one in found)
                where = f"{people:12} {accuracy:8.0f} {effects[0]:5} {effects[1]:5}"
                print(f"{where:36}{points:9.1f}{row}", flush=True)


if __name__ == "__main__":
    main()
