"""Organisations, and the models of each: tables and their files."""

from typing import Any

from django.core.exceptions import PermissionDenied
from django.db.models import Count, F, Max, OuterRef, Q, Subquery
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_GET

from grading.solvers.models import Description, Organisation
from grading.solvers.permissions import can_make_organisation, can_see_members
from phybench.pages.listing import Column, Listing, Order, by
from phybench.people.http import MemberRequest, role_required
from phybench.people.models import Role

COLUMNS: list[Column[Any]] = [
    Column("name", gettext_lazy("Team"), by("name"), lambda one: one.name),
    Column(
        "members",
        gettext_lazy("Members"),
        by("member_count", begins_descending=True),
        lambda one: one.member_count,
        is_number=True,
    ),
    Column(
        "models",
        gettext_lazy("Models"),
        by("solver_count", begins_descending=True),
        lambda one: one.solver_count,
        is_number=True,
    ),
    # What waits for an admin comes first.
    Column(
        "stands",
        gettext_lazy("Status"),
        Order([F("confirmed_at").asc(nulls_first=True), "pk"], [F("confirmed_at").desc(), "pk"]),
    ),
    Column("confirmed", value=lambda one: one.confirmed_at and one.confirmed_at.isoformat()),
]


def _list(request: MemberRequest) -> Listing[Any]:
    is_member = Q(memberships__joined_at__isnull=False, memberships__left_at=None)
    found = Organisation.objects.standing().annotate(
        member_count=Count("memberships", filter=is_member, distinct=True),
        solver_count=Count("solvers", distinct=True),
    )
    return Listing(request, found, COLUMNS, default="name")


@role_required(Role.EVALUATOR)
@require_GET
def organisations(request: MemberRequest) -> HttpResponse:
    context = {
        **_list(request).describe(),
        "own": {*Organisation.objects.of(request.user).values_list("pk", flat=True)},
        "can_make": can_make_organisation(request.user),
    }
    return render(request, "grading/organisations.html", context)


@role_required(Role.EVALUATOR)
@require_GET
def organisations_csv(request: MemberRequest) -> HttpResponse:
    return _list(request).write("organisations")


SOLVER_COLUMNS: list[Column[Any]] = [
    Column("model", gettext_lazy("Model"), by("name"), lambda one: one.name),
    Column("kind", gettext_lazy("Kind"), by("said_kind"), lambda one: one.said_kind),
    Column(
        "parameters",
        gettext_lazy("Parameters"),
        by("said_parameters", begins_descending=True),
        lambda one: one.said_parameters,
        is_number=True,
    ),
    Column(
        "submissions",
        gettext_lazy("Submissions"),
        by("submission_count", begins_descending=True),
        lambda one: one.submission_count,
        is_number=True,
    ),
    Column(
        "last",
        gettext_lazy("Last submission"),
        by("last_at", begins_descending=True),
        lambda one: one.last_at and one.last_at.isoformat(),
    ),
]


def list_solvers_of(request: MemberRequest, found: Organisation) -> Listing[Any]:
    """List the models of an organisation, with what is said of each now."""
    said = Description.objects.newest().filter(solver=OuterRef("pk"))
    solvers = found.solvers.annotate(
        submission_count=Count("submissions"),
        last_at=Max("submissions__created_at"),
        said_kind=Subquery(said.values("kind")),
        said_parameters=Subquery(said.values("parameters")),
    )
    return Listing(request, solvers, SOLVER_COLUMNS, default="-last")


@role_required(Role.EVALUATOR)
@require_GET
def solvers_csv(request: MemberRequest, pk: int) -> HttpResponse:
    found = get_object_or_404(Organisation, pk=pk)
    if not can_see_members(request.user, found):
        raise PermissionDenied(_("Only members of this team and admins see its models."))
    return list_solvers_of(request, found).write(f"organisation-{found.pk}-models")
