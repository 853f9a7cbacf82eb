"""Make a benchmark, and change what it is to reach."""

from collections.abc import Mapping
from typing import Any

from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _

from curation.problems.benchmarks.models import Benchmark, DomainGoal
from curation.texts.workflow import NotAllowedNow
from phybench.people.models import User
from phybench.people.permissions import looks_after_benchmarks

SETTINGS = ("name", "goal", "deadline")
"""What may change while problems are written; its address stays, since others link to it."""


def _check(by: User) -> None:
    if not looks_after_benchmarks(by):
        raise NotAllowedNow(_("Only an admin makes and changes benchmarks."))


@transaction.atomic
def make(
    *, by: User, slug: str, settings: Mapping[str, Any], goals: Mapping[str, int]
) -> Benchmark:
    """
    Make a benchmark.

    Raises:
        NotAllowedNow: another has this name or address.
    """
    _check(by)
    benchmark = Benchmark(slug=slug, is_demo=by.is_demo, **settings)
    _save(benchmark)
    _set_goals(benchmark, goals)
    return benchmark


def _save(benchmark: Benchmark) -> None:
    try:
        with transaction.atomic():
            benchmark.save()
    except IntegrityError:
        raise NotAllowedNow(
            _("There is a benchmark with this name or address. Choose another.")
        ) from None


def _set_goals(benchmark: Benchmark, goals: Mapping[str, int]) -> None:
    benchmark.domain_goals.exclude(domain__in=goals).delete()
    for domain, goal in goals.items():
        DomainGoal.objects.update_or_create(
            benchmark=benchmark, domain=domain, defaults={"goal": goal}
        )


def read_settings(benchmark: Benchmark) -> dict[str, str]:
    """Return what stands in a benchmark, to be compared with what an admin was shown."""
    shown = {name: str(getattr(benchmark, name) or "") for name in SETTINGS}
    goals = benchmark.domain_goals.order_by("domain").values_list("domain", "goal")
    return shown | {domain: str(goal) for domain, goal in goals}


@transaction.atomic
def change(
    *,
    benchmark: Benchmark,
    by: User,
    settings: Mapping[str, Any],
    goals: Mapping[str, int],
    known: Mapping[str, str],
) -> None:
    """
    Change a benchmark.

    Args:
        known: `read_settings` as the admin was shown it.

    Raises:
        NotAllowedNow: somebody else changed it meanwhile, or another has this name.
    """
    _check(by)
    benchmark = Benchmark.objects.select_for_update().get(pk=benchmark.pk)
    if read_settings(benchmark) != dict(known):
        raise NotAllowedNow(
            _("Somebody else changed this benchmark meanwhile. Look at it and save again.")
        )
    for name in SETTINGS:
        setattr(benchmark, name, settings[name])
    _save(benchmark)
    _set_goals(benchmark, goals)


def put_off(*, benchmark: Benchmark, by: User, step: str) -> None:
    """Let an admin go on without a step that can wait; anything else changes nothing."""
    _check(by)
    if step in {"2", "3"} and int(step) not in benchmark.put_off:
        benchmark.put_off = [*benchmark.put_off, int(step)]
        benchmark.save(update_fields=["put_off"])
