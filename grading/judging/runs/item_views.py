"""One judgement: what was sent and shown, what came, how it was read."""

import json
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.http import HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET

from curation.problems.exposures import ledger
from curation.problems.exposures.ledger import Part, Reason
from curation.problems.permissions import can_see_key
from grading.answers.models import Attempt, Grade
from grading.answers.permissions import tells_key
from grading.answers.responses import mark_graded
from grading.judging.judgements.models import JudgeCall, Judgement
from grading.judging.models import JudgeItem
from grading.judging.pairs.views import describe_pair, find_sides
from grading.judging.permissions import list_runs
from grading.judging.runs.views import name_currencies, say_limit
from grading.runs.models import ModelCall
from phybench.people.http import MemberRequest, role_required
from phybench.people.models import Role
from phybench_grader.judges.empty_answers import find_known
from phybench_grader.judges.kinds import of_verdict
from phybench_grader.judges.kinds.kind import Shown


@role_required(Role.EVALUATOR)
@require_GET
def judgement(request: MemberRequest, pk: int) -> HttpResponse:
    items = JudgeItem.objects.select_related(
        "attempt__revision__problem", "run__submission__solver", "run__configuration__prompt",
        "run__file", "run__other__solver", "attempt__solver", "other__solver",
    ).defer("run__file__content")  # fmt: skip
    item = get_object_or_404(items.filter(run__in=list_runs(request.user)), pk=pk)
    attempt = item.attempt
    # The judge is shown the reference, and may say it: so whoever may not see it sees neither.
    shows_key = attempt is None or can_see_key(request.user, attempt.revision.problem)
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
        "canary": find_known(item.canary),
        "given": item.given,
        "said": said,
        "earlier": heard[1:] if said else heard,
        "verdict": list_fields(said.verdict, shows_key=shows_key) if said else [],
        "votes": [
            {**vote, "fields": list_fields(vote.get("verdict"), shows_key=shows_key)}
            for vote in (said.votes if said else [])
        ],
        "limit": say_limit(item.run, [item.reason]),
        "calls": list_calls(item),
        "grade": grades[0] if grades else None,
        "rulings": attempt.rulings.select_related("ruled_by", "label_file") if attempt else [],
        "shows_key": shows_key,
        "currency": name_currencies(item.run),
        # What was taken over may be of somebody else's run.
        "may_open_reused": bool(
            said
            and said.reused
            and list_runs(request.user).filter(pk=said.reused.item.run_id).exists()
        ),
    }
    if item.given is not None:
        context |= _show_given(item.given, said, is_whole="whole" in request.GET)
    if item.run.other is not None:
        context |= describe_pair(item, grades)
        return render(request, "grading/pair_judgement.html", context)
    return render(request, "grading/judgement.html", context)


def _show_given(
    given: Mapping[str, Any], said: Judgement | None, *, is_whole: bool
) -> dict[str, Any]:
    """Say what the page shows of an item of a file: of a long answer what is judged, or its end."""
    rule = (said.rule if said else None) or {}
    return {
        "response": mark_graded(
            given.get("response") or "", rule.get("start"), rule.get("end"), is_whole=is_whole
        ),
        "turns": [
            (turn["question"], mark_graded(turn["answer"], None, None, is_whole=is_whole))
            for turn in given.get("turns", ())
        ],
    }


def list_parts(
    request: MemberRequest, shown: list[Attempt], grades: list[Grade], *, shows_key: bool
) -> Collection[Part]:
    """List what of a revision a judgement's page shows; a pair's has the statement too."""
    if shows_key:
        return [*ledger.ALL, Part.VERDICT]
    tells = any(
        tells_key(request.user, one, [grade for grade in grades if grade.attempt_id == one.pk])
        for one in shown
    )
    return [
        Part.VERDICT,
        *([Part.STATEMENT] if len(shown) > 1 else []),
        *([Part.ANSWER] if tells else []),
    ]


def list_fields(verdict: dict[str, Any] | None, *, shows_key: bool) -> list[tuple[str, Any]]:
    """List what a verdict says, without the judge's own words where they could tell the key."""
    if not verdict:
        return []
    return [
        (_(one.label), _write_field(one, verdict[one.name]))
        for one in of_verdict(verdict).shown
        if verdict.get(one.name, "") not in ("", None) and (shows_key or not one.tells_key)
    ]


def _write_field(shown: Shown, value: Any) -> Any:
    word = (shown.words or {}).get(value)
    return value if word is None else _(word)


@dataclass(frozen=True, slots=True)
class ShownCall:
    """A call as its page shows it: its messages to be read, beside what was really sent."""

    call: JudgeCall
    exchanges: list[ModelCall]
    messages: list[dict[str, str]]
    places: tuple[str, str] = ("", "")
    """Of a pair: who stood first, and who second."""

    @property
    def preferred(self) -> str:
        """Name whom the reply prefers, by the place that it names."""
        return dict(zip("AB", self.places, strict=True)).get(self.call.read_preference, "")


def list_calls(item: JudgeItem) -> list[ShownCall]:
    calls = item.calls.order_by("pk")
    exchanges: dict[int | None, list[ModelCall]] = defaultdict(list)
    for one in ModelCall.objects.filter(run=item.run_id, item__in=[call.pk for call in calls]):
        exchanges[one.item].append(one)
    first, second = find_sides(item)
    return [
        ShownCall(
            call,
            exchanges[call.pk],
            _read_messages(exchanges[call.pk]),
            (second, first) if call.order == "first_as_b" else (first, second),
        )
        for call in calls
    ]


def _read_messages(exchanges: Sequence[ModelCall]) -> list[dict[str, str]]:
    """Read the messages of what was sent last; nothing, if that can't be read."""
    try:
        return list(json.loads(exchanges[-1].request)["messages"]) if exchanges else []
    except (ValueError, KeyError, TypeError):
        return []
