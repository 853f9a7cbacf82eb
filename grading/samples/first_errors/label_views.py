"""Label the first errors of a sample, one answer a screen, and settle where two labels differ."""

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.html import format_html
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from curation.problems.exposures import ledger
from curation.problems.exposures.ledger import Part, Reason
from curation.reports.permissions import can_report
from grading.samples.first_errors import actions, progress
from grading.samples.first_errors.forms import AdjudicationForm, LabelForm
from grading.samples.first_errors.models import FirstErrorItem, FirstErrorSample, Kind
from grading.samples.first_errors.permissions import list_first_errors_to_label
from grading.samples.first_errors.views import find
from grading.samples.labelling import served
from grading.samples.labelling.actions import CannotLabel
from grading.samples.labelling.models import ItemQuerySet
from grading.samples.labelling.served import Step
from phybench.people.http import MemberRequest, role_required
from phybench.people.models import Role


@role_required(Role.REVIEWER, Role.EVALUATOR)
@never_cache
@require_http_methods(["GET", "POST"])
def label_first_error(request: MemberRequest, pk: int) -> HttpResponse:
    """Show the next answer; what is sent says which one it is a label of."""
    sample = find(request, pk)
    waiting = actions.list_to_label(request.user, sample)
    form: LabelForm | None = None
    if request.method == "POST":
        item = _find_sent(request, sample, "label")
        form = LabelForm(item.attempt.response, request.POST)
        if form.is_valid():
            try:
                given = actions.label(item=item, by=request.user, **form.cleaned_data)
            except CannotLabel as cannot:
                messages.warning(request, str(cannot))
            else:
                _offer_report(request, item, given.choice)
            return redirect("grading:label_first_error", pk)
        # What was typed belongs to this answer, and not to another that comes first by now.
        waiting = waiting.filter(pk=item.pk)
    context = _describe(request, sample, waiting, "label", form)
    status = 400 if form is not None else 200
    return render(request, "grading/label_first_error.html", context, status=status)


@role_required(Role.REVIEWER, Role.EVALUATOR)
@require_POST
def take_back_first_error(request: MemberRequest, pk: int) -> HttpResponse:
    try:
        actions.take_back(sample=find(request, pk), by=request.user)
    except CannotLabel as cannot:
        messages.warning(request, str(cannot))
    else:
        messages.success(request, _("Taken back: label this answer anew."))
    return redirect("grading:label_first_error", pk)


@role_required(Role.REVIEWER, Role.EVALUATOR)
@never_cache
@require_http_methods(["GET", "POST"])
def adjudicate_first_error(request: MemberRequest, pk: int) -> HttpResponse:
    sample = find(request, pk)
    waiting = actions.list_to_adjudicate(request.user, sample)
    form: AdjudicationForm | None = None
    if request.method == "POST":
        item = _find_sent(request, sample, "adjudicate")
        form = AdjudicationForm(item.attempt.response, request.POST)
        if form.is_valid():
            try:
                made = actions.adjudicate(item=item, by=request.user, **form.cleaned_data)
            except CannotLabel as cannot:
                messages.warning(request, str(cannot))
            else:
                _offer_report(request, item, made.choice)
            return redirect("grading:adjudicate_first_error", pk)
        waiting = waiting.filter(pk=item.pk)
    context = _describe(request, sample, waiting, "adjudicate", form)
    status = 400 if form is not None else 200
    return render(request, "grading/adjudicate_first_error.html", context, status=status)


def _describe(
    request: MemberRequest,
    sample: FirstErrorSample,
    waiting: ItemQuerySet[FirstErrorItem],
    step: Step,
    form: LabelForm | AdjudicationForm | None,
) -> dict[str, Any]:
    """Show the first that waits, and write down that its problem and key were shown."""
    context: dict[str, Any] = {"sample": sample, "own": progress.find_own(request.user, sample)}
    item = waiting.select_related("attempt", "revision__problem", "key").first()
    if item is None:
        return context
    ledger.record(request.user, Reason.FIRST_ERROR, item.revision, parts=[Part.STATEMENT])
    ledger.record(request.user, Reason.FIRST_ERROR, item.key, parts=[Part.ANSWER, Part.SOLUTION])
    make = LabelForm if step == "label" else AdjudicationForm
    context |= {
        "item": item,
        "form": form or make(item.attempt.response),
        "sealed": served.seal(item, person=request.user, step=step),
    }
    if step == "adjudicate":
        context["labels"] = item.labels.standing().order_by("number")
    return context


def _find_sent(request: MemberRequest, sample: FirstErrorSample, step: Step) -> FirstErrorItem:
    """Return the answer that a form was about, of those that were served to this person."""
    items = list_first_errors_to_label(request.user, sample)
    sent = request.POST.get("item", "")
    item = served.find_sealed(sent, items, person=request.user, step=step)
    if item is None:
        raise Http404
    return item


def _offer_report(request: MemberRequest, item: FirstErrorItem, choice: str) -> None:
    """Lead who found a problem wrong to where its error is reported."""
    problem = item.revision.problem
    if choice != Kind.KEY_WRONG or not can_report(request.user, problem):
        return
    messages.info(
        request,
        format_html(
            '{} <a href="{}">{}</a>',
            _("Saved. The label by itself corrects nothing."),
            reverse("curation:new_report", args=[problem.pk]),
            _("Report the error in %(problem)s") % {"problem": problem.identifier},
        ),
    )
