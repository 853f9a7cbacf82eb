"""The back office for what people ask to be, and what was changed about them."""

from django.contrib import admin

from curation.members.models import PersonChange, RoleRequest
from phybench.admin import ReadOnlyAdmin


@admin.register(RoleRequest)
class RoleRequestAdmin(ReadOnlyAdmin):
    list_display = ["person", "role", "asked_at", "outcome", "decided_by", "decided_at", "reason"]
    list_filter = ["outcome", "role"]
    list_select_related = ["person", "decided_by"]
    search_fields = ["person__display_name", "person__email", "note", "reason"]
    date_hierarchy = "asked_at"


@admin.register(PersonChange)
class PersonChangeAdmin(ReadOnlyAdmin):
    list_display = ["person", "kind", "before", "after", "how", "by", "reason", "at"]
    list_filter = ["kind", "how"]
    list_select_related = ["person", "by"]
    search_fields = ["person__display_name", "person__email", "reason"]
    date_hierarchy = "at"
