"""Addresses of the review room, and of how a benchmark is reviewed, of the one that there is."""

from django.urls import reverse

from curation.problems.benchmarks.models import Benchmark


def of_room(name: str, *more: object) -> str:
    """Return an address below `b/<slug>/`, by its name and what it is made of besides."""
    return reverse(f"curation:{name}", args=[Benchmark.objects.earliest("pk").slug, *more])


def of_splits() -> str:
    return of_room("queue") + "?show=splits"


def of_plan(pk: int) -> str:
    return of_room("review_settings") + f"?show=plan&plan={pk}"
