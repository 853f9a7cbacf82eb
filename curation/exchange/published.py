"""Take a published problem into a benchmark, as it stands."""

from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.text import slugify
from django.utils.translation import gettext as _

from curation.problems.benchmarks.models import Benchmark
from curation.problems.models import Event, Problem
from curation.texts.schema import TEXTS
from curation.texts.workflow import Step, move
from phybench.people.models import User


class NoBenchmark(Exception):
    """A benchmark that can't take published problems; the message says why."""


def find_or_make_benchmark(name: str) -> Benchmark:
    """
    Return the benchmark of this name or slug, made if there is none.

    Raises:
        NoBenchmark: it can't be made, or its problems are the demo's.
    """
    name = name.strip()
    if found := Benchmark.objects.called(name):
        if found.is_demo:
            raise NoBenchmark(_("“%(name)s” is for the demo’s problems only.") % {"name": name})
        return found
    most = Benchmark._meta.get_field("name").max_length
    if not name or (most and len(name) > most) or not name.isprintable():
        raise NoBenchmark(
            _("A benchmark's name is 1 to %(most)d printable characters.") % {"most": most}
        )
    slug = slugify(name) or "benchmark"
    if taken := Benchmark.objects.filter(slug=slug).first():
        raise NoBenchmark(
            _("“%(name)s” would have the same address as “%(taken)s”. Choose another name.")
            % {"name": name, "taken": taken}
        )
    return Benchmark.objects.create(name=name, slug=slug)


@transaction.atomic
def import_published(
    *,
    benchmark: Benchmark,
    published_id: str,
    broken_rules: list[str],
    actor: User | None = None,
    **fields: Any,
) -> Problem:
    """
    Take a published problem as it stands: accepted elsewhere, flagged with what it breaks.

    Args:
        actor: who imports it; None for a command.
        fields: what it came with of those that files have.
    """
    now = timezone.now()
    problem = Problem.objects.create(
        benchmark=benchmark,
        published_id=published_id,
        accepted_at=now,
        **{name: value for name, value in fields.items() if name not in TEXTS},
    )
    revision = problem.revisions.create(
        number=1,
        broken_rules=broken_rules,
        submitted_at=now,
        **{name: value for name, value in fields.items() if name in TEXTS},
    )
    problem.status, problem.accepted_revision = move(Step.IMPORT, None), revision
    problem.save(update_fields=["status", "accepted_revision"])
    Event.objects.create(
        problem=problem,
        revision=revision,
        actor=actor,
        kind=Step.IMPORT,
        to_status=problem.status,
        note=", ".join(broken_rules),
    )
    return problem
