"""The back office for assignments and plans."""

from django.contrib import admin
from django.utils.translation import gettext_lazy as _

from curation.references.sentences import translate
from curation.reviewing.assignments.models import (
    Assignment,
    AssignmentPlan,
    PlannedAssignment,
)
from phybench.admin import ReadOnlyAdmin, ReadOnlyInline


@admin.register(Assignment)
class AssignmentAdmin(ReadOnlyAdmin):
    list_display = [
        "round", "reviewer", "how", "assigned_by", "assigned_at", "due_at", "state", "ended_at",
    ]  # fmt: skip
    list_filter = ["state", "how"]
    list_select_related = ["round__revision__problem", "round__version", "reviewer", "assigned_by"]
    search_fields = ["round__revision__problem__title", "reviewer__display_name", "reason"]
    date_hierarchy = "assigned_at"


class PlannedAssignmentInline(ReadOnlyInline):
    model = PlannedAssignment
    fields = ["round", "reviewer", "why_in_words", "assignment", "refusal_in_words"]
    readonly_fields = ["why_in_words", "refusal_in_words"]
    list_select_related = [
        "round__revision__problem", "round__version", "reviewer",
        "assignment__round__revision__problem", "assignment__round__version",
        "assignment__reviewer",
    ]  # fmt: skip

    @admin.display(description=_("why places stay free"))
    def why_in_words(self, row: PlannedAssignment) -> str:
        return translate(row.why)

    @admin.display(description=_("why it was not possible"))
    def refusal_in_words(self, row: PlannedAssignment) -> str:
        return translate(row.why_refused)


@admin.register(AssignmentPlan)
class AssignmentPlanAdmin(ReadOnlyAdmin):
    list_display = ["__str__", "made_by", "made_at", "rule", "carried_out_at"]
    list_filter = [("carried_out_at", admin.EmptyFieldListFilter)]
    list_select_related = ["made_by"]
    date_hierarchy = "made_at"
    inlines = [PlannedAssignmentInline]
