"""Who may raise a matter beside a review, read what was said of it, and settle it."""

from collections.abc import Iterable

from django.db.models import QuerySet

from curation.problems.exposures.models import has_seen_key
from curation.problems.models import Problem
from curation.problems.permissions import can_see_key, had_part, is_in_charge, is_writer
from curation.reviewing.discussion.models import KEY_PARTS, AdminNote, Comment, Thread
from curation.reviewing.rounds.models import ReviewRound
from curation.reviewing.rounds.permissions import can_review, choose_readable, is_asked
from curation.texts.workflow import Status
from phybench.people.models import Role, User

TALKING = frozenset({Status.IN_REVIEW, Status.RETURNED})
"""While a problem stands so, what is said of it can still change it."""


def can_comment(user: User, review_round: ReviewRound, part: str) -> bool:
    """Whether `user` may raise a matter in this round: of the key only who may see it."""
    return can_review(user, review_round) and (
        part not in KEY_PARTS or can_see_key(user, review_round.revision.problem)
    )


def choose_comments(user: User, problem: Problem, comments: Iterable[Comment]) -> list[Comment]:
    """
    Return those of a problem's comments that `user` may read.

    Others' are read when the reviews of the round they were written in may be. What the problem's
    writers answer a reviewer is no verdict: they read it in their own threads though they are asked
    again, once they have seen the key. Comments on the key are for who may see it.
    """
    shows_key = can_see_key(user, problem)
    found = [one for one in comments if shows_key or one.thread.part not in KEY_PARTS]
    rounds = {one.round for one in found}
    # Nor does an admin who reviews begin with what others said.
    readable = set() if is_asked(user, problem) else {*choose_readable(user, problem, rounds)}
    writers = {one.writer for one in found if is_writer(one.writer, problem)}
    hears_writers = (
        problem.status in TALKING and not had_part(user, problem) and has_seen_key(user, problem)
    )
    return [
        one
        for one in found
        if one.writer_id == user.pk
        or one.round in readable
        or (hears_writers and one.writer in writers and one.thread.opened_by_id == user.pk)
    ]


def can_talk(user: User, problem: Problem) -> bool:
    """Whether `user` may answer in those of its threads that they may read."""
    return problem.status in TALKING and (
        is_in_charge(user, problem)
        or (user.has_role(Role.REVIEWER) and not had_part(user, problem))
    )


def can_resolve(user: User, problem: Problem, thread: Thread) -> bool:
    """Whether `user` may say that a matter they can read is settled, or is not."""
    is_theirs = thread.opened_by_id == user.pk or is_in_charge(user, problem)
    return can_talk(user, problem) and is_theirs


def list_notes(user: User, problem: Problem) -> QuerySet[AdminNote]:
    """Return the notes to admins that `user` may read: an admin all, a reviewer their own."""
    notes = AdminNote.objects.filter(round__revision__problem=problem)
    # Nor does an admin who reviews begin with what others said.
    sees_all = user.has_role(Role.ADMIN) and not is_asked(user, problem)
    return (notes if sees_all else notes.filter(writer=user)).select_related(
        "writer", "round__revision", "round__version"
    )
