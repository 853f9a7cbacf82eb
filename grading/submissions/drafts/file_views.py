"""The files of a draft: add and remove them, choose their fields, see what their rows hold."""

from collections.abc import Iterator

from django.conf import settings
from django.contrib import messages
from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from curation.problems.models import Revision
from curation.problems.typed_answers import show_reading
from grading.submissions.drafts import actions, preview
from grading.submissions.drafts.forms import FieldsForm, FilesForm
from grading.submissions.drafts.models import DraftAnswer
from grading.submissions.drafts.views import get_draft, get_file, open_sent, show_draft
from phybench.files.answer_files.formats.refused import RefusedFile
from phybench.news.jobs.actions import go_to
from phybench.pages.csv import stream_csv
from phybench.people.http import MemberRequest, few_at_once, role_required
from phybench.people.models import Role
from phybench.work import sandbox
from phybench_grader.statement.response import find_answer

FIRST = 20
"""Answers that are shown as they are read."""


@role_required(Role.EVALUATOR)
@require_POST
@few_at_once
def add(request: MemberRequest, pk: int) -> HttpResponse:
    draft = get_draft(request, pk)
    form = FilesForm(request.POST, request.FILES)
    if form.is_valid():
        try:
            files = open_sent(form.cleaned_data["answers"])
            actions.add_files(draft=draft, files=files, by=request.user)
        except (RefusedFile, actions.CannotChange) as refused:
            form.add_error("answers", str(refused))
        else:
            return go_to(request, draft)
    return show_draft(request, draft, files_form=form)


@role_required(Role.EVALUATOR)
@require_POST
def remove(request: MemberRequest, pk: int, number: int) -> HttpResponse:
    file = get_file(request, pk, number)
    try:
        actions.remove_file(file=file, by=request.user)
    except actions.CannotChange as refused:
        messages.warning(request, str(refused))
    else:
        messages.success(request, _("%(file)s is removed from the draft.") % {"file": file.name})
    return redirect(file.draft)


@role_required(Role.EVALUATOR)
@require_http_methods(["GET", "POST"])
def fields(request: MemberRequest, pk: int, number: int) -> HttpResponse:
    """Say which field of a file holds what."""
    file = get_file(request, pk, number)
    if file.is_run:
        return redirect(file.draft)
    form = FieldsForm(file, request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        try:
            actions.choose_fields(file=file, field_map=form.read(), by=request.user)
        except actions.CannotChange as refused:
            messages.warning(request, str(refused))
        return redirect(file.draft)
    context = {"file": file, "draft": file.draft, "form": form}
    return render(request, "grading/draft_fields.html", context, status=400 if form.errors else 200)


@role_required(Role.EVALUATOR)
@require_GET
@few_at_once
def first(request: MemberRequest, pk: int) -> HttpResponse:
    """Show how the first answers are read: by what solvers are told, without the key."""
    draft = get_draft(request, pk)
    files = list(draft.files.all())
    looked = preview.look(draft, files)
    revisions = {**looked.public, **looked.hidden}
    answers = preview.list_answers(draft, files).filter(identifier__in=list(revisions))
    shown = list(answers.order_by("file", "row", "sample")[:FIRST])
    asked = Revision.objects.in_bulk({revisions[one.identifier] for one in shown})
    read = [(one, _read(one, asked[revisions[one.identifier]])) for one in shown]
    return render(request, "grading/_first_answers.html", {"answers": read})


def _read(answer: DraftAnswer, revision: Revision) -> dict[str, object]:
    """Return what `_read_as.html` shows of a response."""
    try:
        found = sandbox.run(
            find_answer, answer.response, deadline=settings.READING_DEADLINE_SECONDS
        )
    except sandbox.Stopped:
        return {"stopped": _("This takes too long to read.")}
    return show_reading(found, revision)


@role_required(Role.EVALUATOR)
@require_GET
def left_out_csv(request: MemberRequest, pk: int) -> HttpResponseBase:
    """Write the rows that are no answers, file by file."""
    draft = get_draft(request, pk)

    def rows() -> Iterator[list[object]]:
        for file in draft.files.all():
            for row in file.left_out:
                named = (row["row"], row["id"], row["model"], row["reason"], row["message"])
                yield [file.name, *named]

    header = ["file", "row", "id", "model", "reason", "message"]
    return stream_csv(f"draft-{draft.pk}-left-out", header, rows())
