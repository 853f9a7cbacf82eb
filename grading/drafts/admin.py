"""The back office for drafts: whose they are, and how far their files are read."""

from django.contrib import admin

from grading.drafts.models import Draft, DraftAnswer, DraftFile, FilePiece
from phybench.admin import ReadOnlyAdmin


@admin.register(Draft)
class DraftAdmin(ReadOnlyAdmin):
    list_display = ["pk", "organisation", "version", "made_by", "made_at", "graded_at"]
    list_filter = ["organisation", ("graded_at", admin.EmptyFieldListFilter)]
    list_select_related = ["organisation", "version__benchmark", "made_by"]
    search_fields = ["organisation__name"]
    date_hierarchy = "made_at"


@admin.register(DraftFile)
class DraftFileAdmin(ReadOnlyAdmin):
    list_display = ["name", "draft", "format", "size", "rows", "read_at", "broken_off"]
    list_filter = ["format", ("read_at", admin.EmptyFieldListFilter)]
    list_select_related = ["draft__organisation"]
    search_fields = ["name", "sha256", "draft__organisation__name"]
    date_hierarchy = "added_at"


@admin.register(FilePiece)
class FilePieceAdmin(ReadOnlyAdmin):
    list_display = ["pk", "file", "number"]
    list_select_related = ["file"]
    search_fields = ["file__name"]
    exclude = ["content"]


@admin.register(DraftAnswer)
class DraftAnswerAdmin(ReadOnlyAdmin):
    list_display = ["pk", "file", "row", "model", "identifier", "sample", "is_boxed"]
    list_filter = ["is_boxed"]
    list_select_related = ["file"]
    search_fields = ["model", "identifier", "file__name"]
