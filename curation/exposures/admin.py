"""The back office for who saw what."""

from django.contrib import admin

from curation.exposures.models import Exposure
from phybench.admin import ReadOnlyAdmin


@admin.register(Exposure)
class ExposureAdmin(ReadOnlyAdmin):
    list_display = ["revision", "person", "part", "reason", "at"]
    list_filter = ["part", "reason"]
    list_select_related = ["revision__problem", "person"]
    search_fields = ["revision__problem__title", "person__display_name"]
    date_hierarchy = "at"
