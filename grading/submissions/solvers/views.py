"""One organisation: its members, its models, what it handed in, and what is left of its day."""

from collections.abc import Iterable

from django.contrib import messages
from django.http import HttpResponse, HttpResponseBadRequest
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from grading.answers.permissions import list_submissions
from grading.answers.submissions.models import Submission
from grading.solvers import actions
from grading.solvers.forms import MergeForm, OrganisationForm
from grading.solvers.models import Membership, Organisation
from grading.solvers.permissions import (
    can_ask_to_join,
    can_hand_in,
    can_see_members,
    confirms_organisations,
)
from grading.submissions.lists import with_state
from grading.submissions.quota import measure_quota
from grading.submissions.solvers.lists import list_solvers_of
from phybench.people.http import MemberRequest, role_required
from phybench.people.models import Role, User

NEWEST = 10
"""Submissions that an organisation's page shows; all are in the list."""


@role_required(Role.EVALUATOR)
@require_http_methods(["GET", "POST"])
def new_organisation(request: MemberRequest) -> HttpResponse:
    form = OrganisationForm(request.POST if request.method == "POST" else None)
    if form.is_bound and form.is_valid():
        try:
            made = actions.make_organisation(name=form.cleaned_data["name"], by=request.user)
        except actions.CannotChange as refused:
            form.add_error("name", str(refused))
        else:
            messages.success(request, _("Created. You can submit answers for it now."))
            return redirect(made)
    status = 400 if form.errors else 200
    return render(request, "grading/new_organisation.html", {"form": form}, status=status)


@role_required(Role.EVALUATOR)
@require_GET
def organisation(request: MemberRequest, pk: int) -> HttpResponse:
    found = _get(pk)
    if found.merged_into:
        messages.info(request, _("%(name)s was merged into this team.") % {"name": found.name})
        return redirect(found.merged_into)
    return _show(request, found)


def _show(
    request: MemberRequest,
    found: Organisation,
    *,
    renaming: OrganisationForm | None = None,
    merging: MergeForm | None = None,
) -> HttpResponse:
    is_admin = confirms_organisations(request.user)
    memberships = found.memberships.select_related("person")
    sees_members = can_see_members(request.user, found)
    context = {
        "organisation": found,
        "sees_members": sees_members,
        "own": memberships.filter(person=request.user, left_at=None).first(),
        "can_ask": can_ask_to_join(request.user, found),
        "can_hand_in": can_hand_in(request.user, found),
        "is_admin": is_admin,
        "renaming": renaming or OrganisationForm(initial={"name": found.name}),
        "merging": merging or MergeForm(found),
    }
    if sees_members:
        context |= {
            **list_solvers_of(request, found).describe(),
            "members": memberships.current(),
            "asked": memberships.asked(),
            "submissions": _list_newest(request.user, found),
            "quota": measure_quota(found, request.user),
        }
    is_refused = (renaming and renaming.errors) or (merging and merging.errors)
    return render(request, "grading/organisation.html", context, status=400 if is_refused else 200)


def _list_newest(user: User, found: Organisation) -> Iterable[Submission]:
    of_found = list_submissions(user).filter(solver__organisation=found)
    # Chosen before their answers are counted: an organisation may have handed in very many.
    newest = of_found.order_by("-created_at", "-pk").values("pk")[:NEWEST]
    return with_state(of_found.filter(pk__in=newest))


def _get(pk: int) -> Organisation:
    return get_object_or_404(Organisation.objects.select_related("made_by", "merged_into"), pk=pk)


@role_required(Role.EVALUATOR)
@require_POST
def ask_to_join(request: MemberRequest, pk: int) -> HttpResponse:
    found = _get(pk)
    actions.ask_to_join(organisation=found, person=request.user)
    messages.success(request, _("Asked. Its members, or an admin, say yes or no."))
    return redirect(found)


@role_required(Role.EVALUATOR)
@require_POST
def settle_membership(request: MemberRequest, pk: int, number: int) -> HttpResponse:
    """Accept somebody who asked, or end a membership, as the button says."""
    membership = get_object_or_404(
        Membership.objects.select_related("person", "organisation"), organisation=pk, pk=number
    )
    try:
        match request.POST.get("step"):
            case "accept":
                actions.accept(membership=membership, by=request.user)
            case "end":
                actions.end_membership(membership=membership, by=request.user)
            case _nothing:
                return HttpResponseBadRequest()
    except actions.CannotChange as refused:
        messages.error(request, str(refused))
    else:
        membership.refresh_from_db(fields=["joined_at", "left_at"])
        messages.success(request, _say_settled(membership, request.user))
    return redirect("grading:organisation", pk)


def _say_settled(membership: Membership, by: User) -> str:
    """Say how it stands: another may have settled it first."""
    if membership.left_at is None:
        text = _("%(person)s is a member now.")
    elif membership.joined_at is None and membership.person == by:
        text = _("Your request is withdrawn.")
    elif membership.joined_at is None:
        text = _("Declined: %(person)s does not join.")
    elif membership.person == by:
        text = _("You have left %(organisation)s.")
    else:
        text = _("%(person)s is no longer a member.")
    return text % {"person": membership.person, "organisation": membership.organisation}


@role_required(Role.ADMIN)
@require_POST
def confirm_organisation(request: MemberRequest, pk: int) -> HttpResponse:
    found = _get(pk)
    actions.confirm(organisation=found, by=request.user)
    messages.success(request, _("Confirmed: it can publish its submissions."))
    return redirect(found)


@role_required(Role.ADMIN)
@require_POST
def rename_organisation(request: MemberRequest, pk: int) -> HttpResponse:
    found = _get(pk)
    form = OrganisationForm(request.POST)
    if form.is_valid():
        try:
            actions.rename(organisation=found, name=form.cleaned_data["name"], by=request.user)
            messages.success(request, _("Renamed."))
            return redirect(found)
        except actions.CannotChange as refused:
            form.add_error("name", str(refused))
    return _show(request, found, renaming=form)


@role_required(Role.ADMIN)
@require_POST
def merge_organisation(request: MemberRequest, pk: int) -> HttpResponse:
    found = _get(pk)
    form = MergeForm(found, request.POST)
    if form.is_valid():
        into = form.cleaned_data["into"]
        try:
            actions.merge(organisation=found, into=into, by=request.user)
            messages.success(request, _("Merged: its models and members are here now."))
            return redirect(into)
        except actions.CannotChange as refused:
            form.add_error("into", str(refused))
    return _show(request, found, merging=form)
