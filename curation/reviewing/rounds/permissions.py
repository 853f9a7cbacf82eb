"""
Who may open and review a round, and who reads what was said in it.

Who may be given a round is said by `Standing` alone: for the queue, for assigning, for staffing.
"""

from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from django.db.models import QuerySet, Value
from django.http import Http404
from django.shortcuts import get_object_or_404

from curation.problems.benchmarks.places import place_at
from curation.problems.exposures.models import Exposure
from curation.problems.models import Placeholder, Problem, among, find_facts
from curation.problems.permissions import (
    MINDS,
    PEOPLE,
    PROBLEMS,
    can_see_key,
    find_colleagues,
    had_part,
    is_in_charge,
    is_writer,
    list_interests,
)
from curation.reviewing.rounds.models import Review, ReviewRound, ReviewRoundQuerySet
from curation.reviewing.rounds.solves.models import BlindSolve
from curation.texts.workflow import Status
from phybench.people.http import MemberRequest
from phybench.people.models import Role, User
from phybench_grader.numbers.sentences import Sentence

OWN = frozenset({"has_reviewed", "is_assigned"})
"""What bars nobody from reviewing a round: it is theirs already."""
OF_PROBLEM = ("had_part", "of_institution", "in_conflict", "has_seen")
OF_ROUND = ("has_read_reviews", "has_solved", "has_reviewed", "is_assigned")
"""What `Standing` says of the problem, and of the round, by its names."""
PASSING = frozenset({"of_institution", "in_conflict"})
"""What may change before the round closes."""


@dataclass(frozen=True, slots=True)
class Standing:
    """How somebody stands to a problem, and to a round of it."""

    is_reviewer: bool = True
    is_admin: bool = False
    had_part: bool = False
    of_institution: bool = False
    in_conflict: bool = False
    has_seen: bool = False
    """Something that tells the answer, of whichever revision."""
    across_demo: bool = False
    """One of the two is of the demo, whose people keep to themselves: nobody counts on them."""
    has_read_reviews: bool = False
    has_solved: bool = False
    has_reviewed: bool = False
    is_assigned: bool = False

    @property
    def has_begun(self) -> bool:
        return self.has_solved or self.has_reviewed

    @property
    def is_free(self) -> bool:
        """Whether they had no part in the problem, and are in no conflict with it."""
        return not self.had_part and not self.in_conflict

    @property
    def is_fresh(self) -> bool:
        """Whether they could solve it blind; an admin can read every answer at any time."""
        return not self.has_seen and not self.is_admin

    def list_obstacles(self, *, is_blind: bool) -> Iterator[str]:
        """Say why they can't be given a round, by codes of `records.OBSTACLES`; the worst first."""
        if not self.is_reviewer:
            yield "no_reviewer"
        if self.had_part:
            yield "had_part"
        if self.of_institution:
            yield "of_institution"
        elif self.in_conflict:
            yield "in_conflict"
        # Who decides between reviews is shown the answer with them.
        if self.has_read_reviews and not self.is_admin:
            yield "has_read_reviews"
        if is_blind and not self.has_solved and self.has_seen:
            yield "has_seen_answer"
        elif is_blind and not self.has_solved and self.is_admin:
            yield "sees_answers"
        if self.has_reviewed:
            yield "has_reviewed"
        if self.is_assigned:
            yield "is_assigned"

    @property
    def is_counted_on(self) -> bool:
        """Whether they may review the problem in some stage, and can be expected to."""
        return not self.across_demo and not set(self.list_obstacles(is_blind=False)) - OWN


ROUNDS = Placeholder("rounds")


def _list_facts() -> list[QuerySet[Any, Any]]:
    seen = Exposure.objects.telling_key().filter(
        revision__problem__in=PROBLEMS(), person__in=PEOPLE()
    )
    weighed = seen.filter(reason=Exposure.Reason.ADJUDICATE, revision__round__in=ROUNDS())
    rounds = ReviewRound.objects.filter(pk__in=ROUNDS())
    asked = rounds.filter(assignments__state="OPEN", assignments__reviewer__in=PEOPLE())
    of_rounds, pair = {"round__in": ROUNDS(), "reviewer__in": PEOPLE()}, ("round", "reviewer")
    return [
        *list_interests(),
        seen.order_by().values_list("revision__problem", "person", Value("has_seen")),
        weighed.order_by().values_list("revision__round", "person", Value("has_read_reviews")),
        BlindSolve.objects.filter(**of_rounds).values_list(*pair, Value("has_solved")),
        Review.objects.filter(**of_rounds).values_list(*pair, Value("has_reviewed")),
        asked.values_list("pk", "assignments__reviewer", Value("is_assigned")),
        rounds.open().values_list("pk", Value(0), Value("is_open")),
        rounds.split().values_list("pk", Value(0), Value("is_split")),
    ]


