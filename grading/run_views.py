"""Have a submission judged: set a run up, follow it, read what was said of each answer."""

import json
from collections import Counter
from collections.abc import Iterable
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.core.paginator import Paginator
from django.db.models import Count, Exists, F, OuterRef, QuerySet, Subquery
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_GET, require_http_methods, require_POST
from django.views.decorators.vary import vary_on_headers

from grading import run_actions
from grading.judge_runs.trials import list_canaries
from grading.judges import Judgement as Said
from grading.judges import Reason, summarise
from grading.models import (
    Endpoint,
    JudgeCall,
    JudgeItem,
    Judgement,
    JudgeRun,
    JudgeRunQuerySet,
    Submission,
)
from grading.run_forms import JudgeRunForm, LimitForm
from grading.run_setup import Estimate, estimate, make_item, read
from grading.views import submissions_of
from phybench.csv import csv_response
from phybench.http import MemberRequest, role_required
from phybench.models import Role

A_PAGE = 50
ORDERS: dict[str, list[Any]] = {
    "": ["attempt_id", "pk"],
    "value": [F("value").asc(nulls_last=True), "pk"],
    "-value": [F("value").desc(nulls_last=True), "pk"],
}


def runs_of(request: MemberRequest) -> JudgeRunQuerySet:
    """Return what the viewer may see: runs on their own submissions; all of them for an admin."""
    found = JudgeRun.objects.select_related("submission__solver", "configuration", "started_by")
    if request.user.has_role(Role.ADMIN):
        return found
    return found.filter(submission__uploaded_by=request.user)


@role_required(Role.EVALUATOR)
@require_GET
def judge_runs(request: MemberRequest) -> HttpResponse:
    found = runs_of(request).with_counts().order_by("-pk")
    if submission := request.GET.get("submission", ""):
        found = found.filter(submission=int(submission)) if submission.isdecimal() else found.none()
    page = Paginator(found, A_PAGE).get_page(request.GET.get("page"))
    return render(request, "grading/judge_runs.html", {"page": page, "submission": submission})


@role_required(Role.EVALUATOR)
@require_http_methods(["GET", "POST"])
def new_judge_run(request: MemberRequest, pk: int) -> HttpResponse:
    submission = get_object_or_404(submissions_of(request), pk=pk)
    data = request.POST if request.method == "POST" else None
    form = JudgeRunForm(Endpoint.objects.in_use(), data)
    context: dict[str, Any] = {"submission": submission, "form": form}
    if request.method == "POST" and form.is_valid():
        hosts = request.POST.getlist("host")
        plan = form.plan(hosts)
        made = _estimate(submission, plan)
        needs_tick = made.cost.calls >= settings.JUDGE_CONFIRM_CALLS
        context |= {"estimate": made, "needs_tick": needs_tick, "judges": form.judges()}
        context["hosts"] = sorted({one.endpoint.host for one in form.judges()})
        context["currency"] = ", ".join(sorted({one.endpoint.currency for one in form.judges()}))
        # What was changed after the estimate is estimated first.
        is_known = request.POST.get("calls") == str(made.cost.calls)
        if request.POST.get("step") == "begin" and not is_known:
            messages.warning(
                request, _("This takes something else than was estimated: look again.")
            )
        elif request.POST.get("step") == "begin":
            run = _begin(request, submission, form, needs_tick=needs_tick)
            if run is not None:
                return redirect(run)
    return render(
        request, "grading/new_judge_run.html", context, status=400 if form.errors else 200
    )


def _estimate(submission: Submission, plan: run_actions.Plan) -> Estimate:
    configuration = read(plan.document, plan.prompt)
    attempts = submission.attempts.select_related("revision").order_by("pk")
    items = [make_item(one, submission.solver.name) for one in attempts]
    if configuration.asks_models:
        items += list_canaries(configuration.variant)
    known: frozenset[str] = frozenset()
    if not plan.is_fresh:
        there = Judgement.objects.filter(
            configuration__sha256=configuration.identity, status=Judgement.Status.SCORED
        )
        known = frozenset(there.values_list("input_sha256", flat=True))
    return estimate(configuration, items, plan.judges, known=known)


