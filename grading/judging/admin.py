"""The back office for judges: to find and read every row. Nothing is changed here."""

from collections.abc import Iterable, Sequence

from django.contrib import admin

from curation.exposures.back_office import RecordingAdmin, Seen
from curation.exposures.ledger import Part
from grading.judging.judgements.models import JudgeCall, Judgement
from grading.judging.labels.models import LabelFile
from grading.judging.prompts.models import JudgeConfiguration, JudgePrompt
from grading.judging.rulings.models import Ruling
from grading.judging.runs.models import JudgeItem, JudgeRun, RunJudge
from grading.judging.uploads.models import JudgeFile
from phybench.admin import ReadOnlyAdmin, ReadOnlyInline


def _tell(items: Iterable[JudgeItem], *parts: Part) -> Seen:
    """Say of which revisions something is told, of what judges say of these items."""
    for item in items:
        for attempt in (item.attempt, item.other):
            if attempt is not None:
                yield from ((attempt.revision_id, part) for part in parts or (Part.VERDICT,))


@admin.register(JudgePrompt)
class JudgePromptAdmin(ReadOnlyAdmin):
    list_display = ["name", "version", "kind", "language", "sha256", "brought_by", "released_by"]
    list_filter = ["kind", "language", "is_built_in"]
    list_select_related = ["brought_by", "released_by"]
    search_fields = ["name", "sha256"]


@admin.register(JudgeConfiguration)
class JudgeConfigurationAdmin(ReadOnlyAdmin):
    list_display = ["name", "kind", "sha256", "made_by", "created_at"]
    list_filter = ["kind"]
    list_select_related = ["made_by"]
    search_fields = ["name", "sha256"]
    date_hierarchy = "created_at"


class RunJudgeInline(ReadOnlyInline):
    model = RunJudge
    list_select_related = ["endpoint"]


@admin.register(JudgeRun)
class JudgeRunAdmin(ReadOnlyAdmin):
    list_display = [
        "pk",
        "submission",
        "file",
        "other",
        "configuration",
        "state",
        "paused_for",
        "started_by",
    ]
    list_filter = ["state", "paused_for"]
    list_select_related = [
        "submission__solver", "submission__benchmark", "file", "other__solver", "other__benchmark",
        "configuration", "started_by",
    ]  # fmt: skip
    search_fields = ["submission__solver__name", "configuration__name", "purpose"]
    date_hierarchy = "created_at"
    inlines = [RunJudgeInline]


@admin.register(JudgeItem)
class JudgeItemAdmin(ReadOnlyAdmin):
    list_display = [
        "pk",
        "run_id",
        "attempt_id",
        "other_id",
        "canary",
        "state",
        "reason",
        "tries",
        "lost",
    ]
    list_filter = ["state", "reason"]
    search_fields = ["run__submission__solver__name", "canary"]
    ordering = ["-pk"]
    show_full_result_count = False


@admin.register(Judgement)
class JudgementAdmin(RecordingAdmin, ReadOnlyAdmin):
    list_display = ["pk", "item_id", "round", "status", "is_right", "value", "reason", "stage"]
    list_filter = ["status", "stage", "reason"]
    list_select_related = ["item__attempt", "item__other"]
    search_fields = ["configuration__name", "configuration__sha256"]
    date_hierarchy = "created_at"
    ordering = ["-pk"]
    show_full_result_count = False

    def list_shown(self, rows: Sequence[Judgement], *, in_full: bool) -> Seen:
        return _tell(row.item for row in rows)


@admin.register(JudgeCall)
class JudgeCallAdmin(RecordingAdmin, ReadOnlyAdmin):
    list_display = [
        "pk",
        "item_id",
        "judge",
        "repeat",
        "attempt",
        "reason",
        "read_reason",
        "tokens",
    ]
    list_filter = ["reason", "read_reason", "purpose"]
    list_select_related = ["item__attempt", "item__other"]
    search_fields = ["judge", "request_sha256"]
    date_hierarchy = "created_at"
    ordering = ["-pk"]
    show_full_result_count = False

    def list_shown(self, rows: Sequence[JudgeCall], *, in_full: bool) -> Seen:
        """Return what a reply tells, which may well cite the key."""
        return _tell((row.item for row in rows), Part.ANSWER, Part.VERDICT) if in_full else ()


@admin.register(LabelFile)
class LabelFileAdmin(ReadOnlyAdmin):
    """Its rows stand on its own page."""

    list_display = ["file_name", "brought_by", "origin", "created_at", "taken_at"]
    list_filter = [("taken_at", admin.EmptyFieldListFilter)]
    list_select_related = ["brought_by"]
    search_fields = ["file_name", "sha256", "origin", "brought_by__display_name"]
    date_hierarchy = "created_at"
    exclude = ["rows"]


@admin.register(JudgeFile)
class JudgeFileAdmin(ReadOnlyAdmin):
    list_display = ["file_name", "organisation", "uploaded_by", "sha256", "created_at"]
    list_select_related = ["organisation", "uploaded_by"]
    search_fields = ["file_name", "sha256", "uploaded_by__display_name"]
    date_hierarchy = "created_at"
    exclude = ["content"]


@admin.register(Ruling)
class RulingAdmin(RecordingAdmin, ReadOnlyAdmin):
    list_display = ["pk", "attempt_id", "choice", "labeller", "ruled_by", "created_at"]
    list_filter = ["choice"]
    list_select_related = ["attempt", "ruled_by"]
    search_fields = ["ruled_by__display_name", "reason"]
    date_hierarchy = "created_at"

    def list_shown(self, rows: Sequence[Ruling], *, in_full: bool) -> Seen:
        return ((row.attempt.revision_id, Part.VERDICT) for row in rows)
