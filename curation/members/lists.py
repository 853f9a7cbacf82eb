"""All members, what they ask for, and what was changed about them: tables and files, for admins."""

from typing import Any

from django.db.models import Count, Exists, OuterRef, Prefetch, Q
from django.http import HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_GET

from curation.members.actions import list_unconfirmed
from curation.members.forms import GiveRoleForm, PersonFilter
from curation.members.invitations.models import Invitation
from curation.members.models import PersonChange, Request
from curation.reviewing.assignments.loads import LATELY
from phybench.pages.listing import Column, Listing, ListPage, Tab, by, most_by
from phybench.people.http import MemberRequest, role_required
from phybench.people.models import Role, User

FEW_INVITED = 10
"""Invitations that the page of members names."""
COLUMNS: list[Column[Any]] = [
    Column("name", _("Person"), by("display_name"), lambda one: one.display_name),
    Column("email", value=lambda one: one.email),
    Column("roles", _("Roles"), value=lambda one: " ".join(one.roles)),
    Column("waits", _("Waits for an admin"), most_by("asks", "is_unconfirmed"),
        lambda one: one.asks or one.is_unconfirmed),
    Column("institution", _("Institution"), by("institution"), lambda one: one.institution),
    Column("open_reviews", _("Open reviews"), most_by("held"), lambda one: one.held, True),
    Column("overdue", _("Overdue"), most_by("late"), lambda one: one.late, True),
    Column("declined_in_90_days", value=lambda one: one.declined),
    Column("last_seen", _("Last seen"), most_by("last_seen_on"),
        lambda one: one.last_seen_on and one.last_seen_on.isoformat()),
    Column("joined", _("Since"), most_by("joined_at"), lambda one: one.joined_at.isoformat()),
    Column("may_sign_in", value=lambda one: one.is_active),
]  # fmt: skip


def _list(request: MemberRequest) -> Listing[Any]:
    now = timezone.now()
    is_open = Q(assignments__state="OPEN")
    declined = Q(assignments__state="DECLINED", assignments__ended_at__gte=now - LATELY)
    asked = Request.objects.waiting().select_related("benchmark", "credit__problem")
    invited = Invitation.objects.addressed().open()
    people = User.objects.prefetch_related(Prefetch("requests", asked, to_attr="waiting")).annotate(
        asks=Exists(Request.objects.waiting().filter(person=OuterRef("pk"))),
        is_unconfirmed=Exists(list_unconfirmed().filter(user=OuterRef("pk"))),
        held=Count("assignments", filter=is_open),
        late=Count("assignments", filter=is_open & Q(assignments__due_at__lt=now)),
        declined=Count("assignments", filter=declined),
    )
    filters = PersonFilter(request.GET, people, request=request)
    return Listing(
        request,
        filters.qs,
        COLUMNS,
        default="-joined",
        filters=filters,
        more=lambda _page: {
            "waiting": Request.objects.waiting().count(),
            "giving": GiveRoleForm(),
            "invited": invited[:FEW_INVITED],
            "more_invited": max(0, invited.count() - FEW_INVITED),
        },
    )


members = role_required(Role.ADMIN)(ListPage(_list, "curation/members.html", file="people"))


@role_required(Role.ADMIN)
@require_GET
def requests(request: MemberRequest) -> HttpResponse:
    """List what people ask for: those that wait, or all there ever were."""
    found = Request.objects.select_related("person", "decided_by", "credit__problem", "benchmark")
    is_all = "all" in request.GET
    tabs = [
        Tab("?show=requests", gettext("waiting"), not is_all),
        Tab("?show=requests&all=1", gettext("all"), is_all),
    ]
    rows = found.order_by("-pk") if is_all else found.waiting()
    listing: Listing[Request] = Listing(request, rows, tabs=tabs)
    return render(request, "curation/requests.html", listing.describe())


CHANGE_COLUMNS: list[Column[PersonChange]] = [
    Column("at", _("When"), by("at"), lambda one: one.at.isoformat()),
    Column("person", _("Person"), by("person__display_name"), lambda one: str(one.person)),
    Column("kind", _("What"), by("kind"), lambda one: one.kind),
    Column("before", value=lambda one: " ".join(one.before)),
    Column("after", value=lambda one: " ".join(one.after)),
    Column("how", _("How"), by("how"), lambda one: one.how),
    Column("by", _("By"), by("by__display_name"), lambda one: str(one.by)),
    Column("reason", _("Reason"), value=lambda one: one.reason),
]


def _list_changes(request: MemberRequest) -> Listing[PersonChange]:
    found = PersonChange.objects.select_related("person", "by")
    keeps = {"show": "changes"}
    return Listing(request, found, CHANGE_COLUMNS, default="-at", keeps=keeps)


person_changes = role_required(Role.ADMIN)(
    ListPage(_list_changes, "curation/person_changes.html", file="changes-of-people")
)
