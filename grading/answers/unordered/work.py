"""Find the grades that are still to be measured, and measure them as a worker does it."""

import logging
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import CancelledError, ThreadPoolExecutor
from typing import Any

from django.conf import settings
from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet

from grading.answers.grader import JUDGE
from grading.answers.models import Grade
from grading.answers.runs.models import GradingRun
from grading.answers.unordered.models import Reason, UnorderedPart, UnorderedScore
from phybench.work import sandbox
from phybench.work.models import Lost, Priority
from phybench_grader.eed.unordered import UNORDERED_VERSION, UnorderedEED, measure_written

logger = logging.getLogger(__name__)

A_PART = 500
"""Grades that a worker takes together."""
AT_ONCE = 50
"""Those that are measured between two looks at whether the part is still ours."""
PART_SECONDS = 10.0
"""After which a part is let go of, for what came up meanwhile and is more urgent."""

Written = dict[str, list[list[str | int]]]
"""Two trees as a grade keeps them."""


def list_measured(run: GradingRun) -> QuerySet[Grade]:
    """Return the grades of a run that are shown and keep trees to be measured."""
    published = Q(attempt__submission__published_at__isnull=False)
    is_shown = Q(attempt__submission=None) | (published & Q(attempt__submission__withdrawn_at=None))
    return Grade.objects.filter(is_shown, run=run, judge=JUDGE, trees__isnull=False)


def list_unmeasured(run: GradingRun) -> QuerySet[Grade]:
    """Return those that nothing was said of yet."""
    said = UnorderedScore.objects.of_today().filter(grade=OuterRef("pk"))
    return list_measured(run).exclude(Exists(said))


def queue_new() -> list[UnorderedPart]:
    """Leave what is graded and shown since to workers; return the parts that are new."""
    return [part for run in GradingRun.objects.adopted() for part in _queue(run)]


@transaction.atomic
def _queue(run: GradingRun) -> list[UnorderedPart]:
    # Of two at once the second finds the parts of the first.
    run = GradingRun.objects.select_for_update(no_key=True).get(pk=run.pk)
    if run.unordered_parts.exists():
        return []
    pks = list(list_unmeasured(run).order_by("pk").values_list("pk", flat=True))
    parts = [
        UnorderedPart(run=run, first=some[0], last=some[-1], priority=Priority.IDLE)
        for some in (pks[start : start + A_PART] for start in range(0, len(pks), A_PART))
    ]
    return UnorderedPart.objects.bulk_create(parts)


def measure_part(part: UnorderedPart) -> None:
    """
    Measure what is left of a claimed part, as far as a worker gets in `PART_SECONDS`.

    Raises:
        Lost: another worker has it.
    """
    until = time.monotonic() + PART_SECONDS
    left = list_unmeasured(part.run).filter(pk__range=(part.first, part.last)).order_by("pk")
    while some := dict(left.values_list("pk", "trees")[:AT_ONCE]):
        _keep(_measure_all(some))
        if time.monotonic() > until:
            part.settle()
            return
        if not part.ours().exists():
            raise Lost(part.pk)
    part.ours().delete()


def give_up(part: UnorderedPart) -> None:
    """Say of what is left of a part that takes worker after worker with it why it has no score."""
    left = list_unmeasured(part.run).filter(pk__range=(part.first, part.last))
    pks = left.values_list("pk", flat=True)
    lost = {"version": UNORDERED_VERSION, "reason": Reason.WORKER_LOST}
    _keep([UnorderedScore(grade_id=pk, **lost) for pk in pks])
    part.ours().delete()


def try_again(run: GradingRun) -> int:
    """Have measured again what failed, which may have been for a reason that passes."""
    failed = UnorderedScore.objects.of_today().failed().filter(grade__run=run)
    count, _by_model = failed.delete()
    return count


def _measure_all(some: Mapping[int, Any]) -> list[UnorderedScore]:
    """Measure trees in children, the same ones once."""
    alike: dict[str, tuple[Written, list[int]]] = {}
    for pk, trees in some.items():
        alike.setdefault(str(trees), (trees, []))[1].append(pk)
    with ThreadPoolExecutor(sandbox.CHILDREN) as threads:
        said = list(threads.map(_describe, [trees for trees, _pks in alike.values()]))
    return [
        UnorderedScore(grade_id=pk, version=UNORDERED_VERSION, **fields)
        for fields, (_trees, pks) in zip(said, alike.values(), strict=True)
        for pk in pks
    ]


def _describe(trees: Written) -> dict[str, Any]:
    """Return the fields of a score: what two trees are worth, or why that is not known."""
    try:
        found: UnorderedEED = sandbox.run(
            measure_written, trees, deadline=settings.GRADING_DEADLINE_SECONDS
        )
    except CancelledError:
        # The application is ending, which says nothing about these trees.
        raise
    except sandbox.Stopped as stopped:
        return {"reason": stopped.reason}
    except Exception:
        logger.exception("measuring %.200r", trees)
        return {"reason": Reason.ERROR}
    return {"distance": found.distance, "score": found.score}


def _keep(scores: Sequence[UnorderedScore]) -> None:
    # Another worker may have been at the same: what is there first stays.
    UnorderedScore.objects.bulk_create(scores, ignore_conflicts=True)
