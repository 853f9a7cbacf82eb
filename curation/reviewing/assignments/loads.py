"""How much each reviewer holds; end assignments with what ends them."""

from collections import Counter
from collections.abc import Collection, Iterable

from django.conf import settings
from django.db.models import Q
from django.utils import timezone

from curation.reviewing.assignments.models import Assignment
from curation.reviewing.rounds.models import ReviewRound
from phybench.models import User


def finish(review_round: ReviewRound, reviewer: User) -> None:
    """Note that a reviewer has given the review they were asked for, if they were."""
    Assignment.objects.open().filter(round=review_round, reviewer=reviewer).update(
        state=Assignment.State.DONE, ended_at=timezone.now(), ended_by=reviewer
    )


def end_all(review_round: ReviewRound) -> None:
    """End what is still open of a round that closes."""
    Assignment.objects.open().filter(round=review_round).update(
        state=Assignment.State.ENDED, ended_at=timezone.now()
    )


def take_back(which: Q, *, by: User, reason: str) -> int:
    """Take open assignments back; what their reviewers wrote stays theirs."""
    return (
        Assignment.objects.open()
        .filter(which)
        .update(state=Assignment.State.REVOKED, ended_at=timezone.now(), ended_by=by, reason=reason)
    )


def count_open(people: Iterable[User]) -> Counter[int]:
    """Count each person's open assignments, by their primary keys."""
    held = Assignment.objects.open().filter(reviewer__in=[one.pk for one in people])
    return Counter(held.values_list("reviewer", flat=True))


def has_as_many_as_may(load: int) -> bool:
    """Tell whether somebody with so many open assignments may take no more; 0 is no limit."""
    most = settings.REVIEWS_OPEN_AT_MOST
    return bool(most) and load >= most


def list_declined(rounds: Collection[ReviewRound]) -> set[tuple[int, int]]:
    """Return rounds with the people who declined them."""
    declined = Assignment.objects.filter(state=Assignment.State.DECLINED, round__in=rounds)
    return set(declined.values_list("round", "reviewer"))
