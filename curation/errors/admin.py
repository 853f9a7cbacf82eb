"""The back office for errors that were reported in accepted problems: to be found and read."""

from django.contrib import admin
from django.db.models import Model
from django.http import HttpRequest

from curation.errors.models import Erratum, ErrorReport, ReportContact, ReportReply
from phybench.admin import ReadOnlyAdmin, ReadOnlyInline


class ReplyInline(ReadOnlyInline):
    model = ReportReply
    fields = ["at", "person", "text"]
    list_select_related = ["person"]
    readonly_fields = ["at"]


@admin.register(ErrorReport)
class ErrorReportAdmin(ReadOnlyAdmin):
    list_display = [
        "__str__", "kind", "reporter", "reported_at", "outcome", "decided_by", "closed_at",
    ]  # fmt: skip
    list_filter = ["kind", "outcome", ("closed_at", admin.EmptyFieldListFilter)]
    list_select_related = ["revision__problem", "benchmark", "reporter", "decided_by"]
    search_fields = [
        "revision__problem__title", "revision__problem__published_id", "reporter__display_name",
        "row", "text", "reason",
    ]  # fmt: skip
    date_hierarchy = "reported_at"
    inlines = [ReplyInline]


@admin.register(ReportContact)
class ReportContactAdmin(ReadOnlyAdmin):
    """How visitors can be reached; deleted here when they ask for it, or nobody needs it."""

    list_display = ["report", "name", "email"]
    list_select_related = ["report__revision__problem"]
    search_fields = ["name", "email"]

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return admin.ModelAdmin.has_delete_permission(self, request, obj)


@admin.register(Erratum)
class ErratumAdmin(ReadOnlyAdmin):
    list_display = ["revision", "corrected_by", "is_of_key", "text", "at"]
    list_filter = ["is_of_key"]
    list_select_related = ["revision__problem", "corrected_by__problem"]
    search_fields = ["revision__problem__title", "revision__problem__published_id", "text"]
    date_hierarchy = "at"
