"""The back office for rounds of review and what was said in them."""

from collections.abc import Sequence

from django.contrib import admin

from curation.exposures.back_office import RecordingAdmin, Seen
from curation.exposures.ledger import Part
from curation.reviewing.rounds.models import BlindSolve, Review, ReviewRound
from phybench.admin import ReadOnlyAdmin


@admin.register(ReviewRound)
class ReviewRoundAdmin(ReadOnlyAdmin):
    list_display = [
        "__str__", "version__rule", "reviews_needed", "decision", "decided_by", "opened_at",
        "due_at", "closed_at",
    ]  # fmt: skip
    list_filter = [
        "decision",
        ("closed_at", admin.EmptyFieldListFilter),
        ("decided_by", admin.EmptyFieldListFilter),
    ]
    list_select_related = ["revision__problem", "version", "decided_by"]
    search_fields = ["revision__problem__title", "revision__problem__published_id"]
    date_hierarchy = "opened_at"


@admin.register(Review)
class ReviewAdmin(ReadOnlyAdmin):
    list_display = ["round", "reviewer", "number", "recommendation", "comment", "submitted_at"]
    list_filter = ["recommendation"]
    list_select_related = ["round__revision__problem", "round__version", "reviewer"]
    search_fields = ["round__revision__problem__title", "reviewer__display_name", "comment"]
    date_hierarchy = "submitted_at"


@admin.register(BlindSolve)
class BlindSolveAdmin(RecordingAdmin, ReadOnlyAdmin):
    list_display = ["round", "reviewer", "kind", "answer", "outcome", "solved_at"]
    list_filter = ["kind", "outcome", "grader_version"]
    list_select_related = ["round__revision__problem", "round__version", "reviewer"]
    search_fields = ["round__revision__problem__title", "reviewer__display_name", "answer"]
    date_hierarchy = "solved_at"

    def list_shown(self, rows: Sequence[BlindSolve], *, in_full: bool) -> Seen:
        return ((row.round.revision_id, Part.VERDICT) for row in rows)
