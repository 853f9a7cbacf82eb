"""How a submission was graded, problem by problem: narrowed, sorted, and while it goes on."""

from django.db.models import Case, Value, When
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_GET

from grading.answers.models import with_grade
from grading.answers.permissions import list_submissions
from grading.answers.submissions.models import Submission
from grading.board.results.breakdown import break_down
from grading.board.results.place import find_place
from grading.submissions import publication
from grading.submissions.carrying import find_carried
from grading.submissions.results.exposing import record_verdicts
from grading.submissions.results.listed import list_results, write_narrowed
from grading.submissions.results.progress import measure_progress
from grading.submissions.results.rows import (
    AnsweredProblem,
    describe_page,
    list_problems,
    list_samples,
)
from phybench.people.http import MemberRequest, role_required
from phybench.people.models import Role

OTHERS = 200
"""Submissions that are offered for a comparison."""
MOST_MARKS = 1_000
"""Answers that the strip has; of more the list tells, a page at a time."""


@role_required(Role.EVALUATOR)
@require_GET
def submission(request: MemberRequest, pk: int) -> HttpResponse:
    found = get_object_or_404(list_submissions(request.user), pk=pk)
    progress = measure_progress(found)
    problems = list(list_problems(found).order_by("pk"))
    has_strip = len(problems) * max(1, progress.most) <= MOST_MARKS
    listing = list_results(request, found, most=progress.most)
    described = listing.describe()
    page = described["page"].object_list
    shown = problems if has_strip else page
    samples = list_samples(found, [one.pk for one in shown], most=progress.most)
    ranked = publication.find_ranked(found)
    context = {
        **described,
        "asked_for": write_narrowed(request.GET),
        "narrowed": listing.filters.form.cleaned_data if listing.filters else {},
        "strip": [AnsweredProblem(one, samples[one.pk]) for one in problems] if has_strip else [],
        "rows": describe_page(found, page, samples),
        "asked": len(problems),
        "submission": found,
        "of_solver": found.solver.submissions.filter(benchmark=found.benchmark_id).count(),
        "ranked": ranked,
        "carried": find_carried(found),
        "obstacle": publication.find_obstacle(found, ranked=ranked),
        "progress": progress,
        "corrected": with_grade(found.attempts.all()).filter(is_key_corrected=True).count(),
    }
    if progress.is_over:
        context["breakdown"] = break_down(found, progress.answers, problems)
        if not found.withdrawn_at:
            context["ranking"] = find_place(found, progress.answers)
    if not request.htmx:
        context["others"] = _list_others(request, found)
    template = "grading/submission.html#fresh" if request.htmx else "grading/submission.html"
    answered = render(request, template, context)
    record_verdicts(request.user, found)
    return answered


def _list_others(request: MemberRequest, submission: Submission) -> list[Submission]:
    """List what it can be compared with of what this person may see, its own model's first."""
    found = list_submissions(request.user).filter(benchmark=submission.benchmark_id)
    is_own = Case(When(solver=submission.solver_id, then=Value(0)), default=Value(1))
    # Of each a line is said, and no more is fetched.
    others = found.exclude(pk=submission.pk).select_related(None).select_related("solver")
    in_turn = others.only("number", "created_at", "solver__name").order_by(is_own, "-created_at")
    return list(in_turn[:OTHERS])
