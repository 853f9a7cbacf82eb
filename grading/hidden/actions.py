"""Ask what a batch of hidden answers is worth: one figure, by the Ladder, within a budget."""

from collections import defaultdict
from dataclasses import dataclass

from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.db.models import Max, Q
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from grading import permissions
from grading.hidden.models import HiddenAnswer, HiddenBatch
from grading.hidden.tasks import GRADING
from grading.solvers.models import Membership, Organisation
from grading.statistics.ladder import BUDGET, count_left, release
from phybench.models import User
from phybench.work.tasks import wake


class CannotAsk(Exception):
    """Why no figure is told; the message says what to do. Nothing of the budget is used."""


@dataclass(frozen=True, slots=True)
class Standing:
    """What can be said of a batch before its figure is asked for."""

    items: int
    answered: int
    """Hidden items that it answers, however often."""
    samples: int
    """Answers to each, where they are as many to each; else 0."""
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
    counts = set(given.values())
    is_complete = given.keys() == items and len(counts) == 1
    return Standing(
        items=len(items),
        answered=len(given),
        samples=counts.pop() if len(counts) == 1 else 0,
        is_complete=is_complete,
        waiting=batch.answers.waiting().count(),
        failed=batch.answers.failed().count(),
        left=measure_left(batch.organisation),
    )


def measure_left(organisation: Organisation) -> int:
    """Count how many figures an organisation may still ask for in its life."""
    asked = HiddenBatch.objects.asked().of_members(organisation)
    joined = Membership.objects.filter(joined_at__isnull=False)
    members: dict[int, set[int]] = defaultdict(set)
    for theirs, person in joined.values_list("organisation", "person"):
        members[theirs].add(person)
    batches = [(pk, frozenset(members[pk])) for pk in asked.values_list("organisation", flat=True)]
    return count_left(batches, organisation.pk, frozenset(members[organisation.pk]))


def find_obstacle(standing: Standing) -> str:
    """Say what is in the way of asking for the figure, or "" where nothing is."""
    if not standing.is_complete:
        return _(
            "A figure is told of a complete batch only: as many answers to each of the %(items)d "
            "hidden problems. This one answers %(answered)d of them."
        ) % {"items": standing.items, "answered": standing.answered}
    if standing.waiting:
        return _("Not all of its answers are graded yet.")
    if standing.failed:
        return ngettext(
            "%(count)d answer could not be graded by us. Have it tried again first.",
            "%(count)d answers could not be graded by us. Have them tried again first.",
            standing.failed,
        ) % {"count": standing.failed}
    if standing.left <= 0:
        return _(
            "Your organisation, or one of its members in another, has asked for all of its "
            "%(budget)d figures."
        ) % {"budget": BUDGET}
    return ""


@transaction.atomic
def ask(*, batch: HiddenBatch, by: User) -> HiddenBatch:
    """
    Tell the figure of a batch; it counts against the budget for good. Asked twice, it is one.

    Raises:
        CannotAsk: it is incomplete or not all graded, or the budget is used up.
    """
    if not permissions.can_publish(by, batch.submission):
        raise PermissionDenied(_("Only members of its organisation ask for its figure."))
    # One at a time of all who share a budget: organisations may share members.
    people = Membership.objects.filter(joined_at__isnull=False, organisation=batch.organisation)
    list(
        User.objects.select_for_update(no_key=True)
        .filter(pk__in=people.values("person"))
        .order_by("pk")
    )
    batch = HiddenBatch.objects.select_for_update(of=["self"]).get(pk=batch.pk)
    if batch.asked_at is not None:
        return batch
    if obstacle := find_obstacle(describe(batch)):
        raise CannotAsk(obstacle)
    own, shared = _find_last(batch)
    told = release(*_measure(batch), last=shared)
    is_ours_to_tell = told.is_new or own == shared
    batch.figure, batch.is_better = (told.figure if is_ours_to_tell else None), told.is_new
    batch.asked_at, batch.asked_by = timezone.now(), by
    batch.save(update_fields=["figure", "is_better", "asked_at", "asked_by"])
    return batch


def _find_last(batch: HiddenBatch) -> tuple[int | None, int | None]:
    """
    Return what is to be beaten: the best figure of the organisation, and of all that share members.

    By the second a new organisation of the same people is told nothing that theirs was not.
    """
    told = HiddenBatch.objects.of_members(batch.organisation).filter(
        is_better=True, submission__version=batch.submission.version_id
    )
    found = told.aggregate(
        own=Max("figure", filter=Q(organisation=batch.organisation)), shared=Max("figure")
    )
    return found["own"], found["shared"]


def _measure(batch: HiddenBatch) -> tuple[float, int]:
    """Return a batch's accuracy, samples averaged within a problem, and its number of problems."""
    by_item: dict[int, list[float]] = defaultdict(list)
    for revision, accuracy in batch.answers.values_list("revision", "accuracy"):
        assert accuracy is not None
        by_item[revision].append(accuracy)
    means = [sum(some) / len(some) for some in by_item.values()]
    return sum(means) / len(means), len(means)


@transaction.atomic
def try_again(*, batch: HiddenBatch, by: User) -> int:
    """Queue again the answers that we could not grade; return how many."""
    if not permissions.can_publish(by, batch.submission):
        raise PermissionDenied(_("Only members of its organisation ask for its figure."))
    failed = list(batch.answers.failed().select_for_update())
    HiddenAnswer.objects.filter(pk__in=[one.pk for one in failed]).update(
        status=HiddenAnswer.Status.QUEUED, failure_reason="", lost=0, queued_at=timezone.now()
    )
    wake(GRADING, failed)
    return len(failed)
