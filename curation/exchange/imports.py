"""
Look at a file's rows, and carry them out, a few at a time.

What is planned is kept every few rows, what is carried out with each row, so a worker that is
killed costs little and doing it twice changes nothing.
"""

import hashlib
import logging
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from concurrent.futures import CancelledError
from dataclasses import asdict

from django.conf import settings
from django.db import InterfaceError, OperationalError, transaction
from django.db.models import Count, Func, IntegerField, QuerySet, Sum
from django.utils import timezone, translation
from django.utils.translation import gettext as _

from curation.exchange import plans as planning
from curation.exchange.execution import Changed, carry_out
from curation.exchange.models import Import, ImportRow
from curation.exchange.plans import Action, PlannedRow
from curation.exchange.rows import PROBLEMS, Fault, Row, parse
from curation.exchange.terms import DEFAULTS, ImportTerms
from curation.texts.workflow import NotAllowedNow
from phybench.files import problem_files as files
from phybench.work import budgets
from phybench.work.models import Priority
from phybench_grader.authoring.rule_book import find_rule

logger = logging.getLogger(__name__)

KEPT_EVERY = 1.0
"""Seconds of planning that a killed worker costs at most, with the row it was at."""
AT_ONCE = 200
"""Rows that are planned from one look at the bank."""
PLANNED_FIELDS = (*("action", "faults", "values", "changes", "problem", "state", "note", "title"),)


NOT_OF_THE_ROW = (CancelledError, OperationalError, InterfaceError)
"""The application is ending, or the database is away: another worker goes on with this row."""


# --- What its owner does --------------------------------------------------------------------


@transaction.atomic
def begin(terms: ImportTerms, *, file_name: str, content: bytes) -> Import:
    """
    Keep what a file says, to be looked at by a worker.

    Raises:
        reading.Refused: nothing of it can be taken; the message says why.
    """
    assert terms.person is not None
    raw = files.read(content, PROBLEMS)
    made = Import.objects.create(
        owner=terms.person,
        priority=Priority.SOON,
        purpose=terms.purpose,
        benchmark=terms.benchmark,
        domain=terms.domain,
        difficulty=terms.difficulty,
        problem_language=terms.language,
        language=translation.get_language() or settings.LANGUAGE_CODE,
        file_name="".join(one for one in file_name if one.isprintable())[:200],
        file_sha256=hashlib.sha256(content).hexdigest(),
        file_format=raw.format,
        unknown_fields=[
            "".join(one if one.isprintable() else "?" for one in name) for name in raw.unknown
        ],
    )
    ImportRow.objects.bulk_create(
        (
            ImportRow(
                transfer=made,
                number=row.number,
                line=row.line,
                identifier=row.id,
                title=str(row.values.get("title", ""))[:200],
                given=row.values,
                faults=[asdict(fault) for fault in row.faults],
            )
            for row in parse(raw.rows)
        ),
        batch_size=500,
    )
    return made


@transaction.atomic
def order(transfer: Import) -> Import:
    """
    Have the plan carried out. Asked twice, it is done once.

    Raises:
        NotAllowedNow: it is not looked at yet, or there is nothing to do.
    """
    transfer = Import.objects.select_for_update().get(pk=transfer.pk)
    if transfer.ordered_at is not None:
        return transfer
    if transfer.planned_at is None:
        raise NotAllowedNow(_("Its rows are still being checked. Wait until that is done."))
    if not transfer.rows.filter(action__in=[Action.CREATE, Action.UPDATE]).exists():
        raise NotAllowedNow(_("This file needs no action."))
    transfer.ordered_at = transfer.queued_at = timezone.now()
    transfer.save(update_fields=["ordered_at", "queued_at"])
    return transfer


def list_missing(transfer: Import) -> list[str]:
    """List the fields for want of which rows are refused, though one word does for all rows."""
    refused = transfer.rows.filter(action=Action.REFUSE).only("given", "faults")
    lacking = {name for row in refused for name in _find_missing(row)}
    return [name for name in DEFAULTS if name in lacking]


