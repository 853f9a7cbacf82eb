"""The page of a session, what it sends while somebody works, and handing in."""

import json
from collections import defaultdict
from collections.abc import Iterable
from typing import Any

from django.contrib import messages
from django.http import HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from curation.problems.exposures import ledger
from curation.problems.exposures.ledger import Reason
from curation.problems.models import Revision
from curation.problems.typed_answers import show_reading
from curation.texts.workflow import NotAllowedNow
from grading.studies.sessions import actions, sync
from grading.studies.sessions.models import Save, Session, SessionItem, Trace
from grading.studies.sessions.permissions import list_own_sessions
from phybench.people.http import MemberRequest, few_at_once, role_required
from phybench.people.models import Role
from phybench.work import budgets
from phybench_grader.statement.response import find_answer

LONGEST_READ = 5_000
"""Characters that a preview looks at."""
SIGNS = (
    *(("√", "√()"), ("π", "π"), ("^", "^"), ("/", "/"), ("·", "*")),
    *(("sin", "sin()"), ("ln", "ln()"), ("e^", "e^()")),
)
"""Label of a button, and what it writes; the cursor comes to stand in the brackets."""


def find(request: MemberRequest, pk: int) -> Session:
    """Return one's own session; of another's it is not told that it is there."""
    own = list_own_sessions(request.user)
    return get_object_or_404(own.select_related("participation__study"), pk=pk)


def _list_items(session: Session) -> list[SessionItem]:
    return list(
        session.items.select_related("study_item__study", "study_item__item__revision__problem")
    )


def _list_revisions(items: Iterable[SessionItem]) -> list[Revision]:
    return [one.study_item.item.revision for one in items]


@role_required(Role.PARTICIPANT)
@require_GET
def session(request: MemberRequest, pk: int) -> HttpResponse:
    found = find(request, pk)
    study = found.participation.study
    items = _list_items(found)
    if found.ended_at:
        context = {"session": found, "study": study, "items": items}
        return render(request, "grading/session_ended.html", context)
    ledger.record(request.user, Reason.SIT, *_list_revisions(items))
    texts = sync.list_texts(found)
    context = {
        "session": found,
        "study": study,
        "items": [(one, texts[one.place]) for one in items],
        "signs": SIGNS,
        "state": {"numbers": {place: one["number"] for place, one in texts.items()}},
    }
    response = render(request, "grading/session.html", context)
    # What the back button would bring is older than what was typed since.
    response["Cache-Control"] = "no-store"
    return response


@role_required(Role.PARTICIPANT)
@require_POST
def sync_session(request: MemberRequest, pk: int) -> HttpResponse:
    """Keep what a browser sends, and tell it the time."""
    found = find(request, pk)
    try:
        sent = json.loads(request.body)
        events = sync.read_events(sent["events"])
        tab = sync.read_tab(sent["tab"])
        told = sync.take(session=found, person=request.user, tab=tab, events=events)
        # A trace is four letters, and a row. What is kept is not refused: else a browser would send
        # it again, and pay for it again.
        who = budgets.name_person(request.user.pk)
        budgets.spend(who, size=budgets.A_ROW * len(events))
    except (ValueError, KeyError, TypeError, RecursionError) as malformed:
        said = malformed if isinstance(malformed, sync.Malformed) else sync.Malformed()
        return JsonResponse({"message": str(said)}, status=400)
    except actions.OtherTab as other:
        # The clock runs in every tab.
        told_so = {
            "message": str(other),
            "texts": sync.list_texts(found),
            "now": timezone.now().timestamp(),
            "ends_at": found.ends_at.timestamp(),
        }
        return JsonResponse(told_so, status=409)
    return JsonResponse(
        {
            "now": told.now.timestamp(),
            "ends_at": told.ends_at.timestamp(),
            "has_ended": told.has_ended,
            "is_handed_in": told.is_handed_in,
            "newest": told.newest,
            "late": told.late,
            "not_kept": [one._asdict() for one in told.not_kept],
            "refused": told.refused,
        }
    )


@role_required(Role.PARTICIPANT)
@require_POST
def take_over(request: MemberRequest, pk: int) -> HttpResponse:
    """Have this tab save; answer what is kept, so that it can show both."""
    found = find(request, pk)
    try:
        tab = sync.read_tab(request.POST.get("tab"))
    except sync.Malformed as malformed:
        return JsonResponse({"message": str(malformed)}, status=400)
    actions.take_over(session=found, person=request.user, tab=tab)
    return JsonResponse({"texts": sync.list_texts(found)})


