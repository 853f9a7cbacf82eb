"""
Where the means of submissions can lie while answers wait, from sums that the database makes.

A problem with fewer answers than another has a 0 for each that is lacking, so each answered one
counts as many as the one that has most. With one denominator for all of them the ends of
`phybench_grader.statistics.provisional` need no figure of a single problem.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from django.db import connection
from django.db.models import Count, Q, Sum

from grading.answers.models import Attempt, with_grade
from grading.answers.submissions.models import Submission
from phybench_grader.statistics.metrics import Mean
from phybench_grader.statistics.provisional import FULL, Range


@dataclass(frozen=True, slots=True)
class Figures:
    """What a list says of a submission: of a range that is open no mean is quoted."""

    accuracy: Mean
    eed: Mean
    accuracy_range: Range | None
    eed_range: Range | None


def bound(submissions: Sequence[Submission]) -> dict[int, Figures]:
    """Find the ranges of submissions of which answers wait; with no graded one there are none."""
    if not submissions:
        return {}
    expected = {one.pk: one.expected for one in submissions}
    is_graded = Q(status=Attempt.Status.GRADED)
    of_problems = (
        with_grade(Attempt.objects.filter(submission__in=expected))
        .order_by()
        .values("submission_id", "revision__problem_id")
        .annotate(
            given=Count("pk"),
            graded=Count("pk", filter=is_graded),
            rights=Sum("accuracy", filter=is_graded),
            nears=Sum("eed", filter=is_graded),
        )
    )
    query, values = of_problems.query.sql_with_params()
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT submission_id, count(*), max(given), sum(given), sum(graded),"
            f" coalesce(sum(rights), 0), coalesce(sum(nears), 0) FROM ({query}) problem"
            " GROUP BY submission_id",
            values,
        )
        rows = cursor.fetchall()
    return {pk: _bound(expected[pk], *map(float, sums)) for pk, *sums in rows}


def _bound(
    expected: int,
    answered: float,
    most: float,
    given: float,
    graded: float,
    rights: float,
    nears: float,
) -> Figures:
    nothing = Mean.of([])
    if not graded and expected <= answered and given == most * answered:
        return Figures(nothing, nothing, None, None)
    counted = most * max(expected, answered)
    share = (given - graded) / counted
    accuracy, eed = (
        Range(low, min(FULL, low + FULL * share), share)
        for low in (rights / counted, nears / counted)
    )
    return Figures(nothing, nothing, accuracy, eed)
