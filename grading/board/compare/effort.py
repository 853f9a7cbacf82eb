"""What answers cost: tokens, time and money, as far as that was recorded."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

import numpy as np
from django.db.models import Avg, Count, Sum

from grading.answers.models import Attempt
from grading.answers.submissions.models import Submission
from grading.board.compare.sides import Side
from grading.board.scores.peoples import PeoplesGroup
from grading.board.scores.scope import Scope
from grading.model_runs.models import ModelRunAnswer
from phybench_grader.statistics.studies import FEWEST


@dataclass(frozen=True, slots=True)
class Effort:
    """Means over one model's answers, each of those of which it is known."""

    answers: int = 0
    with_tokens: int = 0
    tokens: float | None = None
    """That the model wrote."""
    with_latency: int = 0
    latency: float | None = None
    """Seconds."""
    with_cost: int = 0
    """Answers that were called for here, so that their cost is known."""
    cost: Decimal | None = None
    """Of one answer, with the calls for it that failed."""
    currency: str = ""

    @property
    def is_known(self) -> bool:
        return any(one is not None for one in (self.tokens, self.latency, self.cost))


def measure(scope: Scope, sides: Sequence[Side]) -> list[Effort]:
    """Measure what the answers of each cost; of people, how long a problem was shown in a study."""
    submissions = [one.standing.submission for one in sides if one.standing]
    given = _measure_answers(scope, submissions)
    spent = _measure_calls(scope, submissions)
    return [
        Effort(**given.get(one.standing.submission.pk, {}), **_find_cost(one, spent))
        if one.standing
        else measure_people(one.group)
        for one in sides
    ]


def measure_people(group: PeoplesGroup | None) -> Effort:
    """Measure how long a problem was shown to people; of fewer than five it is not told."""
    if group is None or group.scores.count < FEWEST:
        return Effort()
    is_known = ~np.isnan(group.minutes)
    if not is_known.any():
        return Effort()
    return Effort(
        answers=len(group.minutes),
        with_latency=int(is_known.sum()),
        latency=60 * float(group.minutes[is_known].mean()),
    )


def _measure_answers(scope: Scope, submissions: Sequence[Submission]) -> dict[int, dict[str, Any]]:
    attempts = Attempt.objects.filter(submission__in=submissions).order_by()
    if scope.version is not None:
        attempts = attempts.filter(revision__problem__in=scope.problems)
    rows = attempts.values("submission").annotate(
        answers=Count("pk"),
        with_tokens=Count("tokens"),
        mean_tokens=Avg("tokens"),
        with_latency=Count("latency"),
        mean_latency=Avg("latency"),
    )
    return {
        row.pop("submission"): {
            "tokens": row.pop("mean_tokens"),
            "latency": row.pop("mean_latency"),
            **row,
        }
        for row in rows
    }


Spent = dict[tuple[int, str], list[dict[str, Any]]]
"""By submission and model, a row a currency: its draft may hold several runs, of several models."""


def _measure_calls(scope: Scope, submissions: Sequence[Submission]) -> Spent:
    called = ModelRunAnswer.objects.filter(
        state=ModelRunAnswer.State.ANSWERED,
        item__is_hidden=False,
        run__file__draft__submissions__submission__in=submissions,
    )
    if scope.version is not None:
        called = called.filter(item__problem__in=scope.problems)
    spent: Spent = defaultdict(list)
    for row in (
        called.order_by()
        .values("run__file__draft__submissions__submission", "run__name", "run__endpoint__currency")
        .annotate(answers=Count("pk"), money=Sum("money"))
    ):
        spent[row["run__file__draft__submissions__submission"], row["run__name"]].append(row)
    return spent


def _find_cost(side: Side, spent: Spent) -> dict[str, Any]:
    assert side.standing is not None
    submission = side.standing.submission
    rows = spent.get((submission.pk, submission.solver.name), [])
    if len(rows) != 1:
        # Two currencies have no sum.
        return {}
    [row] = rows
    return {
        "with_cost": row["answers"],
        "cost": row["money"] / row["answers"],
        "currency": row["run__endpoint__currency"],
    }
