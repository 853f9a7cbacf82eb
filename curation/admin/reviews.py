"""The back office for rounds of review and what was said in them: to be found and read."""

from django.contrib import admin

from curation.models import (
    Adjudication,
    AdminNote,
    BlindSolve,
    Comment,
    Review,
    ReviewRound,
    RoundDisagreement,
    Thread,
    ThreadStep,
)
from phybench.admin import ReadOnlyAdmin, ReadOnlyInline


@admin.register(ReviewRound)
class ReviewRoundAdmin(ReadOnlyAdmin):
    list_display = [
        "__str__", "rule", "reviews_needed", "decision", "decided_by", "opened_at", "due_at",
        "closed_at",
    ]  # fmt: skip
    list_filter = [
        "decision",
        ("closed_at", admin.EmptyFieldListFilter),
        ("decided_by", admin.EmptyFieldListFilter),
    ]
    list_select_related = ["revision__problem", "decided_by"]
    search_fields = ["revision__problem__title", "revision__problem__published_id"]
    date_hierarchy = "opened_at"


@admin.register(Review)
class ReviewAdmin(ReadOnlyAdmin):
    list_display = ["round", "reviewer", "number", "recommendation", "comment", "submitted_at"]
    list_filter = ["recommendation"]
    list_select_related = ["round__revision__problem", "reviewer"]
    search_fields = ["round__revision__problem__title", "reviewer__display_name", "comment"]
    date_hierarchy = "submitted_at"


@admin.register(BlindSolve)
class BlindSolveAdmin(ReadOnlyAdmin):
    list_display = ["round", "reviewer", "kind", "answer", "outcome", "solved_at"]
    list_filter = ["kind", "outcome", "grader_version"]
    list_select_related = ["round__revision__problem", "reviewer"]
    search_fields = ["round__revision__problem__title", "reviewer__display_name", "answer"]
    date_hierarchy = "solved_at"


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
    list_select_related = ["round__revision__problem", "opened_by"]
    search_fields = ["round__revision__problem__title", "opened_by__display_name"]
    date_hierarchy = "at"
    fields = ["round", "part", "start", "end", "opened_by", "at"]
    inlines = [ThreadStepInline]


@admin.register(Comment)
class CommentAdmin(ReadOnlyAdmin):
    list_display = ["thread", "round", "writer", "text", "at"]
    list_select_related = ["thread__round__revision__problem", "round__revision__problem", "writer"]
    search_fields = ["round__revision__problem__title", "writer__display_name", "text"]
    date_hierarchy = "at"


@admin.register(AdminNote)
class AdminNoteAdmin(ReadOnlyAdmin):
    list_display = ["round", "writer", "text", "at"]
    list_select_related = ["round__revision__problem", "writer"]
    search_fields = ["round__revision__problem__title", "writer__display_name", "text"]
    date_hierarchy = "at"


@admin.register(RoundDisagreement)
class RoundDisagreementAdmin(ReadOnlyAdmin):
    list_display = [
        "round", "total", "recommendations", "answers", "solves", "accept", "revise", "reject",
        "agreeing", "differing",
    ]  # fmt: skip
    list_filter = [("round__closed_at", admin.EmptyFieldListFilter)]
    list_select_related = ["round__revision__problem"]
    search_fields = ["round__revision__problem__title"]


@admin.register(Adjudication)
class AdjudicationAdmin(ReadOnlyAdmin):
    list_display = ["at", "by", "round", "step", "finding"]
    list_filter = ["step"]
    list_select_related = ["by", "round__revision__problem"]
    search_fields = ["round__revision__problem__title", "finding", "reason"]
    date_hierarchy = "at"
