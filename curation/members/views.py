"""One person, for admins: their roles, reviews and history; give them back what is theirs."""

from collections.abc import Callable
from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from curation.members import actions, requests
from curation.members.forms import GiveRoleForm, OthersInstitutionForm, ReasonForm, RolesForm
from curation.members.models import RoleRequest
from curation.reviewing.assignments import loads
from curation.texts.workflow import NotAllowedNow
from phybench.people.http import MemberRequest, role_required
from phybench.people.models import Role, User
from phybench.people.permissions import is_oneself

MOST_SHOWN = 50
"""Open reviews, and changes, of one person on their page."""


def _show(
    request: MemberRequest, person: User, *, status: int = 200, **forms_: forms.Form
) -> HttpResponse:
    held = person.assignments.open().select_related("round__revision__problem", "round__version")
    context: dict[str, Any] = {
        "person": person,
        "is_oneself": is_oneself(request.user, person),
        "roles_form": RolesForm(person=person),
        "institution_form": OthersInstitutionForm(initial={"institution": person.institution}),
        "held": held.order_by("due_at", "pk")[:MOST_SHOWN],
        "held_count": held.count(),
        "missed": loads.count_missed([person])[person.pk],
        "days": loads.LATELY.days,
        "written": person.problems.count(),
        "reviewed": person.reviews.values("round").distinct().count(),
        "requests": person.role_requests.waiting(),
        "changes": person.changes.select_related("by")[:MOST_SHOWN],
        "invitation": person.invitations.select_related("invited_by").first(),
        **forms_,
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
        try:
            change = actions.set_roles(
                person=person,
                roles=form.cleaned_data["roles"],
                known=form.list_known(),
                by=request.user,
                reason=form.cleaned_data["reason"],
            )
        except NotAllowedNow as refusal:
            # What is there now, with the sentence that says why: a tick of then may be wrong.
            messages.error(request, str(refusal))
            return redirect("curation:member", pk)
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
    try:
        count = actions.give_role(
            people=list(form.cleaned_data["person"]), role=role, by=request.user
        )
    except NotAllowedNow as refusal:
        messages.error(request, str(refusal))
    else:
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
    actions.set_institution(person=person, name=name, by=request.user)
    messages.success(request, _("Saved."))
    return redirect("curation:member", pk)


@role_required(Role.ADMIN)
@require_http_methods(["GET", "POST"])
def deactivate(request: MemberRequest, pk: int) -> HttpResponse:
    """Ask why, and let somebody sign in no more."""
    person = get_object_or_404(User, pk=pk)
    form = ReasonForm(request.POST if request.method == "POST" else None)
    if form.is_valid():
        try:
            count = actions.deactivate(
                person=person, by=request.user, reason=form.cleaned_data["reason"]
            )
        except NotAllowedNow as refusal:
            form.add_error(None, str(refusal))
        else:
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
def grant_request(request: MemberRequest, pk: int) -> HttpResponse:
    asked = get_object_or_404(RoleRequest.objects.select_related("person"), pk=pk)
    names = {"name": asked.person, "role": asked.get_role_display()}
    return _try(
        request,
        lambda: requests.grant(request=asked, by=request.user),
        _("%(name)s now has the role %(role)s.") % names,
    )


@role_required(Role.ADMIN)
@require_POST
def decline_request(request: MemberRequest, pk: int) -> HttpResponse:
    asked = get_object_or_404(RoleRequest.objects.select_related("person"), pk=pk)
    form = ReasonForm(request.POST)
    if not form.is_valid():
        messages.error(request, " ".join(map(str, form.errors.get("reason", []))))
        return redirect("curation:role_requests")
    reason = form.cleaned_data["reason"]
    return _try(
        request,
        lambda: requests.decline(request=asked, by=request.user, reason=reason),
        _("Declined. %(name)s reads why.") % {"name": asked.person},
    )


def _try(request: MemberRequest, do: Callable[[], object], done: str) -> HttpResponse:
    try:
        do()
    except NotAllowedNow as refusal:
        messages.error(request, str(refusal))
    else:
        messages.success(request, done)
    return redirect("curation:role_requests")
