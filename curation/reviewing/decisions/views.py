"""The pages on which a round is decided instead of its rule, and a rejected problem reopened."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from curation.problems.permissions import can_reopen, list_visible
from curation.problems.wording import name_in
from curation.reviewing.decisions import actions, interests
from curation.reviewing.decisions.forms import OverrideForm, ReopenForm
from curation.reviewing.decisions.permissions import can_override
from curation.reviewing.rounds.models import ReviewRound
from curation.reviewing.rounds.stages import list_stages
from curation.texts.workflow import NotAllowedNow, Status, Step, conclude
from phybench.people.http import MemberRequest, role_required
from phybench.people.models import Role, User


def say_decided(review_round: ReviewRound) -> str:
    """Say to who has just decided a round how that is shown."""
    if review_round.was_split:
        return _("Decided. Your reason is in the history.")
    return _("Decided. The history shows it as an override.")


@role_required(Role.ADMIN)
@require_http_methods(["GET", "POST"])
def decide(request: MemberRequest, pk: int) -> HttpResponse:
    """Decide a round instead of its rule."""
    rounds = ReviewRound.objects.select_related(
        "revision__problem__author", "version", "disagreement"
    )
    review_round = get_object_or_404(rounds, pk=pk)
    problem = review_round.revision.problem
    form = OverrideForm(
        request.POST if request.method == "POST" else None, is_split=review_round.was_split
    )
    if not can_override(request.user, review_round):
        if form.is_valid() and _is_decided_so(request.user, review_round, form):
            messages.success(request, say_decided(review_round))
            return redirect(problem)
        # Nobody decides what is closed, with a part in it or without.
        is_open = review_round.closed_at is None
        why = interests.say_who_decides(request.user, problem) if is_open else ""
        messages.info(request, why or _("This round is closed, or you may not decide it."))
        return redirect(problem)
    if form.is_valid():
        try:
            actions.override(review_round=review_round, admin=request.user, **form.cleaned_data)
        except NotAllowedNow as refusal:
            if not _is_decided_so(request.user, review_round, form):
                messages.error(request, str(refusal))
                return redirect(problem)
        messages.success(request, say_decided(review_round))
        return redirect(problem)
    context = {
        "form": form,
        "review_round": review_round,
        "problem": problem,
        "stages": list_stages(problem),
    }
    return render(request, "curation/decide.html", context)


@role_required(Role.ADMIN)
@require_http_methods(["GET", "POST"])
def reopen(request: MemberRequest, pk: int) -> HttpResponse:
    """Give a rejected problem back to its author, after asking why."""
    problem = get_object_or_404(list_visible(request.user), pk=pk)
    form = ReopenForm(request.POST if request.method == "POST" else None)
    if not can_reopen(request.user, problem):
        is_rejected = problem.status == Status.REJECTED
        why = interests.say_who_decides(request.user, problem) if is_rejected else ""
        messages.info(request, why or _("This problem is not rejected, or you may not reopen it."))
        return redirect(problem)
    if form.is_valid():
        try:
            actions.reopen(problem=problem, admin=request.user, **form.cleaned_data)
        except NotAllowedNow as refusal:
            messages.error(request, str(refusal))
        else:
            messages.success(request, _("Reopened. Its author can revise and submit it again."))
        return redirect(problem)
    context = {
        "problem": problem,
        "title": name_in(_("Reopen “%(title)s”"), problem),
        "text": _("It returns to its author, who can revise it and submit it again."),
        "button": _("Reopen it"),
        "form": form,
    }
    return render(request, "curation/confirm.html", context)


def _is_decided_so(admin: User, review_round: ReviewRound, form: OverrideForm) -> bool:
    """Whether the same form was sent before, and became of the problem what it asked for."""
    step, problem = Step(form.cleaned_data["step"]), review_round.revision.problem
    decided = ReviewRound.objects.filter(
        pk=review_round.pk,
        decided_by=admin,
        override_reason=form.cleaned_data["reason"].strip(),
        decision__in={
            conclude(step, is_last=is_last, is_correction=problem.is_published)
            for is_last in (True, False)
        },
    )
    return decided.exists()
