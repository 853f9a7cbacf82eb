"""One judgement: what was sent and shown, what came, how it was read; and the prompts that ask."""

from typing import Any

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from curation import permissions
from grading import run_actions
from grading.judges import CANARIES
from grading.models import Grade, JudgeItem, JudgePrompt
from grading.run_forms import PromptForm
from grading.run_views import runs_of
from phybench.http import MemberRequest, role_required
from phybench.models import Role

A_PAGE = 50
TELLS_THE_KEY = ("comment", "extracted_answer")
"""What of a verdict is in the judge's own words, who was shown the reference."""


@role_required(Role.EVALUATOR)
@require_GET
def judgement(request: MemberRequest, pk: int) -> HttpResponse:
    items = JudgeItem.objects.select_related(
        "attempt__revision__problem", "run__submission__solver", "run__configuration__prompt"
    )
    item = get_object_or_404(items.filter(run__in=runs_of(request)), pk=pk)
    attempt = item.attempt
    # The judge is shown the reference, and may say it: so whoever may not see it sees neither.
    shows_key = attempt is None or permissions.can_see_key(request.user, attempt.revision.problem)
    said = list(item.judgements.select_related("reused__item").order_by("-round"))
    grades = (
        Grade.objects.filter(attempt=attempt).order_by("-pk") if attempt else Grade.objects.none()
    )
    context: dict[str, Any] = {
        "item": item,
        "run": item.run,
        "attempt": attempt,
        "canary": next((one for one in CANARIES if one.name == item.canary), None),
        "said": said[0] if said and not item.is_waiting else None,
        "earlier": said if item.is_waiting else said[1:],
        "verdict": list_fields(said[0].verdict, shows_key=shows_key) if said else [],
        "votes": [
            {**vote, "fields": list_fields(vote.get("verdict"), shows_key=shows_key)}
            for vote in (said[0].votes if said else [])
        ],
        "calls": item.calls.prefetch_related("exchanges").order_by("pk"),
        "grade": grades.first(),
        "rulings": attempt.rulings.select_related("ruled_by") if attempt else [],
        "shows_key": shows_key,
    }
    return render(request, "grading/judgement.html", context)


def list_fields(verdict: dict[str, Any] | None, *, shows_key: bool) -> list[tuple[str, Any]]:
    """List what a verdict says, without the judge's own words where they could tell the key."""
    fields = (verdict or {}).items()
    return [
        (name.replace("_", " "), value)
        for name, value in fields
        if value not in ("", None) and (shows_key or name not in TELLS_THE_KEY)
    ]


# --- Prompts --------------------------------------------------------------------------------


@role_required(Role.EVALUATOR)
@require_http_methods(["GET", "POST"])
def judge_prompts(request: MemberRequest) -> HttpResponse:
    form = PromptForm()
    if request.method == "POST":
        form = PromptForm(request.POST, request.FILES)
        if form.is_valid() and (prompt := _bring(request, form)):
            messages.success(request, _say_brought(prompt))
            return redirect("grading:judge_prompt", prompt.pk)
    found = JudgePrompt.objects.select_related("brought_by", "released_by").order_by("name", "-pk")
    page = Paginator(found, A_PAGE).get_page(request.GET.get("page"))
    context = {"form": form, "page": page}
    status = 400 if form.is_bound and form.errors else 200
    return render(request, "grading/judge_prompts.html", context, status=status)


def _bring(request: MemberRequest, form: PromptForm) -> JudgePrompt | None:
    file = form.cleaned_data["file"]
    try:
        return run_actions.bring_prompt(
            by=request.user,
            content=file.read(),
            file_name=file.name,
            kind=form.cleaned_data["kind"],
            language=form.cleaned_data["language"],
            with_reference=True,
        )
    except run_actions.CannotRun as cannot:
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
    may_release = request.user.has_role(Role.ADMIN) and not prompt.is_usable
    context = {"prompt": prompt, "may_release": may_release}
    return render(request, "grading/judge_prompt.html", context)


@role_required(Role.ADMIN)
@require_POST
def release_prompt(request: MemberRequest, pk: int) -> HttpResponse:
    prompt = get_object_or_404(JudgePrompt, pk=pk)
    run_actions.release_prompt(prompt=prompt, by=request.user)
    messages.success(request, _("Released: it can be chosen for a run."))
    return redirect("grading:judge_prompt", prompt.pk)
