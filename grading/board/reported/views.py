"""Pages on which admins add scores that were reported elsewhere, and withdraw them."""

import hashlib
from typing import Any

from django.contrib import messages
from django.core.files.uploadedfile import UploadedFile
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods

from grading.board.reported import actions
from grading.board.reported.actions import CannotAdd, Preview
from grading.board.reported.forms import FIELDS, ManyScoresForm, OneScoreForm, WithdrawForm
from grading.board.reported.models import ReportedScore
from phybench.files.problem_files import Refused
from phybench.people.http import MemberRequest, role_required
from phybench.people.models import Role
from phybench.work import budgets


@role_required(Role.ADMIN)
@require_http_methods(["GET", "POST"])
def new_reported(request: MemberRequest) -> HttpResponse:
    """Add one row."""
    form = OneScoreForm(request.POST if request.method == "POST" else None)
    if form.is_valid():
        try:
            actions.add(
                benchmark=form.cleaned_data["benchmark"],
                scores=[form.save(commit=False)],
                by=request.user,
            )
        except CannotAdd as refused:
            form.add_error(None, str(refused))
        else:
            messages.success(request, _("Added. It is shown beside the board, without a rank."))
            return redirect("grading:reported")
    status = 400 if form.is_bound else 200
    return render(request, "grading/new_reported.html", {"form": form}, status=status)


@role_required(Role.ADMIN)
@require_http_methods(["GET", "POST"])
def import_reported(request: MemberRequest) -> HttpResponse:
    """Show what rows of a file are, and add them once they were seen so."""
    if request.method != "POST":
        return _show(request, ManyScoresForm())
    sent = request.POST.copy()
    form = ManyScoresForm(sent, request.FILES)
    if not form.is_valid():
        return _show(request, form)
    given = form.cleaned_data
    content = _read(given["file"], given["text"])
    try:
        preview = actions.look_at(benchmark=given["benchmark"], content=content)
    except Refused as refused:
        form.add_error("file" if given["file"] else "text", str(refused))
        return _show(request, form)
    # What is added is what was shown: other text, or another benchmark, is shown first.
    text = content.decode("utf-8-sig").replace("\r\n", "\n").strip()
    looked_at = hashlib.sha256(f"{given['benchmark'].pk} {text}".encode()).hexdigest()
    if given["looked_at"] != looked_at or preview.faulty or not preview.new:
        sent["text"], sent["looked_at"] = text, looked_at
        return _show(request, form, preview)
    size = budgets.A_ROW * len(preview.new)
    budgets.charge(budgets.name_person(request.user.pk), size=size)
    try:
        added = actions.add(benchmark=given["benchmark"], scores=preview.new, by=request.user)
    except CannotAdd as refused:
        form.add_error(None, str(refused))
        return _show(request, form, preview)
    messages.success(
        request,
        ngettext("One row was added.", "%(count)d rows were added.", added) % {"count": added},
    )
    return redirect("grading:reported")


def _read(file: UploadedFile | None, text: str) -> bytes:
    return file.read() if file else text.encode()


def _show(
    request: MemberRequest, form: ManyScoresForm, preview: Preview | None = None
) -> HttpResponse:
    context: dict[str, Any] = {
        "form": form,
        "preview": preview,
        "columns": ",".join(FIELDS),
        "spreads": ReportedScore.Spread.choices,
    }
    status = 400 if form.errors or (preview and preview.faulty) else 200
    return render(request, "grading/import_reported.html", context, status=status)


@role_required(Role.ADMIN)
@require_http_methods(["GET", "POST"])
def withdraw_reported(request: MemberRequest, pk: int) -> HttpResponse:
    """Take a row off, after asking why."""
    score = get_object_or_404(ReportedScore.objects.select_related("benchmark"), pk=pk)
    if score.withdrawn_at is not None:
        messages.info(request, _("This row is already withdrawn."))
        return redirect("grading:reported")
    form = WithdrawForm(request.POST if request.method == "POST" else None)
    if form.is_valid():
        actions.withdraw(score=score, why=form.cleaned_data["why_withdrawn"], by=request.user)
        messages.success(request, _("Withdrawn. It is no longer shown beside any board."))
        return redirect("grading:reported")
    context = {"score": score, "form": form}
    status = 400 if form.is_bound else 200
    return render(request, "grading/withdraw_reported.html", context, status=status)
