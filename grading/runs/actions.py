"""Make a grading run beside the one that counts, compare the two, adopt the new one."""

from collections.abc import Iterator

from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet, Subquery
from django.utils import timezone
from django.utils.translation import gettext as _

from curation.errors.models import Erratum
from curation.problems.models import Benchmark, Revision
from grading.answers import grader
from grading.answers.actions import queue_again
from grading.answers.grader import Judged
from grading.answers.models import Attempt, Grade, VerdictChoice
from grading.expressions import GRADER_VERSION, JudgeError
from grading.runs.models import GradingRun, RunKey, Ungraded, hash_key
from phybench import sandbox
from phybench.models import User

AT_ONCE = 500
"""Answers that are held in memory."""


class AdoptedBefore(Exception):
    """A run counts once: what was set aside is history."""


def list_settled(benchmark: Benchmark) -> QuerySet[Attempt]:
    """Return the answers that have a grade, or that could not be graded."""
    ended = [Attempt.Status.GRADED, Attempt.Status.FAILED]
    return Attempt.objects.filter(revision__problem__benchmark=benchmark, status__in=ended)


def find_keys(benchmark: Benchmark) -> dict[int, Revision]:
    """
    Find the key of today for the answers to each revision.

    That is its own. Where it was found to be wrong and the question stayed word for word, it is
    the corrected one; who answered another question is not graded by the key of this one.
    """
    corrections = {
        erratum.revision_id: erratum.corrected_by
        for erratum in Erratum.objects.filter(
            is_of_key=True, revision__problem__benchmark=benchmark
        )
        .select_related("corrected_by")
        .order_by("pk")
    }
    answered = Revision.objects.filter(
        Exists(Attempt.objects.filter(revision=OuterRef("pk"))), problem__benchmark=benchmark
    )
    return {one.pk: _follow(one, corrections) for one in answered}


def _follow(revision: Revision, corrections: dict[int, Revision]) -> Revision:
    key = revision
    # Later revisions correct earlier ones: it comes to an end.
    while (
        (better := corrections.get(key.pk))
        and better.number > key.number
        and better.statement == revision.statement
    ):
        key = better
    return key


@transaction.atomic
def begin(*, benchmark: Benchmark, why: str = "", by: User | None = None) -> GradingRun:
    """
    Make a run of today's grader and keys, or go on with the last, if it is that.

    What that could not grade is tried again: too little time or memory may have been passing.
    """
    keys = find_keys(benchmark)
    run = benchmark.grading_runs.filter(adopted_at=None).first()
    if run is None or run.grader_version != GRADER_VERSION or _has_other_keys(run, keys):
        run = GradingRun.objects.create(
            benchmark=benchmark,
            grader_version=GRADER_VERSION,
            why=why or _("Graded anew by grader %(version)s.") % {"version": GRADER_VERSION},
            made_by=by,
        )
    run.ungraded.all().delete()
    # What was answered since joins in.
    revisions = Revision.objects.in_bulk(keys)
    RunKey.objects.bulk_create(
        [
            RunKey(run=run, revision=revisions[pk], key=key, sha256=hash_key(key))
            for pk, key in keys.items()
        ],
        ignore_conflicts=True,
    )
    return run


def _has_other_keys(run: GradingRun, keys: dict[int, Revision]) -> bool:
    return any(keys[one.revision_id].pk != one.key_id for one in run.keys.all())


def list_left(run: GradingRun) -> QuerySet[Attempt]:
    """Return the answers that a run has said nothing of yet."""
    return list_settled(run.benchmark).exclude(_in_run(run)).exclude(_left_by(run))


def _in_run(run: GradingRun) -> Exists:
    return Exists(Grade.objects.filter(run=run, attempt=OuterRef("pk")))


def _left_by(run: GradingRun) -> Exists:
    return Exists(Ungraded.objects.filter(run=run, attempt=OuterRef("pk")))


