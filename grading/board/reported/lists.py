"""The list of scores that were reported elsewhere: a table and a file."""

import django_filters
from django import forms
from django.db.models import Q
from django.http import HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_GET

from curation.problems.benchmarks.models import Benchmark
from grading.board.reported.models import ReportedScore, ReportedScoreQuerySet
from phybench.pages.listing import Column, ListFilter, Listing, by, choice, make_tabs
from phybench.people.http import MemberRequest, role_required
from phybench.people.models import Role

TABS = (("standing", _("Shown")), ("withdrawn", _("Withdrawn")))
COLUMNS: list[Column[ReportedScore]] = [
    Column("solver", _("Solver"), by("solver"), lambda one: one.solver),
    Column("kind", value=lambda one: one.kind),
    Column("benchmark", _("Benchmark"), by("benchmark__name"), lambda one: one.benchmark.slug),
    Column("item_set", _("Measured on"), by("item_set"), lambda one: one.item_set),
    Column("n", _("n"), by("n", begins_descending=True), lambda one: one.n, is_number=True),
    Column(
        "eed", _("Mean EED"), by("eed", begins_descending=True), lambda one: one.eed, is_number=True
    ),
    Column("eed_pm", value=lambda one: one.eed_pm),
    Column(
        "accuracy",
        _("Accuracy, %"),
        by("accuracy", begins_descending=True),
        lambda one: one.accuracy,
        is_number=True,
    ),
    Column("accuracy_pm", value=lambda one: one.accuracy_pm),
    Column("pm_is", value=lambda one: one.pm_is),
    Column("citation", _("Source"), by("citation"), lambda one: one.citation),
    Column("url", value=lambda one: one.url),
    Column(
        "reported_on",
        _("Published on"),
        by("reported_on", begins_descending=True),
        lambda one: one.reported_on.isoformat(),
    ),
    Column("note", value=lambda one: one.note),
    Column("added_at", order=by("added_at"), value=lambda one: one.added_at.isoformat()),
    Column("added_by", value=lambda one: one.added_by),
    Column("withdrawn_at", value=lambda one: one.withdrawn_at and one.withdrawn_at.isoformat()),
    Column("withdrawn_by", value=lambda one: one.withdrawn_by or ""),
    Column("why_withdrawn", value=lambda one: one.why_withdrawn),
]


class ReportedFilter(ListFilter):
    q = django_filters.CharFilter(
        method="find_text",
        label=_("Search in solvers and sources"),
        max_length=200,
        widget=forms.TextInput({"type": "search"}),
    )
    benchmark = choice(_("Benchmark"), field_name="benchmark__slug")

    def find_text(
        self, found: ReportedScoreQuerySet, name: str, text: str
    ) -> ReportedScoreQuerySet:
        return found.filter(
            Q(solver__icontains=text) | Q(citation__icontains=text) | Q(item_set__icontains=text)
        )


def _list(request: MemberRequest) -> Listing[ReportedScore]:
    show = "withdrawn" if request.GET.get("show") == "withdrawn" else "standing"
    found = ReportedScore.objects.filter(withdrawn_at__isnull=show == "standing")
    rows = found.select_related("benchmark", "added_by", "withdrawn_by")
    filters = ReportedFilter(request.GET, rows)
    filters.offer("benchmark", Benchmark.objects.order_by("name").values_list("slug", "name"))
    return Listing(
        request,
        filters.qs,
        COLUMNS,
        default="-eed",
        filters=filters,
        tabs=make_tabs(TABS, show),
        keeps={"show": show} if show == "withdrawn" else {},
        a_page=50,
    )


@role_required(Role.ADMIN)
@require_GET
def reported(request: MemberRequest) -> HttpResponse:
    return render(request, "grading/reported.html", _list(request).describe())


@role_required(Role.ADMIN)
@require_GET
def reported_csv(request: MemberRequest) -> HttpResponse:
    return _list(request).write("reported-scores")