def _find_missing(row: ImportRow) -> set[str]:
    """Find what alone a row is refused for, where it only has to be said."""
    found = {fault["field"] for fault in row.faults}
    return found if found and found.issubset({*DEFAULTS} - row.given.keys()) else set()


@transaction.atomic
def fill_in(transfer: Import, given: Mapping[str, str]) -> Import:
    """
    Say for all rows what some do not say, and have the file looked at again as it was read.

    Raises:
        NotAllowedNow: it is being carried out, or was.
    """
    transfer = Import.objects.select_for_update().get(pk=transfer.pk)
    if transfer.ordered_at is not None or transfer.planned_at is None:
        raise NotAllowedNow(_("It is being carried out already, or its rows are being checked."))
    for name, value in given.items():
        setattr(transfer, "problem_language" if name == "language" else name, value)
    transfer.planned_at, transfer.queued_at = None, timezone.now()
    transfer.save()
    # What was refused for another reason still is: of that it is kept what the file had wrong.
    refused = transfer.rows.filter(action=Action.REFUSE).only("given", "faults")
    again = [row.pk for row in refused if _find_missing(row)]
    transfer.rows.filter(pk__in=again).update(action="", faults=[])
    return transfer


def measure(transfer: Import) -> float:
    """Return how many bytes are kept where it is carried out: each row is a text as if written."""
    to_do = transfer.rows.filter(action__in=[Action.CREATE, Action.UPDATE])
    values = Func("values", function="pg_column_size", output_field=IntegerField())
    found = to_do.aggregate(rows=Count("pk"), size=Sum(values))
    kept = budgets.WRITING.fixed * found["rows"] + budgets.WRITING.times * (found["size"] or 0)
    return float(kept)


@transaction.atomic
def discard(transfer: Import) -> None:
    """
    Forget a file that was only looked at.

    Raises:
        NotAllowedNow: it is being carried out, or was.
    """
    found = Import.objects.select_for_update().filter(pk=transfer.pk).first()
    if found is None:
        return  # asked twice
    if found.ordered_at is not None:
        raise NotAllowedNow(_("It was carried out, so it can’t be deleted."))
    found.delete()


def count_rows(transfer: Import) -> Counter[str]:
    """Count the rows by what is to come of them, and by what came of them; two queries."""
    counts: Counter[str] = Counter()
    grouped = transfer.rows.order_by().values_list("action", "result").annotate(Count("pk"))
    for action, result, count in grouped:
        counts["ALL"] += count
        counts[action or "WAITING"] += count
        if result:
            counts[f"RESULT_{result}"] += count
    counts["TO_DO"] = counts[Action.CREATE] + counts[Action.UPDATE]
    counts["TO_FIX"] = transfer.rows.to_fix().count()
    return counts


def count_rules(transfer: Import) -> list[tuple[str, int]]:
    """Count how many rows break each of the six rules (or are wrong in a field), most first."""
    rules: Counter[str] = Counter()
    for faults in transfer.rows.exclude(faults=[]).values_list("faults", flat=True):
        rules.update({_name_what_breaks(fault) for fault in faults})
    return sorted(rules.items(), key=lambda one: (-one[1], one[0]))


def _name_what_breaks(fault: dict[str, str]) -> str:
    if (rule := find_rule(fault["code"])) is not None:
        return _(rule.title)
    return fault["field"] or _("the row")


# --- What a worker does ---------------------------------------------------------------------


def run(transfer: Import) -> None:
    """
    Do what waits in a claimed import: plan its rows, or carry them out.

    Raises:
        Lost: another worker has it now, or it was discarded.
    """
    # Its rows keep what is said of them.
    with translation.override(transfer.language):
        if transfer.planned_at is None:
            _plan(transfer)
            transfer.keep(planned_at=timezone.now(), lease_until=None)
        elif transfer.ordered_at is not None:
            _carry_out(transfer)
            transfer.keep(finished_at=timezone.now(), lease_until=None)


