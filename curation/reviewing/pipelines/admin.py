"""The back office for the stages that problems pass."""

from django.contrib import admin

from curation.reviewing.pipelines.models import (
    Pipeline,
    Question,
    Stage,
    StageVersion,
    VersionQuestion,
)
from phybench.admin import ReadOnlyAdmin


class StageInline(admin.StackedInline):
    model = Stage
    extra = 0
    show_change_link = True


class QuestionInline(admin.TabularInline):
    model = Question
    extra = 0


@admin.register(Pipeline)
class PipelineAdmin(ReadOnlyAdmin):
    """
    Pipelines have pages of their own, where they are changed.

    There nobody's change is lost to another's, and no stage goes that a round is about to open.
    """

    list_display = ["name", "is_default"]
    search_fields = ["name"]
    inlines = [StageInline]


@admin.register(Stage)
class StageAdmin(ReadOnlyAdmin):
    """One stage and its questions; those that were asked stay with its versions."""

    list_display = ["pipeline", "place", "name", "rule", "reviews_needed", "solves_needed"]
    list_display_links = ["name"]
    list_filter = ["pipeline"]
    list_select_related = ["pipeline"]
    inlines = [QuestionInline]


class VersionQuestionInline(admin.TabularInline):
    model = VersionQuestion
    extra = 0


@admin.register(StageVersion)
class StageVersionAdmin(ReadOnlyAdmin):
    """What rounds of a stage went by."""

    list_display = ["stage", "number", "name", "rule", "solves_needed"]
    list_display_links = ["name"]
    list_select_related = ["stage__pipeline"]
    inlines = [VersionQuestionInline]
