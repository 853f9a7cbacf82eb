"""A sample's page, which everybody reads, drawing one, and who labels it."""

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from curation.problems.exposures import ledger
from curation.problems.exposures.ledger import Reason
from grading.samples.first_errors import actions, figures, picture, progress
from grading.samples.first_errors.models import FirstErrorSample, Kind
from grading.samples.first_errors.permissions import list_first_errors
from grading.samples.labelling.actions import CannotChange
from grading.samples.labelling.forms import AskForm, EndForm
from grading.samples.labelling.permissions import draws_samples
from phybench.pages.charts import chart_response
from phybench.pages.kept import for_everybody
from phybench.pages.pictures import ShownPicture
from phybench.people.http import MemberRequest, role_required
from phybench.people.models import Role, User


def find(request: MemberRequest, pk: int) -> FirstErrorSample:
    """Return a sample that this person may label."""
    return get_object_or_404(list_first_errors(request.user), pk=pk)


@for_everybody
def first_error_sample(request: HttpRequest, pk: int) -> HttpResponse:
    """Show a sample: its shares once it is complete, and to who labels it what waits."""
    sample = get_object_or_404(FirstErrorSample.objects.listed(), pk=pk)
    solvers = figures.list_solvers(sample)
    names = figures.name_solvers(solvers)
    table = figures.make_table(sample, _("Total"))
    domains = list(sample.domains.all())
    context: dict[str, Any] = {
        "sample": sample,
        "solvers": [(names[one.pk], one) for one in solvers],
        "domains": domains,
        "eligible": sum(one.eligible for one in domains),
        "drawn": sum(one.drawn for one in domains),
        "public": sum(one.problems for one in domains),
        "table": table,
        "picture": _show_picture(sample, table) if table and table.pooled.errors else None,
        "agreement": figures.measure_agreement(sample) if table else None,
    }
    if isinstance(request.user, User):
        context |= _describe_for(request.user, sample)
    return render(request, "grading/first_error_sample.html", context)


@for_everybody
def first_error_picture(request: HttpRequest, pk: int) -> HttpResponse:
    """Draw the kinds of a complete sample's errors, a bar for each solver."""
    sample = get_object_or_404(FirstErrorSample.objects.listed(), pk=pk)
    table = figures.make_table(sample, _("Total"))
    if table is None:
        raise Http404
    return chart_response(request, picture.make_chart(table), name=f"first-errors-{sample.pk}")


def _show_picture(sample: FirstErrorSample, table: figures.ErrorTable) -> ShownPicture:
    return ShownPicture(
        name=f"first-errors-{sample.pk}",
        path=reverse("grading:first_error_picture", args=[sample.pk]),
        text=picture.make_chart(table).title,
        query={},
        caption=_(
            "Share of the errors, in %. The line below a bar is the 95 % interval of "
            "its first part."
        ),
    )


def _describe_for(user: User, sample: FirstErrorSample) -> dict[str, Any]:
    """Return what waits for somebody who labels, and what admins see to."""
    if not list_first_errors(user).filter(pk=sample.pk).exists():
        return {}
    own = progress.find_own(user, sample)
    found: dict[str, Any] = {"own": own}
    if not draws_samples(user):
        return found
    items = sample.items.order_by()
    found |= {
        "draws": True,
        # These rise where two labels agree: nothing for who has still to give one.
        "tells_settled": not own.left,
        "answers": items.count(),
        "settled": items.settled().count(),
        "differing": items.differing().count(),
        "labellers": progress.list_labellers(sample),
        "shortage": progress.find_shortage(sample),
    }
    if sample.is_open:
        return {**found, "ask_form": AskForm(sample.labellers.all()), "end_form": EndForm()}
    if sample.state == sample.State.COMPLETE:
        leads = figures.list_leads(sample)
        told = (one.revision_id for one in leads)
        ledger.write_verdicts(user, Reason.FIRST_ERROR, told)
        found |= {"leads": [(one, one.outcome == Kind.KEY_WRONG) for one in leads]}
    return found


@role_required(Role.ADMIN)
@require_POST
def end_first_errors(request: MemberRequest, pk: int) -> HttpResponse:
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
            request, _("Ended. The sample stays listed with your reason and gives no shares.")
        )
    return redirect(sample)


@role_required(Role.ADMIN)
@require_POST
def ask_for_first_errors(request: MemberRequest, pk: int) -> HttpResponse:
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
def take_off_first_errors(request: MemberRequest, pk: int, number: int) -> HttpResponse:
    sample = find(request, pk)
    labeller = get_object_or_404(sample.labellers.select_related("person"), pk=number)
    actions.take_off(labeller=labeller, by=request.user)
    text = _("%(person)s no longer labels this sample. Their labels are kept.")
    messages.success(request, text % {"person": labeller.person})
    return redirect(sample)
