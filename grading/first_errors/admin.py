"""
The back office for samples of first errors: who was asked what.

What people said is told of complete samples alone, as on a sample's own page.
"""

from collections.abc import Sequence

from django.contrib import admin

from curation.exposures.back_office import RecordingAdmin, Seen
from curation.exposures.ledger import Part
from grading.first_errors.label_models import FirstErrorAdjudication, FirstErrorLabel
from grading.first_errors.models import (
    FirstErrorDomain,
    FirstErrorItem,
    FirstErrorLabeller,
    FirstErrorSample,
    FirstErrorSolver,
)
from grading.labelling.admin import OfCompleteSamples
from phybench.admin import ReadOnlyAdmin

OF_AN_ITEM = ["item__sample__version__benchmark", "person"]


@admin.register(FirstErrorSample)
class FirstErrorSampleAdmin(ReadOnlyAdmin):
    list_display = ["pk", "version", "size", "drawn_by", "drawn_at", "completed_at", "ended_at"]
    list_filter = [("completed_at", admin.EmptyFieldListFilter)]
    list_select_related = ["version__benchmark", "drawn_by"]
    search_fields = ["version__benchmark__name", "why", "why_ended"]
    date_hierarchy = "drawn_at"


@admin.register(FirstErrorSolver)
class FirstErrorSolverAdmin(ReadOnlyAdmin):
    list_display = ["sample", "place", "submission", "accuracy", "problems", "wrong"]
    list_select_related = [
        "sample__version__benchmark", "submission__solver", "submission__benchmark",
    ]  # fmt: skip
    search_fields = ["submission__solver__name"]


@admin.register(FirstErrorDomain)
class FirstErrorDomainAdmin(ReadOnlyAdmin):
    list_display = ["sample", "domain", "problems", "eligible", "asked", "drawn"]
    list_filter = ["domain"]
    list_select_related = ["sample__version__benchmark"]


@admin.register(FirstErrorItem)
class FirstErrorItemAdmin(RecordingAdmin, OfCompleteSamples):
    sample = "sample"
    list_display = ["pk", "sample", "place", "outcome"]
    list_filter = ["outcome"]
    list_select_related = ["sample__version__benchmark"]
    search_fields = ["sample__version__benchmark__name"]
    fields = ["sample", "place", "outcome"]

    def list_shown(self, rows: Sequence[FirstErrorItem], *, in_full: bool) -> Seen:
        return ((row.revision_id, Part.VERDICT) for row in rows)


@admin.register(FirstErrorLabel)
class FirstErrorLabelAdmin(RecordingAdmin, OfCompleteSamples):
    list_display = ["pk", "item", "person", "choice", "given_at", "taken_back_at"]
    list_filter = ["choice", ("taken_back_at", admin.EmptyFieldListFilter)]
    list_select_related = OF_AN_ITEM
    search_fields = ["person__display_name", "passage", "comment"]
    date_hierarchy = "given_at"

    def list_shown(self, rows: Sequence[FirstErrorLabel], *, in_full: bool) -> Seen:
        return ((row.item.revision_id, Part.VERDICT) for row in rows)


@admin.register(FirstErrorAdjudication)
class FirstErrorAdjudicationAdmin(RecordingAdmin, OfCompleteSamples):
    list_display = ["pk", "item", "person", "choice", "given_at"]
    list_filter = ["choice"]
    list_select_related = OF_AN_ITEM
    search_fields = ["person__display_name", "passage", "reason"]
    date_hierarchy = "given_at"

    def list_shown(self, rows: Sequence[FirstErrorAdjudication], *, in_full: bool) -> Seen:
        return ((row.item.revision_id, Part.VERDICT) for row in rows)


@admin.register(FirstErrorLabeller)
class FirstErrorLabellerAdmin(ReadOnlyAdmin):
    list_display = ["sample", "person", "asked_by", "asked_at", "taken_off_at"]
    list_filter = [("taken_off_at", admin.EmptyFieldListFilter)]
    list_select_related = ["sample__version__benchmark", "person", "asked_by"]
    search_fields = ["person__display_name"]
    date_hierarchy = "asked_at"
