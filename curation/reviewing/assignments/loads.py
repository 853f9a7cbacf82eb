"""How much each reviewer holds, and what they declined."""

from collections import Counter
from collections.abc import Collection, Iterable

from django.conf import settings

from curation.reviewing.assignments.models import Assignment
from curation.reviewing.rounds.models import ReviewRound
from phybench.models import User


def count_open(people: Iterable[User]) -> Counter[int]:
    """Count each person's open assignments, by their primary keys."""
    held = Assignment.objects.open().filter(reviewer__in=[one.pk for one in people])
    return Counter(held.values_list("reviewer", flat=True))


def has_as_many_as_may(load: int) -> bool:
    """Whether somebody with so many open assignments may take no more; 0 is no limit."""
    most = settings.REVIEWS_OPEN_AT_MOST
    return bool(most) and load >= most


def list_declined(rounds: Collection[ReviewRound]) -> set[tuple[int, int]]:
    """Return rounds with the people who declined them."""
    declined = Assignment.objects.filter(state=Assignment.State.DECLINED, round__in=rounds)
    return set(declined.values_list("round", "reviewer"))
