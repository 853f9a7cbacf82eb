"""What people of a study saved too late: read it, and have it count."""

from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_GET, require_POST

from curation.texts.workflow import NotAllowedNow
from grading.studies.models import Study
from grading.studies.sessions import late
from grading.studies.sessions.forms import read_why
from grading.studies.sessions.models import Save
from grading.studies.views import find
from phybench.pages.listing import Column, Listing, by
from phybench.people.http import MemberRequest, role_required
from phybench.people.models import Role

COLUMNS: list[Column[Any]] = [
    Column(
        "person",
        gettext_lazy("Person"),
        by("item__session__participation"),
        lambda one: one.item.session.participation.pseudonym,
    ),
    Column(
        "problem",
        gettext_lazy("Problem"),
        by("item__study_item__item__identifier"),
        lambda one: one.item.study_item.item.identifier,
    ),
    Column("place", value=lambda one: one.item.place),
    Column("kind", gettext_lazy("Kind"), by("kind"), lambda one: one.kind),
    Column("text", gettext_lazy("Text"), value=lambda one: one.text),
    Column(
        "late_by_seconds",
        gettext_lazy("Late by"),
        by("late_by"),
        lambda one: round(one.late_by.total_seconds(), 1),
        is_number=True,
    ),
    Column("arrived_at", value=lambda one: one.arrived_at.isoformat()),
    Column("number", value=lambda one: one.number),
    Column("outcome", value=lambda one: one.item.outcome),
]


def _list(request: MemberRequest, study: Study) -> "Listing[Any]":
    return Listing(request, late.list_late(study), COLUMNS)


@role_required(Role.ADMIN)
@require_GET
def study_late(request: MemberRequest, pk: int) -> HttpResponse:
    study = find(pk)
    listing = _list(request, study).describe()
    rows = [(one, late.find_obstacle(one, one.newest)) for one in listing["page"]]
    context = {**listing, "study": study, "rows": rows}
    return render(request, "grading/study_late.html", context)


@role_required(Role.ADMIN)
@require_GET
def study_late_csv(request: MemberRequest, pk: int) -> HttpResponse:
    study = find(pk)
    return _list(request, study).write(f"study-{study.pk}-late-saves")


@role_required(Role.ADMIN)
@require_POST
def count_late(request: MemberRequest, pk: int) -> HttpResponse:
    """Have the late save with this number count."""
    saves = Save.objects.select_related("item__session__participation__study")
    save = get_object_or_404(saves.filter(is_late=True), pk=pk)
    participation = save.item.session.participation
    try:
        late.count_late(save=save, by=request.user, why=read_why(request.POST))
    except NotAllowedNow as refused:
        messages.error(request, str(refused))
    else:
        text = _("The late answer of %(person)s counts. It is graded now and kept as a deviation.")
        messages.success(request, text % {"person": participation.pseudonym})
    return redirect("grading:study_late", participation.study_id)
