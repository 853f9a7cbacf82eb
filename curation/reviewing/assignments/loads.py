"""How much each reviewer holds, what they declined, and how often they were late."""

from collections import Counter
from collections.abc import Collection, Iterable
from datetime import timedelta

from django.conf import settings
from django.db.models import Count, Exists, F, OuterRef, Q
from django.utils import timezone

from curation.problems.models import among
from curation.problems.people.models import Conflict
from curation.reviewing.rounds.models import Assignment, ReviewRound
from phybench.people.models import User


def count_open(people: Iterable[User]) -> Counter[int]:
    """Count each person's open assignments, by their primary keys."""
    held = Assignment.objects.open().filter(reviewer__in=[one.pk for one in people])
    return Counter(held.values_list("reviewer", flat=True))


LATELY = timedelta(days=90)
"""For so long a review that was declined or late has a rule give somebody fewer."""


def count_missed(people: Iterable[User]) -> Counter[int]:
    """
    Count, by primary key, what each has overdue, and lately declined or finished after its day.

    What somebody declined and is in conflict with does not count: they were right to.
    """
    now = timezone.now()
    conflict = Conflict.objects.current().filter(person=OuterRef("reviewer"))
    is_right = Exists(conflict.filter(problem=OuterRef("round__revision__problem"))) | Exists(
        conflict.filter(author=OuterRef("round__revision__problem__author"))
    )
    lately = Q(ended_at__gte=now - LATELY)
    missed = Assignment.objects.filter(reviewer__in=[one.pk for one in people]).filter(
        Q(state=Assignment.State.OPEN, due_at__lt=now)
        | Q(state=Assignment.State.DONE, ended_at__gt=F("due_at")) & lately
        | Q(state=Assignment.State.DECLINED) & lately & ~is_right
    )
    counted = missed.order_by().values_list("reviewer").annotate(Count("pk"))
    return Counter(dict(counted))


def has_as_many_as_may(load: int) -> bool:
    """Whether somebody with so many open assignments may take no more; 0 is no limit."""
    most = settings.REVIEWS_OPEN_AT_MOST
    return bool(most) and load >= most


def list_declined(rounds: Collection[ReviewRound]) -> set[tuple[int, int]]:
    """Return rounds with the people who declined them."""
    some = among(one.pk for one in rounds)
    declined = Assignment.objects.filter(state=Assignment.State.DECLINED, round__in=some)
    return set(declined.values_list("round", "reviewer"))
