"""Verify a receipt: by the rows it was made of, and by grading its answers again."""

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

from django.db.models import QuerySet
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from pydantic import ValidationError

from curation.problems.models import Revision
from curation.texts.references.reference import Reference
from grading.answers.runs.models import GradingRun
from grading.answers.submissions.models import Submission
from grading.submissions.receipts import answer_files, comparing, making
from grading.submissions.receipts.answer_files import HandedIn
from grading.submissions.receipts.comparing import FieldDifference
from grading.submissions.receipts.grading_again import AT_ONCE, ToGrade
from grading.submissions.receipts.items import list_asked, list_outcomes, read_responses
from grading.submissions.receipts.receipt import FORMAT, FORMAT_VERSION, Receipt, ReceiptItem
from grading.submissions.task_files import list_problems
from phybench.files.answer_files.matching import Problems
from phybench_grader import GRADER_VERSION

Key = tuple[str, int]
"""Which answer: the name of its problem, and its sample."""


class NotVerifiable(Exception):
    """It can't be said whether a receipt is right; the message says why."""


@dataclass(frozen=True, slots=True)
class Rebuilt:
    """What the rows say beside a receipt."""

    fields: list[FieldDifference]
    """What it says otherwise than the run that it names."""
    since: list[FieldDifference]
    """What the run says otherwise that counts now, where that is another."""
    superseded_by: GradingRun | None
    notes: list[str] = field(default_factory=list)


def read_receipt(content: bytes) -> Receipt:
    """
    Read a receipt.

    Raises:
        NotVerifiable: it is none, or only a part of one.
    """
    try:
        receipt = Receipt.model_validate_json(content)
    except ValidationError as why:
        first = why.errors()[0]
    else:
        if receipt.made_at > timezone.now():
            # As of then nothing can be said.
            raise _refuse_field("made_at")
        return receipt
    if first["type"] == "json_invalid":
        if f'"{FORMAT}"'.encode() in content or content.lstrip().startswith(b"{"):
            raise NotVerifiable(_("This file is incomplete or was changed. Download it again."))
        raise NotVerifiable(_("This is not a receipt: it is not JSON."))
    where = ".".join(str(one) for one in first["loc"])
    if where == "format" or f'"{FORMAT}"'.encode() not in content:
        raise NotVerifiable(_("This is not a receipt."))
    if where == "format_version":
        raise NotVerifiable(
            _("The format of this receipt is not known here. We know version %(version)d.")
            % {"version": FORMAT_VERSION}
        )
    raise _refuse_field(where)


def _refuse_field(name: str) -> NotVerifiable:
    return NotVerifiable(_("This receipt was changed: %(field)s does not match.") % {"field": name})


def find_submission(receipt: Receipt) -> Submission:
    """
    Find what a receipt is of.

    Raises:
        NotVerifiable: there is no such submission here, or another has its number.
    """
    said = receipt.submission
    found = list_with_all().filter(pk=said.id).first()
    if found is None:
        raise NotVerifiable(
            _("There is no submission %(number)d here: this receipt is from another installation.")
            % {"number": said.id}
        )
    alike = (
        said.file_sha256 == found.file_sha256,
        said.handed_in_at == found.created_at,
        (said.solver, receipt.benchmark.slug) == (found.solver.name, found.benchmark.slug),
    )
    # One of them may have been altered, which is then said of that field.
    if not any(alike):
        raise NotVerifiable(
            _(
                "Submission %(number)d is a different one here: this receipt is from "
                "another installation."
            )
            % {"number": said.id}
        )
    return found


def list_with_all() -> QuerySet[Submission]:
    """Fetch submissions with what their receipts say of them."""
    return Submission.objects.select_related(
        "solver__organisation", "benchmark", "version__benchmark"
    )


def rebuild(receipt: Receipt, submission: Submission) -> Rebuilt:
    """Make a receipt anew, as of when it was made, and compare."""
    now = making.find_run(submission)
    own = now
    if receipt.run and (now is None or receipt.run.number != now.pk):
        own = submission.benchmark.grading_runs.filter(pk=receipt.run.number).first() or now
    then = _remake(receipt, submission, own)
    fields = comparing.compare(receipt, then)
    is_superseded = own is not None and now is not None and own.pk != now.pk
    since = _remake(receipt, submission, now) if is_superseded else then
    return Rebuilt(
        fields=fields,
        since=comparing.compare(receipt, since) if is_superseded else [],
        superseded_by=now if is_superseded else None,
        notes=_list_notes(receipt, submission, then),
    )


def _remake(receipt: Receipt, submission: Submission, run: GradingRun | None) -> Receipt:
    return making.make_receipt(submission, kind=receipt.kind, run=run, at=receipt.made_at)


