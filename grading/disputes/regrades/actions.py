"""Make a grading run beside the one that counts, have it graded, adopt it or discard it."""

import hashlib

from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.db.models import Exists, Max, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Now
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from curation.problems.benchmarks.models import Benchmark
from curation.problems.models import Revision
from grading.answers import grader
from grading.answers.actions import queue_again
from grading.answers.models import Attempt, Grade, VerdictChoice
from grading.answers.permissions import decides_on_runs
from grading.answers.runs.models import GradingRun, RunKey, Ungraded, hash_key
from grading.answers.tallies.keeping import hold_tallies, sum_up_anew
from grading.disputes.regrades.models import RegradedSolve, RegradePart
from grading.disputes.regrades.today import find_keys, list_overrides, list_settled, list_solves
from phybench.people.models import User
from phybench.work.models import Priority
from phybench_grader import GRADER_VERSION

A_PART = 200
"""Answers that a worker takes together."""


MOST_LEFT = 10, 0.1
"""How many answers a run that is adopted may lack, or which share: those that came in since."""


class CannotDecide(Exception):
    """A run can't be adopted or discarded as it stands; the message says why, and what to do."""


class AdoptedBefore(CannotDecide):
    """A run counts once: what was set aside is history."""


@transaction.atomic
def begin(*, benchmark: Benchmark, why: str = "", by: User | None = None) -> GradingRun:
    """
    Make a run of today's grader, keys and rulings, or go on with the last, if it is that.

    What that could not grade is tried again: too little time or memory may have been passing.
    """
    # Of two who ask at once the second goes on with what the first has made.
    Benchmark.objects.select_for_update(no_key=True).get(pk=benchmark.pk)
    keys = find_keys(benchmark)
    overrides = set(list_overrides(benchmark).values_list("pk", flat=True))
    base = GradingRun.objects.adopted().filter(benchmark=benchmark).first()
    run = GradingRun.objects.proposed().filter(benchmark=benchmark).first()
    if run is None or not _is_of_today(run, base, keys, overrides):
        run = GradingRun.objects.create(
            benchmark=benchmark,
            grader_version=GRADER_VERSION,
            base=base,
            why=why or _("Graded anew by grader %(version)s.") % {"version": GRADER_VERSION},
            made_by=by,
        )
        run.overrides.set(overrides)
    run.ungraded.all().delete()
    # What was answered since joins in.
    revisions = Revision.objects.defer("solution").in_bulk(keys)
    RunKey.objects.bulk_create(
        [
            RunKey(run=run, revision=revisions[pk], key=key, sha256=hash_key(key))
            for pk, key in keys.items()
        ],
        ignore_conflicts=True,
    )
    return run


def _is_of_today(
    run: GradingRun, base: GradingRun | None, keys: dict[int, Revision], overrides: set[int]
) -> bool:
    return (
        run.grader_version == GRADER_VERSION
        and run.base_id == (base and base.pk)
        and set(run.overrides.values_list("pk", flat=True)) == overrides
        and all(
            key == keys[revision].pk for revision, key in run.keys.values_list("revision", "key")
        )
    )


def is_of_today(run: GradingRun) -> bool:
    """Whether a run made now would be by the same grader, keys and rulings, beside the same run."""
    overrides = set(list_overrides(run.benchmark).values_list("pk", flat=True))
    base = GradingRun.objects.adopted().filter(benchmark=run.benchmark).first()
    return _is_of_today(run, base, find_keys(run.benchmark), overrides)


def list_left(run: GradingRun) -> QuerySet[Attempt]:
    """Return the answers that a run has said nothing of yet."""
    return list_settled(run.benchmark).exclude(_in_run(run)).exclude(_left_by(run))


def _in_run(run: GradingRun) -> Exists:
    return Exists(Grade.objects.filter(run=run, attempt=OuterRef("pk")))


def _left_by(run: GradingRun) -> Exists:
    return Exists(Ungraded.objects.filter(run=run, attempt=OuterRef("pk")))


