"""Put a draft together: begin it, add files, choose their fields, take files out, discard it."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import BinaryIO

from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.db.models import Sum
from django.template.defaultfilters import filesizeformat
from django.utils import timezone
from django.utils.translation import gettext as _

from curation.problems.benchmarks.models import Benchmark
from curation.versions.models import BenchmarkVersion
from grading.solvers.models import Organisation
from grading.solvers.permissions import can_hand_in
from grading.submissions.drafts import pieces
from grading.submissions.drafts.models import RUN, Draft, DraftAnswer, DraftFile, DraftFileQuerySet
from grading.submissions.task_files import list_problems
from phybench.files.answer_files.fields import Field, FieldMap, list_fields
from phybench.files.answer_files.formats.refused import RefusedFile
from phybench.files.answer_files.guessing import guess, knows_ids
from phybench.files.answer_files.rows import LIMITS, Row, find_model_beside, open_rows
from phybench.news.jobs.models import Job
from phybench.pages.api.refused import Refused
from phybench.people.models import User
from phybench.work.budgets import WAITING_FILES
from phybench.work.kinds import Pool
from phybench.work.models import Priority
from phybench.work.tasks import wake

GRADING_A_DRAFT = "grade_draft"
"""The kind of job that queues the answers of a draft, whose number is its subject."""
MOST_FILES = 100
"""Of one draft."""
LARGEST_HEAD = 32 * 1024**2
"""Bytes that are unpacked at most to find out how the rows lie in a file."""


class CannotChange(Refused):
    """What can't be done to a draft; the message says why, and what to do."""

    kind = "cannot-change"


@transaction.atomic
def begin(*, organisation: Organisation, benchmark: Benchmark, by: User) -> Draft:
    """
    Make an empty draft.

    Raises:
        CannotChange: there is no version to answer.
    """
    if not can_hand_in(by, organisation):
        raise PermissionDenied(_("Only members can upload answers for a team."))
    version = find_version(benchmark)
    if version is None:
        raise CannotChange(
            _("No version of %(benchmark)s is published yet, so there is nothing to answer.")
            % {"benchmark": benchmark}
        )
    return Draft.objects.create(
        organisation=organisation, benchmark=benchmark, version=version, made_by=by
    )


def find_version(benchmark: Benchmark) -> BenchmarkVersion | None:
    """Return the version that a draft begun now is to: the newest of its benchmark."""
    return BenchmarkVersion.objects.current().filter(benchmark=benchmark).first()


@dataclass(frozen=True, slots=True)
class Newer:
    """The version that was published since a draft was begun, and how its texts differ."""

    version: BenchmarkVersion
    texts: int
    """Problems of the draft's version, of both parts."""
    same: int
    """Of these, those that ask the same under the same id."""
    changed: list[str]
    gone: list[str]
    """Ids that the newer version does not have."""
    added: list[str]
    """Ids that the draft's version does not have."""

    @property
    def may_move(self) -> bool:
        return self.same == self.texts


def find_newer(draft: Draft) -> Newer | None:
    """Return what was published after a draft's version, the newest; nothing where it is that."""
    newest = find_version(draft.benchmark)
    if newest is None or newest.pk == draft.version_id:
        return None
    old, new = (
        dict(one.items.order_by("problem").values_list("identifier", "asked_sha256"))
        for one in (draft.version, newest)
    )
    changed = [one for one, asked in old.items() if one in new and new[one] != asked]
    gone = [one for one in old if one not in new]
    return Newer(
        version=newest,
        texts=len(old),
        same=len(old) - len(changed) - len(gone),
        changed=changed,
        gone=gone,
        added=[one for one in new if one not in old],
    )


@transaction.atomic
def move(*, draft: Draft, to: BenchmarkVersion, by: User) -> None:
    """
    Have a draft be of the newest version, where all texts that it was to answer are the same.

    Raises:
        CannotChange: as `hold_open`, `to` is not the newest, or a text differs.
    """
    held = hold_open(draft, by)
    if held.version_id == to.pk:
        return
    if to.number < held.version.number:
        raise CannotChange(
            _("A draft does not go back: this one is already to version %(number)d.")
            % {"number": held.version.number}
        )
    newer = find_newer(held)
    if newer is None or newer.version != to:
        raise CannotChange(_("Another version was published meanwhile. Look at the draft again."))
    if not newer.may_move:
        raise CannotChange(
            _("Its answers are to other texts than those of version %(number)d.")
            % {"number": to.number}
        )
    Draft.objects.filter(pk=held.pk).update(version=to)


