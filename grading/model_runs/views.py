"""Run a model over a version: set the run up, follow it, read what came of each time."""

from collections.abc import Callable
from datetime import timedelta
from hashlib import sha256
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.db.models import Count, Sum
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from curation.versions.summary import list_open
from grading.model_runs import actions, lists
from grading.model_runs.estimates import estimate
from grading.model_runs.forms import ModelRunForm
from grading.model_runs.models import ModelRun, ModelRunAnswer
from grading.model_runs.permissions import list_model_runs, may_steer
from grading.model_runs.prompt import PROMPT, PROMPT_SHA256, WORDS
from grading.runs import reservations
from grading.runs.models import Endpoint
from grading.solvers.permissions import list_hand_in_for
from phybench.people.http import MemberRequest, role_required
from phybench.people.models import Role

LATELY = timedelta(minutes=5)
"""By what ended since then it is told how fast a run is."""


@role_required(Role.EVALUATOR)
@require_http_methods(["GET", "POST"])
def new_model_run(request: MemberRequest) -> HttpResponse:
    """Set a run up: first it is estimated, then it is started as it was estimated."""
    organisations = list_hand_in_for(request.user)
    data = request.POST if request.method == "POST" else None
    form = ModelRunForm(organisations, Endpoint.objects.in_use(), data)
    context: dict[str, Any] = {
        "form": form,
        "organisations": organisations,
        "benchmarks": list_open(),
        "prompt": {"name": PROMPT, "sha256": PROMPT_SHA256, "words": WORDS},
    }
    if request.method == "POST" and form.is_valid():
        plan = form.plan(
            host=request.POST.get("host", ""), may_fall_short="fall_short" in request.POST
        )
        estimated = _estimate(plan)
        context |= estimated
        # What was changed after the estimate is estimated first: it was not that they agreed to.
        is_known = request.POST.get("estimated") == estimated["estimated"]
        if request.POST.get("step") == "begin" and not is_known:
            messages.warning(request, _("The estimate has changed. Check it again."))
        elif request.POST.get("step") == "begin":
            run = _begin(request, form, plan, needs_tick=estimated["needs_tick"])
            if run is not None:
                return redirect(run)
    return render(
        request, "grading/new_model_run.html", context, status=400 if form.errors else 200
    )


def _estimate(plan: actions.Plan) -> dict[str, Any]:
    """Say what a run would take, and what its endpoint leaves of it today."""
    made = estimate(
        plan.version,
        plan.endpoint,
        plan.parameters,
        words=WORDS,
        samples=plan.samples,
        includes_hidden=plan.includes_hidden,
    )
    left = reservations.list_left(plan.endpoint, made.cost)
    parts = (
        plan.version.pk, plan.endpoint.pk, plan.endpoint.host, made.cost.calls, made.cost.tokens,
        plan.parameters,
    )  # fmt: skip
    return {
        "plan": plan,
        "estimate": made,
        "duration": timedelta(seconds=round(made.seconds)),
        "left": left,
        "short": [one for one in left if one.is_short],
        "needs_tick": made.cost.calls >= settings.JUDGE_CONFIRM_CALLS,
        "host": plan.endpoint.host,
        # Told from any other: what is asked, of whom, how, in how many calls.
        "estimated": sha256("|".join(map(str, parts)).encode()).hexdigest(),
    }


def _begin(
    request: MemberRequest, form: ModelRunForm, plan: actions.Plan, *, needs_tick: bool
) -> ModelRun | None:
    if not request.POST.get("agree"):
        form.add_error(None, _("Confirm that the statements may be sent there."))
        return None
    if needs_tick and not request.POST.get("confirm"):
        form.add_error(None, _("Confirm the number of calls, or choose fewer."))
        return None
    try:
        return actions.begin(plan=plan, by=request.user)
    except actions.CannotRun as cannot:
        form.add_error(None, str(cannot))
        return None


# --- One run --------------------------------------------------------------------------------


