"""How far a benchmark is from its goal: problems by domain and status, and who works on it."""

from collections.abc import Collection
from dataclasses import dataclass, field
from datetime import date

from django.db.models import Count, Q

from curation.problems.benchmarks.models import Benchmark
from curation.problems.models import PhysicsField, Problem
from curation.texts.workflow import Status
from phybench.people.models import User

OPEN = (Status.DRAFT, Status.RETURNED)


@dataclass(slots=True)
class Counts:
    """Problems of a benchmark, or of one domain of it."""

    label: str = ""
    goal: int | None = None
    accepted: int = 0
    in_review: int = 0
    being_written: int = 0

    @property
    def missing(self) -> int | None:
        """How many are still to be accepted; None where there is no goal."""
        return None if self.goal is None else max(0, self.goal - self.accepted)

    def add(self, status: str, count: int) -> None:
        if status == Status.ACCEPTED:
            self.accepted += count
        elif status == Status.IN_REVIEW:
            self.in_review += count
        elif status in OPEN:
            self.being_written += count


@dataclass(slots=True)
class Progress:
    total: Counts
    domains: list[Counts] = field(default_factory=list)


def measure(benchmarks: Collection[Benchmark]) -> dict[int, Progress]:
    """Count all these benchmarks in two queries, by their primary keys."""
    goals: dict[tuple[int, str], int] = {}
    for one in benchmarks:
        goals |= {(one.pk, of.domain): of.goal for of in one.domain_goals.all()}
    rows = (
        Problem.objects.filter(benchmark__in=benchmarks)
        .order_by()
        .values_list("benchmark", "domain", "status")
        .annotate(Count("pk"))
    )
    found = {one.pk: Progress(Counts(goal=one.goal)) for one in benchmarks}
    domains: dict[tuple[int, str], Counts] = {}
    for pk in found:
        for domain in PhysicsField:
            key = (pk, domain.value)
            domains[key] = Counts(str(domain.label), goals.get(key))
            found[pk].domains.append(domains[key])
    for pk, domain_name, status, count in rows:
        found[pk].total.add(status, count)
        # A draft need not say its domain yet.
        if of_domain := domains.get((pk, domain_name)):
            of_domain.add(status, count)
    return found


def count_days(benchmark: Benchmark, today: date) -> int | None:
    """Count the days until the deadline; negative once it is over, None where there is none."""
    return (benchmark.deadline - today).days if benchmark.deadline else None


@dataclass(frozen=True, slots=True)
class Worker:
    """What somebody did for a benchmark, and has open."""

    person: User
    written: int
    accepted: int
    reviewed: int
    held: int


def list_workers(benchmark: Benchmark) -> list[Worker]:
    """Return everybody who wrote or reviewed for a benchmark, who did most first; three queries."""
    problems = Problem.objects.filter(benchmark=benchmark)
    written = {
        row["author"]: (row["wrote"], row["kept"])
        for row in problems.exclude(author=None)
        .order_by()
        .values("author")
        .annotate(wrote=Count("pk"), kept=Count("pk", filter=Q(accepted_revision__isnull=False)))
    }
    of_it = Q(reviews__round__revision__problem__benchmark=benchmark)
    reviewers = User.objects.filter(of_it).annotate(
        count=Count("reviews__round", filter=of_it, distinct=True)
    )
    reviewed = {one.pk: one.count for one in reviewers}
    holds = Q(assignments__state="OPEN", assignments__round__revision__problem__benchmark=benchmark)
    holding = User.objects.filter(holds).annotate(count=Count("assignments", filter=holds))
    held = {one.pk: one.count for one in holding}
    people = User.objects.in_bulk({*written, *reviewed, *held})
    workers = [
        Worker(one, *written.get(pk, (0, 0)), reviewed.get(pk, 0), held.get(pk, 0))
        for pk, one in people.items()
    ]
    return sorted(workers, key=lambda one: (-one.written - one.reviewed, str(one.person)))
