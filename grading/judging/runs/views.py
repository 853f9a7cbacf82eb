"""Have a submission judged: set a run up, follow it, read what was said of each answer."""

from collections import Counter
from collections.abc import Callable, Collection
from dataclasses import dataclass
from functools import partial
from itertools import chain
from typing import Any

from django.contrib import messages
from django.db.models import Count, OuterRef, Q, QuerySet, Subquery
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from grading.answers.permissions import list_submissions
from grading.answers.submissions.models import Submission
from grading.judging.calibration.collecting import weigh_panel
from grading.judging.engine.steadiness import measure
from grading.judging.judgements.emptiness import collect_tallies
from grading.judging.judgements.models import JudgeCall, Judgement
from grading.judging.models import JudgeItem, JudgeRun
from grading.judging.pairs.views import describe_match, describe_pairs
from grading.judging.permissions import list_runs
from grading.judging.runs import actions as run_actions
from grading.judging.runs import item_lists
from grading.judging.runs.forms import JudgeRunForm, LimitForm
from grading.judging.runs.items import list_items
from grading.judging.runs.setting_up import Subject, read_kind, set_up
from grading.judging.runs.setup_words import say_setup
from grading.judging.trust_words import say_beside_best, say_empty_so_far, say_votes
from grading.judging.words import say_most_turns
from grading.runs.models import Endpoint
from phybench.people.http import MemberRequest, role_required
from phybench.people.models import Role
from phybench_grader.judges import Judgement as Said
from phybench_grader.judges import Reason, summarise
from phybench_grader.judges.empty_answers import PREFIX


@role_required(Role.EVALUATOR)
@require_http_methods(["GET", "POST"])
def new_judge_run(request: MemberRequest, pk: int) -> HttpResponse:
    submission = get_object_or_404(list_submissions(request.user), pk=pk)
    data, kind = read_kind(request)
    others = _list_others(request, submission)
    form = JudgeRunForm(Endpoint.objects.in_use(), others, data, kind=kind)

    def describe_other(plan: run_actions.Plan) -> dict[str, Any]:
        return describe_match(submission, plan.other) if plan.other else {}

    return set_up(
        request,
        form,
        Subject(
            row=submission,
            name=str(submission.solver),
            list_items=lambda plan, _configuration: list_items(submission, plan.other),
            begin=partial(run_actions.begin, submission=submission, started_by=request.user),
            describe=describe_other,
        ),
    )


def _list_others(request: MemberRequest, submission: Submission) -> QuerySet[Submission]:
    """Return what the viewer may have a submission compared with, newest first."""
    found = list_submissions(request.user).filter(benchmark=submission.benchmark, withdrawn_at=None)
    return found.exclude(pk=submission.pk)


# --- One run --------------------------------------------------------------------------------


def describe(run: JudgeRun) -> dict[str, Any]:
    """Say how far a run got, what it came to and what it cost."""
    items = run.items.filter(canary="")
    counts = {
        (row["state"], row["reason"]): row["number"]
        for row in items.order_by().values("state", "reason").annotate(number=Count("pk"))
    }
    total = sum(counts.values())
    traps_asked, empty_asked = _count_known(run)
    waiting = sum(n for (state, _reason), n in counts.items() if state in JudgeItem.WAITING)
    newest = _newest(run)
    traps = newest.exclude(item__canary="").exclude(item__canary__startswith=PREFIX)
    tried = Counter(traps.values_list("has_passed", flat=True))
    values = list(newest.filter(item__canary="").values_list("value", "is_right"))
    scored = [(value, right) for value, right in values if value is not None]
    doubted = list(newest.exclude(doubts=[]).values_list("doubts", flat=True))
    lowest, highest = run.configuration.judge_kind.scale
    empty = collect_tallies([run.configuration])[run.configuration.pk]
    said = [Said(value) for value, _right in scored]
    # Of what is planned, not of what has come: the first verdicts say little of all.
    said += [Said.missing(Reason.EMPTY)] * (total - len(scored))
    return {
        "run": run,
        "total": total,
        "done": total - waiting,
        "waiting": waiting + traps_asked.waiting + empty_asked.waiting,
        "reasons": sorted(
            ((reason, n) for (_state, reason), n in counts.items() if reason), key=lambda x: -x[1]
        ),
        "limit": say_limit(run, {reason for _state, reason in counts}),
        "cancelled": counts.get(("CANCELLED", ""), 0),
        "scored": len(scored),
        "right": sum(right is True for _value, right in scored),
        "summary": summarise(said, float, lowest=lowest, highest=highest),
        "lowest": lowest,
        "highest": highest,
        "traps": traps_asked,
        "canaries": {"passed": tried[True], "failed": tried[False], "missing": tried[None]},
        "empty_answers": say_empty_so_far(
            empty, asked=empty_asked.asked, planned=empty_asked.planned
        ),
        "is_barred": empty.is_barred,
        "cost": JudgeCall.objects.filter(item__run=run).cost() + run.lost(),
        "currency": name_currencies(run),
        "doubtful": len(doubted),
        "doubts": Counter(chain.from_iterable(doubted)).most_common(),
        "reused": newest.filter(reused__isnull=False).count(),
        # Trap items and empty answers among them: they are asked about again as well.
        "missing": run.items.filter(state__in=run_actions.FINISHED_WITHOUT)
        .exclude(reason__in=run_actions.SPOKEN)
        .count(),
    }


