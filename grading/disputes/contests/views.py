"""The pages that contest a grade, and take that back."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from curation.problems.exposures import ledger
from curation.problems.exposures.ledger import Reason
from grading.disputes.contests import actions
from grading.disputes.contests.forms import ContestForm
from grading.disputes.contests.permissions import list_contestable, list_own_contests
from phybench.people.http import MemberRequest, role_required
from phybench.people.models import Role


@role_required(Role.EVALUATOR, Role.PARTICIPANT)
@require_http_methods(["GET", "POST"])
def contest(request: MemberRequest, pk: int) -> HttpResponse:
    """Contest the grade of the answer with this number."""
    attempts = list_contestable(request.user).select_related(
        "solver__organisation", "submission", "revision__problem"
    )
    attempt = get_object_or_404(attempts, pk=pk)
    grade = actions.find_grade(attempt)
    form = ContestForm(request.POST if request.method == "POST" else None, grade=grade)
    if form.is_bound and form.is_valid():
        try:
            actions.contest(attempt=attempt, by=request.user, **form.cleaned_data)
        except actions.CannotContest as refused:
            form.add_error(None, str(refused))
        else:
            messages.success(
                request,
                _("Contested. A person will rule on it. You will be told by e-mail and here."),
            )
            return redirect(attempt)
    if attempt.tells_verdict:
        ledger.write_verdicts(request.user, Reason.GRADE, [attempt.revision_id])
    context = {
        "attempt": attempt,
        "problem": attempt.revision.problem,
        "grade": grade,
        "form": form,
        "obstacle": "" if form.is_bound else actions.find_obstacle(attempt),
    }
    status = 400 if form.is_bound else 200
    return render(request, "grading/new_contest.html", context, status=status)


@role_required(Role.EVALUATOR, Role.PARTICIPANT)
@require_http_methods(["GET", "POST"])
def take_back(request: MemberRequest, pk: int) -> HttpResponse:
    """Take the contest with this number back, after asking."""
    theirs = list_own_contests(request.user)
    found = get_object_or_404(theirs.select_related("attempt__revision__problem"), pk=pk)
    if request.method == "POST":
        try:
            actions.take_back(contest=found, by=request.user)
        except actions.CannotContest as refused:
            messages.error(request, str(refused))
        else:
            messages.success(request, _("Withdrawn. The grade is kept."))
        return redirect(found.attempt)
    if not found.is_open:
        messages.info(
            request, _("There is nothing to withdraw: this contest no longer awaits a ruling.")
        )
        return redirect(found.attempt)
    context = {"contest": found, "problem": found.attempt.revision.problem}
    return render(request, "grading/take_back_contest.html", context)
