"""Invite people, look after their invitations, and the page that an invitation's link opens."""

from typing import Any, TypeVar

from django.conf import settings
from django.contrib import messages
from django.contrib.auth import login
from django.contrib.auth.decorators import login_not_required
from django.db.models import Model, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST

from curation.members.invitations import actions, inviting
from curation.members.invitations.addresses import read_addresses
from curation.members.invitations.forms import InviteForm, JoinForm, JoinLinkForm
from curation.members.invitations.lists import show_invitations
from curation.members.invitations.models import Invitation, JoinLink
from curation.members.invitations.permissions import is_invited
from curation.members.models import Request
from curation.problems.benchmarks.models import Benchmark
from curation.problems.benchmarks.places import JOINING
from curation.texts.workflow import NotAllowedNow
from phybench.news.jobs.actions import lead_to
from phybench.people.http import MemberRequest, role_required, saying_why_not
from phybench.people.models import Role, User
from phybench.work import budgets

Row = TypeVar("Row", bound=Model)

AGAIN_DAYS = 14
"""For how long an invitation works that is sent once more."""
MOST_SHOWN = 200
"""Addresses, and lines that were not taken, that the page names."""
A_FEW = 10
"""Addresses that are seen at a glance: they are invited without being shown again."""
A_DAY = 24 * 60 * 60


@role_required(Role.ADMIN)
@require_http_methods(["GET", "POST"])
def invite(request: MemberRequest, slug: str) -> HttpResponse:
    """
    Take addresses, and invite a few at once; of many show first what would be sent to whom.

    A few that can't all be invited are shown too.
    """
    benchmark = get_object_or_404(Benchmark, slug=slug)
    form = InviteForm(request.POST if request.method == "POST" else None)
    if not form.is_valid():
        status = 400 if form.errors else 200
        return render(request, "curation/invite.html", {"form": form}, status=status)
    given = form.cleaned_data
    if request.POST.get("step") == "send":
        # Each is a row with its indexes, which changes when its e-mail is sent.
        size = given["addresses"].count("@") * 2 * budgets.A_ROW
        budgets.begin_work(budgets.name_person(request.user.pk), size=size)
        return lead_to(request, inviting.ask_to_invite(by=request.user, benchmark=slug, **given))
    found = actions.leave_out_known(read_addresses(given["addresses"]))
    if not found.refused and 0 < len(found.entries) <= A_FEW:
        given.pop("addresses")
        actions.invite(
            entries=found.entries,
            by=request.user,
            benchmark=benchmark,
            **given,
        )
        text = ngettext(
            "%(count)d person is invited by e-mail. You can also copy the link below.",
            "%(count)d people are invited by e-mail. You can also copy the links below.",
            len(found.entries),
        )
        messages.success(request, text % {"count": len(found.entries)})
        return redirect("curation:invitations", slug)
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
def send_again(request: MemberRequest, slug: str) -> HttpResponse:
    found = _find(request, Invitation.objects.all())
    return _send_again(request, slug, Invitation.objects.filter(pk=found.pk))


@role_required(Role.ADMIN)
@require_POST
def send_failed_again(request: MemberRequest, slug: str) -> HttpResponse:
    """Send all that could not be sent, once more."""
    return _send_again(request, slug, Invitation.objects.failed())


def _find(request: MemberRequest, rows: QuerySet[Row]) -> Row:
    """Find the invitation or link that a button is of."""
    number = request.POST.get("number", "")
    return get_object_or_404(rows, pk=number if number.isdecimal() and len(number) < 19 else 0)


def _send_again(request: MemberRequest, slug: str, chosen: Any) -> HttpResponse:
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
    return redirect("curation:invitations", slug)


@role_required(Role.ADMIN)
@require_POST
def withdraw(request: MemberRequest, slug: str) -> HttpResponse:
    found = _find(request, Invitation.objects.all())
    with saying_why_not(request, NotAllowedNow):
        actions.withdraw(invitation=found, by=request.user)
        text = _("Withdrawn: the link sent to %(email)s no longer works.")
        messages.success(request, text % {"email": found.email})
    return redirect("curation:invitations", slug)


