"""How a submission was graded, problem by problem: narrowed, sorted, and while it goes on."""

from django.http import HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_GET

from grading.answers.models import with_grade
from grading.answers.permissions import list_submissions
from grading.answers.submissions.models import Submission
from grading.submissions import publication
from grading.submissions.carrying import find_carried
from grading.submissions.results.breakdown import break_down
from grading.submissions.results.exposing import record_verdicts
from grading.submissions.results.listed import list_results, write_narrowed
from grading.submissions.results.progress import measure_progress
from grading.submissions.results.rows import describe_page, list_problems
from phybench.people.http import MemberRequest, role_required
from phybench.people.models import Role

OTHERS = 200
"""Submissions that are offered for a comparison."""


@role_required(Role.EVALUATOR)
@require_GET
def submission(request: MemberRequest, pk: int) -> HttpResponse:
    found = get_object_or_404(list_submissions(request.user), pk=pk)
    progress = measure_progress(found)
    listing = list_results(request, found, most=progress.most)
    described = listing.describe()
    ranked = publication.find_ranked(found)
    context = {
        **described,
        "asked_for": write_narrowed(request.GET),
        "narrowed": listing.filters.form.cleaned_data if listing.filters else {},
        "rows": describe_page(found, described["page"].object_list, most=progress.most),
        "asked": list_problems(found).count(),
        "submission": found,
        "of_solver": found.solver.submissions.filter(benchmark=found.benchmark_id).count(),
        "ranked": ranked,
        "carried": find_carried(found),
        "obstacle": publication.find_obstacle(found, ranked=ranked),
        "progress": progress,
        "breakdown": break_down(found, progress.answers) if progress.is_over else None,
        "corrected": with_grade(found.attempts.all()).filter(is_key_corrected=True).count(),
    }
    if not request.htmx:
        context["others"] = _list_others(request, found)
    template = "grading/submission.html#fresh" if request.htmx else "grading/submission.html"
    page = render(request, template, context)
    record_verdicts(request.user, found)
    return page


def _list_others(request: MemberRequest, submission: Submission) -> list[Submission]:
    """List what it can be compared with: all to the same benchmark that this person may see."""
    found = list_submissions(request.user).filter(benchmark=submission.benchmark_id)
    # Of each a line is said, and no more is fetched.
    others = found.exclude(pk=submission.pk).select_related(None).select_related("solver")
    return list(others.only("number", "created_at", "solver__name")[:OTHERS])
