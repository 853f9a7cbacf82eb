"""Read how the answers of a submission were graded."""

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from curation.versions.models import BenchmarkVersion
from grading.answers.permissions import list_submissions
from grading.submissions import jobs, publication
from grading.submissions.results.exposing import record_verdicts
from grading.submissions.results.progress import measure_progress
from grading.submissions.task_files import HARNESSES, write_task
from phybench.news.jobs.actions import lead_to
from phybench.people.http import MemberRequest, role_required
from phybench.people.models import Role


@role_required(Role.EVALUATOR)
@require_GET
def task(request: MemberRequest, slug: str, harness: str) -> HttpResponse:
    """Give the newest version's task for a harness: its problems, without answers."""
    if harness not in HARNESSES:
        raise Http404
    version = get_object_or_404(BenchmarkVersion.objects.current(), benchmark__slug=slug)
    name, content = write_task(version, harness, request.user)
    response = HttpResponse(content, content_type="application/octet-stream")
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    return response


@role_required(Role.EVALUATOR)
@require_http_methods(["GET", "POST"])
def publish(request: MemberRequest, pk: int) -> HttpResponse:
    found = get_object_or_404(list_submissions(request.user), pk=pk)
    if request.method == "POST":
        try:
            publication.publish(submission=found, by=request.user)
        except publication.CannotPublish as refused:
            messages.error(request, str(refused))
        else:
            messages.success(request, _("Published. Everyone can see its score."))
        return redirect(found)
    context = {
        "submission": found,
        "progress": measure_progress(found),
        "obstacle": publication.find_obstacle(found, ranked=publication.find_ranked(found)),
        "described": found.solver.descriptions.exists(),
    }
    page = render(request, "grading/publish.html", context)
    record_verdicts(request.user, found)
    return page


@role_required(Role.EVALUATOR)
@require_http_methods(["GET", "POST"])
def withdraw(request: MemberRequest, pk: int) -> HttpResponse:
    found = get_object_or_404(list_submissions(request.user), pk=pk)
    if request.method == "POST":
        publication.withdraw(submission=found, by=request.user)
        messages.success(request, _("Withdrawn. It keeps its number and its grades."))
        return redirect(found)
    return render(request, "grading/withdraw.html", {"submission": found})


@role_required(Role.EVALUATOR)
@require_POST
def try_again(request: MemberRequest, pk: int) -> HttpResponse:
    found = get_object_or_404(list_submissions(request.user), pk=pk)
    return lead_to(request, jobs.ask_to_try_again(submission=found, by=request.user))
