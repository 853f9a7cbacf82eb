"""Which problems two submissions have in common, what each scored there, and what is left out."""

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property

from grading.answers.models import Attempt, with_grade
from grading.answers.submissions.models import Submission
from phybench_grader.statistics.metrics import FULL
from phybench_grader.statistics.paired import (
    Between,
    Difference,
    RightAndWrong,
    compare_accuracies,
    compare_means,
)

Scores = tuple[float, float]
"""Accuracy and EED of one answer."""
Means = Mapping[str, tuple[float, float]]
"""By figure the means of both."""
Spans = dict[str, tuple[tuple[float, float], tuple[float, float]]]
"""By figure the lowest and the highest that the mean of each can be."""


class LeftOut(StrEnum):
    """Why a problem is not compared."""

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


@dataclass(frozen=True)
class ComparedSubmissions:
    """
    Two submissions beside each other, at both ends of what is not graded.

    An answer that is not graded may be worth 0 or 100: what is compared on the others alone would
    be of other problems with each answer that waits.
    """

    lower: Comparison
    """With such answers of the first at 0, and those of the second at 100."""
    upper: Comparison
    """The other way round; the same as `lower` where all is graded."""
    graded: Comparison
    """The problems to which all answers of both are graded."""
    left_out: Mapping[LeftOut, int]
    failed: int
    """Problems with an answer that we could not grade."""
    waiting: int
    """Problems with an answer that still waits, or whose grading was cancelled."""

    @property
    def left_open(self) -> int:
        """Count problems with an answer that is not graded."""
        return self.lower.count - self.graded.count

    @property
    def is_single(self) -> bool:
        return self.lower.is_single

    @cached_property
    def accuracy(self) -> Between:
        return Between(self.lower.accuracy, self.upper.accuracy)

    @cached_property
    def eed(self) -> Between:
        return Between(self.lower.eed, self.upper.eed)

    @property
    def means(self) -> Spans:
        return span_means(self.lower.means, self.upper.means)

    @property
    def tables(self) -> list[RightAndWrong]:
        """Who is right where: one table where all is graded, else one of each end."""
        ends = [self.lower, self.upper] if self.left_open else [self.lower]
        return [one.table for one in ends]


def span_means(lower: Means, upper: Means) -> Spans:
    """Say where the means of both can lie, by what they are at both ends."""
    return {
        metric: ((lower[metric][0], upper[metric][0]), (upper[metric][1], lower[metric][1]))
        for metric in lower
    }


@dataclass(slots=True)
class Sheet:
    """What one submission was asked, and what it scored."""

    revisions: dict[int, int] = field(default_factory=dict)
    """By problem the revision that was to be answered."""
    withdrawn: set[int] = field(default_factory=set)
    """Problems that were taken out of its version since."""
    scores: dict[int, list[Scores | None]] = field(default_factory=lambda: defaultdict(list))
    """By problem those of its answers; None of one that is not graded."""
    failed: set[int] = field(default_factory=set)
    """Problems with an answer that we could not grade."""
    waiting: set[int] = field(default_factory=set)
    """Problems with an answer that still waits, or whose grading was cancelled."""

    @property
    def most(self) -> int:
        return max(map(len, self.scores.values()), default=0)

    def is_graded(self, problem: int) -> bool:
        """Whether all answers to a problem are; one without any is."""
        return None not in self.scores.get(problem, [])

    def score(self, problem: int, ungraded: float) -> Scores:
        """
        Average a problem's answers; what is missing counts 0.

        Args:
            ungraded: what an answer is taken to be worth that is not graded.
        """
        given = self.scores.get(problem, [])
        scores = [(ungraded, ungraded) if one is None else one for one in given]
        count = max(1, self.most)
        accuracies, eeds = zip(*scores, strict=True) if scores else ((), ())
        return math.fsum(accuracies) / count, math.fsum(eeds) / count


def compare_submissions(first: Submission, second: Submission) -> ComparedSubmissions:
    """
    Put two submissions to one benchmark beside each other.

    Compared are the public problems that both were asked in the same revision.
    """
    sheets = _read(first), _read(second)
    common: list[int] = []
    left_out: Counter[LeftOut] = Counter()
    for problem in sorted(sheets[0].revisions.keys() | sheets[1].revisions.keys()):
        if why := _find_obstacle(problem, *sheets):
            left_out[why] += 1
        else:
            common.append(problem)
    graded = [one for one in common if all(sheet.is_graded(one) for sheet in sheets)]
    lower = _compare(common, sheets, (0.0, FULL))
    is_whole = len(graded) == len(common)
    return ComparedSubmissions(
        lower=lower,
        upper=lower if is_whole else _compare(common, sheets, (FULL, 0.0)),
        graded=lower if is_whole else _compare(graded, sheets, (0.0, 0.0)),
        left_out=left_out,
        failed=len((sheets[0].failed | sheets[1].failed) & set(common)),
        waiting=len((sheets[0].waiting | sheets[1].waiting) & set(common)),
    )


def _compare(
    problems: Iterable[int], sheets: tuple[Sheet, Sheet], ungraded: tuple[float, float]
) -> Comparison:
    """Compare over these problems, with what is not graded of each worth so much."""
    compared = []
    for problem in problems:
        ours, theirs = (
            sheet.score(problem, worth) for sheet, worth in zip(sheets, ungraded, strict=True)
        )
        accuracies, eeds = zip(ours, theirs, strict=True)
        compared.append(ComparedProblem(problem, accuracies, eeds))
    return Comparison(compared, (sheets[0].most, sheets[1].most))


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
        if status == Attempt.Status.FAILED:
            sheet.failed.add(problem)
        elif not is_graded:
            sheet.waiting.add(problem)
    return sheet
