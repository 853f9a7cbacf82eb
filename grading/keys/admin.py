"""The back office for what speaks against keys."""

from collections.abc import Sequence

from django.contrib import admin

from curation.exposures.back_office import RecordingAdmin, Seen
from curation.exposures.ledger import Part
from grading.keys.models import KeyCheck
from phybench.admin import ReadOnlyAdmin


@admin.register(KeyCheck)
class KeyCheckAdmin(RecordingAdmin, ReadOnlyAdmin):
    """The answers beside a key, and the key, stand on the page that writes down who read them."""

    list_display = ["revision", "doubts", "solvers", "unread", "computed_at", "looked_by"]
    list_filter = [("looked_at", admin.EmptyFieldListFilter)]
    list_select_related = ["revision__problem", "looked_by"]
    search_fields = ["revision__problem__title", "revision__problem__published_id", "note"]
    exclude = ["groups"]

    def list_shown(self, rows: Sequence[KeyCheck], *, in_full: bool) -> Seen:
        return ((row.revision_id, Part.VERDICT) for row in rows)
