"""Conflicts of interest: an admin marks and lifts them."""

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from curation.problems.benchmarks.models import Benchmark
from curation.problems.people.models import Conflict
from curation.reviewing.assignments import actions as assigning
from curation.reviewing.assignments.forms import ConflictForm
from curation.texts.workflow import NotAllowedNow
from phybench.pages.listing import Listing, make_tabs
from phybench.people.http import MemberRequest, role_required
from phybench.people.models import Role


def _lead_back(slug: str) -> HttpResponse:
    return redirect(reverse("curation:review_settings", args=[slug]) + "?show=conflicts")


@role_required(Role.ADMIN)
@require_http_methods(["GET", "POST"])
def conflicts(request: MemberRequest, slug: str) -> HttpResponse:
    """List who must not judge what, and take another."""
    benchmark = get_object_or_404(Benchmark, slug=slug)
    form = ConflictForm(request.POST if request.method == "POST" else None)
    if form.is_valid():
        try:
            assigning.mark_conflict(admin=request.user, **form.cleaned_data)
        except NotAllowedNow as refusal:
            form.add_error(None, str(refusal))
        else:
            messages.success(request, _("Marked. What they were asked for is withdrawn."))
            return _lead_back(slug)
    found = Conflict.objects.select_related("person", "problem", "author", "marked_by", "lifted_by")
    of = "all" if request.GET.get("of") == "all" else ""
    tabs = make_tabs(
        [("", _("current")), ("all", _("all, including lifted ones"))], of, "show=conflicts&of"
    )
    listing: Listing[Conflict] = Listing(request, found if of else found.current(), tabs=tabs)
    context = {**listing.describe(), "benchmark": benchmark, "form": form}
    return render(request, "curation/conflicts.html", context)


@role_required(Role.ADMIN)
@require_POST
def lift_conflict(request: MemberRequest, slug: str) -> HttpResponse:
    number = request.POST.get("conflict", "")
    if not (number.isascii() and number.isdigit() and len(number) < 19):
        raise Http404
    conflict = get_object_or_404(Conflict.objects.select_related("person"), pk=number)
    try:
        assigning.lift_conflict(conflict=conflict, admin=request.user)
    except NotAllowedNow as refusal:
        messages.error(request, str(refusal))
    else:
        messages.success(
            request, _("Lifted: %(name)s may review it again.") % {"name": conflict.person}
        )
    return _lead_back(slug)
