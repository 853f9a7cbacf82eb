"""Read a file of a draft into answers, some at a time, as a worker does it."""

import re
import time
from collections import defaultdict
from dataclasses import asdict
from datetime import timedelta
from typing import Any

from django.db import transaction
from django.db.models import Func, IntegerField, Sum
from django.template.defaultfilters import filesizeformat
from django.utils import timezone
from django.utils.translation import gettext as _

from grading.submissions.drafts import pieces
from grading.submissions.drafts.models import DraftAnswer, DraftFile
from grading.submissions.task_files import list_problems
from phybench.files.answer_files.answers import Answer, LeftOut, Reading, match_configured
from phybench.files.answer_files.formats.refused import RefusedFile
from phybench.files.answer_files.rows import BrokenOff, RowFile, open_rows
from phybench.people.languages import in_language_of
from phybench.work import budgets
from phybench.work.budgets import WAITING_ANSWERS
from phybench.work.models import Lost

AT_ONCE = 500
"""Answers that are held in memory."""
LARGEST = 2 * 1024**2
"""Characters of their responses: by so many at most a budget is exceeded."""
MOST_LEFT_OUT = 5_000
"""Rows that are no answers, as far as they are kept one by one; all are counted."""
MOST_MODELS = 100
"""Of one file; each is to be a submission."""
SECONDS = 1.0
"""After which people who look on are told how far it is."""
_BOX = re.compile(r"\\f?boxed\b")


class _Paused(Exception):
    """Who sent the file has used up what they may have kept for now."""

    def __init__(self, seconds: float) -> None:
        super().__init__(seconds)
        self.seconds = seconds


def read(file: DraftFile) -> None:
    """
    Read a claimed file, and go on where it was paused or a worker was lost.

    What it breaks off with is said of it, not raised.

    Raises:
        Lost: another worker has it, or somebody chose other fields, took it out or discarded all.
    """
    reader = _Reader(file)
    with in_language_of(file.draft.made_by):
        try:
            # Many small files may unpack to much, and each is begun with.
            reader.rest(share=8)
            reader.read()
        except RefusedFile as why:
            reader.end(str(why))
        except _Paused as paused:
            file.settle(next_at=timezone.now() + timedelta(seconds=paused.seconds))
        else:
            reader.end()


def give_up(file: DraftFile) -> None:
    """Say so of a file that takes worker after worker with it."""
    with in_language_of(file.draft.made_by):
        why = _("It could not be read: the worker stopped.")
    file.settle(read_at=timezone.now(), broken_off=why)


def measure_kept(file: DraftFile) -> int:
    """Count the characters that the other files of its organisation's drafts take."""
    others = DraftFile.objects.filter(
        draft__organisation=file.draft.organisation_id,
        draft__graded_at=None,
        draft__made_by__is_demo=False,
    ).exclude(pk=file.pk)
    return others.aggregate(kept=Sum("characters"))["kept"] or 0


class _Reader:
    def __init__(self, file: DraftFile) -> None:
        self._file = file
        self._rows: RowFile | None = None
        self._answers: list[DraftAnswer] = []
        self._size = 0
        self._left_out: list[dict[str, Any]] = []
        self._counts: dict[str, dict[str, int]] = defaultdict(lambda: defaultdict(int))
        self._told_at = time.monotonic()
        self._kept = 0
        self._read = 0
        self._models: set[str] = set()
        self._answered: set[str] = set()
        self._there = 0
        self._who = budgets.name_person(file.draft.made_by_id)

    def read(self) -> None:
        # Kept before a pause, or by a lost worker: whoever chooses other fields deletes it.
        self._there = DraftAnswer.objects.filter(file=self._file).count()
        self._room = WAITING_ANSWERS - measure_kept(self._file)
        self._rows = open_rows(pieces.open_file(self._file), self._file.name)
        field_map = self._file.map
        problems = list_problems(self._file.draft.version) if field_map.ids else None
        reading = Reading(self._rows, field_map, problems=problems)
        for answer in reading:
            self._read = reading.counts.rows
            self._models.add(answer.model)
            if isinstance(answer, Answer):
                self._answered.add(answer.model)
            if len(self._models) > MOST_MODELS:
                raise BrokenOff(
                    answer.row, _("a file may name at most %(most)d models") % {"most": MOST_MODELS}
                )
            if isinstance(answer, LeftOut):
                self._leave_out(answer)
            else:
                self._take(answer)
                if self._kept + self._size > self._room:
                    raise BrokenOff(
                        answer.row,
                        _("the drafts of your team contain more than %(size)s of responses")
                        % {"size": filesizeformat(WAITING_ANSWERS)},
                    )
            is_long = time.monotonic() - self._told_at > SECONDS
            if len(self._answers) >= AT_ONCE or self._size >= LARGEST or is_long:
                self._write()
                self.rest()

    def _take(self, answer: Answer) -> None:
        if self._there:
            self._there -= 1
            self._kept += len(answer.response)
            return
        self._size += len(answer.response)
        self._answers.append(
            DraftAnswer(
                file=self._file,
                row=answer.row,
                model=answer.model,
                identifier=answer.id,
                sample=answer.sample,
                response=answer.response,
                is_boxed=bool(_BOX.search(answer.response)),
                finish_reason=answer.finish_reason,
                tokens=answer.tokens,
                latency=answer.latency,
            )
        )

    def _leave_out(self, row: LeftOut) -> None:
        self._counts[row.model][row.reason.value] += 1
        if len(self._left_out) < MOST_LEFT_OUT:
            self._left_out.append(asdict(row))

    def _assign_failed_calls(self) -> None:
        """Give calls that failed to the model that they were to."""
        remarks = self._rows.remarks if self._rows else {}
        asked = match_configured(remarks, self._answered, self._counts)
        for name, model in asked.items():
            for reason, count in self._counts.pop(name).items():
                self._counts[model][reason] += count
            for row in self._left_out:
                if row["model"] == name:
                    row["model"] = model

    def _write(self, **fields: Any) -> None:
        """Keep what was read since the last time, and say how far it is."""
        with transaction.atomic():
            # First, so that who lost the file writes nothing.
            self._kept += self._size
            consumed = self._rows.consumed if self._rows else 0
            self._file.keep(consumed=consumed, rows=self._read, characters=self._kept, **fields)
            DraftAnswer.objects.bulk_create(self._answers)
        self._pay()
        self._answers, self._size, self._told_at = [], 0, time.monotonic()

    def _pay(self) -> None:
        """Count what is kept: a packed file may unpack to a thousand times its size."""
        if not self._answers:
            return
        kept = DraftAnswer.objects.filter(file=self._file, pk__gte=self._answers[0].pk)
        size = (
            kept.aggregate(
                size=Sum(Func("response", function="pg_column_size", output_field=IntegerField()))
            )["size"]
            or 0
        )
        # Long texts lie in pieces of 2 kB, each with a row and an index of its own.
        budgets.spend(self._who, size=1.15 * size + budgets.A_ROW * len(self._answers))

    def rest(self, share: int = 4) -> None:
        """
        Leave the rest for later where less than a share of its sender's budget is left.

        Raises:
            _Paused: it is, and for how long.
        """
        if (seconds := budgets.find_wait(self._who, size=budgets.KEPT().at_once / share)) > 0:
            raise _Paused(seconds)

    def end(self, broken_off: str = "") -> None:
        self._assign_failed_calls()
        with transaction.atomic():
            self._write(left_out=self._left_out, counts=self._counts, broken_off=broken_off)
            if not self._file.settle(read_at=timezone.now()):
                raise Lost(self._file.pk)
