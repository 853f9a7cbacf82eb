"""Files of items: upload one, and set a judge up for it."""

from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.formats import date_format
from django.utils.timezone import localtime
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_http_methods

from grading.judging.engine.configuration import Configuration
from grading.judging.engine.documents import MOST_TURNS
from grading.judging.models import JudgeFile, JudgeRun
from grading.judging.permissions import list_judge_files, list_runs
from grading.judging.prompts.configurations import read
from grading.judging.runs.actions import Plan
from grading.judging.runs.setting_up import Subject, read_kind, set_up
from grading.judging.uploads import actions
from grading.judging.uploads.forms import FileRunForm, UploadForm
from grading.judging.words import name_kinds
from grading.runs.models import Endpoint
from grading.solvers.permissions import list_hand_in_for
from phybench.pages.listing import Column, Listing, by
from phybench.people.http import MemberRequest, role_required
from phybench.people.models import Role
from phybench.work import budgets
from phybench_grader.judges.items import Item

A_PAGE = 50
FILES: list[Column[JudgeFile]] = [
    Column("file", _("File"), by("file_name")),
    Column("organisation", _("Team"), by("organisation__name")),
    Column("by", _("Uploaded by"), by("uploaded_by__display_name")),
    Column("when", _("Uploaded"), by("created_at")),
]


@role_required(Role.EVALUATOR)
@require_http_methods(["GET", "POST"])
def judge_files(request: MemberRequest) -> HttpResponse:
    organisations = list_hand_in_for(request.user)
    form = UploadForm(organisations)
    if request.method == "POST":
        form = UploadForm(organisations, request.POST, request.FILES)
        if form.is_valid() and (file := _upload(request, form)):
            return redirect(file)
    found = list_judge_files(request.user)
    context = {
        **Listing(request, found, FILES, default="-when", a_page=A_PAGE).describe(),
        "form": form,
        "may_upload": bool(organisations),
        "works_without": name_kinds(lambda one: not one.needs_reference and not one.compares),
        "looks_at_chats": name_kinds(lambda one: one.most_turns == MOST_TURNS),
        "most_turns": MOST_TURNS,
    }
    status = 400 if form.is_bound and form.errors else 200
    return render(request, "grading/judge_files.html", context, status=status)


def _upload(request: MemberRequest, form: UploadForm) -> JudgeFile | None:
    file = form.cleaned_data["file"]
    try:
        return actions.upload(
            by=request.user,
            organisation=form.cleaned_data["organisation"],
            file_name=file.name,
            # No more than shows that it is too large.
            content=file.read(actions.LARGEST_FILE + 1),
        )
    except actions.UploadedBefore as before:
        # Its page has the runs so far, and asks how it is to be judged now.
        messages.info(request, _say_uploaded_before(before.file))
        return before.file
    except actions.CannotUpload as cannot:
        form.add_error("file", str(cannot))
        return None


def _say_uploaded_before(file: JudgeFile) -> str:
    return gettext(
        "%(person)s uploaded the same file on %(day)s as “%(name)s”, so it is not stored again: "
        "this is its page. You can have it judged anew here. What the same judge has answered "
        "already is reused, unless you choose otherwise."
    ) % {
        "person": file.uploaded_by,
        "day": date_format(localtime(file.created_at), "DATE_FORMAT"),
        "name": file,
    }


@role_required(Role.EVALUATOR)
@require_http_methods(["GET", "POST"])
def judge_file(request: MemberRequest, pk: int) -> HttpResponse:
    found = list_judge_files(request.user).defer(None)
    file = get_object_or_404(found, pk=pk)
    data, kind = read_kind(request)
    kind = kind if kind and not kind.compares else None
    form = FileRunForm(Endpoint.objects.in_use(), data, kind=kind)

    def list_items(_plan: Plan, configuration: Configuration) -> list[Item]:
        return actions.read_items(file, configuration).items

    def describe(plan: Plan) -> dict[str, Any]:
        listed = actions.read_items(file, read(plan.document, plan.prompt))
        return {"remarks": listed.list_ignored()}

    def begin(*, plan: Plan) -> JudgeRun:
        who = budgets.name_person(request.user.pk)
        budgets.begin_work(who, size=actions.measure_run(file))
        return actions.begin(file=file, started_by=request.user, plan=plan)

    return set_up(
        request,
        form,
        Subject(
            row=file,
            name=file.file_name,
            list_items=list_items,
            begin=begin,
            runs=list_runs(request.user).filter(file=file),
            describe=describe,
        ),
    )