class Eligibility:
    """How each of these people stands to each of these rounds, in one query or four."""

    def __init__(self, rounds: Collection[ReviewRound], people: Collection[User]) -> None:
        self.facts = find_facts(
            _list_facts,
            problems={one.revision.problem_id for one in rounds},
            people=[one.pk for one in people],
            rounds=[one.pk for one in rounds],
        )
        if any(word == MINDS for _problem, _nobody, word in self.facts):
            self.facts |= find_colleagues(self.facts, people)

    def stand(self, review_round: ReviewRound, person: User) -> Standing:
        problem = review_round.revision.problem_id
        return Standing(
            is_reviewer=person.has_role(Role.REVIEWER),
            is_admin=person.has_role(Role.ADMIN),
            across_demo=person.is_demo is not ((problem, 0, "of_demo") in self.facts),
            **{one: (problem, person.pk, one) in self.facts for one in OF_PROBLEM},
            **{one: (review_round.pk, person.pk, one) in self.facts for one in OF_ROUND},
        )

    def list_obstacles(self, review_round: ReviewRound, person: User) -> list[str]:
        if (review_round.pk, 0, "is_open") not in self.facts:
            return ["round_closed"]
        standing = self.stand(review_round, person)
        return list(standing.list_obstacles(is_blind=review_round.version.is_blind))

    def can_have(
        self, review_round: ReviewRound, person: User, *, but: Collection[str] = ()
    ) -> bool:
        """Whether nothing but this bars them from the round."""
        return not {*self.list_obstacles(review_round, person)} - {*but}

    def can_be_asked(self, review_round: ReviewRound, person: User) -> bool:
        """Whether nothing but an assignment is missing, and they can be expected to review it."""
        can_have = self.can_have(review_round, person)
        return can_have and self.stand(review_round, person).is_counted_on

    def can_review(self, review_round: ReviewRound, person: User) -> bool:
        """
        Whether they may review it now, or have and may change what they said.

        A split waits for a decision: only who is asked, or has begun, says something more.
        """
        if not self.can_have(review_round, person, but=OWN):
            return False
        standing = self.stand(review_round, person)
        is_split = (review_round.pk, 0, "is_split") in self.facts
        is_open_to_all = review_round.version.is_open_to_all and not is_split
        return is_open_to_all or standing.has_begun or standing.is_assigned

    def find_obstacle(self, review_round: ReviewRound, person: User) -> Sentence | None:
        """Say in a few words why they can't be given it, or None where nothing is in the way."""
        codes = self.list_obstacles(review_round, person)
        return Sentence(codes[0]) if codes else None


def can_open(user: User, review_round: ReviewRound) -> bool:
    """Whether a round is no secret to `user`, a reviewer who had no part in the problem."""
    return user.has_role(Role.REVIEWER) and not had_part(user, review_round.revision.problem)


def get_round(request: MemberRequest, pk: int) -> ReviewRound:
    """Return a round that is no secret to who asks, or raise that there is none."""
    rounds = ReviewRound.objects.select_related(
        "revision__problem__author", "revision__problem__benchmark", "version__stage"
    ).prefetch_related("revision__problem__credits")
    review_round = get_object_or_404(rounds, pk=pk)
    if not can_open(request.user, review_round):
        raise Http404
    place_at(request, review_round.revision.problem.benchmark_id)
    return review_round


def must_solve(user: User, review_round: ReviewRound) -> bool:
    """Whether `user` is to solve it blind before they review it."""
    return review_round.version.is_blind and not review_round.solves.filter(reviewer=user).exists()


def shows_key(user: User, review_round: ReviewRound) -> bool:
    """Whether the page of a review shows the key to `user`, who has not to solve it first."""
    return review_round.version.shows_key or can_see_key(user, review_round.revision.problem)