@transaction.atomic
def queue(run: GradingRun) -> list[RegradePart]:
    """Leave what a run has not graded yet to workers, in parts; return those that are new."""
    run = GradingRun.objects.select_for_update(no_key=True).get(pk=run.pk)
    if not run.is_proposed or run.parts.filter(done_at=None).exists():
        return []
    answers = list_left(run).order_by("pk").values_list("pk", flat=True)
    told = RegradedSolve.objects.filter(run=run, solve=OuterRef("pk"))
    solves = list_solves(run.benchmark).exclude(Exists(told))
    number = run.parts.aggregate(last=Max("number"))["last"] or 0
    found: list[RegradePart] = []
    for is_of_solves, pks in (
        (False, list(answers)),
        (True, list(solves.order_by("pk").values_list("pk", flat=True))),
    ):
        for start in range(0, len(pks), A_PART):
            some = pks[start : start + A_PART]
            number += 1
            part = RegradePart(run=run, number=number, first=some[0], last=some[-1])
            part.is_of_solves, part.priority = is_of_solves, Priority.IDLE
            found.append(part)
    return RegradePart.objects.bulk_create(found)


def describe_state(run: GradingRun) -> str:
    """
    Sum up all that a decision on a run hangs on; where it is another one, somebody was told less.

    Not what other runs there are: one that is adopted meanwhile says so by itself.
    """
    seen = (
        run.pk,
        run.grades.count(),
        run.ungraded.count(),
        list_left(run).count(),
        run.adopted_at,
        run.discarded_at,
        GradingRun.objects.adopted().filter(benchmark=run.benchmark_id).values_list("pk").first(),
    )
    return hashlib.sha256(repr(seen).encode()).hexdigest()[:16]


@transaction.atomic
def adopt(*, run: GradingRun, by: User | None = None, why: str = "", seen: str = "") -> int:
    """
    Have a benchmark go by a run from now on; return how many answers it is still to grade.

    The grades of the run before stay as they were. An answer that the new one could not grade is
    not graded, whatever the other said of it.

    Args:
        seen: what `describe_state` said when it was decided so; nothing is compared without it.

    Raises:
        CannotDecide: it was decided on, another run counts now, or it says more than was seen.
    """
    _require_admin(by)
    # Whoever keeps a grade holds the run first, and then the attempt: so is it here.
    either = GradingRun.objects.adopted() | GradingRun.objects.filter(pk=run.pk)
    held = list(either.filter(benchmark=run.benchmark_id).select_for_update().order_by("pk"))
    ours = next(one for one in held if one.pk == run.pk)
    before = next((one for one in held if one.is_adopted), None)
    _check_undecided(ours)
    if ours.parts.filter(done_at=None).exists():
        raise CannotDecide(_("This run is still grading. Wait until it is done."))
    few, share = MOST_LEFT
    left = list_left(ours).count()
    if left > max(few, share * list_settled(run.benchmark).count()):
        raise CannotDecide(
            ngettext(
                "%(count)d answer is not graded in this run yet. Update the run first.",
                "%(count)d answers are not graded in this run yet. Update the run first.",
                left,
            )
            % {"count": left}
        )
    if ours.base_id is not None and before is not None and before.pk != ours.base_id:
        raise CannotDecide(
            _(
                "Run %(other)d was adopted%(by)s, and this run was compared with the "
                "one before it. Update this run, then look at its changes."
            )
            % {"other": before.pk, "by": _name_person(before.adopted_by)}
        )
    if seen and seen != describe_state(ours):
        raise CannotDecide(
            _("This run has changed since you opened the page. Look at its changes again.")
        )
    settled, now = list_settled(run.benchmark), timezone.now()
    # As whoever changes an answer: first the answers, in their order, and then the tallies.
    changing = settled.filter(Q(status=Attempt.Status.FAILED) | ~_in_run(run))
    list(changing.select_for_update(of=("self",), no_key=True).order_by("pk").values_list("pk"))
    tallies = hold_tallies(run.benchmark)
    if before is not None:
        _set_aside(before, settled)
    _forget_verdicts(run.benchmark)
    GradingRun.objects.filter(pk=run.pk).update(adopted_at=now, adopted_by=by, why_adopted=why)
    settled.filter(_in_run(run), status=Attempt.Status.FAILED).update(
        status=Attempt.Status.GRADED, failure_reason="", failure_message=None
    )
    reason = Ungraded.objects.filter(run=run, attempt=OuterRef("pk"))
    settled.filter(~_in_run(run), _left_by(run)).update(
        status=Attempt.Status.FAILED,
        failure_reason=Subquery(reason.values("reason")),
        failure_message=Subquery(reason.values("message")),
    )
    for attempt in _list_solved(run, before).select_related("solver__user", "revision__problem"):
        grader.credit(attempt, VerdictChoice.CORRECT)
    # What was handed in since the run was made is graded into it by the workers.
    since = list_left(run).select_for_update(of=("self",), no_key=True)
    count = queue_again(since.only("priority"))
    sum_up_anew(tallies)
    return count