@dataclass(frozen=True, slots=True)
class Asked:
    """How far a run got with its items of one sort."""

    planned: int
    waiting: int

    @property
    def asked(self) -> int:
        return self.planned - self.waiting


def _count_known(run: JudgeRun) -> tuple[Asked, Asked]:
    """Count the items whose verdict is known: trap items, and empty answers."""
    is_empty = Q(canary__startswith=PREFIX)
    waits = Q(state__in=JudgeItem.WAITING)
    counts = run.items.exclude(canary="").aggregate(
        traps=Count("pk", filter=~is_empty),
        traps_waiting=Count("pk", filter=~is_empty & waits),
        empty=Count("pk", filter=is_empty),
        empty_waiting=Count("pk", filter=is_empty & waits),
    )
    return (
        Asked(counts["traps"], counts["traps_waiting"]),
        Asked(counts["empty"], counts["empty_waiting"]),
    )


def say_limit(run: JudgeRun, reasons: Collection[str]) -> str:
    """Say how many turns a run's judge looks at, where a chat was left out for having more."""
    if Reason.TOO_MANY_TURNS not in reasons:
        return ""
    return say_most_turns(run.configuration.judge_kind, run.configuration.most_turns)


def name_currencies(run: JudgeRun) -> str:
    """Name what a run is paid in: its endpoints may differ."""
    judges = run.judges.select_related("endpoint")
    return _(", ").join(sorted({one.endpoint.currency for one in judges}))


def _newest(run: JudgeRun) -> QuerySet[Judgement]:
    """Return the last judgement of each item that has come to an end."""
    last = Judgement.objects.filter(item=OuterRef("item")).order_by("-round").values("pk")[:1]
    ended = ["SCORED", "UNSCORED", "SKIPPED"]
    return Judgement.objects.filter(item__run=run, item__state__in=ended, pk=Subquery(last))


@role_required(Role.EVALUATOR)
@require_GET
def judge_run(request: MemberRequest, pk: int) -> HttpResponse:
    run = get_object_or_404(list_runs(request.user), pk=pk)
    told = describe(run)
    listing = item_lists.list_items(request, run)
    context = {
        **told,
        **listing.describe(),
        "known": listing.rows.exclude(canary="").count(),
        "shows": item_lists.list_shows(run),
        "setup": say_setup(run.configuration),
        "limits": LimitForm.of(run),
        "judges": run.judges.select_related("endpoint"),
    }
    if run.other is not None:
        context |= describe_pairs(run)
    if not told["waiting"] or run.state == JudgeRun.State.PAUSED:
        # It takes every vote: too much for a page that asks every other second how far it got.
        context["panel"] = measure(
            _newest(run).filter(item__canary="").values_list("votes", flat=True).iterator()
        )
        worth = None if run.other else weigh_panel(run.configuration)
        if worth is not None:
            context["worth"] = [say_votes(worth.votes), say_beside_best(worth.beside_best)]
    template = "grading/judge_run.html#judging" if request.htmx else "grading/judge_run.html"
    page = render(request, template, context)
    # Of what was said while the page was made, too.
    item_lists.record_verdicts(request.user, run)
    return page


def _act(
    request: MemberRequest, pk: int, act: Callable[..., int | None], said: str = ""
) -> HttpResponse:
    """Do something with a run; say what was said, how many items it is about, or why not."""
    run = get_object_or_404(list_runs(request.user), pk=pk)
    try:
        count = act(run=run, by=request.user) or 0
    except run_actions.CannotRun as cannot:
        messages.warning(request, str(cannot))
    else:
        asked = ngettext(
            "%(count)d item is being judged.", "%(count)d items are being judged.", count
        )
        messages.success(request, said or asked % {"count": count})
    return redirect(run)


@role_required(Role.EVALUATOR)
@require_POST
def pause_judge_run(request: MemberRequest, pk: int) -> HttpResponse:
    return _act(request, pk, run_actions.pause, _("Paused. No new calls are made."))


@role_required(Role.EVALUATOR)
@require_POST
def resume_judge_run(request: MemberRequest, pk: int) -> HttpResponse:
    form = LimitForm(request.POST)
    if not form.is_valid():
        messages.warning(request, _("Write limits as numbers, or leave them empty."))
        return redirect("grading:judge_run", pk)
    allow = form.cleaned_data if "most_calls" in request.POST else None
    return _act(request, pk, partial(run_actions.resume, allow=allow))


@role_required(Role.EVALUATOR)
@require_POST
def cancel_judge_run(request: MemberRequest, pk: int) -> HttpResponse:
    said = _("Cancelled. Verdicts so far are kept. You can ask for the rest later.")
    return _act(request, pk, run_actions.cancel, said)


@role_required(Role.EVALUATOR)
@require_POST
def judge_again(request: MemberRequest, pk: int) -> HttpResponse:
    return _act(request, pk, run_actions.ask_again)
