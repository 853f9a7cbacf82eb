"""Who decides a round instead of its rule, and judges what was said in it."""

from collections.abc import Collection

from curation.problems.exposures.models import Exposure
from curation.problems.permissions import Interests
from curation.reviewing.assignments.models import Assignment
from curation.reviewing.rounds.models import BlindSolve, Review, ReviewRound, ReviewRoundQuerySet
from curation.reviewing.rounds.permissions import can_open, without_conflict, without_part_of
from phybench.people.models import Role, User
from phybench.people.permissions import list_admins, list_reviewers


def can_override(user: User, review_round: ReviewRound) -> bool:
    """Whether `user` may decide this round instead of its rule."""
    return list_to_decide(user).filter(pk=review_round.pk).exists()


def can_skip_stages(user: User) -> bool:
    """Whether `user`, who decides a round, may accept the problem whatever stages are to come."""
    return user.has_role(Role.ADMIN)


def was_shown_split(user: User, review_round: ReviewRound) -> bool:
    """Whether `user` was shown what was said in this round, to decide between its reviewers."""
    shown = Exposure.objects.of_key().filter(person=user, reason=Exposure.Reason.ADJUDICATE)
    of_round = shown.filter(revision=review_round.revision, at__gte=review_round.opened_at)
    return can_open(user, review_round) and of_round.exists()


def list_to_decide(user: User) -> ReviewRoundQuerySet:
    """Return all rounds that `user` may decide instead of their rule."""
    return list_judgeable(user).open()


def can_adjudicate(user: User, review_round: ReviewRound) -> bool:
    """Whether `user` may say what a disagreement comes to."""
    return list_judgeable(user).filter(pk=review_round.pk).exists()


def list_judgeable(user: User) -> ReviewRoundQuerySet:
    """
    Return all rounds that `user` may judge: an admin any, a reviewer a split that no admin may.

    Never where they had a part, nor where they are in conflict: `interests` says who can instead.
    """
    if user.has_role(Role.ADMIN):
        found = ReviewRound.objects.all()
    else:
        splits = list_splits() if user.has_role(Role.REVIEWER) else []
        deciders = Deciders(splits)
        theirs = [one.pk for one in splits if user in deciders.find(one)]
        if not theirs:
            return ReviewRound.objects.none()
        found = ReviewRound.objects.filter(pk__in=theirs)
    return without_conflict(without_part_of(found, user), user)


def list_splits() -> list[ReviewRound]:
    """Return all rounds that wait for a decision, the oldest first."""
    found = ReviewRound.objects.split().select_related("revision__problem__benchmark")
    # Of each little is asked, and their texts are by far the most of them.
    asked = ("author", "title", "language", "benchmark__is_demo", "benchmark__slug")
    found = found.only("opened_at", *(f"revision__problem__{name}" for name in asked))
    return list(found.order_by("opened_at", "pk"))


class Deciders:
    """
    Who may decide each of these splits, in a fixed number of queries.

    Its admins; where none of them may, its reviewers who have not spoken and are not asked to.
    """

    def __init__(self, rounds: Collection[ReviewRound]) -> None:
        self.admins = list(list_admins()) if rounds else []
        self.reviewers = list(list_reviewers()) if rounds else []
        problems = {one.revision.problem_id for one in rounds}
        self.interests = Interests(problems, [*self.admins, *self.reviewers])
        pair = ("round", "reviewer")
        of_rounds = {"round__in": rounds}
        self.parties = {
            *Review.objects.filter(**of_rounds).values_list(*pair),
            *BlindSolve.objects.filter(**of_rounds).values_list(*pair),
            *Assignment.objects.open().filter(**of_rounds).values_list(*pair),
        }

    def find(self, review_round: ReviewRound) -> list[User]:
        admins = [one for one in self.admins if self._may(review_round, one)]
        return admins or [
            one
            for one in self.reviewers
            if self._may(review_round, one) and (review_round.pk, one.pk) not in self.parties
        ]

    def _may(self, review_round: ReviewRound, person: User) -> bool:
        problem = review_round.revision.problem
        # The demo's people keep to themselves.
        return (
            person.is_demo is problem.benchmark.is_demo
            and not self.interests.had_part(problem, person)
            and not self.interests.has_conflict(problem, person)
        )
