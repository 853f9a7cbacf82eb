"""The back office for what was said beside the reviews."""

from django.contrib import admin

from curation.reviewing.discussion.models import (
    AdminNote,
    Comment,
    ReviewResponse,
    Thread,
    ThreadStep,
)
from phybench.admin import ReadOnlyAdmin, ReadOnlyInline


class ThreadStepInline(ReadOnlyInline):
    model = ThreadStep
    fields = ["at", "is_resolved", "by"]
    list_select_related = ["by"]
    readonly_fields = ["at"]


@admin.register(Thread)
class ThreadAdmin(ReadOnlyAdmin):
    """What a matter quotes stands on the round's page, which writes down who read it."""

    list_display = ["round", "part", "opened_by", "at"]
    list_filter = ["part"]
    list_select_related = ["round__revision__problem", "round__version", "opened_by"]
    search_fields = ["round__revision__problem__title", "opened_by__display_name"]
    date_hierarchy = "at"
    fields = ["round", "part", "start", "end", "opened_by", "at"]
    inlines = [ThreadStepInline]


@admin.register(Comment)
class CommentAdmin(ReadOnlyAdmin):
    list_display = ["thread", "round", "writer", "text", "at"]
    list_select_related = [
        "thread__round__revision__problem",
        "thread__round__version",
        "round__revision__problem",
        "round__version",
        "writer",
    ]
    search_fields = ["round__revision__problem__title", "writer__display_name", "text"]
    date_hierarchy = "at"


@admin.register(ReviewResponse)
class ReviewResponseAdmin(ReadOnlyAdmin):
    list_display = ["review", "writer", "is_done", "text", "at"]
    list_select_related = [
        "review__round__revision__problem",
        "review__round__version",
        "review__reviewer",
        "writer",
    ]
    search_fields = ["review__round__revision__problem__title", "writer__display_name", "text"]
    date_hierarchy = "at"


@admin.register(AdminNote)
class AdminNoteAdmin(ReadOnlyAdmin):
    list_display = ["round", "writer", "text", "at"]
    list_select_related = ["round__revision__problem", "round__version", "writer"]
    search_fields = ["round__revision__problem__title", "writer__display_name", "text"]
    date_hierarchy = "at"
