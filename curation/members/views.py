"""One person, for admins: their roles, reviews and history; give them back what is theirs."""

from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from curation.members import actions, requests
from curation.members.forms import GiveRoleForm, OthersInstitutionForm, ReasonForm, RolesForm
from curation.members.models import Request, RequestQuerySet
from curation.reviewing.assignments import loads, undoing
from curation.reviewing.assignments.undoing import Undone
from curation.texts.workflow import NotAllowedNow
from phybench.people.forms import form_says_why_not
from phybench.people.http import MemberRequest, role_required, saying_why_not
from phybench.people.models import Role, User
from phybench.people.names import tidy_name
from phybench.people.permissions import is_oneself

MOST_SHOWN = 50
"""Open reviews, and changes, of one person on their page."""


def _show(
    request: MemberRequest, person: User, *, status: int = 200, **shown: forms.Form | Undone
) -> HttpResponse:
    held = person.assignments.open().select_related("round__revision__problem", "round__version")
    context: dict[str, Any] = {
        "person": person,
        "unconfirmed": actions.list_unconfirmed().filter(user=person).first(),
        "is_oneself": is_oneself(request.user, person),
        "roles_form": RolesForm(person=person),
        "institution_form": OthersInstitutionForm(initial={"institution": person.institution}),
        "held": held.order_by("due_at", "pk")[:MOST_SHOWN],
        "held_count": held.count(),
        "missed": loads.count_missed([person])[person.pk],
        "days": loads.LATELY.days,
        "written": person.problems.count(),
        "reviewed": person.reviews.values("round").distinct().count(),
        "requests": person.requests.waiting().select_related("benchmark"),
        "changes": person.changes.select_related("by")[:MOST_SHOWN],
        "invitation": person.invitations.select_related("invited_by").first(),
        "former": person.former_institutions.lately(),
        **shown,
    }
    return render(request, "curation/member.html", context, status=status)


@role_required(Role.ADMIN)
@require_GET
def member(request: MemberRequest, pk: int) -> HttpResponse:
    return _show(request, get_object_or_404(User, pk=pk))


@role_required(Role.ADMIN)
@require_POST
def set_roles(request: MemberRequest, pk: int) -> HttpResponse:
    person = get_object_or_404(User, pk=pk)
    form = RolesForm(request.POST, person=person)
    if form.is_valid():
        # Refused, they see what is there now: a tick of then may be wrong.
        with saying_why_not(request, NotAllowedNow):
            change = actions.set_roles(
                person=person,
                roles=form.cleaned_data["roles"],
                known=form.list_known(),
                by=request.user,
                reason=form.cleaned_data["reason"],
            )
            messages.success(request, _("Saved.") if change else _("Nothing was changed."))
        return redirect("curation:member", pk)
    return _show(request, person, status=400, roles_form=form)


@role_required(Role.ADMIN)
@require_POST
def give_role(request: MemberRequest) -> HttpResponse:
    """Give a role to everybody who was chosen in the list."""
    form = GiveRoleForm(request.POST)
    if not form.is_valid():
        messages.error(request, _("Choose people and a role first."))
        return redirect("curation:members")
    role = Role(form.cleaned_data["role"])
    with saying_why_not(request, NotAllowedNow):
        count = actions.give_role(
            people=list(form.cleaned_data["person"]), role=role, by=request.user
        )
        text = ngettext(
            "%(count)d person was given the role %(role)s.",
            "%(count)d people were given the role %(role)s.",
            count,
        )
        messages.success(request, text % {"count": count, "role": role.label})
    return redirect("curation:members")


@role_required(Role.ADMIN)
@require_POST
def set_institution(request: MemberRequest, pk: int) -> HttpResponse:
    person = get_object_or_404(User, pk=pk)
    form = OthersInstitutionForm(request.POST)
    if not form.is_valid():
        return _show(request, person, status=400, institution_form=form)
    name = form.cleaned_data["institution"]
    try:
        actions.set_institution(
            person=person, name=name, by=request.user, known=form.cleaned_data["known"]
        )
    except actions.Unseen:
        undone = undoing.find_by_institution(person, tidy_name(name))
        seen = OthersInstitutionForm(initial={"institution": name, "known": undone.known})
        return _show(request, person, status=409, institution_form=seen, undone=undone)
    except NotAllowedNow as refusal:
        form.add_error(None, str(refusal))
        return _show(request, person, status=400, institution_form=form)
    messages.success(request, _("Saved."))
    return redirect("curation:member", pk)


