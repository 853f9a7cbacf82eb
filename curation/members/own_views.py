"""One's own roles and institution: ask for a role, take that back, say where one works."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from curation.members import actions, requests
from curation.members.forms import AskForm, InstitutionForm
from curation.texts.workflow import NotAllowedNow
from phybench.people.http import MemberRequest
from phybench.people.models import Role


@require_GET
def my_roles(request: MemberRequest) -> HttpResponse:
    return render(request, "curation/my_roles.html")


@require_POST
def ask_for_role(request: MemberRequest) -> HttpResponse:
    form = AskForm(request.POST)
    if not form.is_valid():
        messages.error(request, _("Choose one of the roles below."))
        return redirect("curation:my_roles")
    role = form.cleaned_data["role"]
    try:
        requests.ask(person=request.user, role=role, note=form.cleaned_data["note"])
    except NotAllowedNow as refusal:
        messages.error(request, str(refusal))
    else:
        text = _("You asked for the role %(role)s. An admin decides.")
        messages.success(request, text % {"role": Role(role).label})
    return redirect("curation:my_roles")


@require_POST
def take_back_request(request: MemberRequest, pk: int) -> HttpResponse:
    own = get_object_or_404(request.user.role_requests, pk=pk)
    requests.take_back(request=own, person=request.user)
    messages.success(request, _("Your request is withdrawn."))
    return redirect("curation:my_roles")


@require_http_methods(["GET", "POST"])
def my_institution(request: MemberRequest) -> HttpResponse:
    first = {"institution": request.user.institution}
    form = InstitutionForm(request.POST if request.method == "POST" else None, initial=first)
    if form.is_valid():
        name = form.cleaned_data["institution"]
        actions.set_institution(person=request.user, name=name, by=request.user)
        messages.success(request, _("Saved."))
        return redirect("profile")
    status = 400 if form.errors else 200
    return render(request, "curation/my_institution.html", {"form": form}, status=status)