def can_review(user: User, review_round: ReviewRound) -> bool:
    """Whether `user` may review this round now, or has and may change what they said."""
    if review_round.closed_at is not None or not user.has_role(Role.REVIEWER):
        return False
    return Eligibility([review_round], [user]).can_review(review_round, user)


def list_awaiting(user: User, rounds: ReviewRoundQuerySet | None = None) -> ReviewRoundQuerySet:
    """Return the open rounds that `user` may review now, and has not reviewed; of all, or these."""
    if not user.has_role(Role.REVIEWER):
        return ReviewRound.objects.none()

    def awaits(eligibility: Eligibility, one: ReviewRound) -> bool:
        return eligibility.can_review(one, user) and not eligibility.stand(one, user).has_reviewed

    return choose(user, rounds, awaits)


def is_asked(user: User, problem: Problem) -> bool:
    """
    Whether `user` may still be the next to review this problem.

    That somebody else is assigned, or they are in conflict, may change before the round closes.
    """
    if not user.has_role(Role.REVIEWER) or problem.author_id == user.pk:
        return False
    rounds = ReviewRound.objects.filter(revision__problem=problem)
    but = {"is_assigned", *PASSING}
    return bool(_choose(user, rounds, lambda facts, one: facts.can_have(one, user, but=but)))


StandingRule = Callable[[Eligibility, ReviewRound], bool]


def choose(
    user: User, rounds: ReviewRoundQuerySet | None, rule: StandingRule
) -> ReviewRoundQuerySet:
    """Return the open ones of these rounds, or of all, to which `user` stands as a rule says."""
    chosen = _choose(user, ReviewRound.objects.all() if rounds is None else rounds, rule)
    return ReviewRound.objects.filter(pk__in=among(chosen))


def _choose(user: User, rounds: ReviewRoundQuerySet, rule: StandingRule) -> list[int]:
    # Hundreds of rounds, of which little is asked.
    asked = ("revision__problem", "version__is_blind", "version__is_open_to_all")
    listed = list(rounds.open().order_by().select_related("revision", "version").only(*asked))
    eligibility = Eligibility(listed, [user])
    return [one.pk for one in listed if rule(eligibility, one)]


def list_given(user: User) -> ReviewRoundQuerySet:
    """Return the open rounds that `user` has reviewed, where they are not in conflict since."""
    given = ReviewRound.objects.reviewed_by(user)
    return choose(user, given, lambda facts, one: not facts.stand(one, user).in_conflict)


def find_split(user: User, problem: Problem) -> ReviewRound | None:
    """
    Return the round of this problem that is split, if that is no secret to `user`.

    Its writers, admins and who has reviewed in it are told; not who may still come to review it.
    """
    if problem.status != Status.IN_REVIEW:
        return None
    found = ReviewRound.objects.split().filter(revision__problem=problem)
    return (found if is_in_charge(user, problem) else found.reviewed_by(user)).first()


def choose_readable(
    user: User, problem: Problem, rounds: Iterable[ReviewRound]
) -> list[ReviewRound]:
    """
    Return those of a problem's rounds whose reviews and solves `user` may read.

    They could sway those to come. Writers read them once the round is closed. Reviewers as well,
    and some rounds show them to whoever has reviewed; but nobody who may still be the next to
    review the problem reads any.
    """
    if user.has_role(Role.ADMIN):
        return list(rounds)
    closed = [one for one in rounds if one.closed_at is not None]
    if is_writer(user, problem):
        return closed
    # Who has another part in it, as a translator, is no judge of it.
    if had_part(user, problem) or not can_see_key(user, problem) or is_asked(user, problem):
        return []
    own = set(user.reviews.filter(round__revision__problem=problem).values_list("round", flat=True))
    return [one for one in rounds if one in closed or (one.shows_others_early and one.pk in own)]


def can_see_stages(user: User, problem: Problem) -> bool:
    """Whether `user` may see how far the problem has come in review, without any verdict."""
    return (
        user.has_role(Role.REVIEWER) or is_in_charge(user, problem)
    ) and problem.status != Status.DRAFT


def can_see_notes(user: User, problem: Problem) -> bool:
    """Whether `user` may read what the history says of each step, verdicts and all."""
    if is_in_charge(user, problem):
        return True
    return can_see_key(user, problem) and not is_asked(user, problem)
