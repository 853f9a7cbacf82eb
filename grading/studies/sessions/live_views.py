"""A study's page: who has joined, how far they are, and what went wrong."""

from collections.abc import Callable
from typing import Any

from django import forms
from django.contrib import messages
from django.core.exceptions import ObjectDoesNotExist
from django.db.models import Count, Q
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, pgettext
from django.views.decorators.http import require_GET, require_POST

from curation.texts.workflow import NotAllowedNow
from grading.studies.forms import InviteForm
from grading.studies.models import Participation, Study
from grading.studies.sessions import actions
from grading.studies.sessions.forms import read_why
from grading.studies.sessions.models import Save, Session
from grading.studies.views import find
from phybench.pages.listing import Column, Listing, by
from phybench.people.forms import UncutField
from phybench.people.http import MemberRequest, role_required
from phybench.people.models import Role

A_PAGE = 100
SILENT_SECONDS = 60
"""After so long without a word a browser is called away: it speaks every five seconds."""


class ExtendForm(forms.Form):
    minutes = forms.IntegerField(label=gettext_lazy("Minutes"), min_value=1, max_value=1440)
    why = UncutField(label=gettext_lazy("Why"), max_length=500)


def _list_people(study: Study) -> Any:
    """List who takes part, each with what came of their problems and of their saves."""
    typed = Q(session__items__saves__kind=Save.Kind.ANSWER) & ~Q(session__items__saves__text="")
    late = Q(session__items__saves__is_late=True)
    return (
        study.participations.select_related("session", "exclusion")
        .annotate(
            answered=Count("session__items", filter=typed, distinct=True),
            late=Count("session__items__saves", filter=late, distinct=True),
        )
        .order_by("pk")
    )


def _say_state(one: Participation) -> str:
    """Say how far somebody is, in a word or two."""
    if one.withdrawn_at:
        return pgettext("person", "withdrawn")
    session = _find_session(one)
    if session is None:
        return _("practised") if one.practised_at else _("joined")
    if session.ended_at:
        return str(session.get_ending_display())
    if (timezone.now() - session.seen_at).total_seconds() > SILENT_SECONDS:
        return _("working, not seen for a while")
    return _("working")


def _find_session(one: Participation) -> Session | None:
    try:
        return one.session
    except ObjectDoesNotExist:
        return None


def _write_session(name: str) -> Callable[[Participation], object]:
    """Return what writes a time of somebody's session, or nothing where there is none."""

    def write(one: Participation) -> object:
        at = getattr(_find_session(one), name, None)
        return at.isoformat() if at else ""

    return write


COLUMNS: list[Column[Any]] = [
    Column("person", gettext_lazy("Person"), by("pk"), lambda one: one.pseudonym),
    Column("state", gettext_lazy("State"), by("session__ended_at"), _say_state),
    Column(
        "answered",
        gettext_lazy("Answered"),
        by("answered"),
        lambda one: one.answered,
        is_number=True,
    ),
    Column("seen_at", gettext_lazy("Last seen"), by("session__seen_at"), _write_session("seen_at")),
    Column("ends_at", gettext_lazy("Ends"), by("session__ends_at"), _write_session("ends_at")),
    Column("late", gettext_lazy("Late saves"), by("late"), lambda one: one.late, is_number=True),
    Column("started_at", value=_write_session("started_at")),
    Column("ended_at", value=_write_session("ended_at")),
]


@role_required(Role.ADMIN)
@require_GET
def study(request: MemberRequest, pk: int) -> HttpResponse:
    found = find(pk)
    listing = Listing(request, _list_people(found), COLUMNS, a_page=A_PAGE).describe()
    rows = [(one, _find_session(one), _say_state(one)) for one in listing["page"]]
    link = reverse("grading:join", args=[found.pk])
    context = {
        **listing,
        "study": found,
        "rows": rows,
        "flow": Participation.objects.filter(study=found).count_flow(),
        "pool": found.items.count(),
        "invited": found.invitations.count(),
        "link": request.build_absolute_uri(f"{link}?link={found.link_secret}"),
        "deviations": found.deviations.select_related("by"),
        "invite_form": InviteForm(),
        "extend_form": ExtendForm(),
    }
    if request.htmx:
        return render(request, "grading/_study_people.html", context)
    return render(request, "grading/study.html", context)


@role_required(Role.ADMIN)
@require_GET
def study_csv(request: MemberRequest, pk: int) -> HttpResponse:
    found = find(pk)
    return Listing(request, _list_people(found), COLUMNS).write(f"study-{found.pk}")


@role_required(Role.ADMIN)
@require_POST
def extend(request: MemberRequest, pk: int) -> HttpResponse:
    """Give the person with this participation more time."""
    one = get_object_or_404(Participation.objects.select_related("study", "session"), pk=pk)
    session = _find_session(one)
    form = ExtendForm(request.POST)
    if session is None or not form.is_valid():
        messages.error(request, _("Say how many minutes, 1 to 1440, and why."))
        return redirect(one.study)
    try:
        actions.extend(session=session, by=request.user, **form.cleaned_data)
    except NotAllowedNow as refused:
        messages.error(request, str(refused))
    else:
        minutes = form.cleaned_data["minutes"]
        text = ngettext(
            "%(person)s has %(minutes)d minute more.",
            "%(person)s has %(minutes)d minutes more.",
            minutes,
        )
        messages.success(request, text % {"person": one.pseudonym, "minutes": minutes})
    return redirect(one.study)


@role_required(Role.ADMIN)
@require_POST
def leave_out(request: MemberRequest, pk: int) -> HttpResponse:
    one = get_object_or_404(Participation.objects.select_related("study"), pk=pk)
    try:
        actions.leave_out(participation=one, by=request.user, why=read_why(request.POST))
    except NotAllowedNow as refused:
        messages.error(request, str(refused))
    else:
        text = _("%(person)s is left out. The results are shown with and without them.")
        messages.success(request, text % {"person": one.pseudonym})
    return redirect(one.study)