@role_required(Role.ADMIN)
@require_http_methods(["GET", "POST"])
def deactivate(request: MemberRequest, pk: int) -> HttpResponse:
    """Ask why, and let somebody sign in no more."""
    person = get_object_or_404(User, pk=pk)
    form = ReasonForm(request.POST if request.method == "POST" else None)
    if form.is_valid():
        with form_says_why_not(form, NotAllowedNow):
            count = actions.deactivate(
                person=person, by=request.user, reason=form.cleaned_data["reason"]
            )
            text = ngettext(
                "%(name)s can’t sign in any more. %(count)d open review was given back.",
                "%(name)s can’t sign in any more. %(count)d open reviews were given back.",
                count,
            )
            messages.success(request, text % {"name": person, "count": count})
            return redirect("curation:member", pk)
    context = {
        "person": person,
        "form": form,
        "held_count": person.assignments.open().count(),
        "token_count": person.tokens.usable().count(),
    }
    status = 400 if form.errors else 200
    return render(request, "curation/deactivate.html", context, status=status)


@role_required(Role.ADMIN)
@require_POST
def reactivate(request: MemberRequest, pk: int) -> HttpResponse:
    person = get_object_or_404(User, pk=pk)
    actions.reactivate(person=person, by=request.user)
    messages.success(request, _("%(name)s may sign in again.") % {"name": person})
    return redirect("curation:member", pk)


@role_required(Role.ADMIN)
@require_POST
def confirm_address(request: MemberRequest, pk: int) -> HttpResponse:
    person = get_object_or_404(User, pk=pk)
    with saying_why_not(request, NotAllowedNow):
        actions.confirm_address(person=person, by=request.user)
        messages.success(request, _("%(name)s may sign in now. Tell them.") % {"name": person})
    return redirect("curation:member", pk)


@role_required(Role.ADMIN)
@require_GET
def request_page(request: MemberRequest, pk: int) -> HttpResponse:
    """Show one request, and what an admin undoes who grants it."""
    asked = get_object_or_404(_list_requests(), pk=pk)
    context = {
        "asked": asked,
        "undone": requests.find_undone(asked),
        "why_not": requests.say_who_decides(asked, request.user),
    }
    return render(request, "curation/request.html", context)


def _list_requests() -> RequestQuerySet:
    return Request.objects.select_related("person", "decided_by", "credit__problem", "benchmark")


@role_required(Role.ADMIN)
@require_POST
def grant_request(request: MemberRequest, pk: int) -> HttpResponse:
    asked = get_object_or_404(_list_requests(), pk=pk)
    text = _("%(name)s now has the role %(role)s.") if asked.role else _("%(name)s: granted.")
    with saying_why_not(request, NotAllowedNow):
        requests.grant(request=asked, by=request.user, known=request.POST.get("known", ""))
        words = {"name": asked.person, "role": asked.get_role_display()}
        messages.success(request, text % words)
        return _list_requests_again()
    return _go_back(asked)


@role_required(Role.ADMIN)
@require_POST
def decline_request(request: MemberRequest, pk: int) -> HttpResponse:
    asked = get_object_or_404(_list_requests(), pk=pk)
    form = ReasonForm(request.POST)
    if not form.is_valid():
        messages.error(request, " ".join(map(str, form.errors.get("reason", []))))
        return _go_back(asked)
    with saying_why_not(request, NotAllowedNow):
        requests.decline(request=asked, by=request.user, reason=form.cleaned_data["reason"])
        messages.success(request, _("Declined. %(name)s reads why.") % {"name": asked.person})
        return _list_requests_again()
    return _go_back(asked)


def _list_requests_again() -> HttpResponse:
    return redirect(reverse("curation:members") + "?show=requests")


def _go_back(asked: Request) -> HttpResponse:
    """Return to where it was decided: what undoes something has a page of its own."""
    if asked.role:
        return _list_requests_again()
    return redirect("curation:request", asked.pk)
