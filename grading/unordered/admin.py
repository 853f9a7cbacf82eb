"""The back office for unordered scores and the parts of the work on them."""

from collections.abc import Sequence

from django.contrib import admin
from django.utils.translation import gettext_lazy as _

from curation.exposures.back_office import RecordingAdmin, Seen
from curation.exposures.ledger import Part
from grading.unordered.models import UnorderedPart, UnorderedScore
from phybench.admin import ReadOnlyAdmin


@admin.register(UnorderedScore)
class UnorderedScoreAdmin(RecordingAdmin, ReadOnlyAdmin):
    list_display = ["pk", "attempt", "score", "distance", "reason", "version", "created_at"]
    list_filter = [("score", admin.EmptyFieldListFilter), "reason", "version"]
    list_select_related = ["grade__attempt__solver", "grade__attempt__revision__problem"]
    search_fields = [
        "grade__attempt__solver__name", "grade__attempt__revision__problem__title",
        "grade__attempt__revision__problem__published_id",
    ]  # fmt: skip
    ordering = ["-pk"]
    show_full_result_count = False

    def list_shown(self, rows: Sequence[UnorderedScore], *, in_full: bool) -> Seen:
        """Only what is wrong has a row."""
        return ((row.grade.attempt.revision_id, Part.VERDICT) for row in rows)

    @admin.display(description=_("attempt"))
    def attempt(self, score: UnorderedScore) -> str:
        return str(score.grade.attempt)


@admin.register(UnorderedPart)
class UnorderedPartAdmin(ReadOnlyAdmin):
    list_display = ["run", "first", "last", "queued_at", "tries", "lost"]
    list_filter = ["run__benchmark"]
    list_select_related = ["run__benchmark"]
    search_fields = ["run__benchmark__name"]
    ordering = ["-pk"]
