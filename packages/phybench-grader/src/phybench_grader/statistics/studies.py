"""
Figures of a study of people: accuracy and EED, by group and place, with and without each rule.

Means are over answers, with two-way clustered intervals (`clusters`); a problem left empty or given
up counts 0, one that somebody had seen before does not count, and with one that we could not grade
each mean is a range.
"""

import math
from collections.abc import Callable, Collection, Hashable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeVar

import numpy as np

from phybench_grader.statistics.clusters import ClusteredMean, Spread, average, find_spread

FEWEST = 5
"""People in a group below which its figures are not shown: they would tell of single ones."""

Name = TypeVar("Name", bound=Hashable)


class Came(StrEnum):
    """What came of a problem that somebody had."""

    RIGHT = "RIGHT"
    WRONG = "WRONG"
    UNGRADED = "UNGRADED"
    """Answered, and not graded yet, or we could not."""
    GAVE_UP = "GAVE_UP"
    EMPTY = "EMPTY"


@dataclass(frozen=True, slots=True)
class SatProblem:
    """One problem that one person had."""

    person: int
    problem: int
    place: int
    """From 1, in the order in which the person got it."""
    accuracy: float
    """0 or 100; NaN where it is not graded."""
    eed: float
    """0 to 100; NaN where it is not graded."""
    seconds: float
    """Time on the problem, as the browser said; NaN where it is not known."""
    domain: str = ""
    difficulty: str = ""
    outcome: str = "ANSWERED"
    """Or `GAVE_UP`, or `EMPTY`."""
    answered_after: float = math.nan
    """Seconds from the start of the session to the last change of the answer; NaN without one."""
    sat: float = math.nan
    """Seconds that the person's session took."""
    of: int = 0
    """Problems in the person's session."""

    @property
    def came(self) -> Came:
        """
        Say what came of it.

        >>> SatProblem(1, 1, 1, 0.0, 30.0, 60.0).came.value
        'WRONG'
        """
        if self.outcome != "ANSWERED":
            return Came(self.outcome)
        if math.isnan(self.accuracy):
            return Came.UNGRADED
        return Came.RIGHT if self.accuracy > 0 else Came.WRONG


@dataclass(frozen=True, slots=True)
class StudyFigures:
    """What some people's answers come to."""

    people: int
    accuracy: ClusteredMean
    eed: ClusteredMean
    accuracy_spread: Spread | None
    eed_spread: Spread | None


@dataclass(frozen=True, slots=True)
class GroupFigures:
    """Figures of one group; None where they would tell of few people."""

    name: str
    figures: StudyFigures | None


def summarise(rows: Sequence[SatProblem]) -> StudyFigures:
    """
    Put figures of a study together.

    >>> rows = [SatProblem(one, two, 1, 100.0, 100.0, 60.0) for one in (1, 2) for two in (3, 4)]
    >>> found = summarise(rows)
    >>> found.people, found.accuracy.value
    (2, 100.0)
    """
    people = np.array([row.person for row in rows], dtype=np.int64)
    problems = np.array([row.problem for row in rows], dtype=np.int64)
    accuracy = np.array([row.accuracy for row in rows], dtype=np.float64)
    eed = np.array([row.eed for row in rows], dtype=np.float64)
    return StudyFigures(
        people=len(np.unique(people)),
        accuracy=average(accuracy, people, problems),
        eed=average(eed, people, problems),
        accuracy_spread=find_spread(accuracy, people),
        eed_spread=find_spread(eed, people),
    )


def group(
    rows: Sequence[SatProblem], key: Callable[[SatProblem], str], *, order: Sequence[str] = ()
) -> list[GroupFigures]:
    """
    Put figures of groups together; those of few people are not told.

    Where those that are not told have few people together, the next smallest is not told either:
    the whole less all others would tell of them.

    >>> rows = [SatProblem(one, 1, 1, 100.0, 100.0, 1.0, "A" if one < 9 else "B")
    ...         for one in range(10)]
    >>> [(one.name, one.figures is None) for one in group(rows, lambda row: row.domain)]
    [('A', True), ('B', True)]
    """
    found: dict[str, list[SatProblem]] = {}
    for row in rows:
        found.setdefault(key(row), []).append(row)
    people = {name: {row.person for row in theirs} for name, theirs in found.items()}
    hidden = find_hidden(people)
    places = {name: place for place, name in enumerate(order)}
    names = sorted(found, key=lambda name: (places.get(name, len(places)), name))
    return [
        GroupFigures(name, None if name in hidden else summarise(found[name])) for name in names
    ]


def find_hidden(people: Mapping[str, Collection[Hashable]]) -> set[str]:
    """
    Find the groups that are not told: the small ones, and so many others that no few are the rest.

    >>> sorted(find_hidden({"A": range(9), "B": range(10, 17), "C": [20, 21], "D": [30, 31]}))
    ['B', 'C', 'D']
    >>> find_hidden({"A": range(9), "B": range(10, 17)})
    set()
    """
    by_size = sorted(people, key=lambda name: (len(people[name]), name))
    hidden: set[str] = set()
    together: set[Hashable] = set()
    for name in by_size:
        if len(people[name]) >= FEWEST and (not hidden or len(together) >= FEWEST):
            break
        hidden.add(name)
        together.update(people[name])
    return hidden


def compare_rules(
    rows: Sequence[SatProblem], left_out: Mapping[Name, Collection[int]]
) -> dict[Name, StudyFigures]:
    """
    Put the figures together that each rule alone would give.

    Args:
        left_out: by rule, whom it leaves out.
    """
    return {rule: summarise(drop(rows, people)) for rule, people in left_out.items()}


def find_exact(kept: Sequence[Collection[int]]) -> list[bool]:
    """
    Find which of several sets of people may be told of exactly, the first before the others.

    Where two differ by few people, their means tell the mean of those few: a rule that leaves one
    person out would tell how that person did. Then the later one is told in whole points.

    >>> find_exact([range(81), range(80), range(81), range(70), range(69)])
    [True, False, True, True, False]
    """
    told: list[set[int]] = []
    found = []
    for people in map(set, kept):
        is_exact = all(not (apart := people ^ one) or len(apart) >= FEWEST for one in told)
        if is_exact:
            told.append(people)
        found.append(is_exact)
    return found


def drop(rows: Sequence[SatProblem], people: Collection[int]) -> list[SatProblem]:
    """Leave these people's problems out."""
    gone = set(people)
    return [row for row in rows if row.person not in gone]