@role_required(Role.PARTICIPANT)
@require_POST
@few_at_once
def read_in_session(request: MemberRequest, pk: int) -> HttpResponse:
    """Show how an answer to one problem of a session is read while it is typed."""
    own = SessionItem.objects.filter(session__in=list_own_sessions(request.user))
    item = get_object_or_404(own.select_related("study_item__item__revision__problem"), pk=pk)
    text = request.POST.get("response", "")[:LONGEST_READ]
    context = show_reading(find_answer(text), item.study_item.item.revision)
    return render(request, "_read_as.html", context)


@role_required(Role.PARTICIPANT)
@require_http_methods(["GET", "POST"])
@few_at_once
def hand_in(request: MemberRequest, pk: int) -> HttpResponse:
    """Show how every answer is read, and what is empty, before they are handed in."""
    found = find(request, pk)
    if found.ended_at:
        return redirect(found)
    if request.method == "POST":
        # Where the time was up between, it is ended already.
        actions.hand_in(session=found, person=request.user)
        return redirect(found)
    texts = sync.list_texts(found)
    rows = [_describe(one, texts[one.place]["answer"]) for one in _list_items(found)]
    context = {
        "session": found,
        "study": found.participation.study,
        "rows": rows,
        "to_mend": sum(row["is_to_mend"] for row in rows),
        "too_large": sum(row["is_too_large"] for row in rows),
        "empty": sum(row["is_empty"] for row in rows),
    }
    return render(request, "grading/hand_in.html", context)


def _describe(item: SessionItem, text: str) -> dict[str, Any]:
    """Return a problem, how its answer is read, and whether there is something to mend."""
    is_out = bool(item.seen_before_at or item.gave_up_at)
    shown: dict[str, Any] = {}
    if text.strip() and not is_out:
        shown = show_reading(find_answer(text[:LONGEST_READ]), item.study_item.item.revision)
    unreadable = shown.get("unreadable")
    is_too_large = "stopped" in shown or bool(unreadable and unreadable.is_over_limit)
    is_to_mend = bool(not is_too_large and (unreadable or shown.get("unknown")))
    return {
        "item": item,
        "answer": text,
        "shown": shown,
        "is_to_mend": is_to_mend,
        "is_too_large": is_too_large,
        "is_empty": not text.strip() and not is_out,
    }


@role_required(Role.PARTICIPANT)
@require_POST
def say_aids(request: MemberRequest, pk: int) -> HttpResponse:
    """Take what somebody says of the aids that they used."""
    found = find(request, pk)
    said = request.POST.get("kept")
    if said in ("yes", "no"):
        try:
            actions.say_aids(session=found, person=request.user, kept=said == "yes")
        except NotAllowedNow as refused:
            messages.error(request, str(refused))
    return redirect(found)


def _list_by_item(
    rows: type[Save] | type[Trace], found: Session, *names: str
) -> dict[int, list[dict[str, Any]]]:
    """List rows of a session by the number of the problem that they are of."""
    listed: dict[int, list[dict[str, Any]]] = defaultdict(list)
    for row in rows._default_manager.filter(item__session=found).values("item", *names):
        listed[row.pop("item")].append(row)
    return listed


@role_required(Role.PARTICIPANT)
@require_GET
def own_data(request: MemberRequest, pk: int) -> HttpResponse:
    """Download all that is kept of one's own session, but for how it was graded."""
    found = find(request, pk)
    own = found.participation
    items = _list_items(found)
    saves = _list_by_item(Save, found, "number", "kind", "text", "arrived_at", "is_late")
    traces = _list_by_item(Trace, found, "kind", "amount", "at")
    problems = [
        {
            "place": one.place,
            "statement": one.study_item.statement,
            "opened_at": one.opened_at,
            "outcome": one.outcome,
            "why_gave_up": one.why_gave_up,
            "saves": saves[one.pk],
            "traces": traces[one.pk],
        }
        for one in items
    ]
    told = {
        "study": own.study.title,
        "pseudonym": own.pseudonym,
        "consented_at": own.consented_at,
        "consent_sha256": own.consent_sha256,
        "answers": own.answers,
        "started_at": found.started_at,
        "ends_at": found.ends_at,
        "ended_at": found.ended_at,
        "ending": found.ending,
        "kept_to_aids": found.kept_to_aids,
        "problems": problems,
    }
    response = JsonResponse(told, json_dumps_params={"ensure_ascii": False, "indent": 2})
    response["Content-Disposition"] = f'attachment; filename="session-{found.pk}.json"'
    ledger.record(request.user, Reason.SIT, *_list_revisions(items))
    return response
