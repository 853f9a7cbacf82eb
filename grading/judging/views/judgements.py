"""One judgement: what was sent and shown, what came, how it was read; and the prompts that ask."""

import json
from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from curation import permissions
from curation.exposures import ledger
from curation.exposures.ledger import Part, Reason
from grading.answers.models import Attempt, Grade
from grading.answers.views import tells_key
from grading.judges import CANARIES
from grading.judges.prompts import Family, Variant
from grading.judging import actions as run_actions
from grading.judging import words
from grading.judging.forms.runs import WITHOUT_REFERENCE, PromptForm
from grading.judging.models.calls import JudgeCall
from grading.judging.models.configurations import JudgeKind, JudgePrompt
from grading.judging.models.runs import JudgeItem
from grading.judging.views.pairs import describe_pair, find_sides
from grading.judging.views.run_list import name_currencies, runs_of
from phybench.csv import csv_response
from phybench.http import MemberRequest, role_required
from phybench.models import Role
from phybench.sorting import Sorting, read_sorting

A_PAGE = 50
LABELS = (
    ("is_correct", gettext_lazy("Right")),
    ("extracted_answer", gettext_lazy("The answer it found")),
    ("rating", gettext_lazy("Rating, 1 to 10")),
    ("reasoning_score", gettext_lazy("Reasoning, 1 to 5")),
    ("overall", gettext_lazy("Overall, computed by us")),
    ("answer", gettext_lazy("Answer, 0 to 100")),
    ("physics", gettext_lazy("Physics, 0 to 100")),
    ("mathematics", gettext_lazy("Mathematics, 0 to 100")),
    ("completeness", gettext_lazy("Completeness, 0 to 100")),
    ("error_type", gettext_lazy("Kind of error")),
    ("comment", gettext_lazy("Comment")),
)
"""The fields of verdicts, in the order in which they are shown."""
TELLS_THE_KEY = ("comment", "extracted_answer")
"""What of a verdict is in the judge's own words, who was shown the reference."""


@role_required(Role.EVALUATOR)
@require_GET
def judgement(request: MemberRequest, pk: int) -> HttpResponse:
    items = JudgeItem.objects.select_related(
        "attempt__revision__problem", "run__submission__solver", "run__configuration__prompt",
        "run__other__solver", "attempt__solver", "other__solver",
    )  # fmt: skip
    item = get_object_or_404(items.filter(run__in=runs_of(request)), pk=pk)
    attempt = item.attempt
    # The judge is shown the reference, and may say it: so whoever may not see it sees neither.
    shows_key = attempt is None or permissions.can_see_key(request.user, attempt.revision.problem)
    heard = list(item.judgements.select_related("reused__item").order_by("-round"))
    said = heard[0] if heard and not item.is_waiting else None
    shown = [one for one in (attempt, item.other) if one is not None]
    grades = list(Grade.objects.current().filter(attempt__in=shown))
    if attempt:
        parts = list_parts(request, shown, grades, shows_key=shows_key)
        ledger.record(request.user, Reason.RULE, attempt.revision, parts=parts)
    context: dict[str, Any] = {
        "item": item,
        "run": item.run,
        "attempt": attempt,
        "canary": next((one for one in CANARIES if one.name == item.canary), None),
        "said": said,
        "earlier": heard[1:] if said else heard,
        "verdict": list_fields(said.verdict, shows_key=shows_key) if said else [],
        "votes": [
            {**vote, "fields": list_fields(vote.get("verdict"), shows_key=shows_key)}
            for vote in (said.votes if said else [])
        ],
        "calls": list_calls(item),
        "grade": grades[0] if grades else None,
        "rulings": attempt.rulings.select_related("ruled_by", "label_file") if attempt else [],
        "shows_key": shows_key,
        "currency": name_currencies(item.run),
        # What was taken over may be of somebody else's run.
        "may_open_reused": bool(
            said and said.reused and runs_of(request).filter(pk=said.reused.item.run_id).exists()
        ),
    }
    if item.run.other is not None:
        context |= describe_pair(item, grades)
        return render(request, "grading/pair_judgement.html", context)
    return render(request, "grading/judgement.html", context)


def list_parts(
    request: MemberRequest, shown: list[Attempt], grades: list[Grade], *, shows_key: bool
) -> Collection[Part]:
    """List what of a revision a judgement's page shows; a pair's has the statement too."""
    if shows_key:
        return ledger.ALL
    tells = any(
        tells_key(request, one, [grade for grade in grades if grade.attempt_id == one.pk])
        for one in shown
    )
    return [*([Part.STATEMENT] if len(shown) > 1 else []), *([Part.ANSWER] if tells else [])]


def list_fields(verdict: dict[str, Any] | None, *, shows_key: bool) -> list[tuple[str, Any]]:
    """List what a verdict says, without the judge's own words where they could tell the key."""
    given = verdict or {}
    return [
        (str(label), _write_field(name, given[name]))
        for name, label in LABELS
        if given.get(name, "") not in ("", None) and (shows_key or name not in TELLS_THE_KEY)
    ]


def _write_field(name: str, value: Any) -> Any:
    if name == "is_correct":
        return _("yes") if value else _("no")
    return words.say_error(value) if name == "error_type" else value


@dataclass(frozen=True, slots=True)
class ShownCall:
    """A call as its page shows it: its messages to be read, beside what was really sent."""

    call: JudgeCall
    messages: list[dict[str, str]]
    places: tuple[str, str] = ("", "")
    """Of a pair: who stood first, and who second."""

    @property
    def preferred(self) -> str:
        """Name whom the reply prefers, by the place that it names."""
        return dict(zip("AB", self.places, strict=True)).get(self.call.read_preference, "")


def list_calls(item: JudgeItem) -> list[ShownCall]:
    calls = item.calls.prefetch_related("exchanges").order_by("pk")
    first, second = find_sides(item)
    return [
        ShownCall(
            call,
            _read_messages(call),
            (second, first) if call.order == "first_as_b" else (first, second),
        )
        for call in calls
    ]


def _read_messages(call: JudgeCall) -> list[dict[str, str]]:
    """Read the messages of what was sent last; nothing, if that can't be read."""
    exchanges = list(call.exchanges.all())
    try:
        return list(json.loads(exchanges[-1].request)["messages"]) if exchanges else []
    except (ValueError, KeyError, TypeError):
        return []


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
    sorting = _sort_prompts(request)
    found = JudgePrompt.objects.select_related("brought_by").order_by(*sorting.order)
    page = Paginator(found, A_PAGE).get_page(request.GET.get("page"))
    context = {"form": form, "page": page, "columns": sorting.columns, "needed": _list_needed()}
    status = 400 if form.is_bound and form.errors else 200
    return render(request, "grading/judge_prompts.html", context, status=status)


def _list_needed() -> list[tuple[str, bool, list[str]]]:
    """List, for each way of asking, what a prompt has to have in it."""
    return [
        (str(kind.label), has_reference, [f"{{{name}}}" for name in sorted(variant.needed)])
        for kind in JudgeKind
        for has_reference in (True, False)
        if has_reference or kind in WITHOUT_REFERENCE
        for variant in [Variant(Family(kind), has_reference=has_reference)]
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
        return run_actions.bring_prompt(
            by=request.user,
            content=file.read(),
            file_name=file.name,
            kind=form.cleaned_data["kind"],
            language=form.cleaned_data["language"],
            with_reference=not form.cleaned_data["without_reference"],
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
