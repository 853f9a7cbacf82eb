"""Have a draft graded: its answers become submissions, one a model, and count from then on."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from itertools import chain
from typing import Any

from django.db import transaction
from django.db.models import Max
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from curation.versions.models import BenchmarkVersion
from grading.answers.hidden.models import HiddenAnswer, HiddenBatch
from grading.answers.models import Attempt
from grading.answers.submissions.models import Submission
from grading.answers.tasks import GRADING
from grading.model_runs.models import ModelRun
from grading.solvers.models import Organisation, Solver
from grading.submissions.drafts import preview
from grading.submissions.drafts.actions import GRADING_A_DRAFT, CannotChange, hold
from grading.submissions.drafts.models import (
    Draft,
    DraftAnswer,
    DraftAnswerQuerySet,
    DraftFile,
    DraftSubmission,
    FilePiece,
)
from grading.submissions.drafts.pieces import hash_together
from grading.submissions.drafts.reading import MOST_LEFT_OUT
from grading.submissions.quota import Limit, measure_quota
from phybench.files.answer_files.answers import Reason
from phybench.news.jobs.actions import begin
from phybench.news.jobs.kinds import Result
from phybench.news.jobs.models import Job
from phybench.pages.api.refused import Refused
from phybench.people.models import User
from phybench.people.permissions import is_sitting
from phybench.work.tasks import wake

AT_ONCE = 100
"""Answers that are held in memory; one may have a million characters."""


class GradedBefore(Refused):
    """Files that this organisation had graded already; the message says when."""

    kind = "graded-before"
    how = gettext_lazy("To grade it once more, send “again”: true.")


class TooMany(CannotChange):
    """More than an organisation may have graded on one day; the message says when there is room."""


def ask_to_grade(
    *,
    draft: Draft,
    by: User,
    version: BenchmarkVersion | None = None,
    is_named: bool = False,
    again: bool = False,
) -> Job:
    """
    Have a worker queue the answers of a draft, as `grade` does; asked twice, it is one job.

    Raises:
        CannotChange, GradedBefore: as `grade` says, as far as its files say so: what takes longer
            to find out, the worker does.
    """
    files = list(draft.files.with_runs())
    _check_sits_not(by)
    if obstacle := preview.find_obstacle_in_files(files):
        raise CannotChange(obstacle)
    _check_version(draft, version)
    _check_is_new(draft, files, again=again)
    return begin(
        GRADING_A_DRAFT,
        subject=draft.pk,
        by=by,
        title=_("Queuing the answers of draft %(number)d") % {"number": draft.pk},
        back=draft.get_absolute_url(),
        version=version.pk if version else None,
        is_named=is_named,
        again=again,
    )


def carry_out(job: Job) -> Result:
    """Do what `ask_to_grade` asked for."""
    draft = Draft.objects.select_related("organisation", "benchmark").filter(pk=job.subject).first()
    if draft is None:
        raise CannotChange(_("This draft was discarded."))
    asked = job.arguments
    made = grade(
        draft=draft,
        by=job.by,
        version=BenchmarkVersion.objects.filter(pk=asked["version"]).first(),
        is_named=asked["is_named"],
        again=asked["again"],
        tell=job.tell,
    )
    answers = sum(one.attempts.count() for one in made)
    said = ngettext("%(count)d answer is queued.", "%(count)d answers are queued.", answers)
    return Result(said % {"count": answers}, lead_on(made))


def lead_on(made: Sequence[Submission]) -> str:
    """Return the address of what a draft was graded as."""
    return made[0].get_absolute_url() if len(made) == 1 else reverse("grading:submissions")


@transaction.atomic
def grade(
    *,
    draft: Draft,
    by: User,
    version: BenchmarkVersion | None = None,
    is_named: bool = False,
    again: bool = False,
    tell: Callable[[int, int], None] = lambda done, of: None,
) -> list[Submission]:
    """
    Queue the answers of a draft, one submission a model; asked twice, they are the same.

    Args:
        version: the one that its preview was of, where somebody looked at one.
        is_named: whether these are the ones to rank, whatever the organisation has graded later.
        again: whether they are meant to be graded although the same files were before.
        tell: is called with how many answers are queued, and of how many.

    Raises:
        CannotChange: it is not ready, was discarded or moved to another version, or `by` sits a
            session of a study.
        GradedBefore: the same files were graded before.
        TooMany: the organisation, or this person, has had graded as much as one may in a day.
    """
    # The second of two who ask waits here for the first.
    Draft.objects.select_for_update(no_key=True).filter(pk=draft.pk).first()
    graded = Submission.objects.filter(made_from__draft=draft.pk).select_related("made_from")
    if made := list(graded.order_by("pk")):
        return made
    draft = hold(draft, by)
    _check_sits_not(by)
    # Who asks for more of a run waits here, or this for them.
    list(ModelRun.objects.select_for_update(no_key=True).filter(file__draft=draft))
    files = list(draft.files.with_runs())
    looked = preview.look(draft, files)
    if obstacle := preview.find_obstacle(files, looked):
        raise CannotChange(obstacle)
    _check_version(draft, version)
    sha256 = _check_is_new(draft, files, again=again)
    since = timezone.now()
    # Before anything is made: a file may name thousands of models.
    quota = measure_quota(draft.organisation, by)
    if not quota.has_room(len(looked.models)):
        raise TooMany(_say_too_many(len(looked.models), quota.submissions))
    queued = 0

    def count(some: int) -> None:
        nonlocal queued
        queued += some
        tell(queued, looked.matched)

    made = [
        _submit(
            draft, files, one, by=by, sha256=sha256, is_named=is_named, looked=looked, count=count
        )
        for one in looked.models
    ]
    _check_limits(draft, by, since)
    DraftAnswer.objects.of(draft).delete()
    FilePiece.objects.filter(file__draft=draft).delete()
    Draft.objects.filter(pk=draft.pk).update(graded_at=timezone.now())
    return made


def _check_limits(draft: Draft, by: User, since: datetime) -> None:
    """
    Count with what came now; where that is too much, nothing of it is kept.

    Limits are counted one by one. They are locked last, since what came before may have taken a
    minute: meanwhile others of the organisation work, and whoever asked begins a session.
    """
    User.objects.select_for_update(no_key=True).get(pk=by.pk)
    Organisation.objects.select_for_update(no_key=True).get(pk=draft.organisation_id)
    _check_sits_not(by)
    quota = measure_quota(draft.organisation, by)
    if quota.is_exceeded:
        raise TooMany(quota.refuse(since))


def _check_sits_not(by: User) -> None:
    if is_sitting(by):
        raise CannotChange(
            _("You are in a session of a study. You can have answers graded when it has ended.")
        )


def _check_version(draft: Draft, seen: BenchmarkVersion | None) -> None:
    if seen is not None and seen != draft.version:
        raise CannotChange(
            _("The draft was moved to %(version)s meanwhile. Look at the preview again.")
            % {"version": draft.version.say()}
        )


def _check_is_new(draft: Draft, files: Sequence[DraftFile], *, again: bool) -> str:
    """Return the hash of a draft's files, unless they were graded before."""
    sha256 = hash_together(file.sha256 for file in files)
    if not again and (before := find_same(draft, sha256)):
        raise GradedBefore(
            _("The same was graded on %(date)s.")
            % {"date": date_format(before.created_at, "DATETIME_FORMAT")}
        )
    return sha256