def hold_open(draft: Draft, by: User) -> Draft:
    """
    Lock a draft to change it.

    Raises:
        CannotChange: as `hold`, or its answers are being queued; nobody waits here until they are.
    """
    of_this = Job.objects.filter(kind=GRADING_A_DRAFT, subject=str(draft.pk), ended_at=None)
    if of_this.exists():
        raise CannotChange(
            _("The answers of this draft are being queued. Wait until that is done.")
        )
    return hold(draft, by)


def hold(draft: Draft, by: User) -> Draft:
    """
    Lock a draft until this transaction ends.

    Raises:
        CannotChange: it is graded, or was discarded meanwhile.
    """
    held = (
        Draft.objects.select_for_update(of=["self"], no_key=True)
        .select_related("organisation", "benchmark", "version__benchmark")
        .filter(pk=draft.pk)
        .first()
    )
    if held is None:
        raise CannotChange(_("This draft was discarded."))
    if not can_hand_in(by, held.organisation):
        raise PermissionDenied(_("Only members of its team can change a draft."))
    if held.graded_at is not None:
        raise CannotChange(_("This draft is graded. Begin another for more answers."))
    return held


@transaction.atomic
def add_files(
    *, draft: Draft, files: Sequence[tuple[str, BinaryIO]], by: User, model_name: str = ""
) -> None:
    """
    Add files that were sent together, or none of them, as `add_file` does.

    One that holds no answers may name the model of the others, and is not kept.

    Args:
        files: each with its name.
        model_name: of rows that name no model; "" where the files say it, or nobody did yet.
    """
    beside = [_find_model_beside(file, name) if len(files) > 1 else None for name, file in files]
    named = {model for model in beside if model}
    # Of two that are named nobody knows which wrote what.
    only = named.pop() if len(named) == 1 else ""
    for (name, file), model in zip(files, beside, strict=True):
        if model:
            continue
        try:
            add_file(
                draft=draft,
                file=file,
                name=name,
                by=by,
                model_name=model_name or only,
            )
        except RefusedFile as refused:
            raise RefusedFile(f"{name}: {refused}") from None


def _find_model_beside(file: BinaryIO, name: str) -> str | None:
    try:
        file.seek(0)
        return find_model_beside(open_rows(file, name, replace(LIMITS, unpacked=LARGEST_HEAD)))
    except RefusedFile:
        # Whoever adds it is told.
        return None


@transaction.atomic
def add_file(
    *,
    draft: Draft,
    file: BinaryIO,
    name: str,
    by: User,
    field_map: FieldMap | None = None,
    model_name: str = "",
) -> DraftFile:
    """
    Add a file to a draft. It is read by a worker as soon as it is known what its fields hold.

    Args:
        file: read from its beginning, more than once.
        field_map: which field holds what; without it, that of the last file alike, or a guess.
        model_name: of rows that name no model, where no map says it.

    Raises:
        RefusedFile: it holds no answers, whatever its name says; or this draft has it already.
        CannotChange: as `hold_open`, or the draft has many files or bytes, or its organisation has.
    """
    draft = hold_open(draft, by)
    file.seek(0)
    kept = pieces.hash_file(file)
    _check_room(draft, kept)
    # Somebody waits, and a packed file may be made to unpack for minutes: the worker reads on.
    rows = open_rows(file, name, replace(LIMITS, unpacked=LARGEST_HEAD))
    head = rows.head()
    fields = list_fields(head)
    if not fields:
        raise RefusedFile(_say_why_unread(rows))
    chosen = field_map or _recall(draft.organisation, fields)
    if chosen is None:
        known = set(draft.version.items.values_list("identifier", flat=True))
        chosen = guess(head, known=known, remarks=rows.remarks)
        if not knows_ids(head, chosen, known):
            chosen = list_problems(draft.version).choose_way(head, chosen, name)
    if not chosen.model_name:
        chosen = replace(chosen, model_name=model_name)
    is_known = not chosen.find_faults([field.path for field in fields])
    made = DraftFile.objects.create(
        draft=draft,
        name=name[:200],
        sha256=kept.sha256,
        size=kept.size,
        format=rows.format.value,
        fields=[[field.path, field.example, field.filled] for field in fields],
        field_map=chosen.write(),
        is_map_chosen=field_map is not None,
        mapped_at=timezone.now() if is_known else None,
        priority=Priority.SOON,
    )
    file.seek(0)
    pieces.keep(made, file)
    if is_known:
        wake(Pool.GENERAL, [made])
    return made


