"""Ask what a batch of hidden answers is worth: one figure, by the Ladder, within a budget."""

from collections import defaultdict
from dataclasses import dataclass

from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.db.models import Count, Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from curation.problems.benchmarks.models import Benchmark
from grading.answers.hidden.models import HiddenAnswer, HiddenBatch
from grading.answers.permissions import can_publish
from grading.solvers.models import Membership, Organisation
from grading.submissions.hidden.tasks import GRADING
from phybench.people.models import User
from phybench.work.tasks import wake
from phybench_grader.statistics.ladder import (
    BUDGET,
    Batch,
    Ladder,
    PastBatch,
    Told,
    climb,
    count_left,
    find_ladder,
    is_complete,
)

START = Ladder(30)
"""
What the first batch of an organisation has to beat, in per cent.

From 0 up there are more steps than figures to be told: who answers wrong on purpose and climbs
settles more choices between two answers than from 30, where it is no more than 54 %.
"""


class CannotAsk(Exception):
    """Why no figure is told; the message says what to do. Nothing of the budget is used."""


@dataclass(frozen=True, slots=True)
class Standing:
    """What can be said of a batch before its figure is asked for."""

    items: int
    answered: int
    """Hidden items that it answers, however often."""
    is_complete: bool
    waiting: int
    failed: int
    left: int
    """How many figures the organisation may still ask for."""


def describe(batch: HiddenBatch) -> Standing:
    """Say how far a batch is. Nothing of it hangs on whether an answer is right."""
    version = batch.submission.version
    assert version is not None
    items = set(version.items.hidden().values_list("revision", flat=True))
    given: dict[int, int] = defaultdict(int)
    for revision in batch.answers.values_list("revision", flat=True):
        given[revision] += 1
    return Standing(
        items=len(items),
        answered=len(given),
        is_complete=is_complete(given, items),
        waiting=batch.answers.waiting().count(),
        failed=batch.answers.failed().count(),
        left=measure_left(batch.organisation),
    )


def measure_left(organisation: Organisation) -> int:
    """Count how many figures an organisation may still ask for in its life."""
    return count_left(_list_past(), organisation.pk, _list_people(organisation.pk), BUDGET)


def _list_past(benchmark: Benchmark | None = None) -> list[PastBatch]:
    """
    List the batches of which a figure was told, of one benchmark or of all.

    Versions of one benchmark share hidden problems, so what was told of one is to be beaten in all.
    """
    asked = HiddenBatch.objects.asked()
    if benchmark is not None:
        asked = asked.filter(submission__benchmark=benchmark)
    members: dict[int, set[int]] = defaultdict(set)
    for organisation, person in _joined().values_list("organisation", "person"):
        members[organisation].add(person)
    return [
        PastBatch(pk, frozenset(members[pk]), figure if is_better else None)
        for pk, figure, is_better in asked.values_list("organisation", "figure", "is_better")
    ]


def _joined() -> QuerySet[Membership]:
    """Keep memberships that are or ever were."""
    return Membership.objects.filter(joined_at__isnull=False)


def _list_people(organisation: int) -> frozenset[int]:
    """
    List who can put together what they were told: all who ever were in one with a member.

    Each of them may have an organisation of their own besides.
    """
    members = _joined().filter(organisation=organisation).values("person")
    theirs = _joined().filter(person__in=members).values("organisation")
    return frozenset(_joined().filter(organisation__in=theirs).values_list("person", flat=True))


def find_obstacle(standing: Standing) -> str:
    """Say what is in the way of asking for the figure, or "" where nothing is."""
    if not standing.is_complete:
        return _(
            "A figure is given only for a complete batch: the same number of answers "
            "to each of the %(items)d hidden problems. This one answers %(answered)d "
            "of them."
        ) % {"items": standing.items, "answered": standing.answered}
    if standing.waiting:
        return _("Not all of its answers are graded yet.")
    if standing.failed:
        # How many would tell more than that it is so.
        return _("We could not grade some answers. Queue them again first.")
    if standing.left <= 0:
        return _(
            "Your team has used all %(budget)d figures, counted together with the other "
            "teams of its members and their colleagues."
        ) % {"budget": BUDGET}
    return ""


@transaction.atomic
def ask(*, batch: HiddenBatch, by: User) -> HiddenBatch:
    """
    Tell the figure of a batch; it counts against the budget for good. Asked twice, it is one.

    Raises:
        CannotAsk: it is incomplete or not all graded, or the budget is used up.
    """
    if not can_publish(by, batch.submission):
        raise PermissionDenied(_("Only members of its team can ask for its figure."))
    # One at a time of all who share a budget: organisations may share members.
    people = _list_people(batch.organisation_id)
    list(User.objects.select_for_update(no_key=True).filter(pk__in=people).order_by("pk"))
    batch = HiddenBatch.objects.select_for_update(of=["self"]).get(pk=batch.pk)
    if batch.asked_at is not None:
        return batch
    if obstacle := find_obstacle(describe(batch)):
        raise CannotAsk(obstacle)
    organisation, benchmark = batch.organisation_id, batch.submission.benchmark
    ladder = find_ladder(_list_past(benchmark), organisation, people, START)
    outcome = climb(ladder, _count(batch))
    batch.figure, batch.is_better = outcome.figure, outcome.told is Told.NEW
    batch.asked_at, batch.asked_by = timezone.now(), by
    batch.save(update_fields=["figure", "is_better", "asked_at", "asked_by"])
    return batch


def _count(batch: HiddenBatch) -> Batch:
    """Count a complete batch: nothing else of it is looked at."""
    counts = batch.answers.aggregate(
        items=Count("revision", distinct=True),
        answers=Count("pk"),
        right=Count("pk", filter=Q(accuracy=100)),
    )
    samples = counts["answers"] // counts["items"]
    return Batch(items=counts["items"], samples=samples, right=counts["right"])


@transaction.atomic
def try_again(*, batch: HiddenBatch, by: User) -> None:
    """Queue again the answers of a complete batch that we could not grade; say nothing of them."""
    if not can_publish(by, batch.submission):
        raise PermissionDenied(_("Only members of its team can ask for its figure."))
    if not describe(batch).is_complete:
        return
    failed = list(batch.answers.failed().select_for_update())
    HiddenAnswer.objects.filter(pk__in=[one.pk for one in failed]).update(
        status=HiddenAnswer.Status.QUEUED, failure_reason="", lost=0, queued_at=timezone.now()
    )
    wake(GRADING, failed)
