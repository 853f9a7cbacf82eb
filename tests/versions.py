"""Versions of a benchmark, as tests need one before answers can be handed in."""

from typing import Any

from curation.problems.benchmarks.models import Benchmark
from curation.versions import actions
from curation.versions.models import BenchmarkVersion
from grading.answers.submissions.models import Submission
from tests import drafts


def publish_version(benchmark: Benchmark, hidden: tuple[str, ...] = ()) -> BenchmarkVersion:
    """Return a published version of what is accepted now; a new one where the last is another."""
    accepted = set(benchmark.problems.accepted().values_list("accepted_revision", flat=True))
    last = benchmark.versions.published().order_by("-number").first()
    if last and not hidden:
        items = dict(last.items.values_list("revision", "withdrawal"))
        withdrawn = {revision for revision, why in items.items() if why}
        if (not withdrawn and set(items) == accepted) or set(items) == accepted - withdrawn:
            return last
    version = actions.make_draft(benchmark=benchmark, by=None)
    version.items.filter(identifier__in=hidden).update(is_hidden=True)
    actions.publish(version=version, by=None)
    version.refresh_from_db()
    return version


def hand_in(*, benchmark: Benchmark, **options: Any) -> list[Submission]:
    """Have answers graded, to a version of what is accepted now."""
    if benchmark.problems.accepted().exists():
        publish_version(benchmark)
    return drafts.grade(benchmark=benchmark, **options)
