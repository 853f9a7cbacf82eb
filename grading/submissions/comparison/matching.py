"""Which problems two submissions have in common, what each scored there, and what is left out."""

import math
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property

from grading.answers.models import Attempt, with_grade
from grading.statistics.metrics import FULL
from grading.statistics.paired import (
    Difference,
    RightAndWrong,
    compare_accuracies,
    compare_means,
)
from grading.submissions.models import Submission

Scores = tuple[float, float]
"""Accuracy and EED of one answer."""


class LeftOut(StrEnum):
    """Why a problem is not compared."""

    NOT_GRADED = "NOT_GRADED"
    """An answer to it waits, or could not be graded: neither right nor wrong."""
    ANOTHER_REVISION = "ANOTHER_REVISION"
    ONLY_FIRST = "ONLY_FIRST"
    ONLY_SECOND = "ONLY_SECOND"
    WITHDRAWN = "WITHDRAWN"


class Cell(StrEnum):
    """Who has a problem right: more than half of the answers to it."""

    FIRST = "FIRST"
    SECOND = "SECOND"
    BOTH = "BOTH"
    NEITHER = "NEITHER"


@dataclass(frozen=True, slots=True)
class ComparedProblem:
    """What two submissions scored at one problem, each the mean of its answers."""

    problem: int
    accuracies: tuple[float, float]
    eeds: tuple[float, float]

    @property
    def accuracy_difference(self) -> float:
        return self.accuracies[0] - self.accuracies[1]

    @property
    def eed_difference(self) -> float:
        return self.eeds[0] - self.eeds[1]

    @property
    def cell(self) -> Cell:
        first, second = (one > FULL / 2 for one in self.accuracies)
        if first and second:
            return Cell.BOTH
        if first:
            return Cell.FIRST
        return Cell.SECOND if second else Cell.NEITHER


@dataclass(frozen=True)
class Comparison:
    """Two submissions beside each other."""

    problems: Sequence[ComparedProblem]
    left_out: Mapping[LeftOut, int]
    most: tuple[int, int]
    """Answers to a problem, of each."""

    @property
    def count(self) -> int:
        return len(self.problems)

    @property
    def is_single(self) -> bool:
        """Whether each gave one answer to a problem."""
        return max(self.most) <= 1

    @cached_property
    def accuracy(self) -> Difference:
        pairs = [one.accuracies for one in self.problems]
        return compare_accuracies(pairs, is_single=self.is_single)

    @cached_property
    def eed(self) -> Difference:
        return compare_means([one.eeds for one in self.problems])

    @cached_property
    def table(self) -> RightAndWrong:
        return RightAndWrong.of([one.accuracies for one in self.problems])

    @property
    def means(self) -> dict[str, tuple[float, float]]:
        """The means of both over the problems compared; nothing of no problem."""
        if not self.problems:
            return {}
        return {
            "accuracy": _average([one.accuracies for one in self.problems]),
            "eed": _average([one.eeds for one in self.problems]),
        }


def _average(pairs: Sequence[tuple[float, float]]) -> tuple[float, float]:
    firsts, seconds = zip(*pairs, strict=True)
    return math.fsum(firsts) / len(pairs), math.fsum(seconds) / len(pairs)


@dataclass(slots=True)
class Sheet:
    """What one submission was asked, and what it scored."""

    revisions: dict[int, int] = field(default_factory=dict)
    """By problem the revision that was to be answered."""
    withdrawn: set[int] = field(default_factory=set)
    """Problems that were taken out of its version since."""
    scores: dict[int, list[Scores | None]] = field(default_factory=lambda: defaultdict(list))
    """By problem those of its answers; None of one that is not graded."""

    @property
    def most(self) -> int:
        return max(map(len, self.scores.values()), default=0)

    def score(self, problem: int) -> Scores | None:
        """Average a problem's answers, where all are graded; what is missing counts 0."""
        given = self.scores.get(problem, [])
        graded = [one for one in given if one is not None]
        if len(graded) < len(given):
            return None
        count = max(1, self.most)
        accuracies, eeds = zip(*graded, strict=True) if graded else ((), ())
        return math.fsum(accuracies) / count, math.fsum(eeds) / count


def compare_submissions(first: Submission, second: Submission) -> Comparison:
    """
    Put two submissions to one benchmark beside each other.

    Compared are the public problems that both were asked in the same revision.
    """
    sheets = _read(first), _read(second)
    compared: list[ComparedProblem] = []
    left_out: Counter[LeftOut] = Counter()
    scores = [{one: sheet.score(one) for one in sheet.revisions} for sheet in sheets]
    for problem in sorted(sheets[0].revisions.keys() | sheets[1].revisions.keys()):
        if why := _find_obstacle(problem, *sheets):
            left_out[why] += 1
            continue
        ours, theirs = (found[problem] for found in scores)
        if ours is None or theirs is None:
            left_out[LeftOut.NOT_GRADED] += 1
            continue
        accuracies, eeds = zip(ours, theirs, strict=True)
        compared.append(ComparedProblem(problem, accuracies, eeds))
    return Comparison(compared, left_out, (sheets[0].most, sheets[1].most))


def _find_obstacle(problem: int, first: Sheet, second: Sheet) -> LeftOut | None:
    if problem in first.withdrawn or problem in second.withdrawn:
        return LeftOut.WITHDRAWN
    if problem not in second.revisions:
        return LeftOut.ONLY_FIRST
    if problem not in first.revisions:
        return LeftOut.ONLY_SECOND
    if first.revisions[problem] != second.revisions[problem]:
        return LeftOut.ANOTHER_REVISION
    return None


def _read(submission: Submission) -> Sheet:
    sheet = Sheet()
    if submission.version is not None:
        items = submission.version.items.public()
        for problem, revision, withdrawal in items.values_list("problem", "revision", "withdrawal"):
            sheet.revisions[problem] = revision
            if withdrawal is not None:
                sheet.withdrawn.add(problem)
    answers = with_grade(submission.attempts.all(), benchmark=submission.benchmark)
    for problem, revision, status, accuracy, eed in answers.order_by("pk").values_list(
        "revision__problem_id", "revision_id", "status", "accuracy", "eed"
    ):
        sheet.revisions.setdefault(problem, revision)
        is_graded = status == Attempt.Status.GRADED
        sheet.scores[problem].append((accuracy, eed) if is_graded else None)
    return sheet
