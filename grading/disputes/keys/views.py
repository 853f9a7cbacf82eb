"""A key in doubt: the evidence, what was decided, and the way to its correction."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_POST

from curation.problems.exposures import ledger
from curation.problems.exposures.ledger import Part, Reason
from curation.problems.permissions import can_edit
from curation.reviewing.decisions import interests
from curation.texts.workflow import NotAllowedNow
from grading.disputes.keys import actions, tasks
from grading.disputes.keys.forms import CorrectKeyForm, KeyDecisionForm
from grading.disputes.keys.models import KeyCheck, KeyDecision
from phybench.people.http import MemberRequest, role_required
from phybench.people.models import Role

Choice = KeyDecision.Choice


def _find(pk: int) -> KeyCheck:
    found = KeyCheck.objects.select_related(
        "revision__problem__accepted_revision", "last_decision__report"
    )
    return get_object_or_404(found, pk=pk)


@role_required(Role.ADMIN)
@require_http_methods(["GET", "POST"])
def key(request: MemberRequest, pk: int) -> HttpResponse:
    """Show what speaks against a key, and take what an admin decides."""
    check = _find(pk)
    if request.method == "GET":
        return _show(request, check)
    form = _ask_to_decide(request, check, is_sent=True)
    if form.is_valid():
        try:
            made = actions.decide(check=check, by=request.user, **form.cleaned_data)
        except NotAllowedNow as refusal:
            form.add_error(None, str(refusal))
            # What others decided meanwhile is shown now, and so is read.
            check = _find(pk)
            sent = request.POST.copy()
            sent["seen"] = str(check.last_decision_id or "")
            form.data = sent
        else:
            messages.success(request, _say_decided(made))
            # Whoever found it wrong goes on with its correction here.
            return redirect("grading:key", pk) if made.report else redirect("grading:keys")
    return _show(request, check, decision=form)


@role_required(Role.ADMIN)
@require_http_methods(["GET", "POST"])
def correct_key(request: MemberRequest, pk: int) -> HttpResponse:
    """Reopen the problem, and lead to where its next revision is written."""
    check = _find(pk)
    if request.method == "GET":
        return redirect("grading:key", pk)
    form = CorrectKeyForm(request.POST)
    if form.is_valid():
        try:
            problem = actions.correct(check=check, by=request.user, **form.cleaned_data)
        except NotAllowedNow as refusal:
            form.add_error(None, str(refusal))
        else:
            if can_edit(request.user, problem):
                messages.success(
                    request,
                    _("The problem is reopened. Correct its reference answer here and submit it."),
                )
                return redirect("curation:edit", problem.pk)
            messages.info(request, actions.say_whose_turn(problem))
            return redirect(problem)
    return _show(request, check, correction=form)


def _ask_to_decide(
    request: MemberRequest, check: KeyCheck, *, is_sent: bool = False
) -> KeyDecisionForm:
    return KeyDecisionForm(
        request.POST if is_sent else None,
        seen=check.last_decision_id,
        why_not_right=interests.say_who_decides(request.user, check.revision.problem),
    )


def _show(
    request: MemberRequest,
    check: KeyCheck,
    *,
    decision: KeyDecisionForm | None = None,
    correction: CorrectKeyForm | None = None,
) -> HttpResponse:
    parts = (Part.STATEMENT, Part.ANSWER, Part.VERDICT)
    ledger.record(request.user, Reason.DOUBT, check.revision, parts=parts)
    most = max((count for _group, count in check.counted_groups), default=0)
    last = check.last_decision
    problem = check.revision.problem
    is_wrong = last is not None and last.choice == Choice.KEY_WRONG
    report = last.report if last and is_wrong else None
    context = {
        "check": check,
        "most": max(most, 1),
        "decisions": check.decisions.select_related("by", "report"),
        "is_waiting": KeyCheck.objects.waiting().filter(pk=check.pk).exists(),
        "is_in_use": problem.accepted_revision_id == check.revision_id,
        "form": decision or _ask_to_decide(request, check),
        # Asked for once; from then on it is written.
        "correction": (correction or CorrectKeyForm()) if report and not report.outcome else None,
        "is_corrected_now": bool(report and report.awaits_correction),
        "can_edit": can_edit(request.user, problem),
    }
    status = 400 if decision or correction else 200
    return render(request, "grading/key.html", context, status=status)


def _say_decided(made: KeyDecision) -> str:
    if made.choice == Choice.NEEDS_WORK:
        return _("Saved. It stays on the list.")
    if made.report is None:
        return _("Decided. It comes back to the list when it has more answers.")
    return _("Decided, and reported as error report %(number)d.") % {"number": made.report.pk}


@role_required(Role.ADMIN)
@require_POST
def look_again(request: MemberRequest) -> HttpResponse:
    """Have the worker check what got answers since."""
    tasks.scan_keys.delay()
    count = KeyCheck.objects.count()
    text = ngettext(
        "The worker checks problems with new answers. One reference answer was checked before.",
        "The worker checks problems with new answers. %(count)d reference answers were "
        "checked before.",
        count,
    )
    messages.info(request, text % {"count": count})
    return redirect("grading:keys")
