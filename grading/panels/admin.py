"""The back office for panels of models."""

from django.contrib import admin

from grading.panels.models import Panel, PanelMember
from phybench.admin import ReadOnlyAdmin


@admin.register(Panel)
class PanelAdmin(ReadOnlyAdmin):
    list_display = ["name", "version", "size", "made_by", "made_at"]
    list_filter = ["version__benchmark"]
    list_select_related = ["version__benchmark", "made_by"]
    search_fields = ["name", "version__benchmark__name"]
    ordering = ["-pk"]


@admin.register(PanelMember)
class PanelMemberAdmin(ReadOnlyAdmin):
    list_display = ["panel", "submission"]
    list_filter = ["panel__version__benchmark"]
    list_select_related = ["panel", "submission__solver", "submission__benchmark"]
    search_fields = ["panel__name", "submission__solver__name"]
    ordering = ["-pk"]
