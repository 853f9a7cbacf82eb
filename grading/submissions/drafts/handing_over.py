"""Put the answers of a run whose calls have ended into a draft, like those of a file."""

import hashlib
import re
from collections import Counter
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from grading.model_runs.models import ModelRun, ModelRunAnswer
from grading.runs import reservations
from grading.runs.models import Run
from grading.submissions.drafts.models import RUN, Draft, DraftAnswer, DraftFile
from grading.submissions.drafts.reading import MOST_LEFT_OUT
from phybench.files.answer_files.answers import Reason
from phybench.people.languages import in_language_of

AT_ONCE = 200
"""Answers that are held in memory."""
_BOX = re.compile(r"\\f?boxed\b")
State = ModelRunAnswer.State
REASONS = {State.ANSWERED: Reason.EMPTY, State.FAILED: Reason.FAILED}
"""Why what has no text is no answer; other calls were not made."""


@transaction.atomic
def hand_over(run: ModelRun) -> None:
    """End a claimed run: what it reserved is free, and its answers can be looked at and graded."""
    # Who asks again, or cancels, waits for this, or this for them.
    held = ModelRun.objects.select_for_update(no_key=True, of=["self", "run"]).get(pk=run.pk)
    if held.answers.waiting().exists():
        # Somebody asked again meanwhile.
        run.settle()
        return
    reservations.free(held)
    # What was graded meanwhile is not changed any more.
    with in_language_of(held.started_by):
        file = DraftFile.objects.select_related("draft").filter(model_run=held).first()
        if file is None or file.draft.graded_at is None:
            _write(held, file or _make_file(held))
    is_cancelled = held.state == ModelRun.State.CANCELLED
    if run.settle(handed_over_at=timezone.now()):
        state = Run.State.CANCELLED if is_cancelled else Run.State.ENDED
        Run.objects.filter(pk=run.pk).update(state=state, paused_for="", paused_message=None)


def give_up(run: ModelRun) -> None:
    """Leave it for the clock to find again: there is nothing else to be done with its answers."""
    run.settle(lost=0)


def _make_file(run: ModelRun) -> DraftFile:
    """Make the place in a draft of its own, however many drafts there are: they are paid for."""
    draft = Draft.objects.create(
        organisation=run.organisation,
        benchmark=run.version.benchmark,
        version=run.version,
        made_by=run.started_by,
    )
    # It has no bytes: what is hashed tells it from any other run.
    named = f"{run.pk} {run.created_at.isoformat()}"
    return DraftFile.objects.create(
        draft=draft,
        model_run=run,
        name=str(run)[:200],
        sha256=hashlib.sha256(named.encode()).hexdigest(),
        size=0,
        format=RUN,
        mapped_at=timezone.now(),
    )


def _write(run: ModelRun, file: DraftFile) -> None:
    """Write the answers in the order of the problems, in place of those of an earlier time."""
    DraftAnswer.objects.filter(file=file).delete()
    counts: Counter[str] = Counter()
    left_out: list[dict[str, Any]] = []
    some: list[DraftAnswer] = []
    failed = number = 0
    ordered = run.answers.select_related("item").order_by("item__problem", "item", "sample")
    for number, one in enumerate(ordered.iterator(chunk_size=AT_ONCE), start=1):
        if one.response.strip():
            some.append(_make(one, file, number, run.name))
        else:
            reason = REASONS.get(State(one.state), Reason.NO_ROW)
            counts[reason.value] += 1
            failed += one.state == State.FAILED
            if len(left_out) < MOST_LEFT_OUT:
                left_out.append(_leave_out(one, number, run.name, reason))
        if len(some) >= AT_ONCE:
            DraftAnswer.objects.bulk_create(some)
            some = []
    DraftAnswer.objects.bulk_create(some)
    DraftFile.objects.filter(pk=file.pk).update(
        rows=number,
        left_out=left_out,
        counts={run.name: counts} if counts else {},
        broken_off=_say_failed(run, failed),
        read_at=timezone.now(),
    )


def _make(one: ModelRunAnswer, file: DraftFile, number: int, name: str) -> DraftAnswer:
    return DraftAnswer(
        file=file,
        row=number,
        model=name,
        identifier=one.item.identifier,
        sample=one.sample,
        response=one.response,
        is_boxed=bool(_BOX.search(one.response)),
        finish_reason=one.finish_reason[:40],
        tokens=one.completion_tokens,
        latency=one.latency,
    )


def _leave_out(one: ModelRunAnswer, number: int, name: str, reason: Reason) -> dict[str, Any]:
    is_empty = reason is Reason.EMPTY
    said = _("the model returned no text") if is_empty else _("no answer: the call was not made")
    if one.state == State.FAILED:
        said = _("no answer: the call failed (%(reason)s)") % {"reason": one.failure_reason}
    row = {"row": number, "id": one.item.identifier, "message": said, "model": name}
    return row | {"reason": reason.value}


def _say_failed(run: ModelRun, failed: int) -> str:
    """Say what is in the way of grading: what failed on our side is no missing answer."""
    if not failed or run.state == ModelRun.State.CANCELLED:
        return ""
    said = ngettext(
        "%(count)d call failed on our side. Retry it on the page of the run.",
        "%(count)d calls failed on our side. Retry them on the page of the run.",
        failed,
    )
    return said % {"count": failed}
