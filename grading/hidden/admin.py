"""The back office for the hidden part: what was asked, and nothing of single answers."""

from django.contrib import admin

from grading.hidden.models import HiddenBatch
from phybench.admin import ReadOnlyAdmin


@admin.register(HiddenBatch)
class HiddenBatchAdmin(ReadOnlyAdmin):
    list_display = ["submission", "organisation", "asked_by", "asked_at", "is_better", "figure"]
    list_filter = ["organisation", ("asked_at", admin.EmptyFieldListFilter)]
    list_select_related = [
        "submission__solver", "submission__benchmark", "organisation", "asked_by",
    ]  # fmt: skip
    search_fields = ["organisation__name", "submission__solver__name"]
    date_hierarchy = "asked_at"
