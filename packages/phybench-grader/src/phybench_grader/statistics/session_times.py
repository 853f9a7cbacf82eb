"""
What people reached by each minute of their session, and how long they spent on a problem.

`find_progress` asks what more time brings: of all problems that people had, the share whose right
answer stood there by a minute, counting an answer from its last change. The denominator is the same
at every minute, so that the last point is people's accuracy; those who end early keep what they
have. It is no experiment: who knows the deadline shares out the time by it.

`find_times` tells how long a problem was on the screen, by what came of it. Times given that
somebody was right are of easier problems and of quicker people: they are no estimate of how long a
problem takes (METR, "Measuring AI ability to complete long tasks", arXiv 2503.14499, 2025).

Figures of fewer than `FEWEST` people are not told.

Pure: no Django, no database.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from phybench_grader.statistics.clusters import ClusteredMean, Values, average
from phybench_grader.statistics.studies import FEWEST, Came, SatProblem

STEPS = 12
"""Of the longest session; it is shown at the end of each."""
MINUTE = 60.0


@dataclass(frozen=True, slots=True)
class Reached:
    """What people had reached by one minute."""

    minutes: float
    accuracy: ClusteredMean
    eed: ClusteredMean
    working: int | None
    """People whose session went on then; None of fewer than `FEWEST`."""


@dataclass(frozen=True, slots=True)
class Times:
    """How long problems were on the screen of which the same came."""

    came: Came
    problems: int
    people: int
    without_time: int
    """Problems that were never on the screen, or of which the browser said nothing."""
    lower: float | None = None
    """Quartiles, minutes; None where fewer than `FEWEST` people would be told of."""
    median: float | None = None
    upper: float | None = None


def find_progress(rows: Sequence[SatProblem], *, steps: int = STEPS) -> list[Reached]:
    """
    Find what people had reached at the end of each part of the longest session.

    Returns:
        Nothing where there are fewer than `FEWEST` people.

    >>> rows = [SatProblem(person, 1, 1, 100.0, 100.0, 60.0, answered_after=60.0 * person,
    ...                    sat=600.0) for person in range(1, 11)]
    >>> [(one.minutes, one.accuracy.value) for one in find_progress(rows, steps=2)]
    [(0.0, 0.0), (5.0, 50.0), (10.0, 100.0)]
    """
    sat = {row.person: row.sat for row in rows}
    if len(sat) < FEWEST:
        return []
    people = np.array([row.person for row in rows], dtype=np.int64)
    problems = np.array([row.problem for row in rows], dtype=np.int64)
    accuracy = np.array([row.accuracy for row in rows], dtype=np.float64)
    eed = np.array([row.eed for row in rows], dtype=np.float64)
    # What has no time of its own, and what came late but counts, stands there at the end.
    end = max(sat.values())
    after = np.array([row.answered_after for row in rows], dtype=np.float64)
    after = np.minimum(np.where(np.isnan(after), end, after), end)
    found = []
    for step in range(steps + 1):
        at = end * step / steps
        is_there = after <= at
        working = sum(one > at for one in sat.values())
        found.append(
            Reached(
                minutes=at / MINUTE,
                accuracy=average(_keep(accuracy, is_there), people, problems),
                eed=average(_keep(eed, is_there), people, problems),
                working=working if working >= FEWEST or working == 0 else None,
            )
        )
    return found


def _keep(scores: Values, is_there: NDArray[np.bool_]) -> Values:
    """Return scores with 0 for what is not there yet; what is not graded stays so."""
    return np.where(is_there | np.isnan(scores), scores, 0.0)


def find_times(rows: Sequence[SatProblem]) -> list[Times]:
    """
    Find how long problems were on the screen, by what came of them.

    >>> rows = [SatProblem(person, 1, 1, 100.0, 100.0, 60.0 * person) for person in range(1, 6)]
    >>> [(one.came.value, one.lower, one.median, one.upper) for one in find_times(rows)]
    [('RIGHT', 2.0, 3.0, 4.0)]
    """
    found = []
    for came in Came:
        theirs = [row for row in rows if row.came is came]
        if not theirs:
            continue
        timed = [row for row in theirs if row.seconds > 0]
        counts = len(theirs), len({row.person for row in theirs}), len(theirs) - len(timed)
        if len({row.person for row in timed}) < FEWEST:
            found.append(Times(came, *counts))
            continue
        minutes = np.array([row.seconds / MINUTE for row in timed])
        lower, median, upper = (float(one) for one in np.quantile(minutes, [0.25, 0.5, 0.75]))
        found.append(Times(came, *counts, lower, median, upper))
    return found
