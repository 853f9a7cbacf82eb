"""Who decides a round instead of its rule, and judges what was said in it."""

from collections.abc import Collection

from curation.problems.exposures.models import Exposure
from curation.problems.models import among
from curation.problems.permissions import Interests
from curation.reviewing.rounds.models import Assignment, Review, ReviewRound, ReviewRoundQuerySet
from curation.reviewing.rounds.permissions import can_open, choose
from curation.reviewing.rounds.solves.models import BlindSolve
from phybench.people.models import Role, User
from phybench.people.permissions import list_admins, list_reviewers


def can_skip_stages(user: User) -> bool:
    """Whether `user`, who decides a round, may accept the problem whatever stages are to come."""
    return user.has_role(Role.ADMIN)


def was_shown_split(user: User, review_round: ReviewRound) -> bool:
    """Whether `user` was shown what was said in this round, to decide between its reviewers."""
    shown = Exposure.objects.of_key().filter(person=user, reason=Exposure.Reason.ADJUDICATE)
    of_round = shown.filter(revision=review_round.revision, at__gte=review_round.opened_at)
    return can_open(user, review_round) and of_round.exists()


def can_override(user: User, review_round: ReviewRound) -> bool:
    """Whether `user` may decide this round instead of its rule."""
    return review_round.closed_at is None and can_adjudicate(user, review_round)


def can_adjudicate(user: User, review_round: ReviewRound) -> bool:
    """
    Whether `user` may say what came of a round: an admin of any, a reviewer of a split that no
    admin may decide.

    Never where they had a part, nor where they are in conflict: `interests` says who can instead.
    """
    if user.has_role(Role.ADMIN):
        problem = review_round.revision.problem_id
        return Interests({problem}, [user]).is_free(problem, user)
    return list_to_decide(user, ReviewRound.objects.filter(pk=review_round.pk)).exists()


def list_to_decide(user: User, rounds: ReviewRoundQuerySet | None = None) -> ReviewRoundQuerySet:
    """Return the open ones of these rounds, or of all, that `user` may decide: `can_adjudicate`."""
    if user.has_role(Role.ADMIN):
        return choose(user, rounds, lambda facts, one: facts.stand(one, user).is_free)
    splits = list_splits(rounds) if user.has_role(Role.REVIEWER) else []
    deciders = Deciders(splits)
    return ReviewRound.objects.filter(
        pk__in=among(one.pk for one in splits if user in deciders.find(one))
    )


def list_splits(rounds: ReviewRoundQuerySet | None = None) -> list[ReviewRound]:
    """Return those of these rounds, or of all, that wait for a decision, the oldest first."""
    found = (ReviewRound.objects.all() if rounds is None else rounds).split()
    found = found.select_related("revision__problem__benchmark")
    # Of each little is asked, and their texts are by far the most of them.
    asked = ("author", "title", "language", "benchmark__slug")
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
        problem = review_round.revision.problem_id
        is_across = self.interests.is_across_demo(problem, person)
        return not is_across and self.interests.is_free(problem, person)
