"""The back office for sortings of answers."""

from django.contrib import admin

from grading.scaling.models import AnswerSorting
from phybench.admin import ReadOnlyAdmin


@admin.register(AnswerSorting)
class AnswerSortingAdmin(ReadOnlyAdmin):
    list_display = [
        "submission", "revision", "run", "not_compared", "stopped", "tries", "lost", "done_at",
    ]  # fmt: skip
    list_filter = ["run__benchmark", ("done_at", admin.EmptyFieldListFilter), "stopped"]
    list_select_related = [
        "run__benchmark", "submission__solver", "submission__benchmark", "revision__problem",
    ]  # fmt: skip
    search_fields = ["submission__solver__name", "revision__problem__title"]
    ordering = ["-pk"]
