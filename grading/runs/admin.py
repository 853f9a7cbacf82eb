"""The back office for grading runs: which there are, which counts, what each went by."""

from django.contrib import admin

from grading.runs.models import GradingRun, RunKey, Ungraded
from phybench.admin import ReadOnlyAdmin


@admin.register(GradingRun)
class GradingRunAdmin(ReadOnlyAdmin):
    list_display = [
        "pk", "benchmark", "grader_version", "why", "made_by", "created_at", "adopted_at",
        "set_aside_at", "discarded_at",
    ]  # fmt: skip
    list_filter = ["benchmark", "grader_version"]
    list_select_related = ["benchmark", "made_by"]
    search_fields = ["why", "benchmark__name"]
    date_hierarchy = "created_at"


@admin.register(RunKey)
class RunKeyAdmin(ReadOnlyAdmin):
    list_display = ["run", "revision", "key", "sha256"]
    list_filter = ["run__benchmark"]
    list_select_related = ["run__benchmark", "revision__problem", "key__problem"]
    search_fields = ["revision__problem__title", "revision__problem__published_id", "sha256"]
    ordering = ["-pk"]


@admin.register(Ungraded)
class UngradedAdmin(ReadOnlyAdmin):
    list_display = ["run", "attempt", "reason", "message"]
    list_filter = ["run__benchmark", "reason"]
    list_select_related = ["run__benchmark", "attempt__solver", "attempt__revision__problem"]
    search_fields = ["attempt__solver__name", "attempt__revision__problem__title"]
    ordering = ["-pk"]
