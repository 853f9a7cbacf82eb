"""Go through unreadable answers of studies, blind to their keys."""

from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_GET, require_POST

from curation.problems.exposures import ledger
from curation.problems.exposures.ledger import Reason
from curation.problems.typed_answers import show_reading
from curation.texts.workflow import NotAllowedNow
from grading.studies.repairs import actions
from grading.studies.repairs.forms import RepairForm
from grading.studies.repairs.permissions import list_to_repair
from grading.studies.views import find
from phybench.people.http import MemberRequest, few_at_once, role_required
from phybench.people.models import Role
from phybench_grader.statement.response import find_answer


@role_required(Role.REVIEWER)
@require_GET
def repairs(request: MemberRequest) -> HttpResponse:
    """Show the answer to repair next, and how many are left."""
    left = list_to_repair(request.user)
    item = (
        left.select_related("study_item__study", "study_item__item__revision__problem", "attempt")
        .order_by("pk")
        .first()
    )
    context: dict[str, Any] = {"left": left.count(), "item": item, "form": RepairForm()}
    if item and item.attempt:
        revision = item.study_item.item.revision
        ledger.record(request.user, Reason.SOLVE, revision)
        response = item.attempt.response
        context |= {"revision": revision, "response": response}
        context["shown"] = show_reading(find_answer(response), revision)
    return render(request, "grading/repairs.html", context)


@role_required(Role.REVIEWER)
@require_POST
def repair(request: MemberRequest, pk: int) -> HttpResponse:
    """Take what one answer was meant to say."""
    item = get_object_or_404(list_to_repair(request.user), pk=pk)
    form = RepairForm(request.POST)
    is_hopeless = "hopeless" in request.POST
    if not form.is_valid() or not (is_hopeless or form.cleaned_data["meant"].strip()):
        messages.error(request, _("Write what was meant, or say that it can’t be made out."))
        return redirect("grading:repairs")
    meant = "" if is_hopeless else form.cleaned_data["meant"]
    try:
        actions.repair(item=item, by=request.user, meant=meant)
    except NotAllowedNow as refused:
        messages.warning(request, str(refused))
    else:
        messages.success(request, _("Kept. The answer itself stays as it is, and counts 0."))
    return redirect("grading:repairs")


@role_required(Role.REVIEWER)
@require_POST
@few_at_once
def read_repair(request: MemberRequest, pk: int) -> HttpResponse:
    """Show how what is typed is read."""
    items = list_to_repair(request.user).select_related("study_item__item__revision__problem")
    item = get_object_or_404(items, pk=pk)
    text = request.POST.get("meant", "")[: actions.LONGEST]
    context = show_reading(find_answer(text), item.study_item.item.revision)
    return render(request, "_read_as.html", context)


@role_required(Role.ADMIN)
@require_POST
def grade_repairs_again(request: MemberRequest, pk: int) -> HttpResponse:
    """Have the repaired answers graded again that could not be graded."""
    count = actions.grade_again(study=find(pk), by=request.user)
    said = ngettext("One answer is graded again.", "%(count)d answers are graded again.", count)
    messages.success(request, said % {"count": count})
    return redirect("grading:study_results", pk)
