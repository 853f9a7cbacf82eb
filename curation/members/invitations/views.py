"""Invite people, look after their invitations, and the page that an invitation's link opens."""

from typing import Any

from allauth.core.ratelimit import consume
from django.conf import settings
from django.contrib import messages
from django.contrib.auth import login
from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST

from curation.members.invitations import actions, inviting
from curation.members.invitations.addresses import read_addresses
from curation.members.invitations.forms import InviteForm, JoinForm
from curation.members.invitations.models import Invitation
from curation.members.invitations.permissions import is_invited
from curation.texts.workflow import NotAllowedNow
from phybench.news.jobs.actions import lead_to
from phybench.people.http import MemberRequest, role_required
from phybench.people.models import Role, User
from phybench.work import budgets

AGAIN_DAYS = 14
"""For how long an invitation works that is sent once more."""
MOST_SHOWN = 200
"""Addresses, and lines that were not taken, that the page names."""


@role_required(Role.ADMIN)
@require_http_methods(["GET", "POST"])
def invite(request: MemberRequest) -> HttpResponse:
    """Take addresses, show what would be sent to whom, and send it once that is confirmed."""
    form = InviteForm(request.POST if request.method == "POST" else None)
    if not form.is_valid():
        status = 400 if form.errors else 200
        return render(request, "curation/invite.html", {"form": form}, status=status)
    given = form.cleaned_data
    if request.POST.get("step") == "send":
        # Each is a row with its indexes, which changes when its e-mail is sent.
        size = given["addresses"].count("@") * 2 * budgets.A_ROW
        budgets.begin_work(budgets.name_person(request.user.pk), size=size)
        return lead_to(request, inviting.ask_to_invite(by=request.user, **given))
    found = actions.leave_out_known(read_addresses(given["addresses"]))
    context = {
        "form": form,
        "found": found,
        "entries": found.entries[:MOST_SHOWN],
        "refused": found.refused[:MOST_SHOWN],
        "more_refused": max(0, len(found.refused) - MOST_SHOWN),
        "more": max(0, len(found.entries) - MOST_SHOWN),
        "roles": _(", ").join(str(Role(one).label) for one in given["roles"]),
    }
    return render(request, "curation/invite.html", context)


@role_required(Role.ADMIN)
@require_POST
def send_again(request: MemberRequest, pk: int) -> HttpResponse:
    get_object_or_404(Invitation, pk=pk)
    return _send_again(request, Invitation.objects.filter(pk=pk))


@role_required(Role.ADMIN)
@require_POST
def send_failed_again(request: MemberRequest) -> HttpResponse:
    """Send all that could not be sent, once more."""
    return _send_again(request, Invitation.objects.failed())


def _send_again(request: MemberRequest, chosen: Any) -> HttpResponse:
    count = actions.send_again(invitations=chosen, by=request.user, days=AGAIN_DAYS)
    if count:
        text = ngettext(
            "%(count)d invitation is on its way.", "%(count)d invitations are on their way.", count
        )
        messages.success(request, text % {"count": count})
    else:
        messages.info(
            request,
            _(
                "Nothing was sent: the invitation was accepted or withdrawn, or was sent less than "
                "an hour ago."
            ),
        )
    return redirect("curation:invitations")


@role_required(Role.ADMIN)
@require_POST
def withdraw(request: MemberRequest, pk: int) -> HttpResponse:
    found = get_object_or_404(Invitation, pk=pk)
    try:
        actions.withdraw(invitation=found, by=request.user)
    except NotAllowedNow as refusal:
        messages.error(request, str(refusal))
    else:
        text = _("Withdrawn: the link sent to %(email)s no longer works.")
        messages.success(request, text % {"email": found.email})
    return redirect("curation:invitations")


@login_not_required
@sensitive_post_parameters("password1", "password2")
@never_cache
@require_http_methods(["GET", "POST"])
def invitation(request: HttpRequest, secret: str) -> HttpResponse:
    """Let somebody invited join, or say why the link does not do that any more."""
    found = actions.read_link(secret)
    if found is None:
        why = _(
            "This is not the link of an invitation. It may have been cut off: copy all of it from "
            "the e-mail."
        )
        return _refuse(request, why, status=404)
    person = request.user if isinstance(request.user, User) else None
    if why := actions.find_obstacle(found):
        return _refuse(request, why, status=410)
    return _accept(request, found, person) if person else _join(request, found)


def _refuse(request: HttpRequest, why: str, *, status: int) -> HttpResponse:
    return render(request, "curation/invitation_refused.html", {"why": why}, status=status)


def _accept(request: HttpRequest, found: Invitation, person: User) -> HttpResponse:
    """Ask somebody who is signed in whether they accept."""
    if not is_invited(person, found, actions.list_addresses(person)):
        why = _(
            "This invitation was sent to another address than yours. If that address is yours too, "
            "add it to your account and open the link again. If somebody forwarded the e-mail to "
            "you, ask an admin to invite you."
        )
        return _refuse(request, why, status=403)
    if request.method == "POST":
        try:
            change = actions.accept(invitation=found, person=person)
        except actions.Gone as refusal:
            return _refuse(request, str(refusal), status=410)
        messages.success(
            request, _say_roles(found) if change else _("You have these roles already.")
        )
        return redirect("home")
    return render(request, "curation/invitation.html", {"invitation": found})


def _join(request: HttpRequest, found: Invitation) -> HttpResponse:
    """Have somebody make an account, whose address the invitation has shown to be theirs."""
    form = JoinForm(request.POST if request.method == "POST" else None)
    status = 200
    if form.is_bound:
        status = 400
        # Else who was forwarded a link could try addresses until one fits.
        if not consume(request, action="invitation", key=str(found.pk)):
            form.add_error(None, _("That was tried too often. Wait an hour, or ask an admin."))
            status = 429
        elif form.is_valid():
            try:
                person = actions.sign_up(invitation=found, newcomer=form.read())
            except actions.Gone as refusal:
                return _refuse(request, str(refusal), status=410)
            except NotAllowedNow as refusal:
                form.add_error("email", str(refusal))
            else:
                login(request, person, backend=settings.AUTHENTICATION_BACKENDS[0])
                messages.success(request, _say_roles(found))
                return redirect("home")
    context = {"invitation": found, "form": form}
    return render(request, "curation/invitation.html", context, status=status)


def _say_roles(found: Invitation) -> str:
    return _("Welcome. Your roles: %(roles)s.") % {"roles": found.say_roles()}
