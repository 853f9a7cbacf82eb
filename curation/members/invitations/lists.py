"""All invitations: who was invited, who has come, and which e-mails could not be sent."""

from typing import Any

from django.core.paginator import Page
from django.db.models import Count, Q
from django.http import HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from curation.members.invitations.actions import write_link
from curation.members.invitations.forms import SharedLinkForm
from curation.members.invitations.models import Invitation
from phybench.pages.listing import Column, Listing, ListPage, Tab, by, most_by
from phybench.people.http import MemberRequest, role_required
from phybench.people.models import Role


def say_state(one: Invitation) -> str:
    """Say in one word what became of an invitation, as its file does."""
    if one.accepted_at:
        return "accepted"
    if one.withdrawn_at:
        return "withdrawn"
    if one.is_expired:
        return "expired"
    if one.failed_at:
        return "not sent"
    return "sent" if one.sent_at else "waiting to be sent"


def _day(at: Any) -> str:
    return at.isoformat() if at else ""


COLUMNS: list[Column[Invitation]] = [
    Column("email", _("E-mail address"), by("email"), lambda one: one.email),
    Column("name", value=lambda one: one.name),
    Column("roles", _("Roles"), value=lambda one: " ".join(one.roles)),
    Column("state", _("Status"), value=say_state),
    Column("invited", _("Invited"), most_by("invited_at"), lambda one: _day(one.invited_at)),
    Column("by", value=lambda one: str(one.invited_by)),
    Column("expires", _("Expires"), by("expires_at"), lambda one: _day(one.expires_at)),
    Column("sent", value=lambda one: _day(one.sent_at)),
    Column("accepted", _("Joined"), most_by("accepted_at"), lambda one: _day(one.accepted_at)),
    Column("person", value=lambda one: one.accepted_by and str(one.accepted_by)),
    Column("withdrawn", value=lambda one: _day(one.withdrawn_at)),
    Column("failure", value=lambda one: one.failure),
]


def _list_states() -> dict[str, tuple[Any, Q]]:
    """What each tab is called, and asks for; one that failed is open or expired besides."""
    now = timezone.now()
    stands = Q(accepted_at=None, withdrawn_at=None)
    return {
        "": (_("all"), Q()),
        "open": (_("waiting for an answer"), stands & Q(expires_at__gt=now)),
        "accepted": (_("joined"), Q(accepted_at__isnull=False)),
        "expired": (_("expired"), stands & Q(expires_at__lte=now)),
        "failed": (_("not sent"), stands & Q(failed_at__isnull=False)),
        "withdrawn": (pgettext_lazy("invitation", "withdrawn"), Q(withdrawn_at__isnull=False)),
    }


def _list(request: MemberRequest, form: SharedLinkForm | None = None) -> Listing[Invitation]:
    states = _list_states()
    state = request.GET.get("state", "")
    state = state if state in states else ""
    every = Invitation.objects.addressed()
    counts = every.aggregate(
        **{key or "all": Count("pk", filter=asked) for key, (_label, asked) in states.items()}
    )
    named = [
        (key, gettext("%(label)s (%(count)d)") % {"label": label, "count": counts[key or "all"]})
        for key, (label, _asked) in states.items()
        if key in ("", state) or counts[key]
    ]

    def describe(page: Page[Invitation]) -> dict[str, Any]:
        return {
            "counts": counts,
            "form": form or SharedLinkForm(),
            "rows": [
                (one, "" if one.accepted_at or one.withdrawn_at else write_link(one))
                for one in page
            ],
            "links": [(one, write_link(one)) for one in Invitation.objects.open().shared()],
        }

    return Listing(
        request,
        every.filter(states[state][1]).select_related("invited_by", "accepted_by"),
        COLUMNS,
        default="-invited",
        tabs=[Tab(f"{SHOWN}&state={key}", label, key == state) for key, label in named],
        keeps={"show": "invitations", **({"state": state} if state else {})},
        more=describe,
    )


SHOWN = "?show=invitations"
TEMPLATE = "curation/invitations.html"
invitations = role_required(Role.ADMIN)(ListPage(_list, TEMPLATE, file="invitations"))


def show_invitations(request: MemberRequest, form: SharedLinkForm, *, status: int) -> HttpResponse:
    """Show the list with what is wrong in the form below it."""
    return render(request, TEMPLATE, _list(request, form).describe(), status=status)
