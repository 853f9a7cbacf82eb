"""The back office for contested grades: who contested what, and who ruled how."""

from collections.abc import Sequence

from django.contrib import admin

from curation.exposures.back_office import RecordingAdmin, Seen
from curation.exposures.ledger import Part
from grading.contests.models import Contest, Override
from phybench.admin import ReadOnlyAdmin


@admin.register(Contest)
class ContestAdmin(RecordingAdmin, ReadOnlyAdmin):
    list_display = [
        "pk", "attempt", "reason", "organisation", "contested_by", "contested_at", "fault",
        "ruled_by", "ruled_at",
    ]  # fmt: skip
    list_filter = ["reason", "fault", ("ruled_at", admin.EmptyFieldListFilter)]
    list_select_related = [
        "attempt__solver", "attempt__revision__problem", "organisation", "contested_by", "ruled_by",
    ]  # fmt: skip
    search_fields = [
        "attempt__revision__problem__title", "attempt__revision__problem__published_id", "text",
        "contested_by__display_name", "ruled_by__display_name",
    ]  # fmt: skip
    date_hierarchy = "contested_at"

    def list_shown(self, rows: Sequence[Contest], *, in_full: bool) -> Seen:
        """Of a contest’s own page also the key: why it was ruled to be wrong may well cite it."""
        parts = (Part.VERDICT, Part.ANSWER) if in_full else (Part.VERDICT,)
        return ((row.attempt.revision_id, part) for row in rows for part in parts)


@admin.register(Override)
class OverrideAdmin(RecordingAdmin, ReadOnlyAdmin):
    list_display = ["pk", "revision", "kind", "ruled_by", "ruled_at"]
    list_filter = ["kind"]
    list_select_related = ["revision__problem", "ruled_by"]
    search_fields = [
        "revision__problem__title", "revision__problem__published_id", "response", "why",
        "ruled_by__display_name",
    ]  # fmt: skip
    date_hierarchy = "ruled_at"

    def list_shown(self, rows: Sequence[Override], *, in_full: bool) -> Seen:
        """An answer that is right is as good as the key."""
        parts = (Part.VERDICT, Part.ANSWER) if in_full else (Part.VERDICT,)
        return ((row.revision_id, part) for row in rows for part in parts)
