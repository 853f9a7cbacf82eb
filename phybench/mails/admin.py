"""The back office for e-mails: which were sent, which could not be, and who wants which."""

from django.contrib import admin

from phybench.admin import ReadOnlyAdmin, ReadOnlyInline
from phybench.mails.models import Mail, MailChoice, News


class NewsInline(ReadOnlyInline):
    model = News
    readonly_fields = ["kind", "key", "at"]
    fields = [*readonly_fields]


@admin.register(Mail)
class MailAdmin(ReadOnlyAdmin):
    inlines = [NewsInline]
    list_display = ["pk", "person", "day", "made_at", "tries", "sent_at", "failed_at", "failure"]
    list_filter = [("failed_at", admin.EmptyFieldListFilter), ("day", admin.EmptyFieldListFilter)]
    list_select_related = ["person"]
    search_fields = ["person__display_name"]


@admin.register(MailChoice)
class MailChoiceAdmin(ReadOnlyAdmin):
    list_display = ["person", "kind", "when"]
    list_filter = ["kind", "when"]
    list_select_related = ["person"]
    search_fields = ["person__display_name"]
