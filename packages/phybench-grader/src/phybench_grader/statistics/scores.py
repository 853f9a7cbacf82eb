"""
The scores of one solver as an array: a row a problem, a column a sample.

What the solver did not answer is 0, since it was the solver's to give. What we could not grade is
NaN: it is no 0, and each figure says what it makes of it.

Pure: NumPy, no Django, no database. Scores run from 0 to 100.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

from phybench_grader.statistics.metrics import FULL, AlikeAnswers

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Scores:
    """One solver's scores on the problems of a board."""

    problems: NDArray[np.int64]
    """Sorted, of length P."""
    accuracy: Array
    """P × K, each 0 or 100; NaN where we could not grade."""
    eed: Array
    """P × K, each 0 to 100; NaN where we could not grade."""

    @classmethod
    def of(cls, answers: Iterable[AlikeAnswers], problems: Sequence[int]) -> Self:
        """
        Arrange answers by problem; those to problems that are not listed are left out.

        K is the number of answers that the problem has that has most of them.

        >>> one = Scores.of([AlikeAnswers([7, 5, 7], 0.0, [40.0, 0.0, 60.0])], [5, 6, 7])
        >>> one.eed.tolist()
        [[0.0, 0.0], [0.0, 0.0], [40.0, 60.0]]
        """
        listed = np.unique(np.asarray(problems, dtype=np.int64))
        groups = list(answers)
        asked = _join([np.asarray(one.problems, dtype=np.int64) for one in groups], np.int64)
        accuracy = _join([_repeat(one) for one in groups])
        eed = _join(
            [
                _repeat(one) if one.accuracy is None else np.asarray(one.eeds, dtype=np.float64)
                for one in groups
            ]
        )
        is_listed = np.isin(asked, listed)
        place = np.searchsorted(listed, asked[is_listed])
        order = np.argsort(place, kind="stable")
        place = place[order]
        counts = np.bincount(place, minlength=len(listed))
        column = np.arange(len(place)) - np.repeat(np.cumsum(counts) - counts, counts)
        shape = len(listed), max(1, int(counts.max(initial=1)))
        filled = np.zeros((2, *shape))
        filled[0, place, column] = accuracy[is_listed][order]
        filled[1, place, column] = eed[is_listed][order]
        return cls(listed, filled[0], filled[1])

    @property
    def samples(self) -> int:
        return int(self.accuracy.shape[1])

    def by_problem(self, metric: str) -> Array:
        """Average what is graded of each problem; NaN where nothing is."""
        values = self._of(metric)
        graded = ~np.isnan(values)
        count = graded.sum(axis=1)
        total = np.where(graded, values, 0.0).sum(axis=1)
        found: Array = np.full(len(count), np.nan)
        np.divide(total, count, out=found, where=count > 0)
        return found

    def lows(self, metric: str) -> Array:
        """Average each problem's answers, with what we could not grade at 0."""
        return self._fill(metric, 0.0)

    def highs(self, metric: str) -> Array:
        """Average each problem's answers, with what we could not grade at 100."""
        return self._fill(metric, FULL)

    def _fill(self, metric: str, value: float) -> Array:
        found: Array = np.nan_to_num(self._of(metric), nan=value).mean(axis=1)
        return found

    def _of(self, metric: str) -> Array:
        return self.eed if metric == "eed" else self.accuracy


@dataclass(frozen=True, slots=True, eq=False)
class PeoplesScores:
    """What people's answers are worth, an entry an answer; NaN where we could not grade."""

    people: NDArray[np.int64]
    problems: NDArray[np.int64]
    accuracy: Array
    eed: Array
    is_unreadable: NDArray[np.bool_]
    """False where nothing was answered, too."""

    @classmethod
    def join(cls, parts: Sequence["PeoplesScores"]) -> "PeoplesScores":
        """Put the answers of several groups, one at least, one after the other."""
        return cls(
            np.concatenate([one.people for one in parts]),
            np.concatenate([one.problems for one in parts]),
            np.concatenate([one.accuracy for one in parts]),
            np.concatenate([one.eed for one in parts]),
            np.concatenate([one.is_unreadable for one in parts]),
        )

    def of(self, metric: str) -> Array:
        return self.eed if metric == "eed" else self.accuracy

    def keep(self, kept: NDArray[np.bool_]) -> "PeoplesScores":
        """Return the answers that are marked."""
        return PeoplesScores(
            self.people[kept],
            self.problems[kept],
            self.accuracy[kept],
            self.eed[kept],
            self.is_unreadable[kept],
        )

    @property
    def count(self) -> int:
        """How many people there are."""
        return len(np.unique(self.people))


def _repeat(answers: AlikeAnswers) -> Array:
    value = np.nan if answers.accuracy is None else answers.accuracy
    return np.full(len(answers.problems), value)


def _join(parts: list[NDArray[np.generic]], kind: type = np.float64) -> NDArray[np.generic]:
    return np.concatenate(parts) if parts else np.empty(0, dtype=kind)