def _say_too_many(models: int, limit: Limit) -> str:
    said = _(
        "A team can have at most %(most)d submissions graded in 24 hours, one "
        "per model. You have %(left)d left, and this draft has %(models)d."
    ) % {"models": models, "left": limit.left, "most": limit.most}
    when = limit.find_when(limit.most - models) if models <= limit.most else None
    if when is not None:
        at = date_format(when, "DATETIME_FORMAT")
        said += " " + _("You can submit all of it from %(at)s UTC.") % {"at": at}
    return said


def find_same(draft: Draft, sha256: str) -> Submission | None:
    """Return the last submission of the organisation that the same files were graded as."""
    alike = Submission.objects.filter(
        benchmark=draft.benchmark_id,
        solver__organisation=draft.organisation_id,
        file_sha256=sha256,
        withdrawn_at=None,
    )
    return alike.order_by("-created_at").first()


def _submit(
    draft: Draft,
    files: Sequence[DraftFile],
    of_model: preview.ModelPreview,
    *,
    by: User,
    sha256: str,
    is_named: bool,
    looked: preview.Preview,
    count: Callable[[int], None],
) -> Submission:
    solver = _hold_solver(draft, of_model.model)
    before = solver.submissions.filter(benchmark=draft.benchmark).aggregate(last=Max("number"))
    answers = preview.list_answers(draft, files).filter(model=of_model.model)
    submission = Submission.objects.create(
        solver=solver,
        benchmark=draft.benchmark,
        version=looked.version,
        number=1 + (before["last"] or 0),
        uploaded_by=by,
        is_named=is_named,
        file_name=files[0].name,
        file_sha256=sha256,
        left_out=_list_left_out(files, of_model, answers, [one.model for one in looked.models]),
        expected=of_model.expected,
    )
    DraftSubmission.objects.create(submission=submission, draft=draft)
    queued: list[Attempt] = []
    for some in _take(answers, looked.public):
        queued = Attempt.objects.bulk_create(
            Attempt(
                solver=solver,
                submission=submission,
                revision_id=looked.public[one.identifier],
                origin=Attempt.Origin.FILE,
                sample=one.sample,
                response=one.response,
                finish_reason=one.finish_reason,
                tokens=one.tokens,
                latency=one.latency,
            )
            for one in some
        )
        count(len(some))
    wake(GRADING, queued)
    hidden = _take(answers, looked.hidden)
    _keep_hidden(submission, draft.organisation, hidden, looked.hidden, count)
    return submission


