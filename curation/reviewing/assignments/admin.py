"""The back office for assignments, and for people: a role taken away ends reviews."""

from typing import Any, cast

from django.contrib import admin, messages
from django.http import HttpRequest
from django.utils.translation import ngettext

from curation.reviewing.assignments import actions as assigning
from curation.reviewing.assignments.models import (
    Assignment,
    AssignmentPlan,
    PlannedAssignment,
)
from phybench.admin import PersonAdmin, ReadOnlyAdmin, ReadOnlyInline
from phybench.models import User


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
    fields = ["round", "reviewer", "why_nobody", "assignment", "refusal"]
    list_select_related = [
        "round__revision__problem", "round__version", "reviewer",
        "assignment__round__revision__problem", "assignment__round__version",
        "assignment__reviewer",
    ]  # fmt: skip


@admin.register(AssignmentPlan)
class AssignmentPlanAdmin(ReadOnlyAdmin):
    list_display = ["__str__", "made_by", "made_at", "rule", "carried_out_at"]
    list_filter = [("carried_out_at", admin.EmptyFieldListFilter)]
    list_select_related = ["made_by"]
    date_hierarchy = "made_at"
    inlines = [PlannedAssignmentInline]


# The project itself knows of no reviews.
admin.site.unregister(User)


@admin.register(User)
class ReviewingPersonAdmin(PersonAdmin):
    """Who is no reviewer any more holds no places that others wait for."""

    def save_model(self, request: HttpRequest, obj: User, form: Any, change: bool) -> None:
        super().save_model(request, obj, form, change)
        count = assigning.release(person=obj, admin=cast("User", request.user))
        if count:
            text = ngettext(
                "%(name)s reviews no more: %(count)d open assignment was taken back, and its place "
                "is free again.",
                "%(name)s reviews no more: %(count)d open assignments were taken back, and their "
                "places are free again.",
                count,
            )
            messages.warning(request, text % {"name": obj, "count": count})
