"""End assignments with what ends them, and say why somebody can't be given a round."""

from collections import Counter
from collections.abc import Collection, Iterable

from django.conf import settings
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext as _

from curation.interests import Interests
from curation.models import Assignment, BlindSolve, Exposure, Review, ReviewRound
from phybench.models import Role, User


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


class Obstacles:
    """
    Why each of these people can't be given each of these rounds, in a fixed number of queries.

    It explains what `ReviewRoundQuerySet.assignable_to` leaves out, which is what holds.
    """

    def __init__(self, rounds: Collection[ReviewRound], people: Collection[User]) -> None:
        problems = {one.revision.problem_id for one in rounds}
        self.interests = Interests(problems, people)
        seen = Exposure.objects.of_key().filter(revision__problem__in=problems, person__in=people)
        self.seen = set(seen.values_list("revision__problem", "person"))
        of_rounds = {"round__in": rounds, "reviewer__in": people}
        pair = ("round", "reviewer")
        self.solved = set(BlindSolve.objects.filter(**of_rounds).values_list(*pair))
        self.reviewed = set(Review.objects.filter(**of_rounds).values_list(*pair))
        self.asked = set(Assignment.objects.open().filter(**of_rounds).values_list(*pair))

    def find(self, review_round: ReviewRound, person: User) -> str:
        """Say why in a few words, or "" where nothing is in the way."""
        problem = review_round.revision.problem
        of_problem = (problem.pk, person.pk)
        of_round = (review_round.pk, person.pk)
        if review_round.closed_at is not None:
            return _("the round is closed")
        if not person.has_role(Role.REVIEWER):
            return _("no reviewer any more")
        if self.interests.had_part(problem, person):
            return _("had a part in the problem")
        if self.interests.has_conflict(problem, person):
            return _("conflict of interest")
        if of_round in self.reviewed:
            return _("has reviewed it")
        if of_round in self.asked:
            return _("is assigned already")
        if review_round.is_blind and of_round not in self.solved:
            if of_problem in self.seen:
                return _("has seen the answer")
            if person.has_role(Role.ADMIN):
                return _("sees every answer, as an admin")
        return ""
