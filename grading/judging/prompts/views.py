"""The prompts that ask: ours, and those that people bring and admins release."""

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from grading import permissions
from grading.judges.kinds import KINDS
from grading.judges.prompts import Variant
from grading.judging.prompts import actions
from grading.judging.prompts.forms import PromptForm
from grading.judging.prompts.models import JudgePrompt
from phybench.csv import csv_response
from phybench.http import MemberRequest, role_required
from phybench.models import Role
from phybench.sorting import Sorting, read_sorting

A_PAGE = 50


@role_required(Role.EVALUATOR)
@require_http_methods(["GET", "POST"])
def judge_prompts(request: MemberRequest) -> HttpResponse:
    form = PromptForm()
    if request.method == "POST":
        form = PromptForm(request.POST, request.FILES)
        if form.is_valid() and (prompt := _bring(request, form)):
            messages.success(request, _say_brought(prompt))
            return redirect("grading:judge_prompt", prompt.pk)
    sorting = _sort_prompts(request)
    found = JudgePrompt.objects.select_related("brought_by").order_by(*sorting.order)
    page = Paginator(found, A_PAGE).get_page(request.GET.get("page"))
    context = {"form": form, "page": page, "columns": sorting.columns, "needed": _list_needed()}
    status = 400 if form.is_bound and form.errors else 200
    return render(request, "grading/judge_prompts.html", context, status=status)


def _list_needed() -> list[tuple[str, bool, list[str]]]:
    """List, for each way of asking, what a prompt has to have in it."""
    return [
        (_(kind.name), has_reference, [f"{{{name}}}" for name in sorted(variant.needed)])
        for kind in KINDS.values()
        for has_reference in ([True] if kind.needs_reference else [True, False])
        for variant in [Variant(kind, has_reference=has_reference)]
    ]


def _sort_prompts(request: MemberRequest) -> Sorting:
    columns = {
        "prompt": (_("Prompt"), "name"),
        "judge": (_("Judge"), "kind"),
        "from": (_("From"), "brought_by__display_name"),
        "kept": (_("Kept since"), "created_at"),
        "stands": (_("Stands"), "released_at"),
    }
    return read_sorting(request, columns, "prompt")


@role_required(Role.EVALUATOR)
@require_GET
def judge_prompts_csv(request: MemberRequest) -> HttpResponse:
    header = [
        "name", "version", "sha256", "kind", "language", "with_reference", "built_in",
        "brought_by", "kept_at", "released_by", "released_at",
    ]  # fmt: skip
    found = JudgePrompt.objects.select_related("brought_by", "released_by")
    rows = (
        [
            prompt.name,
            prompt.version,
            prompt.sha256,
            prompt.kind,
            prompt.language,
            prompt.with_reference,
            prompt.is_built_in,
            str(prompt.brought_by or ""),
            prompt.created_at.isoformat(),
            str(prompt.released_by or ""),
            prompt.released_at.isoformat() if prompt.released_at else "",
        ]
        for prompt in found.order_by(*_sort_prompts(request).order)
    )
    return csv_response("judge-prompts", header, rows)


def _bring(request: MemberRequest, form: PromptForm) -> JudgePrompt | None:
    file = form.cleaned_data["file"]
    try:
        return actions.bring_prompt(
            by=request.user,
            content=file.read(),
            file_name=file.name,
            kind=form.cleaned_data["kind"],
            language=form.cleaned_data["language"],
            with_reference=not form.cleaned_data["without_reference"],
        )
    except actions.CannotUse as cannot:
        form.add_error("file", str(cannot))
        return None


def _say_brought(prompt: JudgePrompt) -> str:
    if prompt.is_usable:
        return _("It is kept, and can be chosen for a run.")
    return _("It is kept. It can be chosen once an admin has read and released it.")


@role_required(Role.EVALUATOR)
@require_GET
def judge_prompt(request: MemberRequest, pk: int) -> HttpResponse:
    prompt = get_object_or_404(JudgePrompt.objects.select_related("brought_by"), pk=pk)
    may_release = permissions.can_release(request.user, prompt)
    context = {"prompt": prompt, "may_release": may_release}
    return render(request, "grading/judge_prompt.html", context)


@role_required(Role.ADMIN)
@require_POST
def release_prompt(request: MemberRequest, pk: int) -> HttpResponse:
    prompt = get_object_or_404(JudgePrompt, pk=pk)
    actions.release_prompt(prompt=prompt, by=request.user)
    messages.success(request, _("Released: it can be chosen for a run."))
    return redirect("grading:judge_prompt", prompt.pk)
