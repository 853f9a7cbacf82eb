"""The list of keys in doubt: those that wait, those that are decided, and a file."""

from collections.abc import Iterable

from django.http import HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_GET

from curation.problems.exposures import ledger
from curation.problems.exposures.ledger import Reason
from grading.disputes.keys.filters import KeyFilter
from grading.disputes.keys.models import KeyCheck
from phybench.pages.listing import Column, Listing, Tab, by
from phybench.people.http import MemberRequest, role_required
from phybench.people.models import Role

COLUMNS: list[Column[KeyCheck]] = [
    Column(
        "id",
        gettext_lazy("Problem"),
        by("revision__problem"),
        lambda one: one.revision.problem.identifier,
    ),
    Column("title", value=lambda one: one.revision.problem.title),
    Column("doubts", gettext_lazy("Why"), value=lambda one: " ".join(one.doubts)),
    Column(
        "solvers",
        gettext_lazy("Solvers"),
        by("solvers", begins_descending=True),
        lambda one: one.solvers,
        is_number=True,
    ),
    Column(
        "right",
        value=lambda one: sum(count for group, count in one.counted_groups if group["is_key"]),
    ),
    Column(
        "most_on_another",
        value=lambda one: max(
            (count for group, count in one.counted_groups if not group["is_key"]), default=0
        ),
    ),
    Column("strong", value=lambda one: one.strong),
    Column("weak", value=lambda one: one.weak),
    Column("blind_solves", value=lambda one: one.blind_solves),
    Column(
        "decision",
        gettext_lazy("Decision"),
        by("last_decision__choice", "last_decision__at"),
        lambda one: one.last_decision and (one.last_decision.choice or "LOOKED_AT"),
    ),
    Column(
        "decided",
        gettext_lazy("Decided"),
        by("last_decision__at", begins_descending=True),
        lambda one: one.last_decision and one.last_decision.at.isoformat(timespec="seconds"),
    ),
    Column("decided_by", value=lambda one: one.last_decision and str(one.last_decision.by)),
    Column("note", value=lambda one: one.last_decision and one.last_decision.note),
    Column("report", value=lambda one: one.last_decision and one.last_decision.report_id),
]


def _list_keys(request: MemberRequest, default: str) -> Listing[KeyCheck]:
    everything = KeyCheck.objects.doubted()
    lists = {
        "waiting": (_("In doubt"), KeyCheck.objects.waiting()),
        "decided": (_("Decided"), KeyCheck.objects.decided()),
        "all": (_("All"), everything),
    }
    asked = request.GET.get("show", "")
    show = asked if asked in lists else default
    tabs = [
        Tab(f"?show={name}", f"{label} {rows.count()}", name == show)
        for name, (label, rows) in lists.items()
    ]
    found = lists[show][1].select_related(
        "revision__problem__benchmark", "last_decision__by", "last_decision__report"
    )
    filters = KeyFilter(request.GET, found)
    return Listing(request, filters.qs, COLUMNS, filters=filters, tabs=tabs, keeps={"show": show})


@role_required(Role.ADMIN)
@require_GET
def keys(request: MemberRequest) -> HttpResponse:
    listing = _list_keys(request, "waiting")
    context = listing.describe()
    _record_told(request, context["page"])
    context["checked"] = KeyCheck.objects.count()
    return render(request, "grading/keys.html", context)


@role_required(Role.ADMIN)
@require_GET
def keys_csv(request: MemberRequest) -> HttpResponse:
    """Write keys in doubt with their figures, all of them where no list is named."""
    listing = _list_keys(request, "all")
    _record_told(request, listing.rows)
    return listing.write("keys")


def _record_told(request: MemberRequest, checks: Iterable[KeyCheck]) -> None:
    """Write down that somebody is told how many were right, and of whom that is said at all."""
    ledger.write_verdicts(request.user, Reason.DOUBT, (one.revision_id for one in checks))
