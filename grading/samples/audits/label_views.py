"""Label the answers of a sample, one a screen, and settle those where two labels differ."""

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from curation.problems.exposures import ledger
from curation.problems.exposures.ledger import Part, Reason
from grading.samples.audits import actions, progress
from grading.samples.audits.forms import AdjudicationForm, LabelForm
from grading.samples.audits.models import AuditItem, AuditSample
from grading.samples.audits.permissions import list_labelable
from grading.samples.audits.views import find
from grading.samples.labelling import served
from grading.samples.labelling.actions import CannotLabel
from grading.samples.labelling.models import ItemQuerySet
from grading.samples.labelling.served import Step
from phybench.people.http import MemberRequest, role_required
from phybench.people.models import Role

LONG_STATEMENT = 1_200
"""Characters of a statement from which on it is folded."""
LONG_RESPONSE = 4_000
THE_END = 3_000
"""Characters of a long response that are shown at once: answers stand at the end."""


@role_required(Role.REVIEWER, Role.EVALUATOR)
@never_cache
@require_http_methods(["GET", "POST"])
def label_audit(request: MemberRequest, pk: int) -> HttpResponse:
    """Show the next answer; what is sent says which one it is a label of."""
    sample = find(request, pk)
    form = LabelForm(request.POST) if request.method == "POST" else LabelForm()
    if request.method == "POST":
        item = _find_sent(request, sample, "label")
        if form.is_valid():
            try:
                actions.label(item=item, by=request.user, **form.cleaned_data)
            except CannotLabel as cannot:
                messages.warning(request, str(cannot))
            return redirect("grading:label_audit", pk)
    waiting = actions.list_to_label(request.user, sample)
    item_to_label = _with_texts(waiting).first()
    own = progress.find_own(request.user, sample)
    context: dict[str, Any] = {"sample": sample, "form": form, "own": own}
    if item_to_label:
        context |= _show(request, item_to_label, "label")
    status = 400 if form.is_bound and form.errors else 200
    return render(request, "grading/label_audit.html", context, status=status)


@role_required(Role.REVIEWER, Role.EVALUATOR)
@require_POST
def take_back_label(request: MemberRequest, pk: int) -> HttpResponse:
    try:
        actions.take_back(sample=find(request, pk), by=request.user)
    except CannotLabel as cannot:
        messages.warning(request, str(cannot))
    else:
        messages.success(request, _("Taken back: label this answer anew."))
    return redirect("grading:label_audit", pk)


@role_required(Role.REVIEWER, Role.EVALUATOR)
@never_cache
@require_http_methods(["GET", "POST"])
def adjudicate_audit(request: MemberRequest, pk: int) -> HttpResponse:
    sample = find(request, pk)
    form = AdjudicationForm(request.POST) if request.method == "POST" else AdjudicationForm()
    waiting = actions.list_to_adjudicate(request.user, sample)
    if request.method == "POST":
        item = _find_sent(request, sample, "adjudicate")
        if form.is_valid():
            try:
                actions.adjudicate(item=item, by=request.user, **form.cleaned_data)
            except CannotLabel as cannot:
                messages.warning(request, str(cannot))
            return redirect("grading:adjudicate_audit", pk)
        # What was typed belongs to this answer, and not to another that comes first by now.
        waiting = waiting.filter(pk=item.pk)
    item_to_settle = _with_texts(waiting).first()
    own = progress.find_own(request.user, sample)
    context: dict[str, Any] = {"sample": sample, "form": form, "own": own}
    if item_to_settle:
        context |= _show(request, item_to_settle, "adjudicate")
        context["labels"] = item_to_settle.labels.standing().order_by("number")
    status = 400 if form.is_bound and form.errors else 200
    return render(request, "grading/adjudicate_audit.html", context, status=status)


def _find_sent(request: MemberRequest, sample: AuditSample, step: Step) -> AuditItem:
    """Return the answer that a form was about, of those that were served to this person."""
    items = list_labelable(request.user, sample)
    sent = request.POST.get("item", "")
    item = served.find_sealed(sent, items, person=request.user, step=step)
    if item is None:
        raise Http404
    return item


def _with_texts(items: ItemQuerySet[AuditItem]) -> ItemQuerySet[AuditItem]:
    return items.select_related("attempt", "hidden_answer", "revision__problem", "key")


def _show(request: MemberRequest, item: AuditItem, step: Step) -> dict[str, Any]:
    """Write down that somebody is shown an answer's problem and key, and say how it is shown."""
    ledger.record(request.user, Reason.AUDIT, item.revision, parts=[Part.STATEMENT])
    ledger.record(request.user, Reason.AUDIT, item.key, parts=[Part.ANSWER])
    return {
        "item": item,
        "sealed": served.seal(item, person=request.user, step=step),
        "folds_statement": len(item.revision.statement) > LONG_STATEMENT,
        "end": find_end(item.response),
    }


def find_end(response: str) -> str:
    """
    Return the end of a long response, from the beginning of a line; "" of one shown as a whole.

    >>> find_end("short"), len(find_end("long " * 1_000)), find_end("a" * 4_000 + "\\nIt is x.")
    ('', 3000, 'It is x.')
    """
    if len(response) <= LONG_RESPONSE:
        return ""
    start = len(response) - THE_END
    begins = response.find("\n", start)
    return response[start if begins < 0 else begins + 1 :]
