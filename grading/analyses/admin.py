"""Analyses in the back office: what was asked, and what failed."""

from django.contrib import admin

from grading.analyses.models import Analysis
from phybench.admin import ReadOnlyAdmin


@admin.register(Analysis)
class AnalysisAdmin(ReadOnlyAdmin):
    list_display = [
        "kind",
        "benchmark",
        "version",
        "run",
        "query",
        "asked_at",
        "done_at",
        "failure",
    ]
    list_filter = ["kind", "benchmark"]
    list_select_related = ["benchmark", "version__benchmark", "run__benchmark"]
    search_fields = ["kind", "benchmark__name"]
    ordering = ["-pk"]
