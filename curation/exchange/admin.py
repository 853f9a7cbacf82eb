"""The back office for what came from files and went into them."""

from django.contrib import admin

from curation.exchange.models import Download, Import, ImportRow
from phybench.admin import ReadOnlyAdmin


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
