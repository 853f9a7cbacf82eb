"""Saying what a model is."""

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from grading.answers.permissions import list_solvers
from grading.solvers import actions
from grading.solvers.forms import DescriptionForm
from grading.solvers.models import Description, Solver, find_developer
from grading.solvers.permissions import can_describe
from phybench.people.http import MemberRequest, role_required
from phybench.people.models import Role


@role_required(Role.EVALUATOR)
@require_http_methods(["GET", "POST"])
def describe_solver(request: MemberRequest, pk: int) -> HttpResponse:
    found = get_object_or_404(list_solvers(request.user), pk=pk)
    if not can_describe(request.user, found):
        raise PermissionDenied(_("Only members of its team and admins describe a model."))
    if request.method == "POST":
        form = DescriptionForm(request.POST)
        if form.is_valid() and _describe(request, found, form):
            messages.success(request, _("Saved: this is the description from now on."))
            return redirect(found)
    else:
        said = found.descriptions.values(*Description.SAID).first()
        form = DescriptionForm(initial=said or {"developer": find_developer(found.name)})
    # Also of one that another wrote meanwhile: it is shown, and so is read now.
    context = {"solver": found, "form": form, "last": found.descriptions.first()}
    return render(
        request, "grading/describe_solver.html", context, status=400 if form.errors else 200
    )


def _describe(request: MemberRequest, found: Solver, form: DescriptionForm) -> bool:
    try:
        actions.describe(
            solver=found, by=request.user, read=form.cleaned_data["read"], **form.list_said()
        )
    except actions.CannotChange as refused:
        form.add_error(None, str(refused))
        return False
    return True
