"""
The back office for audit samples: who was asked what, and not how answers were graded.

Who labels is blind to that, an admin among them; the sample's own page tells it in the end.
"""

from collections.abc import Sequence

from django.contrib import admin

from curation.exposures.back_office import RecordingAdmin, Seen
from curation.exposures.ledger import Part
from grading.audits.label_models import AuditAdjudication, AuditLabel
from grading.audits.models import (
    AuditItem,
    AuditLabeller,
    AuditSample,
    AuditStratum,
)
from grading.labelling.admin import OfCompleteSamples
from phybench.admin import ReadOnlyAdmin

OF_AN_ITEM = ["item__sample__version__benchmark", "person"]


@admin.register(AuditSample)
class AuditSampleAdmin(ReadOnlyAdmin):
    list_display = [
        "pk", "version", "grader_version", "size", "drawn_by", "drawn_at", "completed_at",
        "ended_at",
    ]  # fmt: skip
    list_filter = ["grader_version", ("completed_at", admin.EmptyFieldListFilter)]
    list_select_related = ["version__benchmark", "drawn_by"]
    search_fields = ["version__benchmark__name", "why", "why_ended"]
    date_hierarchy = "drawn_at"


@admin.register(AuditStratum)
class AuditStratumAdmin(ReadOnlyAdmin):
    list_display = ["sample", "kind", "population"]
    list_filter = ["kind"]
    list_select_related = ["sample__version__benchmark"]
    search_fields = ["sample__version__benchmark__name"]


@admin.register(AuditItem)
class AuditItemAdmin(OfCompleteSamples):
    sample = "sample"
    list_display = ["pk", "sample", "place", "outcome"]
    list_filter = ["outcome"]
    list_select_related = ["sample__version__benchmark"]
    search_fields = ["sample__version__benchmark__name"]
    fields = ["sample", "place", "outcome"]
    show_facets = admin.ShowFacets.NEVER


@admin.register(AuditLabel)
class AuditLabelAdmin(RecordingAdmin, OfCompleteSamples):
    list_display = ["pk", "item", "person", "choice", "given_at", "taken_back_at"]
    list_filter = ["choice", ("taken_back_at", admin.EmptyFieldListFilter)]
    list_select_related = OF_AN_ITEM
    search_fields = ["person__display_name", "note"]
    date_hierarchy = "given_at"

    def list_shown(self, rows: Sequence[AuditLabel], *, in_full: bool) -> Seen:
        return ((row.item.revision_id, Part.VERDICT) for row in rows)


@admin.register(AuditAdjudication)
class AuditAdjudicationAdmin(RecordingAdmin, OfCompleteSamples):
    list_display = ["pk", "item", "person", "choice", "given_at"]
    list_filter = ["choice"]
    list_select_related = OF_AN_ITEM
    search_fields = ["person__display_name", "reason"]
    date_hierarchy = "given_at"

    def list_shown(self, rows: Sequence[AuditAdjudication], *, in_full: bool) -> Seen:
        return ((row.item.revision_id, Part.VERDICT) for row in rows)


@admin.register(AuditLabeller)
class AuditLabellerAdmin(ReadOnlyAdmin):
    list_display = ["sample", "person", "asked_by", "asked_at", "taken_off_at"]
    list_filter = [("taken_off_at", admin.EmptyFieldListFilter)]
    list_select_related = ["sample__version__benchmark", "person", "asked_by"]
    search_fields = ["person__display_name"]
    date_hierarchy = "asked_at"
