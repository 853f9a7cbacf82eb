"""
The figures of the board: means of scores, their uncertainty, and what they leave out.

Pure: no Django, no database. Scores run from 0 to 100 as in arXiv 2504.16074, equations 1 and 2.
The problem is the unit: several answers to one are averaged first, and what they differ by is held
in how the problems' means scatter. The intervals are those of `intervals`: what was missing is a 0
among the scores, so it is in them too.
"""

import math
from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from phybench_grader.statistics.intervals import (
    NO_VARIANCE,
    ONE_ANSWER,
    SEVERAL_ANSWERS,
    Method,
    find_bounded,
    find_variance,
    find_wilson,
)
from phybench_grader.statistics.provisional import FULL as FULL
from phybench_grader.statistics.provisional import Range, find_range

Name = TypeVar("Name", bound=Hashable)


@dataclass(frozen=True, slots=True)
class Mean:
    """
    A mean score, 0 to 100, with its 95 % interval where there is one.

    >>> Mean.of([100.0, 0.0, 50.0]).value
    50.0
    >>> Mean.of([]).value is None
    True
    """

    value: float | None
    """None of nothing."""
    count: int
    """Problems."""
    standard_error: float | None = None
    """s / sqrt(n) over problems. None of one, and where all are alike: 0 would be wrong."""
    low: float | None = None
    high: float | None = None
    method: Method = Method.FEW
    between: float | None = None
    """
    Variance of the problems' own means, in squared points: what would be left of their scatter if
    each were answered without end. None where a problem has one answer only. It is told, not used.
    """

    is_rough: bool = False
    """Whether the scores tell too little of how they scatter: see `intervals.Bounds`."""

    def quote(self, found: Range | None) -> "Mean":
        """
        Return what may be quoted of it: nothing while it can lie anywhere in a range.

        >>> Mean.of([100.0]).quote(Range(50.0, 100.0, 0.5)).value is None
        True
        """
        is_open = found is not None and found.is_provisional
        return Mean(None, self.count) if is_open else self

    def say(self, found: Range | None) -> str:
        """
        Say it in a sentence, or where it can lie while not all is graded.

        >>> Mean.of([100.0]).say(Range(50.0, 100.0, 0.5)), Mean.of([100.0]).say(None)
        ('50.0–100.0', '100.0')
        """
        if self.value is None:
            return "–"
        return f"{self.value:.1f}" if self.quote(found) is self else str(found)

    @classmethod
    def of(
        cls, scores: Sequence[float], *, is_averaged: bool = False, between: float | None = None
    ) -> "Mean":
        """
        Average scores of problems, each 0 to 100, with the interval of `intervals.find_bounded`.

        Args:
            is_averaged: whether each score is a mean of several answers.

        >>> mean = Mean.of([100.0] * 3 + [0.0] * 7)
        >>> round(mean.low, 1), round(mean.high, 1)
        (6.8, 64.3)
        >>> mean = Mean.of([100.0] * 20)
        >>> round(mean.low, 1), mean.high, mean.standard_error, mean.is_rough
        (84.9, 100.0, None, True)
        """
        count = len(scores)
        if not count:
            return cls(None, 0)
        value = math.fsum(scores) / count
        variance = find_variance(scores, value) if count > 1 else 0.0
        found = find_bounded(
            value / FULL,
            variance * (count - 1) / FULL**2,
            count,
            SEVERAL_ANSWERS if is_averaged else ONE_ANSWER,
        )
        return cls(
            value,
            count,
            None if variance < NO_VARIANCE else math.sqrt(variance / count),
            FULL * found.low,
            FULL * found.high,
            Method.BETA,
            between,
            found.is_rough,
        )

    @classmethod
    def of_shares(cls, scores: Sequence[float]) -> "Mean":
        """
        Average what judges said, each 0 to 100, with Wilson's interval of a share of so many.

        >>> mean = Mean.of_shares([100.0] * 3 + [0.0] * 7)
        >>> round(mean.low, 1), round(mean.high, 1)
        (10.8, 60.3)
        """
        count = len(scores)
        if not count:
            return cls(None, 0)
        value = math.fsum(scores) / count
        variance = find_variance(scores, value) / count if count > 1 else 0.0
        low, high = find_wilson(value / FULL, count)
        error = None if variance * count < NO_VARIANCE else math.sqrt(variance)
        return cls(value, count, error, FULL * low, FULL * high, Method.WILSON)


@dataclass(frozen=True, slots=True)
class AnswerOutcome:
    """What became of one answer. Without a score it was not graded, which is our failure."""

    problem: int
    """Answers to the same problem are averaged before anything else."""
    accuracy: float | None = None
    eed: float | None = None
    is_unreadable: bool = False


@dataclass(frozen=True, slots=True)
class AlikeAnswers:
    """Answers of one outcome: as many problems as EEDs. A board has a hundred thousand answers."""

    problems: Sequence[int]
    accuracy: float | None = None
    eeds: Sequence[float] = ()
    is_unreadable: bool = False


