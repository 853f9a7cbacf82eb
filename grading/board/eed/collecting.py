"""What the answers on a board are worth by unordered EED, as far as they are measured."""

from collections import defaultdict
from dataclasses import dataclass
from typing import Any

import numpy as np
from django.contrib.postgres.aggregates import ArrayAgg
from django.db.models import Case, Count, F, FilteredRelation, Q, QuerySet, When

from grading.answers.models import Grade
from grading.answers.runs.models import GradingRun
from grading.answers.unordered.models import Reason
from grading.board.scores.collecting import BoardScores, Field
from grading.board.scores.scope import Scope
from phybench_grader.eed.unordered import UNORDERED_VERSION
from phybench_grader.statistics.metrics import AlikeAnswers
from phybench_grader.statistics.scores import Array, Scores


@dataclass(frozen=True, slots=True)
class Progress:
    """How far the answers on a board are measured."""

    total: int
    """Those with trees; what is right or could not be read needs none."""
    scored: int
    failed: dict[str, int]
    """How many have no score and never will unless somebody says so, by reason."""

    @property
    def unmeasured(self) -> int:
        return sum(self.failed.values())

    @property
    def done(self) -> int:
        return self.scored + self.unmeasured

    @property
    def is_complete(self) -> bool:
        return self.done == self.total

    @property
    def reasons(self) -> list[tuple[str, int]]:
        """Return why, in words, and how often."""
        return [(str(Reason(reason).label), count) for reason, count in self.failed.items()]


def find_progress(scope: Scope, field: Field) -> Progress:
    """Count what is measured of a board's models."""
    counted = (
        _list_grades(scope, field)
        .filter(trees__isnull=False)
        .values_list("said__reason")
        .annotate(answers=Count("pk"), scored=Count("said__score"))
        .order_by("said__reason")
    )
    rows = list(counted)
    return Progress(
        total=sum(answers for _reason, answers, _scored in rows),
        scored=sum(scored for _reason, _answers, scored in rows),
        failed={reason: answers for reason, answers, _scored in rows if reason},
    )


def describe_state(scope: Scope, field: Field) -> list[Any]:
    """Say what figures of unordered EED hang on, beside the grades."""
    progress = find_progress(scope, field)
    return [UNORDERED_VERSION, progress.scored, progress.failed]


def arrange_unordered(scores: BoardScores) -> dict[int, Scores]:
    """
    Return arrays like those of EED, by submission, in which unordered EED stands in its place.

    What is not measured is NaN, as what we could not grade.
    """
    answers: dict[int, list[AlikeAnswers]] = defaultdict(list)
    worth = Case(When(trees__isnull=True, then=F("eed")), default=F("said__score"))
    grouped = (
        _list_grades(scores.scope, scores.field)
        .order_by()
        .annotate(worth=worth)
        .values_list("attempt__submission_id", "accuracy")
        .annotate(
            problems=ArrayAgg("attempt__revision__problem_id", filter=Q(worth__isnull=False)),
            worths=ArrayAgg("worth", filter=Q(worth__isnull=False)),
            unmeasured=ArrayAgg("attempt__revision__problem_id", filter=Q(worth=None)),
        )
    )
    for submission, accuracy, problems, worths, unmeasured in grouped:
        answers[submission].append(AlikeAnswers(problems or [], accuracy, worths or []))
        answers[submission].append(AlikeAnswers(unmeasured or []))
    return {
        pk: Scores.of(
            [*answers[pk], AlikeAnswers(_list_ungraded(graded))], graded.problems.tolist()
        )
        for pk, graded in scores.of.items()
    }


def _list_ungraded(scores: Scores) -> list[int]:
    """List the problem of each answer that we could not grade."""
    counts = np.isnan(scores.eed).sum(axis=1)
    problems: Array = np.repeat(scores.problems, counts)
    return [int(problem) for problem in problems]


def _list_grades(scope: Scope, field: Field) -> QuerySet[Any, Any]:
    """Return the grades that count of what stands on a board, each with its unordered score."""
    run = GradingRun.objects.adopted().filter(benchmark=scope.benchmark)
    grades = Grade.objects.filter(run__in=run, attempt__submission__in=field.submissions)
    said = FilteredRelation("unordered", condition=Q(unordered__version=UNORDERED_VERSION))
    return grades.annotate(said=said)
