"""Count what people contribute; it is written down in the transaction of what they did."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from django.db.models import Count

from curation.problems.benchmarks.models import Benchmark
from curation.problems.models import Revision
from curation.problems.people.models import (
    DEFAULT_POINTS,
    Contribution,
    ContributionKind,
    ContributionWeight,
)
from phybench.people.models import User


def record_error(reporter: User, revision: Revision, note: str) -> None:
    """Credit who reported an error that was one, unless it was their own."""
    own = {revision.problem.author_id, *revision.writers.values_list("pk", flat=True)}
    if reporter.pk not in own:
        Contribution.objects.record(ContributionKind.FOUND_ERROR, [reporter], revision, note)


def fetch_points() -> dict[ContributionKind, int]:
    """Return the points of each kind: what an admin set, else the default."""
    given = ContributionWeight.objects.values_list("kind", "points")
    return {**DEFAULT_POINTS, **{ContributionKind(kind): points for kind, points in given}}


@dataclass(slots=True)
class Contributor:
    """A person's line in the table."""

    person_id: int
    name: str
    """Empty where they want to be counted without a name."""
    counts: dict[ContributionKind, int]
    points: int
    rank: int = 0
    """1 is best; equal points share a rank."""


def count_contributions(person: User) -> Counter[ContributionKind]:
    """Count one person's contributions by kind, to whichever benchmark."""
    found = person.contributions.order_by().values_list("kind").annotate(Count("pk"))
    return Counter({ContributionKind(kind): count for kind, count in found})


def list_contributors(
    benchmark: Benchmark, points: Mapping[ContributionKind, int]
) -> list[Contributor]:
    """Return everybody who contributed to a benchmark, by points; one query."""
    found = (
        Contribution.objects.filter(problem__benchmark=benchmark)
        .order_by("person_id")
        .values_list("person_id", "person__display_name", "person__is_named", "kind")
        .annotate(Count("pk"))
    )
    names: dict[int, str] = {}
    counts: dict[int, dict[ContributionKind, int]] = defaultdict(
        lambda: dict.fromkeys(ContributionKind, 0)
    )
    for person_id, display_name, is_named, kind, count in found:
        names[person_id] = str(User(pk=person_id, display_name=display_name)) if is_named else ""
        counts[person_id][ContributionKind(kind)] = count
    return rank(
        Contributor(pk, name, counts[pk], score(counts[pk], points)) for pk, name in names.items()
    )


def score(counts: Mapping[ContributionKind, int], points: Mapping[ContributionKind, int]) -> int:
    return sum(count * points[kind] for kind, count in counts.items())


def rank(contributors: Iterable[Contributor]) -> list[Contributor]:
    """Sort by points and fill in the ranks; among equals by name, the nameless last."""
    ranked = sorted(contributors, key=lambda one: (-one.points, *by_name(one)))
    for place, one in enumerate(ranked, start=1):
        before = ranked[place - 2] if place > 1 else None
        one.rank = before.rank if before and before.points == one.points else place
    return ranked


def by_name(contributor: Contributor) -> tuple[bool, str, int]:
    """Sort by name whatever its case, with the nameless last."""
    return (not contributor.name, contributor.name.casefold(), contributor.person_id)
