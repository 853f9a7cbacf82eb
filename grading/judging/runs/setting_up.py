"""The page on which a run is set up, estimated, agreed to and begun, whatever it is to judge."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, Protocol

from django.conf import settings
from django.contrib import messages
from django.http import HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from grading.answers.submissions.models import Submission
from grading.judging.engine.configuration import Configuration
from grading.judging.engine.items import BadItems, say_fault
from grading.judging.models import JudgeFile, JudgeRun
from grading.judging.prompts.configurations import read
from grading.judging.runs.actions import CannotRun, Plan, list_known
from grading.judging.runs.estimates import Estimate, estimate, find_known, list_left
from grading.judging.runs.forms import JudgeRunForm
from grading.judging.words import name_kinds, say, say_most_turns
from phybench.people.http import MemberRequest
from phybench_grader.judges import Mode, Reason
from phybench_grader.judges.empty_answers import is_empty_answer
from phybench_grader.judges.items import Item
from phybench_grader.judges.kinds import KINDS
from phybench_grader.judges.kinds.kind import JudgeKind


class Begin(Protocol):
    def __call__(self, *, plan: Plan) -> JudgeRun: ...


@dataclass(frozen=True, slots=True)
class Subject:
    """What is to be judged."""

    row: Submission | JudgeFile
    name: str
    list_items: Callable[[Plan, Configuration], Sequence[Item]]
    """May raise `BadItems`."""
    begin: Begin
    describe: Callable[[Plan], dict[str, Any]]
    """What else the page says of it, once it is known how it is judged."""
    runs: Iterable[JudgeRun] = ()
    """Those so far, where they are not listed elsewhere."""


def read_kind(request: MemberRequest) -> tuple[QueryDict | None, JudgeKind[Any] | None]:
    """Return what was sent, and which kind of judge was chosen."""
    data = request.POST if request.method == "POST" else None
    return data, KINDS.get((data or request.GET).get("kind", ""))


def set_up(request: MemberRequest, form: JudgeRunForm, subject: Subject) -> HttpResponse:
    kind = form.judge_kind
    offered = [one for one in KINDS.values() if form.takes(one)]
    context: dict[str, Any] = {
        "subject": subject,
        "form": form,
        # The first question is which: each asks for other things.
        "kinds": [] if kind else [(one, _(one.name), _(one.does)) for one in offered],
        "kind_name": _(kind.name) if kind else "",
        "works_alone": name_kinds(lambda one: one.has_rules),
        "must_ask_models": bool(kind and kind.asks_models({"mode": Mode.RULE_ONLY})),
    }
    if request.method == "POST" and form.is_valid():
        try:
            run = _go_on(request, form, subject, context)
        except (BadItems, CannotRun) as cannot:
            form.add_error(None, str(cannot))
        else:
            if run is not None:
                return redirect(run)
    return render(
        request, "grading/new_judge_run.html", context, status=400 if form.errors else 200
    )


def _go_on(
    request: MemberRequest, form: JudgeRunForm, subject: Subject, context: dict[str, Any]
) -> JudgeRun | None:
    """Estimate a run, and begin it if that is asked for and agreed to."""
    plan = form.plan(request.POST.getlist("host"))
    context |= (estimated := _estimate(subject, plan))
    if request.POST.get("step") != "begin":
        return None
    # What was changed after the estimate is estimated first: it was not that they agreed to.
    if request.POST.get("estimated") != estimated["estimated"]:
        messages.warning(request, _("The estimate has changed. Check it again."))
        return None
    if plan.judges and not request.POST.get("agree"):
        raise CannotRun(_("Confirm that the texts may be sent there, or choose other models."))
    if estimated["needs_tick"] and not request.POST.get("confirm"):
        raise CannotRun(_("Confirm the number of calls, or choose fewer."))
    return subject.begin(plan=plan)


MOST_NAMED = 200
"""Lines of a file that are named on the page, each with why it is left out."""


def _say_left_out(made: Estimate) -> Iterator[str]:
    """Say of each item that is left out which it is, and why."""
    for item, reason in made.left_out:
        if item.refused:
            # It names its line.
            yield say_fault(item.refused)
        else:
            yield _("%(item)s: %(reason)s.") % {"item": item.id, "reason": say(reason)}


def _estimate(subject: Subject, plan: Plan) -> dict[str, Any]:
    """Say what a run would take, and what endpoints leave of it today."""
    configuration = read(plan.document, plan.prompt)
    own = subject.list_items(plan, configuration)
    tried = list_known(configuration, plan, own)
    items = [*own, *tried]
    file_id = subject.row.pk if isinstance(subject.row, JudgeFile) else None
    known = frozenset[str]() if plan.is_fresh else find_known(configuration, file_id=file_id)
    made = estimate(configuration, items, plan.judges, known=known)
    hosts = sorted({one.endpoint.host for one in plan.judges})
    left = list_left(made, plan.judges)
    compared = plan.other.pk if plan.other else ""
    return {
        "estimate": made,
        "is_file": file_id is not None,
        "unjudged": list(islice(_say_left_out(made), MOST_NAMED)),
        "unjudged_count": len(made.left_out),
        "limit": (
            say_most_turns(configuration.kind, configuration.most_turns)
            if any(reason is Reason.TOO_MANY_TURNS for _item, reason in made.left_out)
            else ""
        ),
        "empty_answers": sum(is_empty_answer(one.canary) for one in tried),
        "needs_tick": made.cost.calls >= settings.JUDGE_CONFIRM_CALLS,
        "judges": plan.judges,
        "left": left,
        "short": [one for one in left if one.is_short],
        "hosts": hosts,
        "hosts_named": _(", ").join(hosts),
        "currency": _(", ").join(sorted({one.endpoint.currency for one in plan.judges})),
        # Told from any other: what is judged, by whom, shown what, in how many calls.
        "estimated": (
            f"{configuration.identity[:16]}-{compared}-{int(plan.is_fresh)}"
            f"{int(plan.tries_empty)}-{made.cost.calls}"
        ),
        **subject.describe(plan),
    }
