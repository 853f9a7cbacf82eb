"""Which benchmark a page is of, for the header of all pages."""

from dataclasses import dataclass

from django.http import HttpRequest
from django.utils.functional import SimpleLazyObject

from curation.problems.benchmarks.models import Benchmark

COOKIE = "benchmark"
"""The slug of the one that was last chosen, where a page is of none."""
JOINING = "joining"
"""The address of a link by which somebody wants to join who signs up just now."""


@dataclass(frozen=True, slots=True)
class Place:
    """A benchmark as the header names it, with all that can be chosen instead."""

    slug: str
    name: str
    choices: tuple[tuple[str, str], ...]
    """Slug and name of each, this one too."""
    put_off: tuple[int, ...] = ()


def describe(request: HttpRequest) -> dict[str, object]:
    """Give all templates `place`, which is false while there is no benchmark."""
    return {"place": SimpleLazyObject(lambda: find_place(request))}


def find_place(request: HttpRequest) -> Place | None:
    """
    Find the benchmark of a page: by its address, else by what was last chosen.

    Else it is the first: who came with the demo begins with the demo's, all others with their own.
    """
    rows = list(Benchmark.objects.values_list("slug", "name", "is_demo", "put_off"))
    # A request that is refused early has no user yet.
    user = getattr(request, "user", None)
    is_demo = getattr(user, "is_demo", False)
    rows.sort(key=lambda row: row[2] != is_demo)
    places = {slug: (name, put_off) for slug, name, _is_demo, put_off in rows}
    match = request.resolver_match
    named = match.kwargs.get("slug") if match else None
    # What one visitor is shown is kept for all: of them nobody has chosen.
    chosen = request.COOKIES.get(COOKIE) if user and user.is_authenticated else None
    for slug in (named, chosen, *places):
        if slug in places:
            name, put_off = places[slug]
            choices = tuple((one, places[one][0]) for one in places)
            return Place(slug, name, choices, tuple(put_off))
    return None
