"""Contested grades: those of somebody’s own side, and those to rule on, each with a file."""

from collections.abc import Iterable

from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_GET

from curation.problems.exposures import ledger
from curation.problems.exposures.ledger import Reason
from grading.disputes.contests.actions import mark_read
from grading.disputes.contests.filters import ContestFilter, WaitingContestFilter
from grading.disputes.contests.models import Contest, ContestQuerySet
from grading.disputes.contests.outcomes import name_ruler, say_state, tell_why
from grading.disputes.contests.permissions import (
    list_contests,
    list_own_contests,
    list_rulable_contests,
    rules_contests,
)
from phybench.pages.listing import Column, Listing, Tab, by
from phybench.people.http import MemberRequest, role_required
from phybench.people.models import Role, User

A_PAGE = 50
TO_BE_RULED_ON = "to-rule"
TABS = {
    "": gettext_lazy("Awaiting a ruling"),
    "ruled": gettext_lazy("Ruled on"),
    "all": gettext_lazy("All"),
}


def _make_tabs(user: User, current: str) -> list[Tab]:
    """Make the tabs of both lists; the last is for who may rule at all."""
    own = reverse("grading:contests")
    tabs = [
        Tab(f"{own}?show={name}" if name else own, label, name == current)
        for name, label in TABS.items()
    ]
    if rules_contests(user):
        waiting = list_rulable_contests(user).open().count()
        label = _("For you to rule on (%(count)d)") % {"count": waiting}
        is_current = current == TO_BE_RULED_ON
        tabs.append(Tab(reverse("grading:contests_to_rule"), label, is_current))
    return tabs


# --- Those of one's own ---------------------------------------------------------------------

COLUMNS: list[Column[Contest]] = [
    Column("contest", value=lambda one: one.pk),
    Column("problem", gettext_lazy("Answer to"), by("attempt__revision__problem_id")),
    Column("id", value=lambda one: one.attempt.revision.problem.identifier),
    Column("attempt", value=lambda one: one.attempt_id),
    Column("sample", value=lambda one: one.attempt.sample),
    Column(
        "solver",
        gettext_lazy("By"),
        by("attempt__solver__name"),
        lambda one: one.attempt.solver.name,
    ),
    Column("organisation", value=lambda one: one.organisation and one.organisation.name),
    Column(
        "reason", gettext_lazy("Contested because"), by("reason"), lambda one: one.reason
    ),
    Column("text", value=lambda one: one.text),
    Column("contested", gettext_lazy("Contested"), by("contested_at")),
    Column("contested_at", value=lambda one: one.contested_at.isoformat()),
    Column("ruling", gettext_lazy("Ruling"), by("fault"), lambda one: one.fault),
    Column("said", value=say_state),
    Column("why", value=tell_why),
    Column("ruled", gettext_lazy("Ruled on"), by("ruled_at")),
    Column("ruled_at", value=lambda one: one.ruled_at and one.ruled_at.isoformat()),
    Column(
        "taken_back_at", value=lambda one: one.taken_back_at and one.taken_back_at.isoformat()
    ),
]  # fmt: skip


def _list(request: MemberRequest) -> tuple[str, Listing[Contest]]:
    asked = request.GET.get("show", "")
    show = asked if asked in TABS else ""
    found = list_contests(request.user).select_related(
        "attempt__revision__problem",
        "attempt__solver__organisation",
        "organisation",
        "override",
        "ruled_by",
    )
    filters = ContestFilter(request.GET, _narrow(found, show))
    listing: Listing[Contest] = Listing(
        request,
        filters.qs,
        COLUMNS,
        default="-ruled" if show == "ruled" else "-contested",
        filters=filters,
        tabs=_make_tabs(request.user, show),
        hides=() if show else ("ruling", "ruled"),
        keeps={"show": show} if show else {},
        a_page=A_PAGE,
    )
    return show, listing


def _narrow(found: ContestQuerySet, show: str) -> ContestQuerySet:
    if show == "ruled":
        return found.ruled()
    return found if show == "all" else found.open()


@role_required(Role.EVALUATOR, Role.PARTICIPANT)
@require_GET
def contests(request: MemberRequest) -> HttpResponse:
    show, listing = _list(request)
    described = listing.describe()
    shown = list(described["page"].object_list)
    if show == "ruled":
        mark_read(shown, request.user)
    context = {
        **described,
        "show": show,
        "rows": [(one, say_state(one), name_ruler(one.ruled_by, request.user)) for one in shown],
        "untold": list_own_contests(request.user).untold().count(),
    }
    _record(request, shown)
    return render(request, "grading/contests.html", context)


@role_required(Role.EVALUATOR, Role.PARTICIPANT)
@require_GET
def contests_csv(request: MemberRequest) -> HttpResponse:
    _show, listing = _list(request)
    _record(request, listing.rows)
    return listing.write("contested-grades")


def _record(request: MemberRequest, contests: Iterable[Contest]) -> None:
    """Write down that somebody is told how answers were graded: that is what they contest."""
    told = (one.attempt.revision_id for one in contests)
    ledger.write_verdicts(request.user, Reason.GRADE, told)


# --- Those to rule on: nothing tells whose they are -----------------------------------------

TO_RULE: list[Column[Contest]] = [
    Column("contest", value=lambda one: one.pk),
    Column("problem", gettext_lazy("Answer to"), by("attempt__revision__problem_id")),
    Column("id", value=lambda one: one.attempt.revision.problem.identifier),
    Column(
        "domain",
        gettext_lazy("Domain"),
        by("attempt__revision__problem__domain"),
        lambda one: one.attempt.revision.problem.domain,
    ),
    Column("reason", gettext_lazy("Contested because"), by("reason"), lambda one: one.reason),
    Column("since", gettext_lazy("Waiting since"), by("contested_at")),
    Column("contested_at", value=lambda one: one.contested_at.isoformat()),
]


def _list_to_rule(request: MemberRequest) -> Listing[Contest]:
    waiting = list_rulable_contests(request.user).open()
    filters = WaitingContestFilter(
        request.GET, waiting.select_related("attempt__revision__problem")
    )
    return Listing(
        request,
        filters.qs,
        TO_RULE,
        default="since",
        filters=filters,
        tabs=_make_tabs(request.user, TO_BE_RULED_ON),
        a_page=A_PAGE,
    )


@role_required(Role.EVALUATOR)
@require_GET
def contests_to_rule(request: MemberRequest) -> HttpResponse:
    context = _list_to_rule(request).describe()
    return render(request, "grading/contests_to_rule.html", context)


@role_required(Role.EVALUATOR)
@require_GET
def contests_to_rule_csv(request: MemberRequest) -> HttpResponse:
    return _list_to_rule(request).write("contested-grades-to-rule-on")