def describe(run: ModelRun) -> dict[str, Any]:
    """Say how far a run got, how fast it is, and what it cost."""
    counts = dict(run.answers.order_by().values_list("state").annotate(Count("pk")))
    remarks = dict(
        run.answers.exclude(remark="").order_by().values_list("remark").annotate(Count("pk"))
    )
    failed = run.answers.filter(state=ModelRunAnswer.State.FAILED)
    total = sum(counts.values())
    waiting = sum(counts.get(state, 0) for state in ModelRunAnswer.WAITING)
    a_minute = _measure_rate(run)
    is_going = bool(waiting) and run.state == ModelRun.State.RUNNING
    return {
        "run": run,
        "total": total,
        "done": total - waiting,
        "waiting": waiting,
        "is_going": is_going,
        # Until its answers stand in the draft there is something to wait for.
        "is_live": is_going or (not waiting and run.handed_over_at is None),
        "answered": counts.get("ANSWERED", 0),
        "failed": counts.get("FAILED", 0),
        "cancelled": counts.get("CANCELLED", 0),
        "missing": counts.get("FAILED", 0) + counts.get("CANCELLED", 0),
        "remarks": [
            (value, label, remarks[value])
            for value, label in ModelRunAnswer.Remark.choices
            if value in remarks
        ],
        "shows": [
            (value, label)
            for value, label in (*ModelRunAnswer.State.choices, *ModelRunAnswer.Remark.choices)
            if value in counts or value in remarks
        ],
        "reasons": list(
            failed.order_by().values_list("failure_reason").annotate(number=Count("pk"))
        ),
        "a_minute": a_minute,
        "left_seconds": timedelta(seconds=round(60 * waiting / a_minute)) if a_minute else None,
        "cost": run.answers.all().cost(),
        "used": run.answers.aggregate(
            prompt=Sum("prompt_tokens"),
            completion=Sum("completion_tokens"),
            reasoning=Sum("reasoning_tokens"),
        ),
        "reserved": run.reservations.first(),
    }


def _measure_rate(run: ModelRun) -> float:
    """Say how many answers came to an end in a minute, lately."""
    now = timezone.now()
    since = max(run.created_at, now - LATELY)
    ended = run.answers.filter(ended_at__gte=since).count()
    return 60 * ended / max(1.0, (now - since).total_seconds())


@role_required(Role.EVALUATOR)
@require_GET
def model_run(request: MemberRequest, pk: int) -> HttpResponse:
    run = get_object_or_404(list_model_runs(request.user), pk=pk)
    context = {
        **describe(run),
        **lists.list_answers(request, run).describe(),
        "may_steer": may_steer(request.user, run),
        "sees_draft": list_hand_in_for(request.user).filter(drafts__files__model_run=run).exists(),
    }
    template = "grading/model_run.html#run" if request.htmx else "grading/model_run.html"
    return render(request, template, context)


@role_required(Role.EVALUATOR)
@require_GET
def model_run_answer(request: MemberRequest, pk: int, number: int) -> HttpResponse:
    """Show one answer as it came, with the calls that were made for it."""
    run = get_object_or_404(list_model_runs(request.user), pk=pk)
    answer = get_object_or_404(run.answers.select_related("item"), pk=number)
    context = {"run": run, "answer": answer, "calls": answer.calls}
    return render(request, "grading/model_run_answer.html", context)


def _act(
    request: MemberRequest, pk: int, act: Callable[..., int | None], said: str = ""
) -> HttpResponse:
    """Do something with a run; say what was said, how many answers it is about, or why not."""
    run = get_object_or_404(list_model_runs(request.user), pk=pk)
    try:
        count = act(run=run, by=request.user) or 0
    except actions.CannotRun as cannot:
        messages.warning(request, str(cannot))
    else:
        asked = ngettext(
            "%(count)d answer is requested.", "%(count)d answers are requested.", count
        )
        messages.success(request, said or asked % {"count": count})
    return redirect(run)


@role_required(Role.EVALUATOR)
@require_POST
def pause_model_run(request: MemberRequest, pk: int) -> HttpResponse:
    return _act(request, pk, actions.pause, _("Paused. No new calls are made."))


@role_required(Role.EVALUATOR)
@require_POST
def resume_model_run(request: MemberRequest, pk: int) -> HttpResponse:
    return _act(request, pk, actions.resume)


@role_required(Role.EVALUATOR)
@require_POST
def cancel_model_run(request: MemberRequest, pk: int) -> HttpResponse:
    said = _("Cancelled. Answers received so far are kept and can be graded.")
    return _act(request, pk, actions.cancel, said)


@role_required(Role.EVALUATOR)
@require_POST
def ask_model_again(request: MemberRequest, pk: int) -> HttpResponse:
    return _act(request, pk, actions.ask_again)
