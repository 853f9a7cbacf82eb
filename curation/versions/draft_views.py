"""Pages on which admins make the next version, publish it, and withdraw an item."""

import secrets

from django.conf import settings
from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_POST

from curation.problems.benchmarks.models import Benchmark
from curation.versions import actions, tasks
from curation.versions.actions import CannotChange
from curation.versions.forms import DraftForm, DrawForm, WithdrawalForm
from curation.versions.models import BenchmarkVersion, VersionItem
from curation.versions.views import describe, find
from phybench.news.jobs.actions import lead_to
from phybench.people.forms import form_says_why_not
from phybench.people.http import MemberRequest, role_required, saying_why_not
from phybench.people.models import Role


@role_required(Role.ADMIN)
@require_POST
def new_version(request: MemberRequest, slug: str) -> HttpResponse:
    benchmark = get_object_or_404(Benchmark, slug=slug)
    with saying_why_not(request, CannotChange):
        return redirect(actions.make_draft(benchmark=benchmark, by=request.user))
    return redirect("curation:versions", slug)


@role_required(Role.ADMIN)
@require_http_methods(["GET", "POST"])
def draft_version(request: MemberRequest, slug: str, number: int) -> HttpResponse:
    """Show what the next version would be; keep what is said of it."""
    found = find(request, slug, number)
    if found.is_published:
        return redirect(found)
    form = DraftForm(
        request.POST if request.method == "POST" else None,
        version=found,
        initial={"changes": found.changes},
    )
    if form.is_valid():
        with form_says_why_not(form, CannotChange):
            actions.tick(version=found, by=request.user, **form.list_ticks())
            if "publish" in request.POST:
                return redirect("curation:publish_version", slug, number)
            messages.success(request, _("Saved."))
            return redirect(request.get_full_path())
    return _show(request, found, form, status=400 if form.errors else 200)


def _show(
    request: MemberRequest,
    found: BenchmarkVersion,
    form: DraftForm,
    drawing: DrawForm | None = None,
    *,
    status: int = 200,
) -> HttpResponse:
    free = {one.pk for one in actions.list_may_hide(found)}
    hidden, least = found.items.hidden().count(), settings.LEAST_HIDDEN_ITEMS
    context = {
        **describe(request, found),
        "form": form,
        "drawing": drawing or DrawForm(),
        "may_hide": len(free),
        "free": free if hidden or len(free) >= least else set(),
        "least_hidden": least,
        "can_draw": actions.can_draw(found),
        "difference": actions.compare(found),
        "before": actions.find_previous(found),
        "too_few": actions.say_too_few(hidden),
        "left_out": actions.count_left_out(found),
    }
    return render(request, "curation/draft_version.html", context, status=status)


@role_required(Role.ADMIN)
@require_POST
def draw_hidden(request: MemberRequest, slug: str, number: int) -> HttpResponse:
    """Hide problems at random; the ticks say which, and can be changed."""
    found = find(request, slug, number)
    if found.is_published:
        return redirect(found)
    drawing = DrawForm(request.POST)
    if drawing.is_valid():
        percent = drawing.cleaned_data["percent"]
        drawn = actions.draw_hidden(found, percent, seed=secrets.randbelow(2**32))
        if why := actions.say_too_few(len(drawn)):
            drawing.add_error("percent", why)
        else:
            with form_says_why_not(drawing, CannotChange):
                actions.edit(version=found, changes=found.changes, hidden=drawn, by=request.user)
                text = ngettext(
                    "%(count)d problem is hidden now, selected at random.",
                    "%(count)d problems are hidden now, selected at random.",
                    len(drawn),
                )
                messages.success(request, text % {"count": len(drawn)})
                return redirect(found)
    form = DraftForm(version=found, initial={"changes": found.changes})
    return _show(request, found, form, drawing, status=400)


@role_required(Role.ADMIN)
@require_POST
def refresh_version(request: MemberRequest, slug: str, number: int) -> HttpResponse:
    found = find(request, slug, number)
    with saying_why_not(request, CannotChange):
        actions.refresh(version=found, by=request.user)
        messages.success(request, _("It now contains all accepted problems."))
    return redirect("curation:version", slug, number)


@role_required(Role.ADMIN)
@require_POST
def discard_version(request: MemberRequest, slug: str, number: int) -> HttpResponse:
    found = find(request, slug, number)
    with saying_why_not(request, CannotChange):
        actions.discard(version=found, by=request.user)
        messages.success(request, _("Draft deleted."))
    return redirect("curation:versions", slug)


@role_required(Role.ADMIN)
@require_http_methods(["GET", "POST"])
def publish_version(request: MemberRequest, slug: str, number: int) -> HttpResponse:
    """Show once more what is published for good; publish it."""
    found = find(request, slug, number)
    if found.is_published:
        return redirect(found)
    if request.method == "POST":
        return lead_to(request, tasks.ask_to_publish(version=found, by=request.user))
    context = {
        **describe(request, found),
        "difference": actions.compare(found),
        "before": actions.find_previous(found),
        "why_not": actions.say_why_not(found, list(found.items.all())),
    }
    return render(request, "curation/publish_version.html", context)


@role_required(Role.ADMIN)
@require_http_methods(["GET", "POST"])
def withdraw_item(request: MemberRequest, slug: str, number: int) -> HttpResponse:
    found = find(request, slug, number)
    pk = request.GET.get("item", "")
    items = VersionItem.objects.with_all()
    item = get_object_or_404(items, version=found, pk=pk if pk.isdecimal() else 0)
    if item.is_withdrawn or not found.is_published:
        return redirect(found)
    form = WithdrawalForm(request.POST if request.method == "POST" else None)
    if form.is_valid():
        actions.withdraw_item(item=item, reason=form.cleaned_data["reason"], by=request.user)
        messages.success(request, _("Withdrawn. Figures are shown without it and as published."))
        return redirect(found)
    context = {"version": found, "item": item, "form": form}
    return render(
        request, "curation/withdraw_item.html", context, status=400 if form.is_bound else 200
    )
