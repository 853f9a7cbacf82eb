"""The back office for submissions: to find and read them."""

from typing import Any

from django.contrib import admin
from django.db.models import Count, Q, QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from grading.answers.models import Attempt
from grading.submissions.models import Submission
from phybench.admin import ReadOnlyAdmin, link_to_rows


@admin.register(Submission)
class SubmissionAdmin(ReadOnlyAdmin):
    list_display = [
        "__str__", "uploaded_by", "file_name", "expected", "attempt_links", "waiting", "failed",
        "published_at", "withdrawn_at", "cancelled_at",
    ]  # fmt: skip
    list_filter = [
        "benchmark",
        ("published_at", admin.EmptyFieldListFilter),
        ("withdrawn_at", admin.EmptyFieldListFilter),
        ("cancelled_at", admin.EmptyFieldListFilter),
        "solver__is_demo",
    ]
    list_select_related = ["solver", "benchmark", "uploaded_by"]
    search_fields = ["solver__name", "file_name", "file_sha256", "uploaded_by__email"]
    search_help_text = _("Model, file name, the file’s SHA-256, e-mail address of the uploader")
    date_hierarchy = "created_at"
    readonly_fields = ["attempt_links", "waiting", "failed"]

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        unfinished = Q(attempts__status__in=[Attempt.Status.QUEUED, Attempt.Status.GRADING])
        counted: QuerySet[Any] = (
            super()
            .get_queryset(request)
            .annotate(
                attempt_count=Count("attempts"),
                waiting_count=Count("attempts", filter=unfinished),
                failed_count=Count("attempts", filter=Q(attempts__status=Attempt.Status.FAILED)),
            )
        )
        return counted

    @admin.display(description=_("attempts"), ordering="attempt_count")
    def attempt_links(self, submission: Any) -> str:
        return link_to_rows(Attempt, submission.attempt_count, submission__id__exact=submission.pk)

    @admin.display(description=_("waiting"), ordering="waiting_count")
    def waiting(self, submission: Any) -> int:
        count: int = submission.waiting_count
        return count

    @admin.display(description=_("not graded"), ordering="failed_count")
    def failed(self, submission: Any) -> str:
        return link_to_rows(
            Attempt,
            submission.failed_count,
            submission__id__exact=submission.pk,
            status__exact=Attempt.Status.FAILED,
        )
