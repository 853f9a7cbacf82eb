"""Somebody withdraws from a study."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods

from grading.studies.permissions import list_own_participations
from grading.studies.withdrawals import actions
from phybench.people.http import MemberRequest, role_required
from phybench.people.models import Role


@role_required(Role.PARTICIPANT)
@require_http_methods(["GET", "POST"])
def withdraw(request: MemberRequest, pk: int) -> HttpResponse:
    """Say what is deleted and what remains, and have somebody withdraw."""
    own = get_object_or_404(list_own_participations(request.user), study=pk)
    if request.method == "POST":
        done = actions.withdraw(participation=own, person=request.user)
        messages.success(request, _("You have withdrawn. What you wrote is deleted."))
        if done.unnamed:
            kept = ngettext(
                "One answer is kept without your name: others have worked on it.",
                "%(count)d answers are kept without your name: others have worked on them.",
                done.unnamed,
            )
            messages.info(request, kept % {"count": done.unnamed})
        return redirect("grading:sittings")
    return render(request, "grading/withdraw_from_study.html", {"study": own.study, "own": own})
