"""The back office for solvers and the organisations that own them."""

from typing import Any

from django.contrib import admin
from django.db.models import Count, QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from grading.answers.models import Attempt
from grading.solvers.models import Description, Membership, Organisation, Solver
from grading.submissions.models import Submission
from phybench.admin import ReadOnlyAdmin, ReadOnlyInline, link_to_rows


class MembershipInline(ReadOnlyInline):
    """Who was ever of an organisation, and who asked."""

    model = Membership
    fk_name = "organisation"
    fields = ["person", "asked_at", "joined_at", "accepted_by", "left_at"]
    readonly_fields = ["asked_at"]


@admin.register(Organisation)
class OrganisationAdmin(ReadOnlyAdmin):
    list_display = ["name", "made_by", "made_at", "confirmed_at", "merged_into", "is_demo"]
    list_filter = [("confirmed_at", admin.EmptyFieldListFilter), "is_demo"]
    list_select_related = ["made_by", "merged_into"]
    search_fields = ["name", "memberships__person__display_name", "memberships__person__email"]
    inlines = [MembershipInline]


class DescriptionInline(ReadOnlyInline):
    """What was said of a model, newest first."""

    model = Description
    fields = ["number", *Description.SAID, "described_by", "described_at"]
    readonly_fields = ["described_at"]
    list_select_related = ["described_by"]


@admin.register(Solver)
class SolverAdmin(ReadOnlyAdmin):
    list_display = [
        "name", "kind", "organisation", "user", "is_demo", "submission_links", "attempt_links",
    ]  # fmt: skip
    list_filter = ["kind", "is_demo"]
    list_select_related = ["organisation", "user"]
    search_fields = ["name", "organisation__name", "user__display_name", "user__email"]
    readonly_fields = ["submission_links", "attempt_links"]
    inlines = [DescriptionInline]

    def view_on_site(self, solver: Solver) -> str | None:
        """Lead to the page of a model; a person has none."""
        return solver.get_absolute_url() if solver.kind == Solver.Kind.MODEL else None

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        counted: QuerySet[Any] = (
            super()
            .get_queryset(request)
            .annotate(
                submission_count=Count("submissions", distinct=True),
                attempt_count=Count("attempts", distinct=True),
            )
        )
        return counted

    @admin.display(description=_("submissions"), ordering="submission_count")
    def submission_links(self, solver: Any) -> str:
        return link_to_rows(Submission, solver.submission_count, solver__id__exact=solver.pk)

    @admin.display(description=_("attempts"), ordering="attempt_count")
    def attempt_links(self, solver: Any) -> str:
        return link_to_rows(Attempt, solver.attempt_count, solver__id__exact=solver.pk)