@transaction.atomic
def give_up(transfer: Import) -> None:
    """Set the row aside that takes worker after worker with it, and go on with the others."""
    transfer.keep(lost=0, lease_until=None)
    row = _list_waiting(transfer).first()
    if row is not None:
        with translation.override(transfer.language):
            _set_aside(transfer, row)


def _set_aside(transfer: Import, row: ImportRow) -> None:
    if transfer.planned_at is None:
        fault = Fault(
            "",
            _(
                "every worker that checked this row was stopped: import this row in a file of "
                "its own"
            ),
        )
        row.action, row.faults = Action.REFUSE, [asdict(fault)]
    else:
        row.result, row.message = ImportRow.Result.REFUSED, planning.say_our_error()
    row.save(update_fields=["action", "faults", "result", "message"])


def _list_waiting(transfer: Import) -> QuerySet[ImportRow]:
    """List the rows that are still to be planned, or else to be carried out."""
    rows = transfer.rows.order_by("number")
    if transfer.planned_at is None:
        return rows.filter(action="")
    return rows.filter(result="", action__in=[Action.CREATE, Action.UPDATE])


def _plan(transfer: Import) -> None:
    terms = _get_terms(transfer)
    while rows := list(_list_waiting(transfer)[:AT_ONCE]):
        _plan_rows(transfer, rows, terms)


def _plan_rows(transfer: Import, rows: Sequence[ImportRow], terms: ImportTerms) -> None:
    plans = planning.plan((read_row(row) for row in rows), terms)
    done = 0
    while done < len(rows):
        batch, began = [], time.monotonic()
        for row, planned in zip(rows[done:], plans, strict=False):
            for name, value in planning.store(planned).items():
                setattr(row, name, value)
            row.title = row.title or str(planned.values.get("title", ""))[:200]
            batch.append(row)
            if time.monotonic() - began > KEPT_EVERY:
                break
        done += len(batch)
        with transaction.atomic():
            # Whoever was lost over an earlier row was not lost over the next one.
            transfer.keep(lost=0)
            ImportRow.objects.bulk_update(batch, PLANNED_FIELDS)


def _carry_out(transfer: Import) -> None:
    terms = _get_terms(transfer)
    waiting = _list_waiting(transfer)
    for pk in list(waiting.values_list("pk", flat=True)):
        with transaction.atomic():
            # With the row itself: whoever reads “done” finds the problem.
            transfer.keep(lost=0)
            row = waiting.select_for_update().filter(pk=pk).first()
            if row is None:
                continue
            try:
                row.problem = carry_out(read_row(row), read_plan(row), terms)
                row.result = ImportRow.Result.DONE
            except Changed as reason:
                now = next(planning.plan([read_row(row)], terms))
                if now.action == Action.NOTHING:
                    # The same file twice, say: what was to be done was done meanwhile.
                    row.action, row.changes, row.note = now.action, [], now.note
                    row.problem_id = now.problem_id
                else:
                    row.result, row.message = ImportRow.Result.REFUSED, str(reason)
            except NOT_OF_THE_ROW:
                raise
            except Exception:
                logger.exception("carrying out row %d of import %d", row.number, transfer.pk)
                row.result, row.message = ImportRow.Result.REFUSED, planning.say_our_error()
            row.save(update_fields=["action", "changes", "note", "problem", "result", "message"])


def read_row(row: ImportRow) -> Row:
    """Return what the file said; its faults only where nothing was planned yet."""
    faults = () if row.action else tuple(Fault(**fault) for fault in row.faults)
    return Row(row.number, row.line, row.identifier, row.given, faults)


def read_plan(row: ImportRow) -> PlannedRow:
    return PlannedRow(
        action=Action(row.action),
        faults=tuple(Fault(**fault) for fault in row.faults),
        values=row.values,
        changes=tuple(row.changes),
        problem_id=row.problem_id,
        state=row.state,
        note=row.note,
    )


def _get_terms(transfer: Import) -> ImportTerms:
    return ImportTerms(
        Import.Purpose(transfer.purpose),
        transfer.benchmark,
        transfer.owner,
        transfer.domain,
        transfer.difficulty,
        transfer.problem_language,
    )
