"""The back office for disagreements and their adjudication."""

from django.contrib import admin

from curation.reviewing.agreement.models import Adjudication, RoundDisagreement
from phybench.admin import ReadOnlyAdmin


@admin.register(RoundDisagreement)
class RoundDisagreementAdmin(ReadOnlyAdmin):
    list_display = [
        "round", "total", "recommendations", "answers", "solves", "accept", "revise", "reject",
        "agreeing", "differing",
    ]  # fmt: skip
    list_filter = [("round__closed_at", admin.EmptyFieldListFilter)]
    list_select_related = ["round__revision__problem", "round__version"]
    search_fields = ["round__revision__problem__title"]


@admin.register(Adjudication)
class AdjudicationAdmin(ReadOnlyAdmin):
    list_display = ["at", "by", "round", "step", "finding"]
    list_filter = ["step"]
    list_select_related = ["by", "round__revision__problem", "round__version"]
    search_fields = ["round__revision__problem__title", "finding", "reason"]
    date_hierarchy = "at"