def _begin(
    request: MemberRequest, submission: Submission, form: JudgeRunForm, *, needs_tick: bool
) -> JudgeRun | None:
    if form.judges() and not request.POST.get("agree"):
        form.add_error(None, _("Confirm that the texts may be sent there, or choose other models."))
        return None
    if needs_tick and not request.POST.get("confirm"):
        form.add_error(None, _("Confirm that it may make so many calls, or choose less."))
        return None
    try:
        return run_actions.begin(
            submission=submission,
            started_by=request.user,
            plan=form.plan(request.POST.getlist("host")),
        )
    except run_actions.CannotRun as cannot:
        form.add_error(None, str(cannot))
        return None


# --- One run --------------------------------------------------------------------------------


def describe(run: JudgeRun) -> dict[str, Any]:
    """Say how far a run got, what it came to and what it cost."""
    items = run.items.filter(canary="")
    counts = {
        (row["state"], row["reason"]): row["number"]
        for row in items.order_by().values("state", "reason").annotate(number=Count("pk"))
    }
    total = sum(counts.values())
    waiting_canaries = run.items.exclude(canary="").waiting().count()
    waiting = sum(n for (state, _reason), n in counts.items() if state in JudgeItem.WAITING)
    newest = _newest(run)
    tried = Counter(
        newest.filter(attempt=None, item__state="SCORED").values_list("has_passed", flat=True)
    )
    mute = run.items.exclude(canary="").filter(state__in=["UNSCORED", "SKIPPED"]).count()
    values = list(newest.filter(attempt__isnull=False).values_list("value", "is_right"))
    scored = [(value, right) for value, right in values if value is not None]
    lowest, highest = _scale(run)
    said = [Said(value) for value, _right in scored]
    said += [Said.missing(Reason.EMPTY)] * (total - waiting - len(scored))
    return {
        "run": run,
        "total": total,
        "done": total - waiting,
        "waiting": waiting + waiting_canaries,
        "reasons": sorted(
            ((reason, n) for (_state, reason), n in counts.items() if reason), key=lambda x: -x[1]
        ),
        "cancelled": counts.get(("CANCELLED", ""), 0),
        "scored": len(scored),
        "right": sum(right is True for _value, right in scored),
        "summary": summarise(said, float, lowest=lowest, highest=highest),
        "lowest": lowest,
        "highest": highest,
        "canaries": {"passed": tried[True], "failed": tried[False], "missing": mute},
        "cost": JudgeCall.objects.filter(item__run=run).cost() + run.lost(),
        "currency": ", ".join(
            sorted({one.endpoint.currency for one in run.judges.select_related("endpoint")})
        ),
        "doubtful": newest.exclude(doubts=[]).count(),
        "reused": newest.filter(reused__isnull=False).count(),
        "missing": items.filter(state__in=run_actions.FINISHED_WITHOUT)
        .exclude(reason__in=run_actions.SPOKEN)
        .count(),
    }


def _newest(run: JudgeRun) -> QuerySet[Judgement]:
    """Return the last judgement of each item that has come to an end."""
    last = Judgement.objects.filter(item=OuterRef("item")).order_by("-round").values("pk")[:1]
    ended = ["SCORED", "UNSCORED", "SKIPPED"]
    return Judgement.objects.filter(item__run=run, item__state__in=ended, pk=Subquery(last))


def _scale(run: JudgeRun) -> tuple[float, float]:
    return {"RATING": (1.0, 10.0), "PROCESS": (0.0, 100.0)}.get(run.configuration.kind, (0.0, 1.0))


@role_required(Role.EVALUATOR)
@require_GET
@vary_on_headers("HX-Request")
def judge_run(request: MemberRequest, pk: int) -> HttpResponse:
    run = get_object_or_404(runs_of(request), pk=pk)
    show = request.GET.get("show", "")
    items = _with_judgements(run)
    if show in JudgeItem.State.values:
        items = items.filter(state=show)
    elif show == "DOUBTFUL":
        doubted = Judgement.objects.filter(item=OuterRef("pk"), round=OuterRef("round"))
        items = items.filter(Exists(doubted.exclude(doubts=[])))
    order = request.GET.get("order", "")
    page = Paginator(items.order_by(*ORDERS.get(order, ORDERS[""])), A_PAGE).get_page(
        request.GET.get("page")
    )
    described = run.configuration.described
    context = {
        **describe(run),
        "configuration": [
            (name, json.dumps(value, ensure_ascii=False))
            for name, value in sorted(described.items())
            if value is not None
        ],
        "page": page,
        "show": show,
        "order": order,
        "filters": [*JudgeItem.State.choices, ("DOUBTFUL", _("for a person"))],
        "limits": LimitForm(initial={"most_calls": run.most_calls, "most_money": run.most_money}),
        "judges": run.judges.select_related("endpoint"),
    }
    template = "grading/_judge_run.html" if request.htmx else "grading/judge_run.html"
    return render(request, template, context)


