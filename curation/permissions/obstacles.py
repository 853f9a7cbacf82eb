"""Say why somebody can’t be given a round."""

from collections.abc import Collection

from curation.exposures.models import Exposure
from curation.permissions.people import Interests
from curation.reviewing.assignments.models import Assignment
from curation.reviewing.rounds.models import BlindSolve, Review, ReviewRound
from phybench.models import Role, User
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
            revision__problem__in=problems, person__in=people
        )
        found = set(seen.values_list("revision__problem", "revision", "person", "reason"))
        self.seen = {(problem, person) for problem, _revision, person, _reason in found}
        # Who decides between reviews is shown the answer with them.
        weighing = Exposure.Reason.ADJUDICATE
        self.weighed = {(revision, person) for _, revision, person, why in found if why == weighing}
        of_rounds = {"round__in": rounds, "reviewer__in": people}
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
        if of_round in self.reviewed:
            return "has_reviewed"
        if of_round in self.asked:
            return "is_assigned"
        weighed = (review_round.revision_id, person.pk) in self.weighed
        if weighed and not person.has_role(Role.ADMIN):
            return "has_read_reviews"
        if review_round.version.is_blind and of_round not in self.solved:
            if of_problem in self.seen:
                return "has_seen_answer"
            if person.has_role(Role.ADMIN):
                return "sees_answers"
        return ""
