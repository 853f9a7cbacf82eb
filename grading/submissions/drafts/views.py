"""Upload answers, look at what they come to, have them graded."""

from collections.abc import Iterable
from typing import BinaryIO, cast

from django.contrib import messages
from django.core.files.uploadedfile import UploadedFile
from django.db import transaction
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from curation.versions.models import BenchmarkVersion
from grading.answers.submissions.models import Submission
from grading.solvers.actions import find_or_make_own
from grading.solvers.permissions import list_hand_in_for
from grading.submissions.drafts import actions, preview, saying, submitting
from grading.submissions.drafts.forms import (
    FilesForm,
    GradeForm,
    MoveForm,
    UploadForm,
    describe_map,
)
from grading.submissions.drafts.models import Draft, DraftFile
from grading.submissions.drafts.permissions import list_drafts
from grading.submissions.drafts.pieces import hash_together
from grading.submissions.quota import measure_quota
from grading.submissions.task_files import list_tasks
from phybench.files.answer_files.formats.refused import RefusedFile
from phybench.news.jobs.actions import go_to, lead_to
from phybench.news.jobs.permissions import list_jobs
from phybench.people.http import (
    MemberRequest,
    few_at_once,
    few_editors_at_once,
    role_required,
)
from phybench.people.models import Role

ROWS_SHOWN = 50
"""Rows that are left out, on the page; the CSV has more."""
FEW_ROWS = 10
"""So few rows that are left out are shown with their reasons without a click."""


@role_required(Role.EVALUATOR)
@require_http_methods(["GET", "POST"])
@few_at_once
def upload(request: MemberRequest) -> HttpResponse:
    """Begin a draft with one or several files."""
    organisations = list_hand_in_for(request.user)
    data = (request.POST, request.FILES) if request.method == "POST" else ()
    form = UploadForm(organisations, *data)
    if form.is_bound and form.is_valid() and (draft := _begin(request, form)):
        return go_to(request, draft)
    context = {
        "form": form,
        "tasks": [
            (one, list_tasks(one))
            for one in BenchmarkVersion.objects.current().select_related("benchmark")
        ],
        "organisations": organisations,
        "drafts": list_drafts(request.user).open().order_by("-pk"),
    }
    return render(request, "grading/upload.html", context, status=say_status(request, form))


def say_status(request: MemberRequest, form: FilesForm) -> int:
    """Choose the status of a form: htmx shows no page that comes with an error."""
    return 400 if form.errors and not request.htmx else 200


def _begin(request: MemberRequest, form: UploadForm) -> Draft | None:
    given = form.cleaned_data
    try:
        # Of a draft whose files are refused nothing is kept.
        with transaction.atomic():
            draft = actions.begin(
                organisation=given["organisation"] or find_or_make_own(request.user),
                benchmark=given["benchmark"],
                by=request.user,
            )
            actions.add_files(
                draft=draft,
                files=open_sent(given["answers"]),
                by=request.user,
                model_name=given["model_name"],
            )
    except (RefusedFile, actions.CannotChange) as refused:
        form.add_error("answers", str(refused))
        return None
    return draft


def open_sent(files: Iterable[UploadedFile]) -> list[tuple[str, BinaryIO]]:
    """Return files that were sent as `actions.add_files` takes them."""
    return [(file.name or "", cast("BinaryIO", file.file)) for file in files]


def get_draft(request: MemberRequest, pk: int) -> Draft:
    """Return an open draft that somebody may change."""
    return get_object_or_404(list_drafts(request.user).open(), pk=pk)


@role_required(Role.EVALUATOR)
@require_http_methods(["GET", "POST"])
def draft(request: MemberRequest, pk: int) -> HttpResponse:
    """Show what a draft comes to, or move it to the version that is posted."""
    found = get_object_or_404(list_drafts(request.user), pk=pk)
    if found.graded_at:
        made = Submission.objects.filter(made_from__draft=found)
        return go_to(request, submitting.lead_on(list(made)))
    under_way = list_jobs(request.user).open().of(actions.GRADING_A_DRAFT, found.pk).first()
    if under_way is not None:
        return go_to(request, under_way)
    return _move(request, found) if request.method == "POST" else show_draft(request, found)