def _forget_verdicts(benchmark: Benchmark) -> None:
    """Have answers judged anew that were found to be wrong by other keys, and have no grade yet."""
    wrong = Attempt.objects.exclude(status=Attempt.Status.GRADED).filter(
        revision__problem__benchmark=benchmark, wrong_at__isnull=False
    )
    held = wrong.select_for_update(of=("self",), no_key=True).order_by("pk")
    pks = list(held.values_list("pk", flat=True))
    Attempt.objects.filter(pk__in=pks).update(wrong_at=None, queued_at=Now())


@transaction.atomic
def discard(*, run: GradingRun, by: User, why: str) -> None:
    """
    Leave a run aside for good: what it says is kept, and counts nothing.

    Raises:
        CannotDecide: it was decided on meanwhile.
    """
    _require_admin(by)
    ours = GradingRun.objects.select_for_update().get(pk=run.pk)
    _check_undecided(ours)
    ours.discarded_at, ours.discarded_by, ours.why_discarded = timezone.now(), by, why
    ours.save(update_fields=["discarded_at", "discarded_by", "why_discarded"])


@transaction.atomic
def renew(*, run: GradingRun, by: User) -> GradingRun:
    """
    Make a run of today in place of one that is behind, which is discarded.

    What was graded by the same key, grader and words is not graded twice, so it is soon there.

    Raises:
        CannotDecide: it was decided on meanwhile.
    """
    newer = begin(benchmark=run.benchmark, why=run.why, by=by)
    if newer.pk != run.pk:
        discard(run=run, by=by, why=_("Replaced by run %(number)d.") % {"number": newer.pk})
    queue(newer)
    return newer


def _require_admin(by: User | None) -> None:
    if by is not None and not decides_on_runs(by):
        raise PermissionDenied(_("Only admins can decide on regrades."))


def _check_undecided(run: GradingRun) -> None:
    if run.adopted_at is not None:
        raise AdoptedBefore(
            _("This run was already adopted%(by)s.") % {"by": _name_person(run.adopted_by)}
        )
    if run.discarded_at is not None:
        raise CannotDecide(
            _("This run was already discarded%(by)s: %(why)s")
            % {"by": _name_person(run.discarded_by), "why": run.why_discarded}
        )


def _name_person(person: User | None) -> str:
    return _(" by %(name)s") % {"name": person} if person else ""


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


def _list_solved(run: GradingRun, before: GradingRun | None) -> QuerySet[Attempt]:
    """Return people's answers that are correct in this run, and were not before."""
    correct = Grade.objects.filter(attempt=OuterRef("pk"), verdict=VerdictChoice.CORRECT)
    return list_settled(run.benchmark).filter(
        Q(submission=None), Exists(correct.filter(run=run)), ~Exists(correct.filter(run=before))
    )
