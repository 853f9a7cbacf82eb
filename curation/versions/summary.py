"""What the page of a version says beside its items, and which benchmarks have one."""

from collections import Counter
from dataclasses import dataclass
from typing import Any

from django.db.models import Count, F, Q, QuerySet

from curation.problems.benchmarks.models import Benchmark
from curation.problems.models import PhysicsField
from curation.versions.models import BenchmarkVersion, BenchmarkVersionQuerySet


@dataclass(frozen=True, slots=True)
class DomainCount:
    label: str
    public: int
    hidden: int

    @property
    def total(self) -> int:
        return self.public + self.hidden


def list_open() -> QuerySet[Benchmark]:
    """Return the benchmarks that can be answered: those with a published version."""
    versions = BenchmarkVersion.objects.published().values("benchmark")
    return Benchmark.objects.filter(pk__in=versions)


def count_parts(versions: BenchmarkVersionQuerySet) -> "QuerySet[Any]":
    """Add to versions how many items each part has."""
    return versions.annotate(
        public=Count("items", filter=Q(items__is_hidden=False)),
        hidden=Count("items", filter=Q(items__is_hidden=True)),
    )


def count_domains(version: BenchmarkVersion) -> list[DomainCount]:
    """Count the items of each domain by part; domains without any are left out."""
    counted = version.items.order_by().values_list("problem__domain", "is_hidden")
    counts = Counter[tuple[str, bool]]()
    for domain, is_hidden, count in counted.annotate(Count("pk")):
        counts[domain, is_hidden] = count
    rows = [
        DomainCount(str(domain.label), counts[domain, False], counts[domain, True])
        for domain in PhysicsField
    ]
    return [row for row in rows if row.total]


def list_errata(version: BenchmarkVersion) -> "QuerySet[Any, Any]":
    """Return the errata to a version's texts, the newest first, each with its problem's id."""
    found = version.items.filter(revision__errata__isnull=False)
    return found.order_by("-revision__errata__at", "-revision__errata__pk").values(
        "identifier",
        at=F("revision__errata__at"),
        text=F("revision__errata__text"),
        is_of_key=F("revision__errata__is_of_key"),
    )
