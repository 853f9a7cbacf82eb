"""The back office for notices: which were sent, and which could not be."""

from django.contrib import admin

from grading.notices.models import Notice
from phybench.admin import ReadOnlyAdmin


@admin.register(Notice)
class NoticeAdmin(ReadOnlyAdmin):
    list_display = ["pk", "draft", "way", "person", "tries", "sent_at", "failed_at", "failure"]
    list_filter = ["way", ("failed_at", admin.EmptyFieldListFilter)]
    list_select_related = ["draft__organisation", "person"]
    search_fields = ["person__display_name", "address"]
