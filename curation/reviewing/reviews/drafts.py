"""What a reviewer has begun and not submitted, which nobody else sees; and what they put off."""

from collections.abc import Mapping

from django.contrib.sessions.backends.base import SessionBase
from django.db import transaction
from django.db.models import Q
from django.utils.translation import gettext as _

from curation.reviewing.assignments.permissions import list_queue
from curation.reviewing.rounds.models import ReviewRound
from curation.reviewing.rounds.permissions import can_review
from curation.reviewing.rounds.solves.models import ReviewDraft
from curation.texts.workflow import NotAllowedNow
from phybench.people.http import MemberRequest
from phybench.people.models import User
from phybench.people.permissions import is_reviewer

LONGEST = 20_000
"""Characters of one field that are kept; what a form takes is less."""

_SKIPPED = "skipped_reviews"
_MOST = 500
"""Rounds put off that a session remembers."""


class ChangedElsewhere(NotAllowedNow):
    """It was saved in another window since this page was loaded, or submitted there."""

    def __init__(self, stored: ReviewDraft | None) -> None:
        super().__init__(
            _("Not saved: it was changed in another window.")
            if stored
            else _("Not saved: it was submitted or deleted in another window.")
        )
        self.stored = stored


def find(review_round: ReviewRound, reviewer: User, kind: str) -> ReviewDraft | None:
    return review_round.drafts.filter(reviewer=reviewer, kind=kind).first()


@transaction.atomic
def save(
    *,
    review_round: ReviewRound,
    reviewer: User,
    kind: str,
    fields: Mapping[str, str],
    saved_at: str,
    is_rescue: bool = False,
) -> ReviewDraft:
    """
    Keep what stands in the fields of a form.

    Args:
        saved_at: when the draft that the page began with had been saved (ISO 8601), or "" where
            there was none.
        is_rescue: whether it was submitted, and refused because the round is over for them.

    Raises:
        ChangedElsewhere: the page began with another draft than is stored.
        NotAllowedNow: it is no review of theirs, or too long.
    """
    review_round = review_round.locked()
    stored = find(review_round, reviewer, kind)
    # Whoever has begun may finish the sentence, though the round was closed meanwhile.
    may_begin = is_rescue or can_review(reviewer, review_round)
    if stored is None and not may_begin:
        raise NotAllowedNow(_("Not saved: this stage is closed, or you may not review it."))
    if not is_reviewer(reviewer):
        raise NotAllowedNow(_("Not saved: only reviewers can do this."))
    kept = dict(fields)
    if any(len(value) > LONGEST or "\x00" in value for value in kept.values()):
        raise NotAllowedNow(_("Not saved: it is too long, or contains invalid characters."))
    if stored and stored.fields == kept:
        return stored  # the same, sent twice
    if (stored.saved_at.isoformat() if stored else "") != saved_at:
        raise ChangedElsewhere(stored)
    if stored is None and _is_done(review_round, reviewer, kind, kept):
        raise ChangedElsewhere(None)
    stored = stored or ReviewDraft(round=review_round, reviewer=reviewer, kind=kind)
    stored.fields = kept
    stored.save()
    return stored


def _is_done(review_round: ReviewRound, reviewer: User, kind: str, kept: Mapping[str, str]) -> bool:
    """Whether the form was submitted since its page was loaded."""
    if kind == ReviewDraft.Kind.SOLVE:
        return review_round.solves.filter(reviewer=reviewer).exists()
    last = review_round.reviews.filter(reviewer=reviewer).order_by("number").last()
    return (last.number if last else 0) != _read_number(kept.get("replaces", ""))


def _read_number(text: str) -> int:
    return int(text) if text.isascii() and text.isdigit() and len(text) < 6 else 0


def list_skipped(session: SessionBase) -> list[int]:
    found: list[int] = session.get(_SKIPPED, [])
    return found


def skip(session: SessionBase, review_round: ReviewRound) -> None:
    """Put a round off: in this session it comes after all others."""
    others = [pk for pk in list_skipped(session) if pk != review_round.pk]
    session[_SKIPPED] = [*others, review_round.pk][-_MOST:]


def find_next(request: MemberRequest, after: ReviewRound) -> ReviewRound | None:
    """
    Return the round of the queue that follows; at its end the first, then those put off.

    Where nothing else waits, there is none, though `after` itself still does.
    """
    skipped = list_skipped(request.session)
    waiting = list_queue(request.user).exclude(pk=after.pk)
    fresh = waiting.exclude(pk__in=skipped)
    follows = Q(opened_at__gt=after.opened_at) | Q(opened_at=after.opened_at, pk__gt=after.pk)
    found = fresh.filter(follows).first() or fresh.first()
    if found is not None or not skipped:
        return found
    left = {one.pk: one for one in waiting.filter(pk__in=skipped)}
    return next((left[pk] for pk in skipped if pk in left), None)