def _say_why_unread(rows: Iterable[Row]) -> str:
    """Say where a file breaks of which no row can be read. Raises `BrokenOff`, which says it."""
    first = next(iter(rows), None)
    if first is None:
        return _("It holds no rows.")
    text = _(
        "No row of it can be read. Row %(row)d: %(why)s. Correct the file and upload it again."
    )
    return text % {"row": first.number, "why": first.fault or _("it names no fields")}


def _check_room(draft: Draft, kept: pieces.Kept) -> None:
    if draft.files.filter(sha256=kept.sha256).exists():
        raise RefusedFile(_("This draft already has this file."))
    if draft.files.count() >= MOST_FILES:
        raise CannotChange(
            _("A draft has at most %(most)d files. Combine several into one.")
            % {"most": MOST_FILES}
        )
    before = draft.files.aggregate(size=Sum("size"))["size"] or 0
    if before + kept.size > LIMITS.sent:
        raise CannotChange(
            _("The files of a draft may have %(size)s in total. Compress them with gzip.")
            % {"size": filesizeformat(LIMITS.sent)}
        )
    # Counted one by one.
    Organisation.objects.select_for_update(no_key=True).get(pk=draft.organisation_id)
    if measure_waiting(draft.organisation) + kept.size > WAITING_FILES:
        raise CannotChange(
            _(
                "The files that your team uploaded and has not had graded may have "
                "%(size)s in total. Grade or discard a draft first."
            )
            % {"size": filesizeformat(WAITING_FILES)}
        )


def measure_waiting(organisation: Organisation) -> int:
    """Count the bytes of an organisation's files that are not graded yet, but for the demo's."""
    waiting = DraftFile.objects.filter(
        draft__organisation=organisation, draft__graded_at=None, draft__made_by__is_demo=False
    )
    return waiting.aggregate(size=Sum("size"))["size"] or 0


def _recall(organisation: Organisation, fields: Sequence[Field]) -> FieldMap | None:
    """Return how somebody of the organisation mapped the last file with the same fields."""
    alike = DraftFile.objects.filter(draft__organisation=organisation, is_map_chosen=True)
    paths = {field.path for field in fields}
    for file in alike.order_by("-pk").defer("left_out")[:MOST_FILES]:
        if {path for path, *_rest in file.fields} == paths:
            # Whose answers those were says nothing of these.
            return replace(file.map, model_name="")
    return None


@transaction.atomic
def choose_fields(*, file: DraftFile, field_map: FieldMap, by: User) -> None:
    """Have a file read by these fields, whatever it was read by before."""
    hold_open(file.draft, by)
    if file.is_run:
        raise CannotChange(_("The answers of a run have no fields to choose."))
    # Who reads it now loses it, and what they kept goes.
    DraftAnswer.objects.filter(file=file).delete()
    DraftFile.objects.filter(pk=file.pk).update(
        field_map=field_map.write(),
        is_map_chosen=True,
        mapped_at=timezone.now(),
        **UNREAD,
    )
    wake(Pool.GENERAL, [file])


UNREAD: dict[str, object] = {
    "read_at": None, "lease_until": None, "next_at": None, "lost": 0,
    "consumed": 0, "rows": 0, "characters": 0,
    "left_out": [], "counts": {}, "broken_off": "",
}  # fmt: skip


@transaction.atomic
def remove_file(*, file: DraftFile, by: User) -> None:
    """Take a file out of its draft."""
    hold_open(file.draft, by)
    _check_ended(DraftFile.objects.filter(pk=file.pk))
    DraftFile.objects.filter(pk=file.pk).delete()


@transaction.atomic
def discard(*, draft: Draft, by: User) -> None:
    """Forget a draft with its files."""
    held = hold_open(draft, by)
    _check_ended(held.files.all())
    held.delete()


def _check_ended(files: DraftFileQuerySet) -> None:
    """Refuse to lose what a run is still being paid for."""
    if going := files.filter(format=RUN, model_run__handed_over_at=None).first():
        raise CannotChange(_("%(run)s is still in progress. Cancel it first.") % {"run": going})