def grade_left(run: GradingRun, *, processes: int) -> Iterator[int]:
    """Grade what is left, and yield how much is done; each grade is kept as soon as it is there."""
    keys = {one.revision_id: one.key.reference for one in run.keys.select_related("key")}

    def judge(attempt: Attempt) -> Judged:
        return grader.judge_timed(keys[attempt.revision_id], attempt.response)

    done = 0
    # What was answered meanwhile has a key by `begin` only: it waits for the next time.
    left = list_left(run).filter(revision__in=keys).order_by("pk")
    while some := list(left[:AT_ONCE]):
        found = sandbox.gather(judge, some, children=processes)
        for attempt, judged in zip(some, found, strict=True):
            _keep(run, attempt, judged)
            done += 1
            yield done


def _keep(run: GradingRun, attempt: Attempt, judged: Judged) -> None:
    # Somebody else may be at the same run: what is there first stays.
    if isinstance(judged.said, JudgeError):
        left = Ungraded(run=run, attempt=attempt)
        left.reason, left.message = judged.said.reason, judged.said.message
        Ungraded.objects.bulk_create([left], ignore_conflicts=True)
    else:
        made = grader.write(attempt, run, judged.said, seconds=judged.seconds)
        Grade.objects.bulk_create([made], ignore_conflicts=True)


@transaction.atomic
def adopt(*, run: GradingRun) -> int:
    """
    Have a benchmark go by a run from now on; return how many answers it is still to grade.

    The grades of the run before stay as they were. An answer that the new one could not grade is
    not graded, whatever the other said of it.
    """
    # Whoever keeps a grade holds the run first, and then the attempt: so is it here.
    either = GradingRun.objects.adopted() | GradingRun.objects.filter(pk=run.pk)
    held = list(either.filter(benchmark=run.benchmark_id).select_for_update().order_by("pk"))
    if any(one.pk == run.pk and one.adopted_at for one in held):
        raise AdoptedBefore
    settled, now = list_settled(run.benchmark), timezone.now()
    for before in held:
        if before.pk != run.pk:
            _set_aside(before, settled)
    GradingRun.objects.filter(pk=run.pk).update(adopted_at=now)
    settled.filter(_in_run(run), status=Attempt.Status.FAILED).update(
        status=Attempt.Status.GRADED, failure_reason="", failure_message=None
    )
    why = Ungraded.objects.filter(run=run, attempt=OuterRef("pk"))
    settled.filter(~_in_run(run), _left_by(run)).update(
        status=Attempt.Status.FAILED,
        failure_reason=Subquery(why.values("reason")),
        failure_message=Subquery(why.values("message")),
    )
    for attempt in _list_solved(run, held).select_related("solver__user", "revision__problem"):
        grader.credit(attempt, VerdictChoice.CORRECT)
    # What was handed in since the run was made is graded into it by the workers.
    return queue_again(list_left(run).only("priority"))


def _set_aside(run: GradingRun, settled: QuerySet[Attempt]) -> None:
    """Leave a run as it is now, with what it could not grade: the attempts will say another's."""
    Ungraded.objects.bulk_create(
        [
            Ungraded(run=run, attempt=one, reason=one.failure_reason, message=one.failure_message)
            for one in settled.filter(status=Attempt.Status.FAILED).defer("response")
        ],
        ignore_conflicts=True,
    )
    GradingRun.objects.filter(pk=run.pk).update(set_aside_at=timezone.now())


def _list_solved(run: GradingRun, held: list[GradingRun]) -> QuerySet[Attempt]:
    """Return people's answers that are correct in this run, and were not before."""
    correct = Grade.objects.filter(attempt=OuterRef("pk"), verdict=VerdictChoice.CORRECT)
    before = correct.filter(run__in=[one for one in held if one.pk != run.pk])
    return list_settled(run.benchmark).filter(
        Q(submission=None), Exists(correct.filter(run=run)), ~Exists(before)
    )