@role_required(Role.ADMIN)
@require_POST
def make_join_link(request: MemberRequest, slug: str) -> HttpResponse:
    """Make a link for several; the list of invitations shows it."""
    benchmark = get_object_or_404(Benchmark, slug=slug)
    form = JoinLinkForm(request.POST)
    if not form.is_valid():
        return show_invitations(request, slug, form, status=400)
    given = form.cleaned_data
    with saying_why_not(request, NotAllowedNow):
        actions.make_join_link(
            role=given["role"],
            most=given["most"],
            days=given["link_days"],
            by=request.user,
            benchmark=benchmark,
        )
        messages.success(request, _("The link is made. Copy it, and give it to whom you like."))
    return redirect("curation:invitations", slug)


@role_required(Role.ADMIN)
@require_POST
def withdraw_join_link(request: MemberRequest, slug: str) -> HttpResponse:
    actions.withdraw_join_link(link=_find(request, JoinLink.objects.all()), by=request.user)
    messages.success(request, _("Withdrawn: no one else can join by this link."))
    return redirect("curation:invitations", slug)


@login_not_required
@sensitive_post_parameters("password1")
@never_cache
@require_http_methods(["GET", "POST"])
def invitation(request: HttpRequest, secret: str) -> HttpResponse:
    """Let somebody join who has a link, or say why it does not do that any more."""
    found = actions.read_link(secret)
    if found is None:
        why = _(
            "This is not the link of an invitation. It may have been cut off: copy all of it from "
            "where you have it."
        )
        return _refuse(request, why, status=404)
    if why := actions.find_obstacle(found):
        return _refuse(request, why, status=410)
    person = request.user if isinstance(request.user, User) else None
    if isinstance(found, JoinLink):
        return _join_by_link(request, found, person)
    return _accept(request, found, person) if person else _join(request, found)


def _refuse(request: HttpRequest, why: str, *, status: int) -> HttpResponse:
    return render(request, "curation/invitation_refused.html", {"why": why}, status=status)


def _welcome(request: HttpRequest, found: Invitation | JoinLink, said: str) -> HttpResponse:
    """Lead who joined to the benchmark that they were invited to."""
    messages.success(request, said)
    if found.benchmark:
        return redirect("curation:overview", found.benchmark.slug)
    return redirect("home")


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
        said = _say_roles(found.say_roles()) if change else _("You have these roles already.")
        return _welcome(request, found, said)
    return render(request, "curation/invitation.html", {"invitation": found})


def _join(request: HttpRequest, found: Invitation) -> HttpResponse:
    """Have somebody make an account, at the address that the invitation is for."""
    form = JoinForm(request.POST if request.method == "POST" else None)
    if form.is_valid():
        try:
            person = actions.sign_up(invitation=found, newcomer=form.read())
        except actions.Gone as refusal:
            return _refuse(request, str(refusal), status=410)
        except NotAllowedNow as refusal:
            form.add_error(None, str(refusal))
        else:
            login(request, person, backend=settings.AUTHENTICATION_BACKENDS[0])
            return _welcome(request, found, _say_roles(found.say_roles()))
    context = {"invitation": found, "form": form}
    status = 400 if form.errors else 200
    return render(request, "curation/invitation.html", context, status=status)


def _join_by_link(request: HttpRequest, link: JoinLink, person: User | None) -> HttpResponse:
    """Ask whoever has a link for several whether they join; a visitor signs up for it first."""
    context = {"link": link, "waits": link.role == Role.REVIEWER}
    if person is None:
        shown = render(request, "curation/join_link.html", context)
        # Who signs up confirms an address first, in whatever window: this leads back to here.
        shown.set_cookie(JOINING, request.path, max_age=A_DAY, httponly=True, samesite="Lax")
        return shown
    if request.method != "POST":
        shown = render(request, "curation/join_link.html", context)
        shown.delete_cookie(JOINING)
        return shown
    try:
        made = actions.join_by_link(link=link, person=person)
    except actions.Gone as refusal:
        return _refuse(request, str(refusal), status=410)
    except NotAllowedNow as refusal:
        messages.error(request, str(refusal))
        return redirect("home")
    if isinstance(made, Request):
        said = _("An admin confirms that you review here. You will get an e-mail.")
    else:
        said = (
            _say_roles(str(link.get_role_display())) if made else _("You have this role already.")
        )
    return _welcome(request, link, said)


def _say_roles(roles: str) -> str:
    return _("Welcome. Your roles: %(roles)s.") % {"roles": roles}
