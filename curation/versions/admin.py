"""The back office for versions of benchmarks: all that is kept of them."""

from django.contrib import admin

from curation.versions.models import BenchmarkVersion, ItemWithdrawal, VersionItem
from phybench.admin import ReadOnlyAdmin


@admin.register(BenchmarkVersion)
class BenchmarkVersionAdmin(ReadOnlyAdmin):
    list_display = ["benchmark", "number", "made_by", "made_at", "published_at", "sha256"]
    list_filter = ["benchmark", ("published_at", admin.EmptyFieldListFilter)]
    list_select_related = ["benchmark", "made_by"]
    search_fields = ["benchmark__name", "sha256"]


@admin.register(VersionItem)
class VersionItemAdmin(ReadOnlyAdmin):
    list_display = ["version", "identifier", "revision", "is_hidden"]
    list_filter = ["version", "is_hidden"]
    list_select_related = ["version__benchmark", "revision__problem"]
    search_fields = ["identifier", "asked_sha256", "key_sha256"]


@admin.register(ItemWithdrawal)
class ItemWithdrawalAdmin(ReadOnlyAdmin):
    list_display = ["item", "by", "at", "reason"]
    list_select_related = ["item__version__benchmark", "by"]
    search_fields = ["item__identifier", "reason"]
    date_hierarchy = "at"
