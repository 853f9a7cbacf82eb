"""The public part of a version as a file: what solvers read of each problem, and no key."""

import json
from collections.abc import Iterator

from curation.problems.permissions import refuse_closed
from curation.versions.exchange import exports
from curation.versions.exchange.exports import ChosenProblem
from curation.versions.exchange.models import Download
from curation.versions.hashes import describe_asked
from curation.versions.models import BenchmarkVersion, VersionItem
from phybench.people.models import User

FIELDS = ("id", "domain", "statement", "quantity", "unit", "terms", "conditions", "symbols")


def write_public(version: BenchmarkVersion, person: User) -> Iterator[str]:
    """Write down that `person` takes the public part out; then yield it, one JSON line an item."""
    items = list(version.items.public().with_all())
    refuse_closed(person, [item.problem_id for item in items])
    chosen = [
        ChosenProblem(item.problem, item.revision_id, has_key=False, is_submitted=True)
        for item in items
    ]
    exports.record(
        chosen,
        person=person,
        file_format=Download.Format.JSONL,
        fields=FIELDS,
        asked=f"version {version.benchmark.slug} {version.number}",
    )
    return _write(version, items)


def _write(version: BenchmarkVersion, items: list[VersionItem]) -> Iterator[str]:
    for item in items:
        row = {
            "id": item.identifier,
            "version": f"{version.benchmark.slug}/{version.number}",
            "domain": item.problem.domain,
            **describe_asked(item.revision),
            "asked_sha256": item.asked_sha256,
        }
        yield json.dumps(row, ensure_ascii=False) + "\n"
