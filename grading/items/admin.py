"""The back office for what people said of how sound problems are."""

from django.contrib import admin

from grading.items.models import ItemAssessment
from phybench.admin import ReadOnlyAdmin


@admin.register(ItemAssessment)
class ItemAssessmentAdmin(ReadOnlyAdmin):
    list_display = ["revision", "part", "soundness", "reason", "by", "at"]
    list_filter = ["part", "soundness"]
    list_select_related = ["revision__problem", "by"]
    search_fields = ["revision__problem__title", "revision__problem__published_id", "reason"]
    date_hierarchy = "at"
