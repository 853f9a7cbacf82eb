"""Who is given which review or may take it from the open queue, and why somebody can't be."""

from collections import defaultdict
from collections.abc import Collection, Sequence
from typing import Any

from django.db.models import BooleanField, ExpressionWrapper, Q, QuerySet

from curation.problems.exposures.models import Exposure
from curation.problems.models import among
from curation.problems.permissions import Interests
from curation.reviewing.assignments.models import Assignment, AssignmentQuerySet
from curation.reviewing.pipelines.models import Stage
from curation.reviewing.rounds.models import (
    BlindSolve,
    Review,
    ReviewRound,
    ReviewRoundQuerySet,
    SetAside,
)
from curation.reviewing.rounds.permissions import list_awaiting, list_unreviewed, without_conflict
from curation.texts.prospects import Demand, Outlook, Supply, forecast
from curation.texts.workflow import SolveOutcome
from phybench.people.models import Role, User
from phybench.people.permissions import list_reviewers
from phybench_grader.numbers.sentences import Sentence


class Obstacles:
    """
    Why each of these people can't be given each of these rounds, in a fixed number of queries.

    It explains what `list_assignable` leaves out, which is what holds.
    """

    def __init__(self, rounds: Collection[ReviewRound], people: Collection[User]) -> None:
        problems = {one.revision.problem_id for one in rounds}
        self.interests = Interests(problems, people)
        seen = Exposure.objects.telling_key().filter(
            revision__problem__in=among(problems), person__in=people
        )
        found = set(seen.values_list("revision__problem", "revision", "person", "reason"))
        self.seen = {(problem, person) for problem, _revision, person, _reason in found}
        # Who decides between reviews is shown the answer with them.
        weighing = Exposure.Reason.ADJUDICATE
        self.weighed = {(revision, person) for _, revision, person, why in found if why == weighing}
        of_rounds = {"round__in": among(one.pk for one in rounds), "reviewer__in": people}
        pair = ("round", "reviewer")
        self.solved = set(BlindSolve.objects.filter(**of_rounds).values_list(*pair))
        self.reviewed = set(Review.objects.filter(**of_rounds).values_list(*pair))
        self.asked = set(Assignment.objects.open().filter(**of_rounds).values_list(*pair))

    def find(self, review_round: ReviewRound, person: User) -> Sentence | None:
        """Say why in a few words, or None where nothing is in the way."""
        code = self._find(review_round, person)
        return Sentence(code) if code else None

    def _find(self, review_round: ReviewRound, person: User) -> str:
        """Return a code of `records.OBSTACLES`, or ""."""
        problem = review_round.revision.problem
        of_problem = (problem.pk, person.pk)
        of_round = (review_round.pk, person.pk)
        if review_round.closed_at is not None:
            return "round_closed"
        if not person.has_role(Role.REVIEWER):
            return "no_reviewer"
        if self.interests.had_part(problem, person):
            return "had_part"
        if self.interests.shares_institution(problem, person):
            return "of_institution"
        if self.interests.has_conflict(problem, person):
            return "in_conflict"
        weighed = (review_round.revision_id, person.pk) in self.weighed
        if weighed and not person.has_role(Role.ADMIN):
            return "has_read_reviews"
        if review_round.version.is_blind and of_round not in self.solved:
            if of_problem in self.seen:
                return "has_seen_answer"
            if person.has_role(Role.ADMIN):
                return "sees_answers"
        # What bars nobody from reviewing it comes last.
        if of_round in self.reviewed:
            return "has_reviewed"
        if of_round in self.asked:
            return "is_assigned"
        return ""


