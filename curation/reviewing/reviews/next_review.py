"""Which review comes next: through the queue from where one is, what was put off last."""

from django.contrib.sessions.backends.base import SessionBase
from django.db.models import Q

from curation.reviewing.rounds.models import ReviewRound, ReviewRoundQuerySet

_SKIPPED = "skipped_reviews"
_MOST = 500
"""Rounds put off that a session remembers."""


def list_skipped(session: SessionBase) -> list[int]:
    found: list[int] = session.get(_SKIPPED, [])
    return found


def skip(session: SessionBase, review_round: ReviewRound) -> None:
    """Put a round off: in this session it comes after all others."""
    others = [pk for pk in list_skipped(session) if pk != review_round.pk]
    session[_SKIPPED] = [*others, review_round.pk][-_MOST:]


def find_next(
    session: SessionBase, waiting: ReviewRoundQuerySet, after: ReviewRound
) -> ReviewRound | None:
    """
    Return the round of `waiting` that follows; at its end the first, then those put off.

    Where nothing else waits, there is none, though `after` itself still does.
    """
    skipped = list_skipped(session)
    waiting = waiting.exclude(pk=after.pk)
    fresh = waiting.exclude(pk__in=skipped)
    follows = Q(opened_at__gt=after.opened_at) | Q(opened_at=after.opened_at, pk__gt=after.pk)
    found = fresh.filter(follows).first() or fresh.first()
    if found is not None or not skipped:
        return found
    left = {one.pk: one for one in waiting.filter(pk__in=skipped)}
    return next((left[pk] for pk in skipped if pk in left), None)
