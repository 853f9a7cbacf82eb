"""Conflicts of interest: an admin marks and lifts them, and says what is one in a benchmark."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_POST

from curation.problems.benchmarks.models import Benchmark
from curation.problems.people.models import Conflict
from curation.reviewing.assignments import actions as assigning
from curation.reviewing.assignments import staffing
from curation.reviewing.assignments.forms import ConflictForm, ReviewSettingsForm
from curation.reviewing.pipelines.shipped import find_settings
from curation.reviewing.rounds.models import ReviewRound
from curation.texts.stage_texts import PLANS
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


@role_required(Role.ADMIN)
@require_http_methods(["GET", "POST"])
def review_settings(request: MemberRequest, slug: str) -> HttpResponse:
    """Say how a benchmark is reviewed; what a new conflict rule forbids is given back."""
    benchmark = get_object_or_404(Benchmark, slug=slug)
    sent = request.POST if request.method == "POST" else None
    review = find_settings(benchmark)
    form = ReviewSettingsForm(sent, review=review)
    if form.is_valid():
        try:
            count = assigning.set_review(benchmark=benchmark, by=request.user, **form.read())
        except NotAllowedNow as refusal:
            form.add_error(None, str(refusal))
        else:
            messages.success(request, _("Saved."))
            if count:
                text = ngettext(
                    "%(count)d open review was given back because of the same institution.",
                    "%(count)d open reviews were given back because of the same institution.",
                    count,
                )
                messages.warning(request, text % {"count": count})
            return redirect("curation:review_settings", slug)
    plans = staffing.list_plans(benchmark)
    if review.pipeline is None:
        form.fields["plan"].initial = staffing.choose_plan(plans).plan
    context = {
        "form": form,
        "benchmark": benchmark,
        "plans": [(one, form["plan"].value() == one.plan) for one in plans],
        "own_plans": [one for one in form["plan"] if one.data["value"] not in PLANS],
        "larger": staffing.find_larger(benchmark),
        "open_rounds": ReviewRound.objects.open()
        .filter(revision__problem__benchmark=benchmark)
        .count(),
    }
    status = 400 if form.errors else 200
    return render(request, "curation/review_settings.html", context, status=status)
