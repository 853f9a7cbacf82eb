"""The back office for the hidden part: how far it is, and nothing of which answers are right."""

from django.contrib import admin

from grading.hidden.models import HiddenAnswer, HiddenBatch
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


@admin.register(HiddenAnswer)
class HiddenAnswerAdmin(ReadOnlyAdmin):
    """Not even an admin is shown which are right: what is not shown can't be passed on."""

    list_display = ["pk", "batch", "revision", "sample", "status", "failure_reason"]
    list_filter = ["status", "failure_reason"]
    list_select_related = [
        "batch__submission__solver", "batch__submission__benchmark", "revision__problem",
    ]  # fmt: skip
    search_fields = ["batch__submission__solver__name"]
    exclude = ["response", "accuracy"]
