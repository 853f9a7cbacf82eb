"""Who contributed what: one's own list, everybody's table, and both as files."""

from typing import Any

from django.core.paginator import Page
from django.http import HttpResponse
from django.shortcuts import get_object_or_404
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_GET

from curation.problems.benchmarks.models import Benchmark
from curation.problems.people.contributions import (
    Contributor,
    by_name,
    count_contributions,
    fetch_points,
    list_contributors,
    score,
)
from curation.problems.people.models import Contribution, ContributionKind
from curation.problems.permissions import list_visible
from phybench.pages.csv import csv_response
from phybench.pages.listing import Column, Listing, ListPage, by, read_sort
from phybench.people.http import MemberRequest

A_PAGE = 25
NEWEST = 5
"""As many of one's own are shown on the profile."""


def _list_columns() -> list[Column[Contributor]]:
    return [
        Column("rank", _("Rank"), is_number=True),
        # Rows are sorted by hand: an order says no more than which ways there are.
        Column("name", _("Name"), by("name"), lambda one: one.name or _("anonymous")),
        *(_count(kind) for kind in ContributionKind),
        Column(
            "points",
            capfirst(_("points")),
            by("points", begins_descending=True),
            lambda one: one.points,
            is_number=True,
        ),
    ]


def _count(kind: ContributionKind) -> Column[Contributor]:
    name = kind.lower()
    order = by(name, begins_descending=True)
    return Column(name, capfirst(kind.label), order, lambda one: one.counts[kind], is_number=True)


def _measure(one: Contributor, sort: str) -> tuple[int | str, ...]:
    if sort == "name":
        return one.name.casefold(), one.person_id
    return (one.points if sort == "points" else one.counts[ContributionKind(sort.upper())],)


def _list_contributors(request: MemberRequest, slug: str) -> Listing[Contributor]:
    benchmark = get_object_or_404(Benchmark, slug=slug)
    points = fetch_points()
    columns, default = _list_columns(), "-points"
    sort = read_sort(request, columns, default)
    name = sort.removeprefix("-")
    # Who is equal in this keeps the order of ranks.
    ordered = sorted(
        list_contributors(benchmark, points),
        key=lambda one: _measure(one, name),
        reverse=sort.startswith("-"),
    )
    if name == "name":
        ordered.sort(key=lambda one: not one.name)
    said = [(kind.label, worth) for kind, worth in points.items()]
    return Listing(
        request,
        ordered,
        columns,
        default=default,
        more=lambda _page: {"benchmark": benchmark, "points": said},
    )


contributors = ListPage(_list_contributors, "curation/contributors.html", file="contributors")
"""Names and counts, never an address."""


@require_GET
def acknowledgements_csv(request: MemberRequest, slug: str) -> HttpResponse:
    """Write whom to thank, by name, and what for; who wants no name is counted at the end."""
    benchmark = get_object_or_404(Benchmark, slug=slug)
    everybody = sorted(list_contributors(benchmark, fetch_points()), key=by_name)
    rows = [[one.name, _list_kinds(one.counts)] for one in everybody if one.name]
    if nameless := [one for one in everybody if not one.name]:
        text = ngettext(
            "one person without a name", "%(count)d people without a name", len(nameless)
        )
        kinds = {kind: sum(one.counts[kind] for one in nameless) for kind in ContributionKind}
        rows.append([text % {"count": len(nameless)}, _list_kinds(kinds)])
    return csv_response("acknowledgements", ["name", "contributed"], rows)


def _list_kinds(counts: dict[ContributionKind, int]) -> str:
    return ", ".join(str(kind.label) for kind, count in counts.items() if count)


def _list_own(request: MemberRequest) -> Listing[Contribution]:
    points = fetch_points()
    found = request.user.contributions.select_related("problem", "revision")
    columns: list[Column[Contribution]] = [
        Column("at", value=lambda one: one.at.isoformat()),
        Column("kind", value=lambda one: one.kind),
        Column("problem", value=lambda one: one.problem.identifier),
        Column("title", value=lambda one: one.problem.title),
        Column("revision", value=lambda one: one.revision and one.revision.number),
        Column("note", value=lambda one: one.note),
        Column("points", value=lambda one: points[ContributionKind(one.kind)]),
    ]

    def describe(page: Page[Contribution]) -> dict[str, Any]:
        counts = count_contributions(request.user)
        problems = [one.problem_id for one in page]
        return {
            "points": score(counts, points),
            "kinds": [
                (kind.label, counts[kind], points[kind], counts[kind] * points[kind])
                for kind in ContributionKind
                if counts[kind]
            ],
            # A role that was taken back leaves what one did, not what one may read.
            "visible": set(
                list_visible(request.user).filter(pk__in=problems).values_list("pk", flat=True)
            ),
        }

    return Listing(
        request,
        found.order_by("-at", "-pk"),
        columns,
        a_page=NEWEST if request.htmx else A_PAGE,
        more=describe,
    )


my_contributions = ListPage(_list_own, "curation/my_contributions.html", file="my-contributions")
"""The viewer's own contributions; the newest of them for their profile."""
