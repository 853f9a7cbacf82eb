"""The page on which a rejected problem is reopened."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from curation.problems.fields import ReasonForm
from curation.problems.permissions import can_reopen, list_visible
from curation.problems.wording import name_in
from curation.reviewing.decisions import actions, interests
from curation.texts.workflow import NotAllowedNow, Status
from phybench.people.http import MemberRequest, role_required, saying_why_not
from phybench.people.models import Role


@role_required(Role.ADMIN)
@require_http_methods(["GET", "POST"])
def reopen(request: MemberRequest, pk: int) -> HttpResponse:
    """Give a rejected problem back to its author, after asking why."""
    problem = get_object_or_404(list_visible(request.user), pk=pk)
    form = ReasonForm(
        request,
        label=_("Why you reopen it"),
        help_text=_("Kept in the history. The author reads it."),
    )
    if not can_reopen(request.user, problem):
        is_rejected = problem.status == Status.REJECTED
        why = interests.say_who_decides(request.user, problem) if is_rejected else ""
        messages.info(request, why or _("This problem is not rejected, or you may not reopen it."))
        return redirect(problem)
    if form.is_valid():
        with saying_why_not(request, NotAllowedNow):
            actions.reopen(problem=problem, admin=request.user, **form.cleaned_data)
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