class Prospects:
    """
    What becomes of each of these open rounds with the reviewers there are, in a fixed number of
    queries.

    It counts whom `list_assignable` could give each stage to: that is what holds.
    """

    def __init__(
        self, rounds: Collection[ReviewRound], people: Sequence[User] | None = None
    ) -> None:
        self.stages: dict[int, list[Stage]] = defaultdict(list)
        pipelines = {one.version.stage.pipeline_id for one in rounds}
        for stage in Stage.objects.filter(pipeline__in=pipelines).order_by("place"):
            self.stages[stage.pipeline_id].append(stage)
        splits = ReviewRound.objects.split().filter(pk__in=[one.pk for one in rounds])
        self.splits = set(splits.values_list("pk", flat=True))
        # Of the others nothing has to be known.
        rounds = [one for one in rounds if self._is_to_be_solved(one)]
        self.counts: dict[int, tuple[int, int]] = {}
        self.people: Sequence[User] = []
        if rounds:
            self.people = list(list_reviewers()) if people is None else people
        problems = {one.revision.problem_id for one in rounds}
        self.interests = Interests(problems, self.people)
        seen = Exposure.objects.telling_key().filter(
            revision__problem__in=problems, person__in=self.people
        )
        self.seen = set(seen.values_list("revision__problem", "person"))
        self.reviewed: dict[int, set[int]] = defaultdict(set)
        aside = set(SetAside.objects.filter(round__in=rounds).values_list("round", "person"))
        given = Review.objects.filter(round__in=rounds).values_list("round", "reviewer")
        for round_pk, reviewer in given:
            if (round_pk, reviewer) not in aside:
                self.reviewed[round_pk].add(reviewer)
        self.solved: dict[int, dict[int, str]] = defaultdict(dict)
        solves = BlindSolve.objects.filter(round__in=rounds)
        for round_pk, reviewer, outcome in solves.values_list("round", "reviewer", "outcome"):
            if (round_pk, reviewer) not in aside:
                self.solved[round_pk][reviewer] = outcome

    def find(self, review_round: ReviewRound) -> Outlook | None:
        """Say how many could still solve it blind; None where that is not asked for any more."""
        fresh, informed = self._count(review_round)
        return forecast(self._list_demands(review_round), fresh=fresh, informed=informed)

    def find_after(self, review_round: ReviewRound, person: User) -> Outlook | None:
        """Say how many could still solve it blind once `person` was shown the answer by it."""
        if not self.spends(review_round, person):
            return self.find(review_round)
        fresh, informed = self._count(review_round)
        return forecast(self._list_demands(review_round), fresh=fresh - 1, informed=informed + 1)

    def is_needed(self, review_round: ReviewRound, person: User) -> bool:
        """Whether the problem can pass now, and could not once `person` was shown its answer."""
        if not self.spends(review_round, person):
            return False
        outlooks = self.find(review_round), self.find_after(review_round, person)
        now, after = (one.supply if one else None for one in outlooks)
        return now is not Supply.SHORT and after is Supply.SHORT

    def spends(self, review_round: ReviewRound, person: User) -> bool:
        """Whether reviewing it would bar `person` from a later blind solve that is asked for."""
        version = review_round.version
        return (
            not version.is_blind
            and version.shows_key
            and any(stage.is_blind for stage in self._list_later(review_round))
            and self._is_fresh(review_round, person)
        )

    def _is_to_be_solved(self, review_round: ReviewRound) -> bool:
        later = self._list_later(review_round)
        return review_round.version.is_blind or any(stage.is_blind for stage in later)

    def _list_later(self, review_round: ReviewRound) -> list[Stage]:
        stages = self.stages[review_round.version.stage.pipeline_id]
        return [stage for stage in stages if stage.place > review_round.number]

    def _list_demands(self, review_round: ReviewRound) -> list[Demand]:
        later = [stage.demand for stage in self._list_later(review_round)]
        # Nobody more is asked to review what waits for a decision.
        return later if review_round.pk in self.splits else [self._describe(review_round), *later]

    def _describe(self, review_round: ReviewRound) -> Demand:
        """Return what is left to be asked for in the open round."""
        version = review_round.version
        given = self.reviewed[review_round.pk]
        left = max(1, review_round.reviews_needed - len(given))
        if not version.is_blind:
            return Demand(left, shows_key=version.shows_key, done=self._count_done(review_round))
        solves = self.solved[review_round.pk]
        agreeing = sum(outcome == SolveOutcome.AGREES for outcome in solves.values())
        # Who has solved it and not reviewed it yet still does, and was shown the answer for it.
        begun = len(solves.keys() - given)
        wanted = max(review_round.reviews_needed - len(given) - begun, 0)
        return Demand(max(wanted, version.solves_needed - agreeing), is_blind=True)

    def _count_done(self, review_round: ReviewRound) -> int:
        may_review = {person.pk for person in self.people if self._may(review_round, person)}
        return len(self.reviewed[review_round.pk] & may_review)

    def _count(self, review_round: ReviewRound) -> tuple[int, int]:
        """Count who may review the problem and has not been shown its answer, and who has."""
        if review_round.pk not in self.counts:
            may_review = [person for person in self.people if self._may(review_round, person)]
            fresh = sum(self._is_fresh(review_round, person) for person in may_review)
            self.counts[review_round.pk] = fresh, len(may_review) - fresh
        return self.counts[review_round.pk]

    def _may(self, review_round: ReviewRound, person: User) -> bool:
        problem = review_round.revision.problem
        return (
            person.has_role(Role.REVIEWER)
            and not self.interests.had_part(problem, person)
            and not self.interests.has_conflict(problem, person)
        )

    def _is_fresh(self, review_round: ReviewRound, person: User) -> bool:
        # An admin can read every answer at any time.
        seen = (review_round.revision.problem_id, person.pk) in self.seen
        return not seen and not person.has_role(Role.ADMIN)


