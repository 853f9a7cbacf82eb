"""
The figures of the board: means of scores, their uncertainty, and what they leave out.

Pure: no Django, no database. Scores run from 0 to 100 as in arXiv 2504.16074, equations 1 and 2.
Standard errors are those of a mean over independent problems, s / sqrt(n); a proportion's interval
is Wilson's (E. B. Wilson, J. Am. Stat. Assoc. 22, 209, 1927).
"""

import math
from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from grading.statistics.provisional import FULL as FULL
from grading.statistics.provisional import Range, find_range

Name = TypeVar("Name", bound=Hashable)
Z = 1.959963984540054
"""Standard normal quantile of a two-sided 95 % interval."""


@dataclass(frozen=True, slots=True)
class Mean:
    """
    A mean score with its 95 % interval, each 0 to 100; `value` is None of nothing.

    >>> Mean.of([100.0, 0.0, 50.0]).value
    50.0
    >>> Mean.of([]).value is None
    True
    """

    value: float | None
    count: int
    standard_error: float | None = None
    """None where it is undefined: of fewer than two scores."""
    low: float | None = None
    high: float | None = None

    @classmethod
    def of(cls, scores: Sequence[float]) -> "Mean":
        """Average scores; the interval is normal, cut off at 0 and 100."""
        count = len(scores)
        if count == 0:
            return cls(None, 0)
        value = math.fsum(scores) / count
        if count == 1:
            return cls(value, count)
        variance = math.fsum((score - value) ** 2 for score in scores) / (count - 1)
        error = math.sqrt(variance / count)
        return cls(value, count, error, max(0.0, value - Z * error), min(FULL, value + Z * error))

    @classmethod
    def of_right_or_wrong(cls, scores: Sequence[float]) -> "Mean":
        """
        Average scores that are each 0 or 100; the interval is Wilson's, fit for few of them.

        >>> mean = Mean.of_right_or_wrong([100.0] * 3 + [0.0] * 7)
        >>> round(mean.low, 1), round(mean.high, 1)
        (10.8, 60.3)
        """
        mean = cls.of(scores)
        if mean.value is None:
            return mean
        share, count = mean.value / FULL, mean.count
        spread = Z * math.sqrt(share * (1 - share) / count + Z**2 / (4 * count**2))
        scale = FULL / (1 + Z**2 / count)
        middle = share + Z**2 / (2 * count)
        return cls(
            mean.value,
            count,
            mean.standard_error,
            max(0.0, (middle - spread) * scale),
            min(FULL, (middle + spread) * scale),
        )


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
    """Where the mean can lie, once what we could not grade is; None of no problem at all."""
    eed_range: Range | None

    @property
    def is_provisional(self) -> bool:
        """Whether any answer could not be graded: its place in the mean is not known."""
        return self.ungraded > 0


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
    outcomes: Iterable[AlikeAnswers], *, missing: int = 0, lacking: Mapping[int, int] | None = None
) -> Tally:
    """Sum up answers that come in groups, as `tally` does."""
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
    nothing = [0.0] * missing
    by_problem = [_average(accuracies.get(one, ()), len(eeds[one])) for one in eeds] + nothing
    counts = {one: len(scores) for one, scores in eeds.items()}
    is_sampled_once = all(len(scores) == 1 for scores in eeds.values())
    return Tally(
        accuracy=Mean.of_right_or_wrong(by_problem) if is_sampled_once else Mean.of(by_problem),
        eed=Mean.of([_average(scores, len(scores)) for scores in eeds.values()] + nothing),
        scored=scored,
        unreadable=unreadable,
        missing=missing + sum((lacking or {}).values()),
        ungraded=ungraded.total(),
        left_out=len(ungraded.keys() - eeds.keys()),
        accuracy_range=find_range(accuracies, ungraded, missing=missing, given=counts),
        eed_range=find_range(eeds, ungraded, missing=missing, given=counts),
    )


def _average(scores: Sequence[float], count: int) -> float:
    return math.fsum(scores) / count
