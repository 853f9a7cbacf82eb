"""All invitations: who was invited, who has come, and which e-mails could not be sent."""

from typing import Any

from django.core.paginator import Page
from django.db.models import Count, Q
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext

from curation.members.invitations.actions import write_link
from curation.members.invitations.forms import JoinLinkForm
from curation.members.invitations.models import Invitation, JoinLink
from curation.problems.benchmarks.models import Benchmark
from phybench.pages.listing import Column, Listing, ListPage, by, make_tabs
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
    Column("email", gettext_lazy("E-mail address"), by("email"), lambda one: one.email),
    Column("name", value=lambda one: one.name),
    Column("roles", gettext_lazy("Roles"), value=lambda one: " ".join(one.roles)),
    Column("state", gettext_lazy("Status"), value=say_state),
    Column(
        "invited",
        gettext_lazy("Invited"),
        by("invited_at", begins_descending=True),
        lambda one: _day(one.invited_at),
    ),
    Column("by", value=lambda one: str(one.invited_by)),
    Column("expires", gettext_lazy("Expires"), by("expires_at"), lambda one: _day(one.expires_at)),
    Column("sent", value=lambda one: _day(one.sent_at)),
    Column(
        "accepted",
        gettext_lazy("Joined"),
        by("accepted_at", begins_descending=True),
        lambda one: _day(one.accepted_at),
    ),
    Column("person", value=lambda one: one.accepted_by and str(one.accepted_by)),
    Column("withdrawn", value=lambda one: _day(one.withdrawn_at)),
    Column("failure", value=lambda one: one.failure),
]


def _list_states() -> dict[str, Q]:
    """What to ask for the invitations of each tab; one that failed is open or expired besides."""
    now = timezone.now()
    stands = Q(accepted_at=None, withdrawn_at=None)
    return {
        "open": stands & Q(expires_at__gt=now),
        "accepted": Q(accepted_at__isnull=False),
        "expired": stands & Q(expires_at__lte=now),
        "failed": stands & Q(failed_at__isnull=False),
        "withdrawn": Q(withdrawn_at__isnull=False),
    }


def count_states() -> dict[str, int]:
    counted = {state: Count("pk", filter=asked) for state, asked in _list_states().items()}
    return Invitation.objects.aggregate(all=Count("pk"), **counted)


def _list(
    request: MemberRequest, slug: str, form: JoinLinkForm | None = None
) -> Listing[Invitation]:
    get_object_or_404(Benchmark, slug=slug)
    states = _list_states()
    state = request.GET.get("state", "")
    state = state if state in states else ""
    counts = count_states()
    labels = {
        "": _("all"),
        "open": _("waiting for an answer"),
        "accepted": _("joined"),
        "expired": _("expired"),
        "failed": _("not sent"),
        "withdrawn": pgettext("invitation", "withdrawn"),
    }
    named = [
        (key, _("%(label)s (%(count)d)") % {"label": text, "count": counts[key or "all"]})
        for key, text in labels.items()
    ]
    found = Invitation.objects.select_related("invited_by", "accepted_by")

    def describe(page: Page[Invitation]) -> dict[str, Any]:
        links = JoinLink.objects.open().select_related("made_by")
        return {
            "counts": counts,
            "form": form or JoinLinkForm(),
            "rows": [
                (one, "" if one.accepted_at or one.withdrawn_at else write_link(one))
                for one in page
            ],
            "links": [(one, write_link(one)) for one in links],
        }

    return Listing(
        request,
        found.filter(states[state]) if state else found,
        COLUMNS,
        default="-invited",
        tabs=make_tabs(named, state, "state"),
        keeps={"state": state} if state else {},
        more=describe,
    )


TEMPLATE = "curation/invitations.html"
invitations = role_required(Role.ADMIN)(ListPage(_list, TEMPLATE, file="invitations"))


def show_invitations(
    request: MemberRequest, slug: str, form: JoinLinkForm, *, status: int
) -> HttpResponse:
    """Show the list with what is wrong in the form below it."""
    return render(request, TEMPLATE, _list(request, slug, form).describe(), status=status)
