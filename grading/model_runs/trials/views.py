"""Try a draft on models, for those who write it: choose, follow, read what came."""

from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from django.contrib import messages
from django.db.models import Count, Q, Sum
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from curation.problems.exposures import ledger
from curation.problems.exposures.ledger import Part, Reason
from curation.problems.models import Problem, Revision
from curation.problems.permissions import can_see_key
from grading.model_runs.permissions import keeps_endpoints, list_tried, may_try
from grading.model_runs.trials import actions as trial_actions
from grading.model_runs.trials.forms import TrialForm
from grading.model_runs.trials.models import Trial, TrialAnswer
from grading.runs.models import Endpoint, ModelCall
from phybench.pages.csv import csv_response
from phybench.people.http import MemberRequest

SHOWN = 20
"""Trials on a page, the newest; the file has all of them."""


@dataclass(frozen=True, slots=True)
class ShownTrial:
    """A trial as its page shows it."""

    trial: Trial
    answers: list[TrialAnswer]
    is_of_this_text: bool
    calls: int
    tokens: int
    money: Decimal
    estimated: int

    @property
    def done(self) -> int:
        return sum(not answer.is_waiting for answer in self.answers)

    @property
    def is_waiting(self) -> bool:
        return self.done < len(self.answers)

    @property
    def missing(self) -> int:
        """Those that came to an end without a verdict."""
        return sum(not answer.is_waiting and not answer.verdict for answer in self.answers)

    @property
    def correct(self) -> int:
        return sum(answer.verdict == "CORRECT" for answer in self.answers)

    @property
    def graded(self) -> int:
        return sum(bool(answer.verdict) for answer in self.answers)


def trial_of(request: MemberRequest, pk: int) -> Trial:
    trials = Trial.objects.select_related("problem", "endpoint", "started_by")
    return get_object_or_404(trials.filter(problem__in=list_tried(request.user)), pk=pk)


@require_http_methods(["GET", "POST"])
def trials(request: MemberRequest, pk: int) -> HttpResponse:
    problem = get_object_or_404(list_tried(request.user).with_people(), pk=pk)
    endpoints = Endpoint.objects.in_use()
    if request.method == "POST":
        form = TrialForm(endpoints, request.POST)
        if form.is_valid() and _begin(request, problem, form):
            if not request.htmx:
                return redirect("grading:trials", pk)
            form = TrialForm(endpoints)
    else:
        form = TrialForm(endpoints)
    template = "grading/trials.html"
    if request.htmx:
        template += "#results" if request.GET.get("part") == "results" else "#trials"
    context = {"form": form, **_describe(request, problem)}
    return render(request, template, context, status=_status(request, form))


@require_GET
def tries(request: MemberRequest, pk: int) -> HttpResponse:
    """Show a reviewer what models answered to a revision, once they may see its key."""
    submitted = Revision.objects.submitted().select_related("problem")
    revision = get_object_or_404(submitted, pk=pk)
    if not can_see_key(request.user, revision.problem):
        raise Http404
    shown = list_shown(revision.problem, revision, most=SHOWN)
    of_this_text = [one for one in shown if one.is_of_this_text]
    if of_this_text:
        _record_answers(request, revision)
    return render(request, "grading/trials.html#tries", {"shown": of_this_text})


def _record_answers(request: MemberRequest, revision: Revision) -> None:
    """Write down that answers are shown with their verdicts: what is correct is the key."""
    ledger.record(request.user, Reason.TRIAL, revision, parts=[Part.ANSWER])


def _status(request: MemberRequest, form: TrialForm) -> int:
    # A fragment that says what to mend has to be shown like any other.
    return 400 if form.is_bound and form.errors and not request.htmx else 200


def _begin(request: MemberRequest, problem: Problem, form: TrialForm) -> bool:
    try:
        trial_actions.begin(
            problem=problem,
            by=request.user,
            choices=form.choices(),
            times=form.cleaned_data["times"],
        )
    except trial_actions.CannotTry as cannot:
        form.add_error(None, str(cannot))
        return False
    return True


def _describe(request: MemberRequest, problem: Problem) -> dict[str, Any]:
    revision = problem.revisions.latest("number")
    shown = list_shown(problem, revision, most=SHOWN)
    if any(one.is_of_this_text for one in shown):
        _record_answers(request, revision)
    return {
        "problem": problem,
        "may_try": may_try(request.user, problem),
        "is_admin": keeps_endpoints(request.user),
        "shown": shown,
        "is_waiting": any(one.is_waiting for one in shown),
        "total": problem.trials.count(),
    }


