"""What an organisation sees of its answers to a version's hidden part: one figure, when it asks."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST

from grading.answers.hidden.models import HiddenBatch
from grading.answers.permissions import list_submissions
from grading.submissions.hidden import actions
from phybench.people.http import MemberRequest, role_required
from phybench.people.models import Role
from phybench_grader.statistics.ladder import BUDGET


def _find(request: MemberRequest, pk: int) -> HiddenBatch:
    submissions = list_submissions(request.user)
    found = HiddenBatch.objects.filter(submission__in=submissions)
    related = found.select_related(
        "submission__solver", "submission__version__benchmark", "organisation", "asked_by"
    )
    return get_object_or_404(related, submission=pk)


@role_required(Role.EVALUATOR)
@require_GET
def hidden(request: MemberRequest, pk: int) -> HttpResponse:
    batch = _find(request, pk)
    standing = actions.describe(batch)
    context = {
        "batch": batch,
        "submission": batch.submission,
        "standing": standing,
        "obstacle": "" if batch.asked_at else actions.find_obstacle(standing),
        "budget": BUDGET,
    }
    return render(request, "grading/hidden.html", context)


@role_required(Role.EVALUATOR)
@require_POST
def ask_hidden(request: MemberRequest, pk: int) -> HttpResponse:
    try:
        actions.ask(batch=_find(request, pk), by=request.user)
    except actions.CannotAsk as refused:
        messages.error(request, str(refused))
    return redirect("grading:hidden", pk)


@role_required(Role.EVALUATOR)
@require_POST
def try_hidden_again(request: MemberRequest, pk: int) -> HttpResponse:
    actions.try_again(batch=_find(request, pk), by=request.user)
    messages.success(request, _("Failed answers are queued again."))
    return redirect("grading:hidden", pk)
