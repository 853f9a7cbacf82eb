"""An admin plans a study: list, plan, open, invite, end."""

from typing import Any

from django.contrib import messages
from django.db.models import Count, Q
from django.http import HttpResponse, HttpResponseBadRequest
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from curation.texts.workflow import NotAllowedNow
from curation.versions.models import BenchmarkVersion
from grading.studies import actions, jobs
from grading.studies.forms import InviteForm, ReportForm, StudyForm
from grading.studies.models import Study
from phybench.news.jobs.actions import lead_to
from phybench.pages.listing import Column, Listing, by
from phybench.people.http import MemberRequest, few_at_once, role_required
from phybench.people.models import Role
from phybench.work import budgets

COLUMNS: list[Column[Any]] = [
    Column("title", gettext_lazy("Study"), by("title"), lambda one: one.title),
    Column("version", gettext_lazy("Version"), by("version"), lambda one: str(one.version)),
    Column("state", gettext_lazy("State"), by("opened_at"), lambda one: one.state),
    Column("joined", gettext_lazy("Joined"), by("joined"), lambda one: one.joined, is_number=True),
    Column(
        "finished",
        gettext_lazy("Finished"),
        by("finished"),
        lambda one: one.finished,
        is_number=True,
    ),
    Column("people", value=lambda one: one.most_people or ""),
    Column("problems", value=lambda one: one.problems or ""),
    Column("minutes", value=lambda one: one.minutes or ""),
    Column("detectable", value=lambda one: one.detectable),
]


def _list(request: MemberRequest) -> "Listing[Study]":
    finished = Count("participations", filter=Q(participations__session__ended_at__isnull=False))
    rows = Study.objects.select_related("version__benchmark").annotate(
        joined=Count("participations"), finished=finished
    )
    return Listing(request, rows.order_by("-pk"), COLUMNS)


@role_required(Role.ADMIN)
@require_GET
def studies(request: MemberRequest) -> HttpResponse:
    return render(request, "grading/studies.html", _list(request).describe())


@role_required(Role.ADMIN)
@require_GET
def studies_csv(request: MemberRequest) -> HttpResponse:
    return _list(request).write("studies")


@role_required(Role.ADMIN)
@require_http_methods(["GET", "POST"])
def new_study(request: MemberRequest) -> HttpResponse:
    versions = list(
        BenchmarkVersion.objects.published().select_related("benchmark").order_by("-published_at")
    )
    asked = request.POST.get("version") or request.GET.get("version", "")
    version = next((one for one in versions if str(one.pk) == asked), next(iter(versions), None))
    if version is None:
        return render(request, "grading/study_form.html", {"version": None})
    pool = version.items.public().standing().count()
    sent = request.POST if request.method == "POST" else None
    form = StudyForm(sent, instance=Study(problems=min(8, pool)), pool=pool)
    if form.is_bound and form.is_valid():
        # Each problem of the pool is kept as people see it.
        size = actions.measure_pool(version)
        budgets.begin_work(budgets.name_person(request.user.pk), size=size)
        try:
            made = actions.make(version=version, by=request.user, **form.list_fields())
        except NotAllowedNow as refused:
            form.add_error(None, str(refused))
        else:
            return redirect(made)
    context = {
        "versions": versions,
        "version": version,
        "form": form,
        "pool": pool,
        "rows": form.list_detectable(),
    }
    return render(request, "grading/study_form.html", context)


@role_required(Role.ADMIN)
@require_POST
@few_at_once
def design(request: MemberRequest, pk: int) -> HttpResponse:
    """Say how small a difference a study detects as planned, with the pool that it has."""
    version = get_object_or_404(BenchmarkVersion.objects.published(), pk=pk)
    asked = request.GET.get("study", "")
    study = version.studies.filter(pk=asked).first() if asked.isdecimal() else None
    pool = study.items if study else version.items.public().standing()
    form = StudyForm(request.POST, pool=pool.count())
    form.is_valid()
    return render(request, "grading/_design.html", {"rows": form.list_detectable()})


