"""What is known of who could have seen a version's problems before they were answered."""

from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count, Min

from curation.problems.exposures.models import Exposure
from curation.versions.models import BenchmarkVersion, VersionItem
from grading.answers.hidden.models import HiddenBatch
from phybench_grader.statistics.ladder import BUDGET


@dataclass(frozen=True, slots=True)
class Contamination:
    public: int
    published_before: int
    """Of the public ones: how many go by the id of a publication elsewhere."""
    public_before: int
    """How many were in the public part of an earlier version."""
    public_since: datetime | None
    """When the first version was published that has one of them in its public part."""
    hidden: int
    figures: int
    """How many figures of the hidden part were told."""
    organisations: int
    """To how many organisations."""
    budget: int
    recorded_since: datetime | None
    """Since when this site writes down whom it shows what."""


def describe(version: BenchmarkVersion) -> Contamination:
    """Say what is known, in six queries."""
    public = version.items.public()
    before = VersionItem.objects.public().filter(
        version__benchmark=version.benchmark_id,
        version__published_at__isnull=False,
        problem__in=public.values("problem"),
    )
    earlier = before.filter(version__number__lt=version.number)
    asked = HiddenBatch.objects.asked().filter(submission__version=version)
    told = asked.aggregate(figures=Count("pk"), organisations=Count("organisation", distinct=True))
    counts = public.aggregate(all=Count("pk"), elsewhere=Count("problem__published_id"))
    return Contamination(
        public=counts["all"],
        published_before=counts["elsewhere"],
        public_before=earlier.aggregate(count=Count("problem", distinct=True))["count"],
        public_since=before.aggregate(at=Min("version__published_at"))["at"],
        hidden=version.items.hidden().count(),
        figures=told["figures"],
        organisations=told["organisations"],
        budget=BUDGET,
        recorded_since=Exposure.objects.aggregate(at=Min("at"))["at"],
    )
