"""What people do with answers: hand in, answer, have them graded again."""

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import asdict
from datetime import timedelta

from django.core.exceptions import PermissionDenied
from django.db import IntegrityError, transaction
from django.db.models import Max
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from curation import permissions as of_curation
from curation.problems.models import Benchmark, Revision
from curation.versions.models import BenchmarkVersion, VersionItemQuerySet
from grading import permissions
from grading.answers.files import LeftOutRow, ModelAnswers, NoAnswer, RefusedFile, parse
from grading.answers.models import Attempt, Submission
from grading.answers.quota import measure_quota
from grading.answers.tasks import GRADING
from grading.hidden.models import HiddenAnswer, HiddenBatch
from grading.solvers.models import Organisation, Solver
from phybench.models import User
from phybench.work.models import Priority
from phybench.work.tasks import wake


class CannotAnswer(Exception):
    """A problem that is not theirs to answer; the message says why."""


class HandedInBefore(Exception):
    """A file that this organisation has handed in already; the message says when."""


class TooMany(Exception):
    """More than an organisation may hand in on one day; the message says when there is room."""


MOST_LEFT_OUT = 5_000
"""Rows of a file that are no answers, as far as they are kept."""
SAME_CLICK = timedelta(minutes=1)
"""Within which the same file, by the same organisation, is a form that was sent twice."""


@transaction.atomic
def hand_in_once(
    *,
    organisation: Organisation,
    benchmark: Benchmark,
    uploaded_by: User,
    file_name: str,
    content: bytes,
    is_named: bool = False,
    again: bool = False,
) -> list[Submission]:
    """
    Hand in a file as `hand_in` does, within the limits of a day; sent twice, it is handed in once.

    Args:
        again: whether it is meant to be handed in although it was before.

    Raises:
        HandedInBefore: it was, longer ago than one clicks twice.
        TooMany: the organisation has handed in as much as it may in a day.
        RefusedFile: as `hand_in`.
    """
    # Sent twice at once, the second waits here for the first; and limits are counted one by one.
    User.objects.select_for_update(no_key=True).get(pk=uploaded_by.pk)
    Organisation.objects.select_for_update(no_key=True).get(pk=organisation.pk)
    since = timezone.now()
    before = Submission.objects.filter(
        benchmark=benchmark,
        solver__organisation=organisation,
        file_sha256=hashlib.sha256(content).hexdigest(),
        withdrawn_at=None,
    )
    if just_now := list(before.filter(created_at__gt=timezone.now() - SAME_CLICK).order_by("pk")):
        return just_now
    if not again and (last := before.order_by("-created_at").first()):
        raise HandedInBefore(
            _(
                "This file was handed in on %(date)s. To hand it in once more, choose it again and"
                " tick the box."
            )
            % {"date": date_format(last.created_at, "DATETIME_FORMAT")}
        )
    made = hand_in(
        organisation=organisation,
        benchmark=benchmark,
        uploaded_by=uploaded_by,
        file_name=file_name,
        content=content,
        is_named=is_named,
    )
    # Counted with what came now; where that is too much, nothing of it is kept.
    quota = measure_quota(organisation, uploaded_by)
    if quota.is_exceeded:
        raise TooMany(quota.refuse(since))
    return made


@transaction.atomic
def hand_in(
    *,
    organisation: Organisation,
    benchmark: Benchmark,
    uploaded_by: User,
    file_name: str,
    content: bytes,
    is_named: bool = False,
) -> list[Submission]:
    """
    Queue every answer of a file, one submission a model, each its organisation's alone.

    Args:
        is_named: whether these are the ones to rank, whatever the organisation hands in later.

    Raises:
        RefusedFile: the file can't be read, holds no answer to a problem of this benchmark, or that
            has no version yet; nothing was queued.
    """
    if not permissions.can_hand_in(uploaded_by, organisation):
        raise PermissionDenied(_("Only its members hand in answers for an organisation."))
    version = BenchmarkVersion.objects.current().filter(benchmark=benchmark).first()
    if version is None:
        raise RefusedFile(
            _("No version of %(benchmark)s is published yet, so there is nothing to answer.")
            % {"benchmark": benchmark}
        )
    models = parse(content)
    revisions = _list_revisions(version.items.public())
    hidden = _list_revisions(version.items.hidden())
    submissions = []
    for name, answers in models.items():
        known = [answer for answer in answers.answers if answer.id in revisions]
        if not known and not answers.answers:
            first = answers.left_out[0]
            raise RefusedFile(
                _("%(model)s has no answer in this file. Row %(row)d: %(why)s.")
                % {"model": name, "row": first.row, "why": first.message}
            )
        if not known:
            raise RefusedFile(
                _("None of %(model)s’s ids is a problem of %(version)s. Nothing was queued.")
                % {"model": name, "version": version}
            )
        solver = _hold_solver(organisation, name, is_demo=benchmark.is_demo)
        before = solver.submissions.filter(benchmark=benchmark).aggregate(last=Max("number"))
        submission = Submission.objects.create(
            solver=solver,
            benchmark=benchmark,
            version=version,
            number=1 + (before["last"] or 0),
            uploaded_by=uploaded_by,
            is_named=is_named,
            file_name=file_name[:200],
            file_sha256=hashlib.sha256(content).hexdigest(),
            left_out=_describe(_left_out(answers, revisions.keys() | hidden.keys())),
            expected=len(revisions),
        )
        _queue(
            Attempt(
                solver=submission.solver,
                submission=submission,
                revision_id=revisions[answer.id],
                sample=answer.sample,
                response=answer.response,
            )
            for answer in known
        )
        _keep_hidden(submission, hidden, answers)
        submissions.append(submission)
    return submissions