def _move(request: MemberRequest, found: Draft) -> HttpResponse:
    form = MoveForm(request.POST)
    if form.is_valid():
        version = form.cleaned_data["version"]
        try:
            actions.move(draft=found, to=version, by=request.user)
        except actions.CannotChange as refused:
            messages.warning(request, str(refused))
        else:
            messages.success(
                request, _("The draft is to version %(number)d now.") % {"number": version.number}
            )
    else:
        messages.warning(request, _("Nothing is moved: there is no such version."))
    return redirect(found)


def show_draft(
    request: MemberRequest,
    found: Draft,
    *,
    files_form: FilesForm | None = None,
    grade_form: GradeForm | None = None,
) -> HttpResponse:
    files = list(found.files.with_runs())
    looked = preview.look(found, files)
    matched = preview.count_matched(files, looked)
    newer = actions.find_newer(found)
    before = submitting.find_same(found, hash_together(one.sha256 for one in files))
    left_out = [row | {"file": file} for file in files for row in file.left_out[:ROWS_SHOWN]]
    context = {
        "draft": found,
        "files": [
            (one, describe_map(one.map), saying.say_match(one.map, matched.get(one.pk, 0)))
            for one in files
        ],
        "nameless": next((file for file in files if file.lacks_model), None),
        "is_being_read": any(one.is_being_read for one in files),
        "preview": looked,
        "models": [
            (one, saying.list_figures(one), saying.list_warnings(one), saying.say_missing(one))
            for one in looked.models
        ],
        "failed_only": saying.list_failed_only(looked),
        "newer": newer,
        "newer_says": list(saying.say_newer(found, newer)) if newer else [],
        "obstacle": preview.find_obstacle(files, looked),
        "before": before,
        "left_out": left_out[:ROWS_SHOWN],
        "left_out_count": saying.count_left_out(files),
        "left_out_says": saying.say_left_out(files, looked),
        "few": FEW_ROWS,
        "quota": measure_quota(found.organisation, request.user),
        "files_form": files_form or FilesForm(),
        "form": grade_form or GradeForm(initial={"version": looked.version}),
    }
    form = files_form or grade_form
    if request.htmx and not form:
        return render(request, "grading/draft.html#state", context)
    return render(
        request,
        "grading/draft.html",
        context,
        status=400 if form and form.errors and not request.htmx else 200,
    )


@role_required(Role.EVALUATOR)
@require_POST
@few_editors_at_once
def grade(request: MemberRequest, pk: int) -> HttpResponse:
    found = get_object_or_404(list_drafts(request.user), pk=pk)
    if found.graded_at:
        return go_to(request, found)
    form = GradeForm(request.POST)
    if not form.is_valid():
        return show_draft(request, found, grade_form=form)
    try:
        job = submitting.ask_to_grade(draft=found, by=request.user, **form.cleaned_data)
    except submitting.GradedBefore as before:
        form.add_error("again", f"{before} {_('To have it graded once more, tick the box.')}")
    except actions.CannotChange as refused:
        form.add_error(None, str(refused))
    else:
        return lead_to(request, job)
    if not list_drafts(request.user).filter(pk=pk).exists():
        raise Http404
    return show_draft(request, found, grade_form=form)


@role_required(Role.EVALUATOR)
@require_http_methods(["GET", "POST"])
def discard(request: MemberRequest, pk: int) -> HttpResponse:
    found = get_draft(request, pk)
    if request.method == "GET":
        return render(request, "grading/discard_draft.html", {"draft": found})
    try:
        actions.discard(draft=found, by=request.user)
    except actions.CannotChange as refused:
        messages.warning(request, str(refused))
        return redirect(found)
    messages.success(request, _("The draft is discarded. None of its answers was graded."))
    return redirect("grading:submissions")


def get_file(request: MemberRequest, pk: int, number: int) -> DraftFile:
    files = DraftFile.objects.select_related(
        "draft__organisation", "draft__benchmark", "draft__version__benchmark"
    )
    return get_object_or_404(files, draft=get_draft(request, pk), pk=number)
