"""The page of a job: how far it is, or why it was not done; once it is done, it leads on."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_GET

from phybench.news.jobs.actions import go_to
from phybench.news.jobs.models import Job
from phybench.news.jobs.permissions import list_jobs
from phybench.people.http import MemberRequest


@require_GET
def job(request: MemberRequest, pk: int) -> HttpResponse:
    found = get_object_or_404(list_jobs(request.user), pk=pk)
    if found.outcome == Job.Outcome.DONE:
        messages.success(request, found.said)
        return go_to(request, found.leads_to)
    page = "phybench/job.html#state" if request.htmx else "phybench/job.html"
    return render(request, page, {"job": found})
