"""What narrows the list of error reports."""

import django_filters
from django import forms
from django.db.models import Q
from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _

from curation.problems.exposures.filters import mentions
from curation.reports.models import ErrorReport, ErrorReportQuerySet
from phybench.pages.listing import ListFilter, choice


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