def list_shown(
    problem: Problem, revision: Revision, *, most: int | None = None
) -> list[ShownTrial]:
    """Return a problem's trials, the newest first, with what each came to and cost."""
    trials = problem.trials.select_related("endpoint", "started_by")
    found = trials.prefetch_related("answers")[:most]
    costs = {
        row["run"]: row
        for row in ModelCall.objects.filter(run__in=[one.pk for one in found])
        .order_by()
        .values("run")
        .annotate(
            calls=Count("pk"),
            tokens=Sum("tokens"),
            money=Sum("money"),
            estimated=Count("pk", filter=Q(is_estimated=True)),
        )
    }
    sha256 = trial_actions.identify(revision)
    nothing = {"calls": 0, "tokens": 0, "money": Decimal(0), "estimated": 0}
    return [
        ShownTrial(
            trial,
            list(trial.answers.all()),
            trial.text_sha256 == sha256,
            **{name: costs.get(trial.pk, nothing)[name] for name in nothing},
        )
        for trial in found
    ]


@require_GET
def trials_csv(request: MemberRequest, pk: int) -> HttpResponse:
    problem = get_object_or_404(list_tried(request.user).with_people(), pk=pk)
    header = [
        "trial", "asked_at", "endpoint", "model", "text_sha256", "is_of_this_text", "prompt",
        "prompt_sha256", "number", "state", "verdict", "eed", "answer_read", "reason",
        "judge_version", "finish_reason",
    ]  # fmt: skip
    _record_answers(request, problem.revisions.latest("number"))
    return csv_response(f"trials-{problem.identifier}", header, _csv_rows(problem))


def _csv_rows(problem: Problem) -> Iterable[list[object]]:
    for shown in list_shown(problem, problem.revisions.latest("number")):
        trial = shown.trial
        for answer in shown.answers:
            yield [
                trial.pk,
                trial.created_at.isoformat(timespec="seconds"),
                trial.endpoint.name,
                trial.model,
                trial.text_sha256,
                shown.is_of_this_text,
                trial.prompt_name,
                trial.prompt_sha256,
                answer.number,
                answer.state,
                answer.verdict,
                answer.eed,
                answer.answer_read,
                answer.reason or answer.failure_reason,
                answer.judge_version,
                answer.finish_reason,
            ]


@require_POST
def cancel(request: MemberRequest, pk: int) -> HttpResponse:
    trial = trial_of(request, pk)
    try:
        count = trial_actions.cancel(trial=trial, by=request.user)
    except trial_actions.CannotTry as cannot:
        messages.warning(request, str(cannot))
    else:
        text = ngettext(
            "%(count)d answer is no longer requested.",
            "%(count)d answers are no longer requested.",
            count,
        )
        messages.success(request, text % {"count": count})
    return redirect("grading:trials", trial.problem_id)


@require_POST
def ask_again(request: MemberRequest, pk: int) -> HttpResponse:
    trial = trial_of(request, pk)
    try:
        count = trial_actions.ask_again(trial=trial, by=request.user)
    except trial_actions.CannotTry as cannot:
        messages.warning(request, str(cannot))
    else:
        text = ngettext(
            "%(count)d answer is requested again.", "%(count)d answers are requested again.", count
        )
        messages.success(request, text % {"count": count})
    return redirect("grading:trials", trial.problem_id)


@require_GET
def trial_answer(request: MemberRequest, pk: int, number: int) -> HttpResponse:
    trial = trial_of(request, pk)
    answer = get_object_or_404(trial.answers, number=number)
    ledger.record(
        request.user,
        Reason.TRIAL,
        *trial_actions.list_submitted(trial),
        parts=[Part.STATEMENT, Part.ANSWER],
    )
    context = {
        "trial": trial,
        "problem": trial.problem,
        "answer": answer,
        "calls": answer.calls.order_by("pk"),
        # What a provider says of itself is for those who look after the endpoint.
        "shows_raw": keeps_endpoints(request.user),
        "has_failed": answer.state == TrialAnswer.State.FAILED,
        "title": _("%(model)s, sample %(number)d") % {"model": trial.model, "number": number},
    }
    return render(request, "grading/trial_answer.html", context)
