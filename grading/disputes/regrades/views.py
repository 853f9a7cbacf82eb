"""Grade a benchmark anew, look at what that would change, adopt it or discard it."""

from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_GET, require_POST

from curation.problems.benchmarks.models import Benchmark
from grading.answers.runs.models import GradingRun
from grading.disputes.regrades import actions
from grading.disputes.regrades.comparison import compare, compare_solves
from grading.disputes.regrades.forms import AdoptForm, BeginForm, DiscardForm
from grading.disputes.regrades.lists import find_moved, record_told
from grading.disputes.regrades.tasks import REGRADING
from grading.disputes.regrades.today import list_settled
from phybench.people.http import MemberRequest, role_required
from phybench.people.models import Role
from phybench.work.tasks import wake


def _find(pk: int) -> GradingRun:
    runs = GradingRun.objects.select_related(
        "benchmark", "base", "made_by", "adopted_by", "discarded_by"
    )
    return get_object_or_404(runs, pk=pk)


@role_required(Role.ADMIN)
@require_POST
def begin_regrade(request: MemberRequest, slug: str) -> HttpResponse:
    """Have a benchmark's answers graded anew by workers."""
    benchmark = get_object_or_404(Benchmark, slug=slug)
    form = BeginForm(request.POST, prefix=f"b{benchmark.pk}")
    if not form.is_valid():
        messages.error(request, _("Give the reason for grading anew, in at most 300 characters."))
        return redirect("grading:regrades")
    run = actions.begin(benchmark=benchmark, why=form.cleaned_data["why"], by=request.user)
    wake(REGRADING, actions.queue(run))
    return redirect(run)


@role_required(Role.ADMIN)
@require_GET
def regrade(request: MemberRequest, pk: int) -> HttpResponse:
    """Show how far a run is, and once it is done what it changes."""
    return _show(request, _find(pk))


def _show(
    request: MemberRequest,
    run: GradingRun,
    *,
    adopting: AdoptForm | None = None,
    discarding: DiscardForm | None = None,
) -> HttpResponse:
    waiting = run.parts.filter(done_at=None).count() if run.is_proposed else 0
    context: dict[str, Any] = {"run": run, "waiting": waiting}
    if waiting:
        context["total"] = list_settled(run.benchmark).count()
        context["done"] = run.grades.count() + run.ungraded.count()
        return _render(request, context, is_refused=False)
    if run.is_proposed or run.base is not None:
        context |= _describe_changes(request, run)
    if run.is_proposed:
        state = actions.describe_state(run)
        context["adopting"] = adopting or AdoptForm(initial={"seen": state})
        context["discarding"] = discarding or DiscardForm()
    is_refused = bool((adopting and adopting.errors) or (discarding and discarding.errors))
    return _render(request, context, is_refused=is_refused)


def _render(request: MemberRequest, context: dict[str, Any], *, is_refused: bool) -> HttpResponse:
    if request.htmx and not context["waiting"]:
        # What it changes is the rest of the page.
        return HttpResponse(headers={"HX-Refresh": "true"})
    template = "grading/regrade.html#progress" if request.htmx else "grading/regrade.html"
    return render(request, template, context, status=400 if is_refused else 200)


def _describe_changes(request: MemberRequest, run: GradingRun) -> dict[str, Any]:
    listing = find_moved(request, run)
    described = listing.describe()
    record_told(request, described["page"])
    adopted = GradingRun.objects.adopted().filter(benchmark=run.benchmark).first()
    return {
        **described,
        "found": compare(run),
        "solves": compare_solves(run),
        "left": actions.list_left(run).count(),
        "adopted": adopted,
        "is_behind": adopted is not None and run.base_id not in (None, adopted.pk),
        "is_of_today": not run.is_proposed or actions.is_of_today(run),
    }


@role_required(Role.ADMIN)
@require_POST
def adopt_regrade(request: MemberRequest, pk: int) -> HttpResponse:
    run = _find(pk)
    form = AdoptForm(request.POST)
    if not form.is_valid():
        return _show(request, run, adopting=form)
    given = form.cleaned_data
    if run.is_proposed and not given["allow_ungraded"] and compare(run).no_longer_graded:
        form.add_error("allow_ungraded", _("Tick this, or retry them first."))
        return _show(request, run, adopting=form)
    try:
        queued = actions.adopt(
            run=run, by=request.user, why=given["why_adopted"], seen=given["seen"]
        )
    except actions.CannotDecide as refused:
        messages.error(request, str(refused))
        return redirect(run)
    said = _("Adopted: the boards now use run %(number)d.") % {"number": run.pk}
    if queued:
        said += " " + ngettext(
            "One new answer is being graded now.",
            "%(count)d new answers are being graded now.",
            queued,
        ) % {"count": queued}
    messages.success(request, said)
    return redirect(run)


@role_required(Role.ADMIN)
@require_POST
def discard_regrade(request: MemberRequest, pk: int) -> HttpResponse:
    run = _find(pk)
    form = DiscardForm(request.POST)
    if not form.is_valid():
        return _show(request, run, discarding=form)
    try:
        actions.discard(run=run, by=request.user, why=form.cleaned_data["why_discarded"])
    except actions.CannotDecide as refused:
        messages.error(request, str(refused))
        return redirect(run)
    messages.success(request, _("Discarded. The boards have not changed."))
    return redirect("grading:regrades")


@role_required(Role.ADMIN)
@require_POST
def renew_regrade(request: MemberRequest, pk: int) -> HttpResponse:
    """Bring a run up to date: by today's keys and rulings, and with what was answered since."""
    try:
        newer = actions.renew(run=_find(pk), by=request.user)
    except actions.CannotDecide as refused:
        messages.error(request, str(refused))
        return redirect("grading:regrade", pk)
    wake(REGRADING, newer.parts.filter(done_at=None))
    return redirect(newer)
