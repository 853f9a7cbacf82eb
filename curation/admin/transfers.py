"""The back office for who saw what, and for what came from files and went into them."""

from django.contrib import admin

from curation.models import Download, Exposure, Import, ImportRow
from phybench.admin import ReadOnlyAdmin


@admin.register(Exposure)
class ExposureAdmin(ReadOnlyAdmin):
    list_display = ["revision", "person", "part", "reason", "at"]
    list_filter = ["part", "reason"]
    list_select_related = ["revision__problem", "person"]
    search_fields = ["revision__problem__title", "person__display_name"]
    date_hierarchy = "at"


@admin.register(Import)
class ImportAdmin(ReadOnlyAdmin):
    list_display = [
        "file_name", "purpose", "benchmark", "owner", "created_at", "ordered_at", "finished_at",
    ]  # fmt: skip
    list_filter = ["purpose", "benchmark", ("finished_at", admin.EmptyFieldListFilter)]
    list_select_related = ["benchmark", "owner"]
    search_fields = ["file_name", "file_sha256", "owner__display_name"]
    date_hierarchy = "created_at"


@admin.register(ImportRow)
class ImportRowAdmin(ReadOnlyAdmin):
    """What a row says of a problem, its answer too, stands on the import's own page."""

    list_display = ["transfer", "number", "identifier", "title", "action", "result", "note"]
    list_filter = ["action", "result"]
    list_select_related = ["transfer"]
    search_fields = ["transfer__file_name", "identifier", "title", "note"]
    exclude = ["given", "values"]


@admin.register(Download)
class DownloadAdmin(ReadOnlyAdmin):
    list_display = ["at", "person", "format", "has_keys", "asked"]
    list_filter = ["format", "has_keys"]
    list_select_related = ["person"]
    search_fields = ["person__display_name", "person__email", "asked"]
    date_hierarchy = "at"
