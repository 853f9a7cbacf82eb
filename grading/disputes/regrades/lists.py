"""Grading runs, and the answers that one of them changes: two tables, and a file of each."""

from typing import Any

from django.http import HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_GET

from curation.problems.exposures import ledger
from curation.problems.exposures.ledger import Reason
from grading.answers.runs.models import GradingRun
from grading.disputes.regrades.comparison import list_moved
from grading.disputes.regrades.filters import MovedFilter
from grading.disputes.regrades.forms import BeginForm
from grading.disputes.regrades.today import list_news
from phybench.pages.listing import Column, Listing, by
from phybench.people.http import MemberRequest, role_required
from phybench.people.models import Role

A_PAGE = 50

# --- Runs -------------------------------------------------------------------------------------

COLUMNS: list[Column[GradingRun]] = [
    Column("run", _("Run"), by("pk", begins_descending=True), lambda run: run.pk),
    Column("benchmark", _("Benchmark"), by("benchmark__name"), lambda run: run.benchmark.name),
    Column("grader", _("Grader"), by("grader_version"), lambda run: run.grader_version),
    Column("why", _("Why"), value=lambda run: run.why),
    Column("state", _("Status"), value=lambda run: run.state),
    Column("made", _("Started at"), by("created_at"), lambda run: run.created_at.isoformat()),
    Column("made_by", value=lambda run: run.made_by or ""),
    Column("adopted_at", value=lambda run: run.adopted_at and run.adopted_at.isoformat()),
    Column("adopted_by", value=lambda run: run.adopted_by or ""),
    Column("why_adopted", value=lambda run: run.why_adopted),
    Column("discarded_at", value=lambda run: run.discarded_at and run.discarded_at.isoformat()),
    Column("discarded_by", value=lambda run: run.discarded_by or ""),
    Column("why_discarded", value=lambda run: run.why_discarded),
]


def _list_runs(request: MemberRequest) -> Listing[GradingRun]:
    found = GradingRun.objects.select_related("benchmark", "made_by", "adopted_by", "discarded_by")
    return Listing(request, found, COLUMNS, default="-run")


@role_required(Role.ADMIN)
@require_GET
def regrades(request: MemberRequest) -> HttpResponse:
    """Show which run each benchmark goes by, what is new since, and all runs."""
    offered = [(one, BeginForm(prefix=f"b{one.run.benchmark_id}")) for one in list_news()]
    context = {**_list_runs(request).describe(), "offered": offered}
    return render(request, "grading/regrades.html", context)


@role_required(Role.ADMIN)
@require_GET
def regrades_csv(request: MemberRequest) -> HttpResponse:
    return _list_runs(request).write("grading-runs")


# --- Answers that one changes -----------------------------------------------------------------

# Of any rows: what `list_moved` adds, no type knows.
MOVED: list[Column[Any]] = [
    Column(
        "id",
        _("Problem"),
        by("revision__problem"),
        lambda one: one.revision.problem.identifier,
    ),
    Column("solver", _("Solver"), by("solver__name"), lambda one: one.solver.name),
    Column("submission", value=lambda one: one.submission and one.submission.number),
    Column("sample", value=lambda one: one.sample),
    Column("attempt", value=lambda one: one.pk),
    Column("now", _("Now"), by("old"), lambda one: one.old),
    Column("by_this_run", _("By this run"), by("new"), lambda one: one.new),
    Column("eed_now", value=lambda one: None if one.old == "NOT_GRADED" else one.eed),
    Column("eed_by_this_run", value=lambda one: one.new_eed),
    Column("read_now", value=lambda one: one.old_read),
    Column("read_by_this_run", value=lambda one: one.new_read),
    Column("ruled", value=lambda one: "yes" if one.new_override else ""),
]


def find_moved(request: MemberRequest, run: GradingRun) -> Listing[Any]:
    filters = MovedFilter(request.GET, list_moved(run))
    return Listing(request, filters.qs, MOVED, filters=filters, a_page=A_PAGE)


@role_required(Role.ADMIN)
@require_GET
def regrade_csv(request: MemberRequest, pk: int) -> HttpResponse:
    """Write the answers that a run changes, as they are narrowed."""
    run = get_object_or_404(GradingRun.objects.select_related("benchmark"), pk=pk)
    listing = find_moved(request, run)
    record_told(request, listing.rows)
    return listing.write(f"grading-run-{run.pk}")


def record_told(request: MemberRequest, moved: Any) -> None:
    """Write down of which answers somebody was told what they are worth."""
    ledger.write_verdicts(request.user, Reason.GRADE, {one.revision_id for one in moved})
