"""The back office for certificates of answers."""

from collections.abc import Sequence

from django.contrib import admin

from curation.certificates.models import Certificate
from curation.exposures import back_office
from curation.exposures.back_office import RecordingAdmin
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

    def list_shown(self, rows: Sequence[Certificate], *, in_full: bool) -> back_office.Seen:
        return back_office.of_certificates(rows)
