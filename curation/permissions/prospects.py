"""How many people could still solve problems blind that are in review."""

from collections import defaultdict
from collections.abc import Collection, Sequence

from curation.exposures.models import Exposure
from curation.permissions.people import Interests, list_reviewers
from curation.prospects import Demand, Outlook, Supply, forecast
from curation.reviewing.pipelines.models import Stage
from curation.reviewing.rounds.models import BlindSolve, Review, ReviewRound
from curation.workflow import SolveOutcome
from phybench.models import Role, User


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
        given = Review.objects.filter(round__in=rounds).values_list("round", "reviewer")
        for round_pk, reviewer in given:
            self.reviewed[round_pk].add(reviewer)
        self.solved: dict[int, dict[int, str]] = defaultdict(dict)
        solves = BlindSolve.objects.filter(round__in=rounds)
        for round_pk, reviewer, outcome in solves.values_list("round", "reviewer", "outcome"):
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


def count_solvers() -> int:
    """Count the reviewers who can be asked for blind solves at all: admins see every answer."""
    return sum(not person.has_role(Role.ADMIN) for person in list_reviewers())
