"""Which benchmark a page is of, for the header of all pages."""

from dataclasses import dataclass
from typing import TypeVar

from django.db.models import Model, QuerySet
from django.http import HttpRequest
from django.shortcuts import get_object_or_404
from django.utils.functional import SimpleLazyObject

from curation.problems.benchmarks.models import Benchmark

Row = TypeVar("Row", bound=Model)

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


def get_placed(request: HttpRequest, rows: QuerySet[Row], pk: int) -> Row:
    """Find the row that a page is about, whose address names no benchmark: the row does."""
    found = get_object_or_404(rows, pk=pk)
    place_at(request, found.benchmark_id)  # type: ignore[attr-defined]
    return found


def place_at(request: HttpRequest, benchmark_id: int) -> None:
    """Have the header name this benchmark."""
    request.benchmark_id = benchmark_id  # type: ignore[attr-defined]


def find_place(request: HttpRequest) -> Place | None:
    """
    Find the benchmark of a page: as it says, by its address, else by what was last chosen.

    Else it is the first: who came with the demo begins with the demo's, all others with their own.
    """
    rows = list(Benchmark.objects.values_list("slug", "name", "is_demo", "put_off", "pk"))
    # A request that is refused early has no user yet.
    user = getattr(request, "user", None)
    is_demo = getattr(user, "is_demo", False)
    rows.sort(key=lambda row: row[2] != is_demo)
    places = {slug: (name, put_off) for slug, name, _is_demo, put_off, _pk in rows}
    match = request.resolver_match
    of_page = getattr(request, "benchmark_id", None)
    named = next((row[0] for row in rows if row[4] == of_page), None)
    if named is None and match:
        named = match.kwargs.get("slug")
    # What one visitor is shown is kept for all: of them nobody has chosen.
    chosen = request.COOKIES.get(COOKIE) if user and user.is_authenticated else None
    for slug in (named, chosen, *places):
        if slug in places:
            name, put_off = places[slug]
            choices = tuple((one, places[one][0]) for one in places)
            return Place(slug, name, choices, tuple(put_off))
    return None
