"""The later versions of its benchmark on which a submission's answers count as well."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Count, Q, QuerySet
from django.utils import timezone

from curation.versions.models import BenchmarkVersion
from grading.answers.models import Attempt
from grading.answers.submissions.models import Submission
from grading.submissions.publication import choose_newest, list_for


@dataclass(frozen=True, slots=True)
class LaterVersion:
    """What a later version has in common with that of a submission."""

    version: BenchmarkVersion
    problems: int
    """In its public part, without those that were withdrawn."""
    unchanged: int
    """Those of them that were asked in the same revision: answers to no other carry over."""

    @property
    def new(self) -> int:
        return self.problems - self.unchanged


def list_carried(submission: Submission, *, at: datetime | None = None) -> list[LaterVersion]:
    """List the versions that came, by a time (now where none is said), after its answers."""
    if submission.version is None:
        return []
    at = at or timezone.now()
    stands = Q(items__withdrawal=None) | Q(items__withdrawal__at__gt=at)
    public = Q(stands, items__is_hidden=False)
    texts = submission.version.items.public().values("revision")
    found: QuerySet[Any] = (
        BenchmarkVersion.objects.filter(
            benchmark=submission.benchmark_id,
            number__gt=submission.version.number,
            published_at__gt=submission.created_at,
            published_at__lte=at,
        )
        .annotate(
            problems=Count("items", filter=public),
            unchanged=Count("items", filter=public & Q(items__revision__in=texts)),
        )
        .order_by("number")
    )
    return [LaterVersion(one, one.problems, one.unchanged) for one in found if one.unchanged]


def find_carried(submission: Submission) -> LaterVersion | None:
    """Find the newest version on whose board it stands without having been submitted to it."""
    if submission.published_at is None or submission.withdrawn_at is not None:
        return None
    later = list_carried(submission)
    if not later:
        return None
    theirs = list_for(later[-1].version).filter(solver=submission.solver_id)
    unseen = Attempt.objects.unseen().filter(submission__in=theirs)
    waiting = set(unseen.values_list("submission", flat=True))
    return later[-1] if choose_newest(theirs, waiting=waiting) == submission else None