def _list_revisions(items: VersionItemQuerySet) -> dict[str, int]:
    return dict(items.values_list("identifier", "revision"))


def _keep_hidden(
    submission: Submission, revisions: Mapping[str, int], answers: ModelAnswers
) -> None:
    """Keep the answers to hidden items where nothing but their one figure comes from."""
    known = [answer for answer in answers.answers if answer.id in revisions]
    if not known:
        return
    assert submission.solver.organisation is not None
    batch = HiddenBatch.objects.create(
        submission=submission, organisation=submission.solver.organisation
    )
    HiddenAnswer.objects.bulk_create(
        HiddenAnswer(
            batch=batch,
            revision_id=revisions[answer.id],
            sample=answer.sample,
            response=answer.response,
        )
        for answer in known
    )


def _describe(rows: list[LeftOutRow]) -> list[dict[str, object]]:
    """Write down the first rows, and how many more there are."""
    kept = rows[:MOST_LEFT_OUT]
    if more := len(rows) - len(kept):
        last = _("and %(count)d rows more") % {"count": more}
        kept = [*kept, LeftOutRow(rows[MOST_LEFT_OUT].row, "", last)]
    return [asdict(row) | {"is_empty": isinstance(row, NoAnswer)} for row in kept]


def _left_out(answers: ModelAnswers, known: Iterable[str]) -> list[LeftOutRow]:
    unknown = [
        LeftOutRow(answer.row, answer.id, _("no such problem in this version"))
        for answer in answers.answers
        if answer.id not in known
    ]
    return sorted([*answers.left_out, *unknown], key=lambda row: row.row)


def _hold_solver(organisation: Organisation, name: str, *, is_demo: bool) -> Solver:
    """Return a model of an organisation, held: its submissions are numbered one by one."""
    solver, _is_new = Solver.objects.select_for_update(no_key=True).get_or_create(
        organisation=organisation,
        name=name,
        kind=Solver.Kind.MODEL,
        defaults={"is_demo": is_demo},
    )
    return solver


def _queue(attempts: Iterable[Attempt]) -> list[Attempt]:
    created = Attempt.objects.bulk_create(attempts)
    wake(GRADING, created)
    return created


@transaction.atomic
def answer(*, revision: Revision, person: User, response: str) -> Attempt:
    """
    Take a person's answer for the human baseline and queue it for grading.

    Raises:
        CannotAnswer: they may not answer this problem, or have answered it.
    """
    if not of_curation.may_answer(person, revision):
        raise CannotAnswer(
            _(
                "You can’t answer this problem: you had a part in it, have seen its key, "
                "or it is not open."
            )
        )
    solver, _created = Solver.objects.get_or_create(
        user=person,
        defaults={"name": str(person), "kind": Solver.Kind.HUMAN, "is_demo": person.is_demo},
    )
    if permissions.list_own_answers(person).filter(revision__problem=revision.problem_id).exists():
        # Also where it was corrected since: they know how their first answer was graded.
        raise CannotAnswer(_("You have answered this problem already."))
    try:
        with transaction.atomic():
            [attempt] = _queue(
                [
                    Attempt(
                        solver=solver,
                        revision=revision,
                        response=response,
                        priority=Priority.NOW,
                    )
                ]
            )
    except IntegrityError:
        raise CannotAnswer(_("You have answered this problem already.")) from None
    return attempt


@transaction.atomic
def try_again(*, attempts: Iterable[Attempt]) -> int:
    """Queue again what could not be graded; return how many."""
    failed = Attempt.objects.select_for_update().filter(
        pk__in=[attempt.pk for attempt in attempts], status=Attempt.Status.FAILED
    )
    return queue_again(failed)


def queue_again(attempts: Iterable[Attempt]) -> int:
    """Queue settled attempts for another grading; return how many. Whoever calls holds them."""
    again = list(attempts)
    Attempt.objects.filter(pk__in=[attempt.pk for attempt in again]).update(
        status=Attempt.Status.QUEUED,
        failure_reason="",
        failure_message=None,
        lost=0,
        queued_at=timezone.now(),
    )
    wake(GRADING, again)
    return len(again)