@role_required(Role.ADMIN)
@require_http_methods(["GET", "POST"])
def edit_study(request: MemberRequest, pk: int) -> HttpResponse:
    study = find(pk)
    pool = study.items.count()
    sent = request.POST if request.method == "POST" else None
    form = StudyForm(sent, instance=study, pool=pool)
    if form.is_bound and form.is_valid():
        why = form.cleaned_data.get("why", "")
        try:
            actions.change(study=study, by=request.user, fields=form.list_fields(), why=why)
        except NotAllowedNow as refused:
            form.add_error(None, str(refused))
        else:
            messages.success(request, _("Saved."))
            return redirect(study)
    context = {
        "study": study,
        "version": study.version,
        "form": form,
        "pool": pool,
        "rows": form.list_detectable(),
    }
    return render(request, "grading/study_form.html", context)


@role_required(Role.ADMIN)
@require_http_methods(["GET", "POST"])
def report_study(request: MemberRequest, pk: int) -> HttpResponse:
    """Say what the filled checklist can't know from the study itself."""
    study = find(pk)
    form = ReportForm(request.POST if request.method == "POST" else None, instance=study)
    if form.is_bound and form.is_valid():
        actions.report(study=study, by=request.user, fields=form.cleaned_data)
        messages.success(request, _("Saved."))
        return redirect(study)
    return render(request, "grading/study_report.html", {"study": study, "form": form})


def find(pk: int) -> Study:
    return get_object_or_404(Study.objects.select_related("version__benchmark"), pk=pk)


@role_required(Role.ADMIN)
@require_POST
def open_study(request: MemberRequest, pk: int) -> HttpResponse:
    return lead_to(request, jobs.ask_to_open(study=find(pk), by=request.user))


@role_required(Role.ADMIN)
@require_POST
def delete_study(request: MemberRequest, pk: int) -> HttpResponse:
    study = find(pk)
    try:
        actions.delete_draft(study=study, by=request.user)
    except NotAllowedNow as refused:
        messages.error(request, str(refused))
        return redirect(study)
    messages.success(request, _("The draft is deleted."))
    return redirect("grading:studies")


@role_required(Role.ADMIN)
@require_POST
def end_study(request: MemberRequest, pk: int) -> HttpResponse:
    done = _("Ended. Sessions that go on end by their own clock.")
    return _do(request, find(pk), actions.end_study, done)


@role_required(Role.ADMIN)
@require_POST
def name_baseline(request: MemberRequest, pk: int) -> HttpResponse:
    """Make a study the human baseline of its version, or no longer, as the button says."""
    study = find(pk)
    try:
        match request.POST.get("is_baseline"):
            case "yes":
                actions.name_baseline(study=study, by=request.user)
                messages.success(request, _("This study is the human baseline of its version now."))
            case "no":
                actions.drop_baseline(study=study, by=request.user)
                messages.success(request, _("This version has no human baseline now."))
            case _nothing:
                return HttpResponseBadRequest()
    except NotAllowedNow as refused:
        messages.error(request, str(refused))
    return redirect("grading:study_results", study.pk)


def _do(request: MemberRequest, study: Study, action: Any, done: str) -> HttpResponse:
    try:
        action(study=study, by=request.user)
    except NotAllowedNow as refused:
        messages.error(request, str(refused))
    else:
        messages.success(request, done)
    return redirect(study)


@role_required(Role.ADMIN)
@require_POST
def invite(request: MemberRequest, pk: int) -> HttpResponse:
    study = find(pk)
    form = InviteForm(request.POST)
    if not form.is_valid():
        messages.error(request, _("Give at least one e-mail address."))
        return redirect(study)
    addresses = form.cleaned_data["addresses"]
    return lead_to(request, jobs.ask_to_invite(study=study, addresses=addresses, by=request.user))


@role_required(Role.ADMIN)
@require_GET
def preregistration(request: MemberRequest, pk: int) -> HttpResponse:
    """Download what was fixed when the first person started: the bytes that its hash is of."""
    study = get_object_or_404(Study.objects.exclude(preregistration=None), pk=pk)
    content = actions.write(study.preregistration.content)
    response = HttpResponse(content, content_type="application/json; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="preregistration-{study.pk}.json"'
    return response
