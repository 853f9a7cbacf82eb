"""Conflicts of interest: an admin marks them, and lifts them."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from curation.problems.people.models import Conflict
from curation.reviewing.assignments import actions as assigning
from curation.reviewing.assignments.forms import ConflictForm
from curation.texts.workflow import NotAllowedNow
from phybench.pages.listing import Listing, make_tabs
from phybench.people.http import MemberRequest, role_required
from phybench.people.models import Role


@role_required(Role.ADMIN)
@require_http_methods(["GET", "POST"])
def conflicts(request: MemberRequest) -> HttpResponse:
    """List who must not judge what, and take another."""
    form = ConflictForm(request.POST if request.method == "POST" else None)
    if form.is_valid():
        try:
            assigning.mark_conflict(admin=request.user, **form.cleaned_data)
        except NotAllowedNow as refusal:
            form.add_error(None, str(refusal))
        else:
            messages.success(request, _("Marked. Any open assignment is withdrawn."))
            return redirect("curation:conflicts")
    found = Conflict.objects.select_related("person", "problem", "author", "marked_by", "lifted_by")
    show = "all" if request.GET.get("show") == "all" else ""
    tabs = make_tabs([("", _("current")), ("all", _("all, including lifted ones"))], show)
    listing: Listing[Conflict] = Listing(request, found if show else found.current(), tabs=tabs)
    return render(request, "curation/conflicts.html", {**listing.describe(), "form": form})


@role_required(Role.ADMIN)
@require_POST
def lift_conflict(request: MemberRequest, pk: int) -> HttpResponse:
    conflict = get_object_or_404(Conflict.objects.select_related("person"), pk=pk)
    try:
        assigning.lift_conflict(conflict=conflict, admin=request.user)
    except NotAllowedNow as refusal:
        messages.error(request, str(refusal))
    else:
        messages.success(
            request, _("Lifted: %(name)s may review it again.") % {"name": conflict.person}
        )
    return redirect("curation:conflicts")
