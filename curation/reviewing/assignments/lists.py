"""All assignments there ever were, for admins: a table and a file."""

from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_GET

from curation.reviewing.assignments.models import Assignment
from curation.texts.sentences import translate
from phybench.pages.listing import Column, Listing, by, make_tabs
from phybench.people.http import MemberRequest, role_required
from phybench.people.models import Role


def _write_reason(one: Assignment) -> str:
    return " ".join(part for part in (translate(one.message), one.reason) if part)


COLUMNS: list[Column[Assignment]] = [
    Column("problem", value=lambda one: one.round.revision.problem.identifier),
    Column(
        "title",
        gettext_lazy("Title"),
        by("round__revision__problem__title"),
        lambda one: one.round.revision.problem.title,
    ),
    Column(
        "stage",
        gettext_lazy("Stage"),
        by("round__version__name"),
        lambda one: one.round.version.title,
    ),
    Column("revision", value=lambda one: one.round.revision.number),
    Column(
        "reviewer",
        gettext_lazy("Reviewer"),
        by("reviewer__display_name"),
        lambda one: str(one.reviewer),
    ),
    Column("assigned", gettext_lazy("Assigned"), by("assigned_at")),
    Column("how", value=lambda one: one.how),
    Column("assigned_by", value=lambda one: str(one.assigned_by)),
    Column("assigned_at", value=lambda one: one.assigned_at.isoformat()),
    Column("due", gettext_lazy("Due"), by("due_at")),
    Column("due_at", value=lambda one: one.due_at and one.due_at.isoformat()),
    Column("state", gettext_lazy("State"), by("state"), lambda one: one.state),
    Column("is_overdue", value=lambda one: one.is_overdue),
    Column("ended_at", value=lambda one: one.ended_at and one.ended_at.isoformat()),
    Column("ended_by", value=lambda one: one.ended_by and str(one.ended_by)),
    Column("reason", value=_write_reason),
]


def _list(request: MemberRequest) -> Listing[Assignment]:
    """Return all assignments, or those in the state that was asked for."""
    found = Assignment.objects.select_related(
        "round__revision__problem", "round__version", "reviewer", "assigned_by", "ended_by"
    )
    state = request.GET.get("state", "")
    if state == "overdue":
        found = found.overdue()
    elif state in Assignment.State.values:
        found = found.filter(state=state)
    states: dict[str, Any] = {
        "": _("all"),
        "overdue": _("overdue"),
        **{one.value: one.label for one in Assignment.State},
    }
    tabs = make_tabs(states.items(), state, "state")
    return Listing(request, found, COLUMNS, default="-assigned", tabs=tabs)


@role_required(Role.ADMIN)
@require_GET
def assignment_list(request: MemberRequest) -> HttpResponse:
    return render(request, "curation/assignment_list.html", _list(request).describe())


@role_required(Role.ADMIN)
@require_GET
def assignments_csv(request: MemberRequest) -> HttpResponse:
    """Write the list as it is filtered: who was asked what, by whom, and what came of it."""
    return _list(request).write("assignments")
