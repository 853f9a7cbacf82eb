"""The submissions that somebody may see: a table, narrowed, and a file."""

from typing import TYPE_CHECKING, Any, TypedDict

from django.db.models import Count, OuterRef, Q, QuerySet, Subquery
from django.http import HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_GET

from grading import permissions
from grading.answers.filters import SubmissionFilter
from grading.answers.models import Attempt, Submission
from phybench.http import MemberRequest, role_required
from phybench.listing import Column, Listing
from phybench.models import Role

if TYPE_CHECKING:
    from django_stubs_ext import WithAnnotations

A_PAGE = 50


class State(TypedDict):
    """How far a submission got, as lists say it."""

    answers: int
    waiting: int
    failed: int
    of: int
    """How many submissions its model has to this benchmark, whatever became of them."""


def with_state(found: QuerySet[Submission]) -> "QuerySet[WithAnnotations[Submission, State]]":
    """Add what `State` lists to submissions, newest first."""
    unfinished = Q(attempts__status__in=[Attempt.Status.QUEUED, Attempt.Status.GRADING])
    alike = Submission.objects.filter(
        solver=OuterRef("solver"), benchmark=OuterRef("benchmark")
    ).order_by("-number")
    counted = found.annotate(
        answers=Count("attempts"),
        waiting=Count("attempts", filter=unfinished),
        failed=Count("attempts", filter=Q(attempts__status=Attempt.Status.FAILED)),
        # None is ever deleted, so the last number says how many there are.
        of=Subquery(alike.values("number")[:1]),
    )
    # Counting loses the model's own order. A file may have had very many rows that are no answers.
    return counted.order_by("-created_at", "-pk").defer("left_out")


def _write_time(name: str) -> Column[Any]:
    return Column(name, value=lambda one: (at := getattr(one, name)) and at.isoformat())


# Of any rows: what `with_state` adds, no type knows.
COLUMNS: list[Column[Any]] = [
    Column("submission", value=lambda one: one.pk),
    Column("model", _("Model"), value=lambda one: one.solver.name),
    Column("organisation", value=lambda one: one.solver.organisation.name),
    Column("benchmark", _("Benchmark"), value=lambda one: one.benchmark.slug),
    Column("number", _("Number"), value=lambda one: one.number, is_number=True),
    Column("of", value=lambda one: one.of),
    Column("at", _("Handed in")),
    _write_time("created_at"),
    Column("answers", _("Answers"), value=lambda one: one.answers, is_number=True),
    Column("waiting", value=lambda one: one.waiting),
    Column("not_graded", value=lambda one: one.failed),
    _write_time("published_at"),
    _write_time("withdrawn_at"),
    Column("grading", _("Grading")),
]


def _list(request: MemberRequest) -> Listing[Any]:
    filters = SubmissionFilter(request.GET, permissions.list_submissions(request.user))
    return Listing(request, with_state(filters.qs), COLUMNS, filters=filters, a_page=A_PAGE)


@role_required(Role.EVALUATOR)
@require_GET
def submissions(request: MemberRequest) -> HttpResponse:
    return render(request, "grading/submissions.html", _list(request).describe())


@role_required(Role.EVALUATOR)
@require_GET
def submissions_csv(request: MemberRequest) -> HttpResponse:
    return _list(request).write("submissions")
