"""The list of error reports: what narrows it, a table and a file."""

import django_filters
from django import forms
from django.db.models import Q
from django.utils.text import format_lazy
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from curation.problems.exposures.filters import mentions
from curation.reports.models import ErrorReport, ErrorReportQuerySet
from curation.reports.permissions import decides_reports, list_reports
from curation.texts.sentences import translate
from phybench.pages.listing import (
    Column,
    ListFilter,
    Listing,
    ListPage,
    Order,
    by_index,
    choice,
    make_tabs,
)
from phybench.people.http import MemberRequest
from phybench.people.permissions import can_see_names

NEWEST_FIRST = ("-reported_at", "-pk")


class ReportFilter(ListFilter):
    q = django_filters.CharFilter(
        method="find_text",
        label=format_lazy("{} {}", _("Search"), _("in problems and reports")),
        max_length=200,
        widget=forms.TextInput({"type": "search"}),
    )
    kind = choice(_("Where the error is"), ErrorReport.Kind.choices)
    stand = choice(
        _("Status"),
        [
            ("new", _("to be decided")),
            ("waiting", _("awaiting its correction")),
            *ErrorReport.Outcome.choices,
        ],
        method="find_stand",
    )

    def find_text(self, found: ErrorReportQuerySet, name: str, text: str) -> ErrorReportQuerySet:
        return found.filter(mentions(text) | Q(text__icontains=text) | Q(row__icontains=text))

    def find_stand(self, found: ErrorReportQuerySet, name: str, stand: str) -> ErrorReportQuerySet:
        if stand == "new":
            return found.open().filter(outcome="")
        if stand == "waiting":
            return found.awaiting_correction()
        return found.filter(outcome=stand, closed_at__isnull=False)


def _name(report: ErrorReport) -> str:
    return str(report.reporter or gettext("a visitor"))


def _write_text(report: ErrorReport) -> str:
    return " ".join(part for part in (translate(report.message), report.text) if part)


def _list_columns(*, shows_names: bool) -> list[Column[ErrorReport]]:
    return [
        Column("report", _("Report"), value=lambda one: one.pk),
        Column(
            "problem",
            _("Problem"),
            Order(["revision__problem", *NEWEST_FIRST]),
            lambda one: one.revision.problem.identifier if one.revision else "",
        ),
        Column("title", value=lambda one: one.revision.problem.title if one.revision else ""),
        Column("revision", value=lambda one: one.revision.number if one.revision else ""),
        Column("row", value=lambda one: one.row),
        Column(
            "kind", _("Where the error is"), Order(["kind", *NEWEST_FIRST]), lambda one: one.kind
        ),
        Column("outcome", _("Status"), Order(["outcome", *NEWEST_FIRST])),
        Column("text", value=_write_text),
        Column("own_answer", value=lambda one: one.own_answer),
        Column("reported", _("Reported"), by_index("reported_at", "pk", begins_descending=True)),
        Column("reporter", _("By"), value=lambda one: _name(one) if shows_names else ""),
        Column("reported_at", value=lambda one: one.reported_at.isoformat(timespec="seconds")),
        Column("outcome", value=lambda one: one.outcome),
        Column("reason", value=lambda one: one.reason),
        Column("decided_by", value=lambda one: str(one.decided_by or "") if shows_names else ""),
        Column(
            "closed_at",
            value=lambda one: one.closed_at and one.closed_at.isoformat(timespec="seconds"),
        ),
    ]


def _list_reports(request: MemberRequest) -> Listing[ErrorReport]:
    names = {"mine": _("Reported by you"), "others": _("On what you wrote or reviewed")}
    if decides_reports(request.user):
        names = {"all": _("All"), "mine": names["mine"]}
    asked = request.GET.get("show", "")
    show = asked if asked in names else next(iter(names))
    rows = list_reports(request.user).select_related(
        "revision__problem", "benchmark", "reporter", "decided_by"
    )
    if show == "mine":
        rows = rows.filter(reporter=request.user)
    elif show == "others":
        rows = rows.exclude(reporter=request.user)
    filters = ReportFilter(request.GET, rows)
    return Listing(
        request,
        filters.qs,
        _list_columns(shows_names=can_see_names(request.user)),
        default="-reported",
        filters=filters,
        tabs=make_tabs(names.items(), show),
        hides=() if show == "all" else ("reporter",),
        keeps={"show": show},
    )


reports = ListPage(_list_reports, "curation/reports.html", file="error-reports")