def _take(
    answers: DraftAnswerQuerySet, revisions: Mapping[str, int]
) -> Iterator[list[DraftAnswer]]:
    """Yield the answers to these problems, some at a time, in the order of the problems."""
    found = answers.filter(identifier__in=list(revisions)).order_by("file", "row", "sample")
    some: list[DraftAnswer] = []
    for one in found.iterator(chunk_size=AT_ONCE):
        some.append(one)
        if len(some) >= AT_ONCE:
            yield some
            some = []
    if some:
        yield some


def _keep_hidden(
    submission: Submission,
    organisation: Organisation,
    answers: Iterator[list[DraftAnswer]],
    revisions: Mapping[str, int],
    count: Callable[[int], None],
) -> None:
    """Keep the answers to hidden items where nothing but their one figure comes from."""
    first = next(answers, None)
    if first is None:
        return
    batch = HiddenBatch.objects.create(submission=submission, organisation=organisation)
    for some in chain([first], answers):
        HiddenAnswer.objects.bulk_create(
            HiddenAnswer(
                batch=batch,
                revision_id=revisions[one.identifier],
                sample=one.sample,
                response=one.response,
            )
            for one in some
        )
        count(len(some))


def _hold_solver(draft: Draft, name: str) -> Solver:
    """Return a model of an organisation, held: its submissions are numbered one by one."""
    solver, _is_new = Solver.objects.select_for_update(no_key=True).get_or_create(
        organisation=draft.organisation,
        name=name,
        kind=Solver.Kind.MODEL,
        defaults={"is_demo": draft.benchmark.is_demo},
    )
    return solver


def _list_left_out(
    files: Iterable[DraftFile],
    of_model: preview.ModelPreview,
    answers: DraftAnswerQuerySet,
    models: Collection[str],
) -> list[dict[str, Any]]:
    """Write down the first rows that are no attempts, and how many more there are."""
    kept = [
        {"row": row["row"], "id": row["id"], "message": row["message"]}
        | {"is_empty": row["reason"] == Reason.EMPTY}
        for file in files
        for row in file.left_out
        if preview.find_model(row["model"], row["reason"], models) == of_model.model
    ]
    strange = answers.filter(identifier__in=of_model.unknown_ids).order_by("file", "row")
    kept += [
        {"row": row, "id": identifier, "is_empty": False}
        | {"message": _("problem not in this version")}
        for row, identifier in strange.values_list("row", "identifier")[:MOST_LEFT_OUT]
    ]
    kept = sorted(kept, key=lambda row: row["row"])[:MOST_LEFT_OUT]
    count = sum(of_model.left_out.values()) + of_model.unknown + of_model.repeated
    if more := count - len(kept):
        message = ngettext(
            "and %(count)d more row",
            "and %(count)d more rows",
            more,
        ) % {"count": more}
        kept.append({"row": kept[-1]["row"] if kept else 0, "id": "", "message": message})
        kept[-1]["is_empty"] = False
    return kept
