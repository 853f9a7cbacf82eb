"""The back office for answers: to find and read everything, and to queue again what failed."""

from collections.abc import Sequence
from typing import Any

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from curation.exposures.back_office import RecordingAdmin, Seen
from curation.exposures.ledger import Part
from grading.answers import actions
from grading.answers.models import Attempt, Grade, with_grade
from phybench.admin import ReadOnlyAdmin, ReadOnlyInline


class GradeInline(ReadOnlyInline):
    """What judges said of an attempt, oldest first."""

    model = Grade
    show_change_link = True
    fields = ["judge", "judge_version", "verdict", "eed", "reason", "seconds", "created_at"]
    readonly_fields = ["created_at"]


@admin.register(Attempt)
class AttemptAdmin(RecordingAdmin, ReadOnlyAdmin):
    list_display = [
        "__str__", "status", "tries", "failure_reason", "verdict", "eed", "submission_link",
        "created_at",
    ]  # fmt: skip
    list_filter = [
        "status", "failure_reason", "solver__kind", ("submission", admin.EmptyFieldListFilter),
        "revision__problem__benchmark",
    ]  # fmt: skip
    list_select_related = ["solver", "revision__problem", "submission"]
    search_fields = ["solver__name", "revision__problem__title", "revision__problem__published_id"]
    search_help_text = _("Solver, title of the problem, its published id")
    date_hierarchy = "created_at"
    # What failed most recently is what one comes to see; the count of all rows costs a scan.
    ordering = ["-pk"]
    show_full_result_count = False
    inlines = [GradeInline]
    actions = ["queue_again"]

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        return with_grade(Attempt.objects.all()).order_by("-pk")

    def lookup_allowed(self, lookup: str, value: str, request: HttpRequest | None = None) -> bool:
        # The links of the other lists lead here.
        links = {"solver__id__exact", "submission__id__exact"}
        return lookup in links or super().lookup_allowed(lookup, value, request)

    def list_shown(self, rows: Sequence[Attempt], *, in_full: bool) -> Seen:
        graded = (row for row in rows if row.tells_verdict)
        return ((row.revision_id, Part.VERDICT) for row in graded)

    @admin.display(description=_("verdict"), ordering="verdict")
    def verdict(self, attempt: Any) -> str | None:
        found: str | None = attempt.verdict
        return found

    @admin.display(description=_("EED"), ordering="eed")
    def eed(self, attempt: Any) -> float | None:
        return None if attempt.eed is None else round(attempt.eed, 1)

    @admin.display(description=_("submission"))
    def submission_link(self, attempt: Attempt) -> str:
        if attempt.submission_id is None:
            return "–"
        address = reverse("admin:grading_submission_change", args=[attempt.submission_id])
        return format_html('<a href="{}">{}</a>', address, attempt.submission_id)

    @admin.action(description=_("Queue failed answers again"))
    def queue_again(self, request: HttpRequest, attempts: QuerySet[Attempt]) -> None:
        chosen = len(attempts)
        queued = actions.try_again(attempts=attempts)
        if queued:
            text = ngettext("%d attempt is queued again.", "%d attempts are queued again.", queued)
            messages.success(request, text % queued)
        if queued < chosen:
            text = ngettext(
                "%d attempt was not changed: only failed ones can be queued again.",
                "%d attempts were not changed: only failed ones can be queued again.",
                chosen - queued,
            )
            messages.warning(request, text % (chosen - queued))


@admin.register(Grade)
class GradeAdmin(RecordingAdmin, ReadOnlyAdmin):
    list_display = [
        "pk", "attempt_link", "judge", "judge_version", "verdict", "eed", "reason", "seconds",
        "created_at",
    ]  # fmt: skip
    list_filter = ["verdict", "reason", "judge", "judge_version", "sympy_version"]
    list_select_related = ["attempt__solver", "attempt__revision__problem"]
    search_fields = [
        "attempt__solver__name", "attempt__revision__problem__title",
        "attempt__revision__problem__published_id",
    ]  # fmt: skip
    date_hierarchy = "created_at"
    ordering = ["-pk"]
    show_full_result_count = False

    def list_shown(self, rows: Sequence[Grade], *, in_full: bool) -> Seen:
        """Of a grade's own page also the reference as it was read, and the edits to it."""
        parts = (Part.VERDICT, Part.ANSWER) if in_full else (Part.VERDICT,)
        return ((row.attempt.revision_id, part) for row in rows for part in parts)

    @admin.display(description=_("attempt"))
    def attempt_link(self, grade: Grade) -> str:
        address = reverse("admin:grading_attempt_change", args=[grade.attempt_id])
        return format_html('<a href="{}">{}</a>', address, grade.attempt)
