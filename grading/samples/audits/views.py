"""A sample's page, drawing one, and who labels it."""

from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from curation.problems.exposures import ledger
from curation.problems.exposures.ledger import Reason
from curation.versions.models import BenchmarkVersion
from grading.samples.audits import actions, drawing, progress
from grading.samples.audits.figures import collect, list_disagreements, measure_agreement
from grading.samples.audits.forms import DrawForm
from grading.samples.audits.models import AuditSample
from grading.samples.audits.permissions import list_audits
from grading.samples.labelling.actions import CannotChange, CannotDraw
from grading.samples.labelling.forms import AskForm, EndForm
from grading.samples.labelling.permissions import draws_samples
from phybench.pages.listing import Listing
from phybench.people.http import MemberRequest, role_required
from phybench.people.models import Role

A_PAGE = 50


def find(request: MemberRequest, pk: int) -> AuditSample:
    """Return a sample that this person may label."""
    return get_object_or_404(list_audits(request.user), pk=pk)


@role_required(Role.REVIEWER, Role.EVALUATOR)
@require_GET
def audit(request: MemberRequest, pk: int) -> HttpResponse:
    sample = find(request, pk)
    own = progress.find_own(request.user, sample)
    context: dict[str, Any] = {
        "sample": sample,
        "own": own,
        # These rise where two labels agree: nothing for who has still to give one.
        "tells_settled": draws_samples(request.user) and not own.left,
        "draws": draws_samples(request.user),
        "labellers": progress.list_labellers(sample, with_hidden=draws_samples(request.user)),
    }
    if draws_samples(request.user):
        context |= _describe_for_admins(request, sample)
    return render(request, "grading/audit.html", context)


def _describe_for_admins(request: MemberRequest, sample: AuditSample) -> dict[str, Any]:
    """Return who else is needed, or what came of it."""
    [figures] = collect([sample])
    items = sample.items.order_by()
    found: dict[str, Any] = {
        "figures": figures,
        "answers": items.count(),
        "settled": items.settled().count(),
        "differing": items.differing().count(),
        "shortage": progress.find_shortage(sample),
        "strata": list(sample.strata.all()),
    }
    if sample.is_open:
        return {**found, "ask_form": AskForm(sample.labellers.all()), "end_form": EndForm()}
    if figures.rows:
        listing = Listing(request, list_disagreements(sample), a_page=A_PAGE).describe()
        told = (one.revision_id for one in listing["page"] if not one.is_hidden)
        ledger.write_verdicts(request.user, Reason.AUDIT, told)
        found |= {**listing, "agreement": measure_agreement(sample)}
    return found


@role_required(Role.ADMIN)
@require_http_methods(["GET", "POST"])
def new_audit(request: MemberRequest) -> HttpResponse:
    versions = list(
        BenchmarkVersion.objects.published().select_related("benchmark").order_by("-published_at")
    )
    asked = request.POST.get("version") or request.GET.get("version", "")
    version = next((one for one in versions if str(one.pk) == asked), next(iter(versions), None))
    form = DrawForm(request.POST) if request.method == "POST" else DrawForm()
    if request.method == "POST" and version and form.is_valid():
        try:
            sample = drawing.draw(version=version, by=request.user, **form.cleaned_data)
        except CannotDraw as cannot:
            form.add_error(None, str(cannot))
        else:
            messages.success(
                request, _("Sample drawn. Label it with another person, or ask two others.")
            )
            return redirect(sample)
    frame = drawing.find_frame(version) if version else None
    context = {
        "versions": versions,
        "version": version,
        "form": form,
        "frame": frame,
        "counts": drawing.list_counts(frame) if frame else [],
        "before": collect(list(version.audit_samples.all())) if version else [],
    }
    status = 400 if form.is_bound and form.errors else 200
    return render(request, "grading/new_audit.html", context, status=status)


@role_required(Role.ADMIN)
@require_POST
def end_audit(request: MemberRequest, pk: int) -> HttpResponse:
    sample = find(request, pk)
    form = EndForm(request.POST)
    if not form.is_valid():
        messages.error(request, _("Give a reason for ending the sample early. It was not ended."))
        return redirect(sample)
    try:
        actions.end(sample=sample, by=request.user, **form.cleaned_data)
    except CannotChange as cannot:
        messages.warning(request, str(cannot))
    else:
        messages.success(
            request, _("Ended. The sample stays listed with your reason and gives no rates.")
        )
    return redirect(sample)


@role_required(Role.ADMIN)
@require_POST
def ask_labeller(request: MemberRequest, pk: int) -> HttpResponse:
    sample = find(request, pk)
    form = AskForm(sample.labellers.all(), request.POST)
    if form.is_valid():
        person = form.cleaned_data["person"]
        actions.ask(sample=sample, person=person, by=request.user)
        text = _("%(person)s now finds the sample in their inbox.")
        messages.success(request, text % {"person": person})
    else:
        messages.error(
            request,
            _("Choose a reviewer or an evaluator who has not been asked to label this sample."),
        )
    return redirect(sample)


@role_required(Role.ADMIN)
@require_POST
def take_off_labeller(request: MemberRequest, pk: int, number: int) -> HttpResponse:
    sample = find(request, pk)
    labeller = get_object_or_404(sample.labellers.select_related("person"), pk=number)
    actions.take_off(labeller=labeller, by=request.user)
    text = _("%(person)s no longer labels this sample. Their labels are kept.")
    messages.success(request, text % {"person": labeller.person})
    return redirect(sample)
