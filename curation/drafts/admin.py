"""The back office for drafts that were submitted by one click."""

from django.contrib import admin

from curation.drafts.models import SubmitRequest
from phybench.admin import ReadOnlyAdmin


@admin.register(SubmitRequest)
class SubmitRequestAdmin(ReadOnlyAdmin):
    list_display = ["problem", "by", "queued_at", "outcome", "ended_at"]
    list_filter = ["outcome"]
    list_select_related = ["problem", "by"]
    search_fields = ["problem__title", "by__display_name", "by__email"]
    date_hierarchy = "queued_at"
