"""The back office for scores that were reported elsewhere: to be found and read."""

from django.contrib import admin

from grading.reported.models import ReportedScore
from phybench.admin import ReadOnlyAdmin


@admin.register(ReportedScore)
class ReportedScoreAdmin(ReadOnlyAdmin):
    list_display = [
        "solver", "benchmark", "item_set", "eed", "accuracy", "citation", "reported_on", "added_by",
        "withdrawn_at",
    ]  # fmt: skip
    list_filter = ["benchmark", "kind", ("withdrawn_at", admin.EmptyFieldListFilter)]
    list_select_related = ["benchmark", "added_by"]
    search_fields = ["solver", "item_set", "citation", "note", "why_withdrawn"]
    date_hierarchy = "reported_on"
