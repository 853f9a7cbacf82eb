"""Who contributed what: one's own list, everybody's table, and both as files."""

from collections.abc import Iterator

from django.core.paginator import Paginator
from django.db.models import QuerySet
from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_GET
from django.views.decorators.vary import vary_on_headers

from curation import permissions
from curation.people.contributions import (
    Contributor,
    by_name,
    count_contributions,
    fetch_points,
    list_contributors,
    score,
)
from curation.people.models import Contribution, ContributionKind
from curation.problems.models import Benchmark
from phybench.csv import csv_response
from phybench.http import MemberRequest
from phybench.sorting import Column

A_PAGE = 25
NEWEST = 5
"""As many of one's own are shown on the profile."""

SORTS = ("name", *(kind.lower() for kind in ContributionKind), "points")


def _measure(one: Contributor, sort: str) -> tuple[int | str, ...]:
    if sort == "name":
        return one.name.casefold(), one.person_id
    return (one.points if sort == "points" else one.counts[ContributionKind(sort.upper())],)


class Table:
    """What was asked for in the address: whose benchmark, sorted how."""

    def __init__(self, request: MemberRequest) -> None:
        self.benchmarks = list(Benchmark.objects.all())
        slug = request.GET.get("benchmark", "")
        chosen = [one for one in self.benchmarks if not slug or one.slug == slug]
        if slug and not chosen:
            raise Http404
        self.benchmark = chosen[0] if chosen else None
        asked = request.GET.get("sort", "")
        self.sort = asked if asked.removeprefix("-") in SORTS else "-points"
        self.points = fetch_points()
        self.contributors = list_contributors(self.benchmark, self.points) if self.benchmark else []

    def sorted(self) -> list[Contributor]:
        name = self.sort.removeprefix("-")
        # Who is equal in this keeps the order of ranks.
        ordered = sorted(
            self.contributors,
            key=lambda one: _measure(one, name),
            reverse=self.sort.startswith("-"),
        )
        if name == "name":
            ordered.sort(key=lambda one: not one.name)
        return ordered

    def columns(self) -> Iterator[Column]:
        labels = {"name": _("Name"), **{kind.lower(): kind.label for kind in ContributionKind}}
        for name, label in {**labels, "points": _("points")}.items():
            order = {name: "ascending", f"-{name}": "descending"}.get(self.sort, "")
            # Numbers are looked at from the top.
            first, second = (name, f"-{name}") if name == "name" else (f"-{name}", name)
            text = str(label)
            yield Column(
                name, text[:1].upper() + text[1:], order, second if self.sort == first else first
            )


@require_GET
def contributors(request: MemberRequest) -> HttpResponse:
    table = Table(request)
    page = Paginator(table.sorted(), A_PAGE).get_page(request.GET.get("page"))
    context = {
        "table": table,
        "page": page,
        "columns": list(table.columns()),
        "points": [(kind.label, points) for kind, points in table.points.items()],
    }
    return render(request, "curation/contributors.html", context)


@require_GET
def contributors_csv(request: MemberRequest) -> HttpResponse:
    """Write the table as it is sorted: names and counts, never an address."""
    header = ["name", *(kind.lower() for kind in ContributionKind), "points"]
    rows = (
        [one.name or _("anonymous"), *one.counts.values(), one.points]
        for one in Table(request).sorted()
    )
    return csv_response("contributors", header, rows)


@require_GET
def acknowledgements_csv(request: MemberRequest) -> HttpResponse:
    """Write whom to thank, by name, and what for; who wants no name is counted at the end."""
    everybody = sorted(Table(request).contributors, key=by_name)
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


def _list_own(request: MemberRequest) -> QuerySet[Contribution]:
    return request.user.contributions.select_related("problem", "revision").order_by("-at", "-pk")


@require_GET
@vary_on_headers("HX-Request")
def my_contributions(request: MemberRequest) -> HttpResponse:
    """Show the viewer's own contributions; the newest of them for their profile."""
    points = fetch_points()
    counts = count_contributions(request.user)
    page = Paginator(_list_own(request), NEWEST if request.htmx else A_PAGE).get_page(
        request.GET.get("page")
    )
    problems = [one.problem_id for one in page]
    context = {
        "page": page,
        "points": score(counts, points),
        "kinds": [
            (kind.label, counts[kind], points[kind], counts[kind] * points[kind])
            for kind in ContributionKind
            if counts[kind]
        ],
        # A role that was taken back leaves what one did, not what one may read.
        "visible": set(
            permissions.list_visible(request.user)
            .filter(pk__in=problems)
            .values_list("pk", flat=True)
        ),
    }
    template = (
        "curation/_my_contributions.html" if request.htmx else "curation/my_contributions.html"
    )
    return render(request, template, context)


@require_GET
def my_contributions_csv(request: MemberRequest) -> HttpResponse:
    points = fetch_points()
    header = ["at", "kind", "problem", "title", "revision", "note", "points"]
    rows = (
        [
            one.at.isoformat(),
            one.kind,
            one.problem.identifier,
            one.problem.title,
            one.revision and one.revision.number,
            one.note,
            points[ContributionKind(one.kind)],
        ]
        for one in _list_own(request)
    )
    return csv_response("my-contributions", header, rows)