def _with_judgements(run: JudgeRun) -> QuerySet[JudgeItem]:
    """Return a run's items with what was said last of each, in one query."""
    last = Judgement.objects.filter(item=OuterRef("pk")).order_by("-round")
    names = ("is_right", "value", "stage", "doubts", "flags", "symbolic_verdict", "has_passed")
    said = {name: Subquery(last.values(name)[:1]) for name in names}
    found = run.items.select_related("attempt__revision__problem").order_by("attempt_id", "pk")
    return found.annotate(**said, reused=Subquery(last.values("reused")[:1]))


@role_required(Role.EVALUATOR)
@require_GET
def judge_run_csv(request: MemberRequest, pk: int) -> HttpResponse:
    run = get_object_or_404(runs_of(request), pk=pk)
    header = [
        "id", "sample", "canary", "state", "reason", "is_right", "value", "stage", "flags",
        "for_a_person", "symbolic_verdict", "reused", "configuration_sha256",
    ]  # fmt: skip
    return csv_response(f"judge-run-{run.pk}", header, _csv_rows(run))


def _csv_rows(run: JudgeRun) -> Iterable[list[object]]:
    for item in _with_judgements(run):
        said: Any = item
        is_ended = not item.is_waiting
        yield [
            item.attempt.revision.problem.identifier if item.attempt else "",
            item.attempt.sample if item.attempt else "",
            item.canary,
            item.state,
            item.reason,
            said.is_right if is_ended else "",
            said.value if is_ended else "",
            said.stage if is_ended else "",
            " ".join(said.flags or []),
            " ".join(said.doubts or []),
            said.symbolic_verdict or "",
            said.reused is not None,
            run.configuration.sha256,
        ]


@role_required(Role.EVALUATOR)
@require_POST
def pause_judge_run(request: MemberRequest, pk: int) -> HttpResponse:
    run = get_object_or_404(runs_of(request), pk=pk)
    try:
        run_actions.pause(run=run, by=request.user)
    except run_actions.CannotRun as cannot:
        messages.warning(request, str(cannot))
    else:
        messages.success(request, _("Paused: no new calls are made."))
    return redirect(run)


@role_required(Role.EVALUATOR)
@require_POST
def resume_judge_run(request: MemberRequest, pk: int) -> HttpResponse:
    run = get_object_or_404(runs_of(request), pk=pk)
    form = LimitForm(request.POST)
    if not form.is_valid():
        messages.warning(request, _("Write what it may spend as numbers, or leave it empty."))
        return redirect(run)
    allow = form.cleaned_data if "most_calls" in request.POST else None
    try:
        count = run_actions.resume(run=run, by=request.user, allow=allow)
    except run_actions.CannotRun as cannot:
        messages.warning(request, str(cannot))
    else:
        _say(request, count)
    return redirect(run)


@role_required(Role.EVALUATOR)
@require_POST
def cancel_judge_run(request: MemberRequest, pk: int) -> HttpResponse:
    run = get_object_or_404(runs_of(request), pk=pk)
    try:
        run_actions.cancel(run=run, by=request.user)
    except run_actions.CannotRun as cannot:
        messages.warning(request, str(cannot))
    else:
        messages.success(request, _("Cancelled. What was said is kept; the rest can be asked for."))
    return redirect(run)


@role_required(Role.EVALUATOR)
@require_POST
def judge_again(request: MemberRequest, pk: int) -> HttpResponse:
    run = get_object_or_404(runs_of(request), pk=pk)
    try:
        count = run_actions.ask_again(run=run, by=request.user)
    except run_actions.CannotRun as cannot:
        messages.warning(request, str(cannot))
    else:
        _say(request, count)
    return redirect(run)


def _say(request: MemberRequest, count: int) -> None:
    text = ngettext("%(count)d item is asked about.", "%(count)d items are asked about.", count)
    messages.success(request, text % {"count": count})