def _list_notes(receipt: Receipt, submission: Submission, found: Receipt) -> list[str]:
    """Say what has happened since, and what is otherwise here, and is no mistake in a receipt."""
    notes = []
    if (at := submission.withdrawn_at) and receipt.submission.withdrawn_at is None:
        notes.append(_("Withdrawn later, on %(day)s.") % {"day": _write_day(at)})
    later = submission.solver.submissions.filter(
        benchmark=submission.benchmark_id, created_at__gt=receipt.made_at
    ).count()
    if later:
        notes.append(
            ngettext(
                "The model has had one more submission since.",
                "The model has had %(count)d more submissions since.",
                later,
            )
            % {"count": later}
        )
    graded = submission.attempts.filter(grades__created_at__gt=receipt.made_at)
    if count := graded.filter(grades__run=receipt.run.number if receipt.run else None).count():
        notes.append(
            ngettext(
                "One answer was graded after the receipt was made.",
                "%(count)d answers were graded after the receipt was made.",
                count,
            )
            % {"count": count}
        )
    if comparing.has_other_secrets(receipt, found):
        notes.append(_("items_salt differs here: SECRET_KEY may have changed."))
    for one in comparing.compare_place(receipt, found):
        notes.append(
            _("%(field)s is now %(found)s and was %(said)s. No verdict depends on it.")
            % {"field": one.field, "found": one.found, "said": one.said}
        )
    return notes


def _write_day(at: datetime) -> str:
    return date_format(at, "DATE_FORMAT")


# --- Grading again --------------------------------------------------------------------------


@dataclass(slots=True)
class Answers:
    """What is to be graded again: from files, or as it is kept."""

    submission: Submission
    items: dict[Key, ReceiptItem]
    """What was said of each answer that has an outcome."""
    keys: dict[Key, Reference]
    attempts: dict[Key, int]
    hashes: dict[Key, str]
    """Of the responses that were graded."""
    handed_in: HandedIn
    problems: Problems
    """That there are, to which files are matched."""
    strange: list[tuple[Key, str]] = field(default_factory=list)
    """Answers of the files that are not as they were graded, and why; known once all are read."""

    def list_other_graders(self) -> list[str]:
        """List the versions that graded some of them, where today's is another."""
        found = {one.judge_version for one in self.items.values() if one.judge_version}
        return sorted(found - {GRADER_VERSION})

    def check(self, paths: Sequence[Path]) -> list[str]:
        return answer_files.check_files(self.submission, self.handed_in, paths)

    def read_kept(self, wanted: Iterable[Key] | None = None) -> Iterator[ToGrade]:
        """Yield them as they were graded."""
        asked = list(self.items if wanted is None else wanted)
        for begin in range(0, len(asked), AT_ONCE):
            some = {self.attempts[key]: key for key in asked[begin : begin + AT_ONCE]}
            for pk, response in read_responses(list(some)):
                yield self._make(some[pk], response)

    def read_files(self, paths: Sequence[Path], hashes: Sequence[str]) -> Iterator[ToGrade]:
        """Yield them as files have them, and write down which of them are not what was graded."""
        left = dict.fromkeys(self.items)
        for answer in answer_files.read_answers(
            self.submission, self.handed_in, paths, hashes, self.problems
        ):
            key = answer.id, answer.sample
            if key not in self.hashes:
                if answer.id in self.problems:
                    self.strange.append((key, _("it was not graded")))
                continue
            left.pop(key, None)
            if hashlib.sha256(answer.response.encode()).hexdigest() != self.hashes[key]:
                self.strange.append((key, _("another passage was graded")))
            elif key in self.items:
                yield self._make(key, answer.response)
        if self.handed_in.is_by_run:
            yield from self.read_kept(left)
        else:
            self.strange += [(key, _("it is not in any file")) for key in left]

    def _make(self, key: Key, response: str) -> ToGrade:
        return ToGrade(self.items[key], response, self.keys[key])


def find_answers(
    submission: Submission, run: GradingRun | None, items: Sequence[ReceiptItem] | None
) -> Answers:
    """
    Find the answers of a submission, with the keys of a run.

    Args:
        items: what a receipt says of them; what the run says where it tells of none.
    """
    asked = list_asked(submission)
    outcomes = list_outcomes(submission, run, asked)
    said = {one.key: one for one in items} if items is not None else {}
    keys = _find_references(run, {one.revision for one in outcomes})
    judged = [one for one in outcomes if one.item.status != "WAITING"]
    return Answers(
        submission=submission,
        items={one.item.key: said.get(one.item.key, one.item) for one in judged},
        keys={one.item.key: keys[one.revision] for one in judged},
        attempts={one.item.key: one.attempt for one in judged},
        hashes={one.item.key: one.item.response_sha256 for one in outcomes},
        handed_in=answer_files.find_handed_in(submission),
        problems=list_problems(submission.version)
        if submission.version
        else Problems({one.identifier: "" for one in asked.values()}),
    )


def _find_references(run: GradingRun | None, revisions: set[int]) -> dict[int, Reference]:
    """Say by what a run graded; what it settled no key for yet is graded by its own."""
    listed = run.keys.filter(revision__in=revisions).select_related("key") if run else ()
    found = {one.revision_id: one.key.reference for one in listed}
    left = Revision.objects.in_bulk(revisions - found.keys())
    return {**found, **{pk: one.reference for pk, one in left.items()}}
