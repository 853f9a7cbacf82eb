"""The prompts that ask: ours, and those that people bring and admins release."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from grading.judging.prompts import actions
from grading.judging.prompts.forms import PromptForm
from grading.judging.prompts.models import JudgePrompt
from grading.judging.prompts.permissions import can_release
from phybench.pages.listing import Column, Listing, by
from phybench.people.http import MemberRequest, role_required
from phybench.people.models import Role
from phybench_grader.judges.kinds import KINDS
from phybench_grader.judges.prompts import Variant

A_PAGE = 50
COLUMNS: list[Column[JudgePrompt]] = [
    Column("prompt", gettext_lazy("Prompt"), by("name")),
    Column("judge", gettext_lazy("Judge"), by("kind")),
    Column("from", gettext_lazy("From"), by("brought_by__display_name")),
    Column("kept", gettext_lazy("Uploaded"), by("created_at")),
    Column("stands", gettext_lazy("Status"), by("released_at")),
    Column("name", value=lambda one: one.name),
    Column("version", value=lambda one: one.version),
    Column("sha256", gettext_lazy("SHA-256"), value=lambda one: one.sha256),
    Column("kind", value=lambda one: one.kind),
    Column("language", value=lambda one: one.language),
    Column("with_reference", value=lambda one: one.with_reference),
    Column("built_in", value=lambda one: one.is_built_in),
    Column("brought_by", value=lambda one: str(one.brought_by or "")),
    Column("kept_at", value=lambda one: one.created_at.isoformat()),
    Column("released_by", value=lambda one: str(one.released_by or "")),
    Column("released_at", value=lambda one: one.released_at and one.released_at.isoformat()),
]


@role_required(Role.EVALUATOR)
@require_http_methods(["GET", "POST"])
def judge_prompts(request: MemberRequest) -> HttpResponse:
    form = PromptForm()
    if request.method == "POST":
        form = PromptForm(request.POST, request.FILES)
        if form.is_valid() and (prompt := _bring(request, form)):
            messages.success(request, _say_brought(prompt))
            return redirect("grading:judge_prompt", prompt.pk)
    context = {**_list(request).describe(), "form": form, "needed": _list_needed()}
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


def _list(request: MemberRequest) -> Listing[JudgePrompt]:
    found = JudgePrompt.objects.select_related("brought_by", "released_by")
    return Listing(request, found, COLUMNS, default="prompt", a_page=A_PAGE)


@role_required(Role.EVALUATOR)
@require_GET
def judge_prompts_csv(request: MemberRequest) -> HttpResponse:
    return _list(request).write("judge-prompts")


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
        return _("Saved. It can be chosen for a run.")
    return _("Saved. It can be chosen once an admin has read and released it.")


@role_required(Role.EVALUATOR)
@require_GET
def judge_prompt(request: MemberRequest, pk: int) -> HttpResponse:
    prompt = get_object_or_404(JudgePrompt.objects.select_related("brought_by"), pk=pk)
    may_release = can_release(request.user, prompt)
    context = {"prompt": prompt, "may_release": may_release}
    return render(request, "grading/judge_prompt.html", context)


@role_required(Role.ADMIN)
@require_POST
def release_prompt(request: MemberRequest, pk: int) -> HttpResponse:
    prompt = get_object_or_404(JudgePrompt, pk=pk)
    actions.release_prompt(prompt=prompt, by=request.user)
    messages.success(request, _("Released. It can be chosen for a run."))
    return redirect("grading:judge_prompt", prompt.pk)
