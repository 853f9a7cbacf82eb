"""The back office for certificates of answers."""

from collections.abc import Sequence

from django.contrib import admin

from curation.certificates.models import Certificate
from curation.exposures.back_office import RecordingAdmin, Seen
from curation.exposures.ledger import Part
from curation.problems.models import Revision
from phybench.admin import ReadOnlyAdmin


@admin.register(Certificate)
class CertificateAdmin(RecordingAdmin, ReadOnlyAdmin):
    list_display = [
        "problem", "answer", "grader_version", "outcome", "passed", "failed", "open", "finished_at",
    ]  # fmt: skip
    list_filter = ["outcome", "grader_version", "problem__benchmark"]
    list_select_related = ["problem"]
    search_fields = ["problem__title", "problem__published_id", "answer"]
    date_hierarchy = "finished_at"

    def list_shown(self, rows: Sequence[Certificate], *, in_full: bool) -> Seen:
        # A certificate holds a copy of the answer, whichever revisions have that.
        copied = {(row.problem_id, row.answer) for row in rows}
        problems = {row.problem_id for row in rows}
        revisions = Revision.objects.submitted().filter(problem__in=problems)
        found = revisions.values_list("pk", "problem", "answer")
        return ((pk, Part.ANSWER) for pk, *copy in found if tuple(copy) in copied)
