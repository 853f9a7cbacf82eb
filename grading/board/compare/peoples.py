"""People's answers beside what a model scored on the same problems."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from phybench_grader.statistics.paired import Difference, compare_with_people


@dataclass(frozen=True, slots=True)
class ComparedAnswer:
    """A person's answer and a model's mean on that problem, in the order of the comparison."""

    person: int
    problem: int
    accuracies: tuple[float, float]
    eeds: tuple[float, float]


@dataclass(frozen=True)
class PeoplesComparison:
    """As `Comparison`, of people and a model; each answer counts once."""

    answers: Sequence[ComparedAnswer]
    is_people_first: bool

    @property
    def people(self) -> int:
        """Count the people who gave them."""
        return len({one.person for one in self.answers})

    @property
    def count(self) -> int:
        """Count the problems that they answered."""
        return len({one.problem for one in self.answers})

    @cached_property
    def accuracy(self) -> Difference:
        return self._compare([one.accuracies for one in self.answers])

    @cached_property
    def eed(self) -> Difference:
        return self._compare([one.eeds for one in self.answers])

    def _compare(self, pairs: Sequence[tuple[float, float]]) -> Difference:
        sides = np.array(pairs, dtype=np.float64).reshape(-1, 2).T
        people, model = sides if self.is_people_first else sides[::-1]
        return compare_with_people(
            people,
            model,
            np.array([one.person for one in self.answers], dtype=np.int64),
            np.array([one.problem for one in self.answers], dtype=np.int64),
            is_people_first=self.is_people_first,
        )

    @property
    def means(self) -> dict[str, tuple[float, float]]:
        """The means of both over the answers compared; nothing of no answer."""
        if not self.answers:
            return {}
        return {
            "accuracy": _average([one.accuracies for one in self.answers]),
            "eed": _average([one.eeds for one in self.answers]),
        }


def _average(pairs: Sequence[tuple[float, float]]) -> tuple[float, float]:
    firsts, seconds = zip(*pairs, strict=True)
    return math.fsum(firsts) / len(pairs), math.fsum(seconds) / len(pairs)
