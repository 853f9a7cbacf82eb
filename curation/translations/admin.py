"""The back office for translations."""

from collections.abc import Sequence

from django.contrib import admin

from curation.exposures.back_office import RecordingAdmin, Seen
from curation.exposures.ledger import Part
from curation.translations.models import Translation
from phybench.admin import ReadOnlyAdmin


@admin.register(Translation)
class TranslationAdmin(RecordingAdmin, ReadOnlyAdmin):
    list_display = ["__str__", "stand", "checked_by", "checked_at", "saved_at"]
    list_filter = ["language", "checked_at", "revision__problem__benchmark"]
    list_select_related = ["revision__problem", "checked_by"]
    search_fields = ["revision__problem__title", "statement"]

    def list_shown(self, rows: Sequence[Translation], *, in_full: bool) -> Seen:
        if not in_full:
            return ()
        parts = (Part.STATEMENT, Part.SOLUTION)
        return ((row.revision_id, part) for row in rows for part in parts)