def list_queue(user: User) -> ReviewRoundQuerySet:
    """Return what `user` is to do next: what they are assigned, then what they may take."""
    asked = Q(pk__in=_list_held(user))
    return (
        list_awaiting(user)
        .with_places()
        .annotate(is_asked=ExpressionWrapper(asked, BooleanField()))
        .filter(Q(is_asked=True) | Q(free__gt=0))
        .order_by("-is_asked", "opened_at", "pk")
    )


def list_takeable(user: User) -> ReviewRoundQuerySet:
    """Return the rounds with a place that `user` may take from the open queue."""
    found = (
        list_awaiting(user).filter(version__is_open_to_all=True).exclude(pk__in=_list_held(user))
    )
    return found.with_free_places()


def list_to_look_after(user: User) -> ReviewRoundQuerySet:
    """Return what the queue shows: what may be taken; all that waits to who is no reviewer."""
    if user.has_role(Role.REVIEWER):
        return list_takeable(user)
    return ReviewRound.objects.open().with_places()


def list_assignable(user: User) -> ReviewRoundQuerySet:
    """Return the open rounds that `user` can be given: nothing but an assignment is missing."""
    found = without_conflict(list_unreviewed(user), user)
    return found.exclude(pk__in=_list_held(user))


def _list_held(user: User) -> QuerySet[Any, Any]:
    """Return the rounds that `user` is assigned, for queries."""
    return Assignment.objects.open().filter(reviewer=user).values("round")


def can_assign(user: User) -> bool:
    """Whether `user` says who reviews what."""
    return user.has_role(Role.ADMIN)


def list_conflicting(user: User) -> AssignmentQuerySet:
    """Return the assignments of `user` that they are in conflict with."""
    free = without_conflict(ReviewRound.objects.all(), user)
    return Assignment.objects.filter(reviewer=user).exclude(round__in=free.values("pk"))


def can_take_back(user: User, assignment: Assignment) -> bool:
    """Whether `user`, an admin, may take it back: not from a problem that they had a part in."""
    problem = assignment.round.revision.problem
    is_own = assignment.reviewer_id == user.pk
    return is_own or not Interests({problem.pk}, [user]).had_part(problem, user)


def can_decline(user: User, assignment: Assignment) -> bool:
    return assignment.reviewer_id == user.pk
