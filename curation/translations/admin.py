"""The back office for translations."""

from collections.abc import Sequence

from django.contrib import admin

from curation.exposures import back_office
from curation.exposures.back_office import RecordingAdmin
from curation.translations.models import Translation
from phybench.admin import ReadOnlyAdmin


@admin.register(Translation)
class TranslationAdmin(RecordingAdmin, ReadOnlyAdmin):
    list_display = ["__str__", "stand", "checked_by", "checked_at", "saved_at"]
    list_filter = ["language", "checked_at", "revision__problem__benchmark"]
    list_select_related = ["revision__problem", "checked_by"]
    search_fields = ["revision__problem__title", "statement"]

    def list_shown(self, rows: Sequence[Translation], *, in_full: bool) -> back_office.Seen:
        return back_office.of_translations(rows, in_full=in_full)
