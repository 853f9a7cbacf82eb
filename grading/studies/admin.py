"""The back office for studies."""

from collections.abc import Sequence

from django.contrib import admin

from curation.exposures.back_office import RecordingAdmin, Seen
from curation.exposures.ledger import Part
from grading.studies.models import (
    Deviation,
    HumanBaseline,
    Invitation,
    Preregistration,
    Study,
    StudyItem,
)
from phybench.admin import ReadOnlyAdmin


@admin.register(Study)
class StudyAdmin(ReadOnlyAdmin):
    list_display = ["title", "version", "made_by", "opened_at", "ended_at"]
    list_filter = ["version__benchmark", ("opened_at", admin.EmptyFieldListFilter)]
    list_select_related = ["version__benchmark", "made_by"]
    search_fields = ["title"]
    ordering = ["-pk"]
    # Who has it may join.
    exclude = ["link_secret"]


@admin.register(Invitation)
class InvitationAdmin(ReadOnlyAdmin):
    list_display = ["study", "person", "invited_by", "invited_at"]
    list_filter = ["study"]
    list_select_related = ["study", "person", "invited_by"]
    search_fields = ["study__title", "person__display_name"]
    ordering = ["-pk"]


@admin.register(StudyItem)
class StudyItemAdmin(RecordingAdmin, ReadOnlyAdmin):
    list_display = ["item", "study"]
    list_filter = ["study"]
    list_select_related = ["study", "item__version__benchmark"]
    search_fields = ["item__identifier", "study__title"]
    ordering = ["-pk"]

    def list_shown(self, rows: Sequence[StudyItem], *, in_full: bool) -> Seen:
        if not in_full:
            return ()
        return ((row.item.revision_id, Part.STATEMENT) for row in rows)


@admin.register(Preregistration)
class PreregistrationAdmin(ReadOnlyAdmin):
    list_display = ["study", "frozen_at", "sha256"]
    list_select_related = ["study"]
    search_fields = ["study__title", "sha256"]
    ordering = ["-pk"]


@admin.register(Deviation)
class DeviationAdmin(ReadOnlyAdmin):
    list_display = ["study", "field", "why", "by", "at"]
    list_filter = ["study"]
    list_select_related = ["study", "by"]
    search_fields = ["study__title", "why"]
    ordering = ["-pk"]


@admin.register(HumanBaseline)
class HumanBaselineAdmin(ReadOnlyAdmin):
    list_display = ["version", "study", "named_by", "named_at", "ended_by", "ended_at"]
    list_filter = ["version__benchmark"]
    list_select_related = ["version__benchmark", "study", "named_by", "ended_by"]
    search_fields = ["study__title"]
    ordering = ["-pk"]