@dataclass(frozen=True, slots=True)
class Tally:
    """One row of a board: the means, and the counts that belong to them."""

    accuracy: Mean
    eed: Mean
    scored: int
    """Answers with a score, unreadable ones (0) among them."""
    unreadable: int
    missing: int
    """Answers that the solver did not give; each counts 0."""
    ungraded: int
    """Answers that we could not grade. They count nothing."""
    left_out: int
    """Problems without any graded answer: the means are without them."""
    accuracy_range: Range | None
    """Where the mean can lie, once all is graded; None where nothing is: nothing was measured."""
    eed_range: Range | None

    @property
    def is_provisional(self) -> bool:
        """Whether any answer could not be graded: its place in the mean is not known."""
        return self.ungraded > 0

    @property
    def is_unranked(self) -> bool:
        """Whether we could not grade so many answers that a rank would say nothing."""
        found = self.accuracy_range
        return self.is_provisional if found is None else found.is_unranked


def count_lacking(given: Mapping[Name, int]) -> dict[Name, int]:
    """
    Count, by problem, the answers that a solver gave to other problems and not to this one.

    >>> count_lacking({1: 3, 2: 1})
    {2: 2}
    """
    most = max(given.values(), default=0)
    return {problem: most - count for problem, count in given.items() if count < most}


def tally(
    outcomes: Iterable[AnswerOutcome], *, missing: int = 0, lacking: Mapping[int, int] | None = None
) -> Tally:
    """
    Sum up answers.

    Several answers to one problem count as one: their mean. A missing answer counts 0, since it
    was the solver's to give; one that we could not grade is left out and said.

    Args:
        missing: problems without any answer.
        lacking: of problems with fewer answers than others how many there are not, so that nobody
            gains by handing in only what went well.

    >>> outcomes = [AnswerOutcome(1, 100.0, 100.0), AnswerOutcome(2, 0.0, 40.0), AnswerOutcome(3)]
    >>> row = tally(outcomes, missing=2)
    >>> row.accuracy.value, row.eed.value, row.ungraded
    (25.0, 35.0, 1)
    """
    singly = (
        AlikeAnswers([one.problem])
        if one.accuracy is None or one.eed is None
        else AlikeAnswers([one.problem], one.accuracy, [one.eed], one.is_unreadable)
        for one in outcomes
    )
    return tally_alike(singly, missing=missing, lacking=lacking)


def tally_alike(
    outcomes: Iterable[AlikeAnswers],
    *,
    missing: int = 0,
    lacking: Mapping[int, int] | None = None,
    pending: Mapping[int, int] | None = None,
) -> Tally:
    """
    Sum up answers that come in groups, as `tally` does.

    Args:
        pending: by problem the answers that still wait. They are no failure of ours and no 0: the
            mean can lie anywhere until they are graded.
    """
    eeds: dict[int, list[float]] = defaultdict(list)
    accuracies: dict[int, list[float]] = defaultdict(list)  # those above 0
    ungraded: Counter[int] = Counter()
    unreadable = scored = 0
    for group in outcomes:
        count = len(group.problems)
        if group.accuracy is None:
            ungraded.update(group.problems)
            continue
        scored += count
        unreadable += count * group.is_unreadable
        for problem, eed in zip(group.problems, group.eeds, strict=True):
            eeds[problem].append(eed)
        if group.accuracy:
            for problem in group.problems:
                accuracies[problem].append(group.accuracy)
    for problem, count in (lacking or {}).items():
        eeds[problem].extend([0.0] * count)
    counts = {one: len(scores) for one, scores in eeds.items()}
    unknown = ungraded + Counter(pending or {})
    is_averaged = any(count > 1 for count in counts.values())
    by_problem = _average(accuracies, counts, missing)
    eed_by_problem = _average(eeds, counts, missing)
    accuracy_range = find_range(accuracies, unknown, missing=missing, given=counts)
    eed_range = find_range(eeds, unknown, missing=missing, given=counts)
    return Tally(
        accuracy=Mean.of(
            by_problem,
            is_averaged=is_averaged,
            between=_find_between(by_problem, accuracies, counts),
        ),
        eed=Mean.of(
            eed_by_problem,
            is_averaged=is_averaged,
            between=_find_between(eed_by_problem, eeds, counts),
        ),
        scored=scored,
        unreadable=unreadable,
        missing=missing + sum((lacking or {}).values()),
        ungraded=ungraded.total(),
        left_out=len(unknown.keys() - eeds.keys()),
        accuracy_range=accuracy_range if by_problem else None,
        eed_range=eed_range if by_problem else None,
    )


Scores = Mapping[int, Sequence[float]]
"""Of each problem the scores of its answers; those of 0 may be left out."""


def _average(scores: Scores, counts: Mapping[int, int], missing: int) -> list[float]:
    """Return the mean of each problem, 0 of one without any answer."""
    means = [math.fsum(scores.get(one, ())) / count for one, count in counts.items()]
    return means + [0.0] * missing


def _find_between(
    means: Sequence[float], scores: Scores, counts: Mapping[int, int]
) -> float | None:
    """Return the variance of means without what the answers to a problem differ by."""
    if len(means) < 2 or not counts or min(counts.values()) < 2:
        return None
    within = 0.0
    for mean, (one, count) in zip(means, counts.items(), strict=False):
        given = scores.get(one, ())
        squares = math.fsum((score - mean) ** 2 for score in given)
        squares += (count - len(given)) * mean**2
        within += squares / (count - 1) / count
    scatter = find_variance(means, math.fsum(means) / len(means))
    return max(0.0, scatter - within / len(means))
