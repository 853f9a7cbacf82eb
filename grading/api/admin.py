"""The back office for what the API keeps."""

from django.contrib import admin

from grading.api.models import KeptReply
from phybench.admin import ReadOnlyAdmin


@admin.register(KeptReply)
class KeptReplyAdmin(ReadOnlyAdmin):
    list_display = ["pk", "person", "path", "status", "made_at"]
    list_select_related = ["person"]
    search_fields = ["key", "path", "person__display_name"]
    date_hierarchy = "made_at"
    exclude = ["reply"]
