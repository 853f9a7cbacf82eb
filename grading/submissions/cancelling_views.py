"""The pages that stop the grading of a submission, and go on with it."""

from django.http import HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_http_methods, require_POST

from grading.answers.permissions import list_submissions
from grading.submissions import cancelling, jobs
from phybench.news.jobs.actions import lead_to
from phybench.people.http import MemberRequest, role_required
from phybench.people.models import Role


@role_required(Role.EVALUATOR)
@require_http_methods(["GET", "POST"])
def cancel(request: MemberRequest, pk: int) -> HttpResponse:
    found = get_object_or_404(list_submissions(request.user), pk=pk)
    if request.method == "POST":
        return lead_to(request, jobs.ask_to_cancel(submission=found, by=request.user))
    context = {
        "submission": found,
        "obstacle": cancelling.find_obstacle(found),
        "waiting": found.attempts.waiting().count(),
    }
    return render(request, "grading/cancel.html", context)


@role_required(Role.EVALUATOR)
@require_POST
def go_on(request: MemberRequest, pk: int) -> HttpResponse:
    """Grade the rest of a submission whose grading was cancelled."""
    found = get_object_or_404(list_submissions(request.user), pk=pk)
    return lead_to(request, jobs.ask_to_go_on(submission=found, by=request.user))
