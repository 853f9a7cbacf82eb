"""The back office for errors that were reported in accepted problems: to be found and read."""

from django.contrib import admin

from curation.errors.models import Erratum, ErrorReport, ReportReply
from phybench.admin import ReadOnlyAdmin, ReadOnlyInline


class ReplyInline(ReadOnlyInline):
    model = ReportReply
    fields = ["at", "person", "text"]
    list_select_related = ["person"]
    readonly_fields = ["at"]


@admin.register(ErrorReport)
class ErrorReportAdmin(ReadOnlyAdmin):
    list_display = [
        "revision", "kind", "reporter", "reported_at", "outcome", "decided_by", "closed_at",
    ]  # fmt: skip
    list_filter = ["kind", "outcome", ("closed_at", admin.EmptyFieldListFilter)]
    list_select_related = ["revision__problem", "reporter", "decided_by"]
    search_fields = [
        "revision__problem__title", "revision__problem__published_id", "reporter__display_name",
        "text", "reason",
    ]  # fmt: skip
    date_hierarchy = "reported_at"
    inlines = [ReplyInline]


@admin.register(Erratum)
class ErratumAdmin(ReadOnlyAdmin):
    list_display = ["revision", "corrected_by", "is_of_key", "text", "at"]
    list_filter = ["is_of_key"]
    list_select_related = ["revision__problem", "corrected_by__problem"]
    search_fields = ["revision__problem__title", "revision__problem__published_id", "text"]
    date_hierarchy = "at"
