"""How a submission was graded, problem by problem: narrowed, sorted, and while it goes on."""

from typing import Any

from django.http import HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_GET

from grading import permissions
from grading.answers import publication
from grading.answers.models import Submission, with_grade
from grading.answers.results.exposing import record_verdicts
from grading.answers.results.filters import ResultFilter
from grading.answers.results.progress import SubmissionProgress, measure_progress
from grading.answers.results.rows import describe_page, list_problems, with_score
from phybench.http import MemberRequest, role_required
from phybench.listing import Column, Listing, by
from phybench.models import Role

A_PAGE = 50
OTHERS = 200
"""Submissions that are offered for a comparison."""
COLUMNS: list[Column[Any]] = [
    Column("id", _("Problem"), by("pk")),
    Column("answers", _("Answers")),
    Column("read", _("Read as")),
    Column("eed", _("EED"), by("score"), is_number=True),
]


@role_required(Role.EVALUATOR)
@require_GET
def submission(request: MemberRequest, pk: int) -> HttpResponse:
    found = get_object_or_404(permissions.list_submissions(request.user), pk=pk)
    progress = measure_progress(found)
    listing = _list(request, found, progress)
    described = listing.describe()
    ranked = publication.find_ranked(found)
    context = {
        **described,
        "narrowed": listing.filters.form.cleaned_data if listing.filters else {},
        "rows": describe_page(found, described["page"].object_list, most=progress.most),
        "asked": list_problems(found).count(),
        "submission": found,
        "of_solver": found.solver.submissions.filter(benchmark=found.benchmark_id).count(),
        "ranked": ranked,
        "obstacle": publication.find_obstacle(found, ranked=ranked),
        "progress": progress,
        "corrected": with_grade(found.attempts.all()).filter(is_key_corrected=True).count(),
    }
    if not request.htmx:
        context["others"] = _list_others(request, found)
    template = "grading/submission.html#fresh" if request.htmx else "grading/submission.html"
    page = render(request, template, context)
    record_verdicts(request.user, found)
    return page


def _list(
    request: MemberRequest, submission: Submission, progress: SubmissionProgress
) -> Listing[Any]:
    problems = with_score(list_problems(submission), submission, most=progress.most)
    filters = ResultFilter(request.GET, problems, submission, most=progress.most)
    return Listing(request, filters.qs, COLUMNS, default="id", filters=filters, a_page=A_PAGE)


def _list_others(request: MemberRequest, submission: Submission) -> list[Submission]:
    """List what it can be compared with: all to the same benchmark that this person may see."""
    found = permissions.list_submissions(request.user).filter(benchmark=submission.benchmark_id)
    return list(found.exclude(pk=submission.pk).defer("left_out")[:OTHERS])
