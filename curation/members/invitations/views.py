"""Invite people, look after their invitations, and the page that an invitation's link opens."""

from django.conf import settings
from django.contrib import messages
from django.contrib.auth import login
from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST

from curation.members.invitations import actions, tasks
from curation.members.invitations.addresses import read_addresses
from curation.members.invitations.forms import InviteForm, JoinForm, SharedLinkForm
from curation.members.invitations.lists import show_invitations
from curation.members.invitations.models import Invitation
from curation.members.invitations.permissions import is_invited
from curation.members.models import PersonChange, Request
from curation.problems.benchmarks.models import Benchmark
from curation.problems.benchmarks.places import JOINING
from curation.texts.workflow import NotAllowedNow
from phybench.news.jobs.actions import lead_to
from phybench.people.forms import form_says_why_not
from phybench.people.http import MemberRequest, read_number, role_required, saying_why_not
from phybench.people.models import Role, User
from phybench.work import budgets

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
        return lead_to(request, tasks.ask_to_invite(by=request.user, benchmark=slug, **given))
    found = actions.leave_out_known(read_addresses(given["addresses"]))
    if not found.refused and 0 < len(found.entries) <= A_FEW:
        given.pop("addresses")
        actions.invite(entries=found.entries, by=request.user, benchmark=benchmark, **given)
        text = ngettext(
            "%(count)d person is invited by e-mail. You can also copy the link below.",
            "%(count)d people are invited by e-mail. You can also copy the links below.",
            len(found.entries),
        )
        messages.success(request, text % {"count": len(found.entries)})
        return _list_again()
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


def _list_again() -> HttpResponse:
    return redirect(reverse("curation:members") + "?show=invitations")


def _find(request: MemberRequest) -> Invitation:
    """Find the invitation that a button is of."""
    return get_object_or_404(Invitation, pk=read_number(request, "number"))


@role_required(Role.ADMIN)
@require_POST
def send_again(request: MemberRequest) -> HttpResponse:
    """Send one once more; all that could not be sent, where none is named."""
    chosen = Invitation.objects.filter(failed_at__isnull=False)
    if "number" in request.POST:
        chosen = Invitation.objects.filter(pk=_find(request).pk)
    if count := actions.send_again(invitations=chosen, by=request.user, days=AGAIN_DAYS):
        messages.success(request, actions.say_sent(count))
    else:
        text = _(
            "Nothing was sent: the invitation was accepted or withdrawn, or was sent less than "
            "an hour ago."
        )
        messages.info(request, text)
    return _list_again()


@role_required(Role.ADMIN)
@require_POST
def withdraw(request: MemberRequest) -> HttpResponse:
    invited = _find(request)
    with saying_why_not(request, NotAllowedNow):
        actions.withdraw(invitation=invited, by=request.user)
        messages.success(request, _("Withdrawn: no one else can join by this link."))
    return _list_again()


@role_required(Role.ADMIN)
@require_POST
def make_link(request: MemberRequest) -> HttpResponse:
    """Make a link for several; the list of invitations shows it."""
    # PostgreSQL takes no NUL.
    slug = request.POST.get("benchmark", "").replace("\0", "")
    benchmark = get_object_or_404(Benchmark, slug=slug)
    form = SharedLinkForm(request.POST)
    if not form.is_valid():
        return show_invitations(request, form, status=400)
    with saying_why_not(request, NotAllowedNow):
        actions.make_link(by=request.user, benchmark=benchmark, **form.cleaned_data)
        messages.success(request, _("The link is made. Copy it, and give it to whom you like."))
    return _list_again()


@login_not_required
@sensitive_post_parameters("password1")
@never_cache
@require_http_methods(["GET", "POST"])
def invitation(request: HttpRequest, secret: str) -> HttpResponse:
    """Let somebody join who has a link, or say why it does not do that any more."""
    opened = actions.read_link(secret)
    if opened is None:
        why = _(
            "This is not the link of an invitation. It may have been cut off: copy all of it from "
            "where you have it."
        )
        return _refuse(request, why, status=404)
    if why := actions.find_obstacle(opened):
        return _refuse(request, why, status=410)
    if isinstance(request.user, User):
        return _accept(request, opened, request.user)
    return _sign_up(request, opened) if opened.email else _send_to_sign_up(request, opened)


def _refuse(request: HttpRequest, why: str, *, status: int) -> HttpResponse:
    return render(request, "curation/invitation_refused.html", {"why": why}, status=status)


def _show(request: HttpRequest, opened: Invitation, form: JoinForm | None = None) -> HttpResponse:
    context = {"invitation": opened, "form": form}
    status = 400 if form and form.errors else 200
    return render(request, "curation/invitation.html", context, status=status)


def _welcome(
    request: HttpRequest, opened: Invitation, change: User | PersonChange | Request | None
) -> HttpResponse:
    """Lead who joined to the benchmark that they were invited to."""
    if isinstance(change, Request):
        said = _("An admin confirms that you review here. You will get an e-mail.")
    elif change is None:
        said = _("You have these roles already.")
    else:
        said = _("Welcome. Your roles: %(roles)s.") % {"roles": opened.say_roles()}
    messages.success(request, said)
    if opened.benchmark:
        return redirect("curation:overview", opened.benchmark.slug)
    return redirect("home")


def _accept(request: HttpRequest, opened: Invitation, person: User) -> HttpResponse:
    """Ask somebody who is signed in whether they accept."""
    if not is_invited(person, opened):
        why = _(
            "This invitation was sent to another address than yours. If that address is yours too, "
            "add it to your account and open the link again. If somebody forwarded the e-mail to "
            "you, ask an admin to invite you."
        )
        return _refuse(request, why, status=403)
    if request.method == "POST":
        with saying_why_not(request, NotAllowedNow):
            return _welcome(request, opened, actions.accept(invitation=opened, person=person))
        return redirect("home")
    page = _show(request, opened)
    page.delete_cookie(JOINING)
    return page


def _sign_up(request: HttpRequest, opened: Invitation) -> HttpResponse:
    """Have somebody make an account, at the address that the invitation is for."""
    form = JoinForm(request.POST if request.method == "POST" else None)
    if form.is_valid():
        with form_says_why_not(form, NotAllowedNow):
            person = actions.sign_up(
                invitation=opened,
                display_name=form.cleaned_data["display_name"],
                password=form.cleaned_data["password1"],
            )
            login(request, person, backend=settings.AUTHENTICATION_BACKENDS[0])
            return _welcome(request, opened, person)
    return _show(request, opened, form)


def _send_to_sign_up(request: HttpRequest, opened: Invitation) -> HttpResponse:
    """Have a visitor make an account, at an address that they confirm, before they join."""
    page = _show(request, opened)
    # Who signs up confirms the address first, in whatever window: this leads back to here.
    page.set_cookie(JOINING, request.path, max_age=A_DAY, httponly=True, samesite="Lax")
    return page
