"""The back office for what speaks against keys, and what was decided on them."""

from collections.abc import Sequence

from django.contrib import admin

from curation.exposures.back_office import RecordingAdmin, Seen
from curation.exposures.ledger import Part
from grading.keys.models import KeyCheck, KeyDecision
from phybench.admin import ReadOnlyAdmin


@admin.register(KeyCheck)
class KeyCheckAdmin(RecordingAdmin, ReadOnlyAdmin):
    """The answers beside a key, and the key, stand on the page that writes down who read them."""

    list_display = ["revision", "doubts", "solvers", "unread", "computed_at", "last_decision"]
    list_filter = [("last_decision", admin.EmptyFieldListFilter)]
    list_select_related = ["revision__problem", "last_decision__key_check__revision__problem"]
    search_fields = ["revision__problem__title", "revision__problem__published_id"]
    exclude = ["groups"]

    def list_shown(self, rows: Sequence[KeyCheck], *, in_full: bool) -> Seen:
        return ((row.revision_id, Part.VERDICT) for row in rows)


@admin.register(KeyDecision)
class KeyDecisionAdmin(RecordingAdmin, ReadOnlyAdmin):
    list_display = ["key_check", "choice", "note", "report", "by", "at"]
    list_filter = ["choice"]
    list_select_related = ["key_check__revision__problem", "report__revision__problem", "by"]
    search_fields = [
        "key_check__revision__problem__title",
        "key_check__revision__problem__published_id",
        "note",
    ]
    date_hierarchy = "at"

    def list_shown(self, rows: Sequence[KeyDecision], *, in_full: bool) -> Seen:
        return ((row.key_check.revision_id, Part.VERDICT) for row in rows)
