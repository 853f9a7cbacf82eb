"""The public part of a version as a file: what solvers read of each problem, and no key."""

import json
from collections.abc import Iterator

from django.http import HttpResponseBase, StreamingHttpResponse
from django.views.decorators.http import require_GET

from curation.problems.permissions import refuse_closed
from curation.texts.schema import ASKED
from curation.versions.exchange import exports
from curation.versions.exchange.exports import ChosenProblem
from curation.versions.exchange.models import Download
from curation.versions.hashes import describe_asked
from curation.versions.models import BenchmarkVersion, VersionItem
from curation.versions.views import find
from phybench.people.http import MemberRequest, role_required
from phybench.people.models import Role, User

FIELDS = ("id", "domain", *ASKED)


def write_public(version: BenchmarkVersion, person: User) -> Iterator[str]:
    """Write down that `person` takes the public part out; then yield it, one JSON line an item."""
    items = list(version.items.public().with_all())
    refuse_closed(person, [item.problem_id for item in items])
    chosen = [
        ChosenProblem(item.problem, item.revision_id, has_key=False, is_submitted=True)
        for item in items
    ]
    exports.record_once(
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


@role_required(Role.EVALUATOR)
@require_GET
def version_jsonl(request: MemberRequest, slug: str, number: int) -> HttpResponseBase:
    """Answer with what the public part asks; the first byte leaves once that is written down."""
    found = find(request, slug, number)
    response = StreamingHttpResponse(
        write_public(found, request.user), content_type="application/jsonl; charset=utf-8"
    )
    response["Content-Disposition"] = f'attachment; filename="{slug}-version-{number}.jsonl"'
    return response
