"""The back office for the parts of grading runs, and for blind solves graded anew."""

from django.contrib import admin

from grading.regrades.models import RegradedSolve, RegradePart
from phybench.admin import ReadOnlyAdmin


@admin.register(RegradePart)
class RegradePartAdmin(ReadOnlyAdmin):
    list_display = ["run", "number", "first", "last", "is_of_solves", "tries", "lost", "done_at"]
    list_filter = ["run__benchmark", "is_of_solves"]
    list_select_related = ["run__benchmark"]
    search_fields = ["run__why", "run__benchmark__name"]
    ordering = ["-pk"]


@admin.register(RegradedSolve)
class RegradedSolveAdmin(ReadOnlyAdmin):
    list_display = ["run", "solve", "outcome", "eed", "grader_version", "created_at"]
    list_filter = ["run__benchmark", "outcome"]
    list_select_related = [
        "run__benchmark", "solve__reviewer", "solve__round__revision__problem",
    ]  # fmt: skip
    search_fields = ["solve__round__revision__problem__title"]
    ordering = ["-pk"]
