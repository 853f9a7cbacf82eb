"""
Who may open and review a round, and who reads what was said in it.

Who may be given a round is said by `Standing` alone: for the queue, for assigning, for staffing.
"""

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass

from django.db.models import Exists, F, OuterRef, Q
from django.http import Http404
from django.shortcuts import get_object_or_404

from curation.problems.benchmarks.places import place_at
from curation.problems.exposures.models import Exposure
from curation.problems.models import Problem, Revision, among
from curation.problems.people.models import list_colleagues, list_written
from curation.problems.permissions import Interests, can_see_key, had_part, is_in_charge, is_writer
from curation.reviewing.rounds.models import BlindSolve, Review, ReviewRound, ReviewRoundQuerySet
from curation.texts.workflow import Status
from phybench.people.http import MemberRequest
from phybench.people.models import Role, User
from phybench_grader.numbers.sentences import Sentence

OWN = frozenset({"has_reviewed", "is_assigned"})
"""What bars nobody from reviewing a round: it is theirs already."""
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


class Eligibility:
    """How each of these people stands to each of these rounds, in a fixed number of queries."""

    def __init__(self, rounds: Collection[ReviewRound], people: Collection[User]) -> None:
        problems = {one.revision.problem_id for one in rounds}
        of_demo = Problem.objects.filter(pk__in=among(problems), benchmark__is_demo=True)
        self.of_demo = set(of_demo.values_list("pk", flat=True))
        self.interests = Interests(problems, people)
        seen = Exposure.objects.telling_key().filter(
            revision__problem__in=among(problems), person__in=people
        )
        found = set(seen.values_list("revision__problem", "revision", "person", "reason"))
        self.seen = {(problem, person) for problem, _revision, person, _reason in found}
        weighing = Exposure.Reason.ADJUDICATE
        self.weighed = {(revision, person) for _, revision, person, why in found if why == weighing}
        some = among(one.pk for one in rounds)
        of_rounds, pair = {"round__in": some, "reviewer__in": people}, ("round", "reviewer")
        self.solved = set(BlindSolve.objects.filter(**of_rounds).values_list(*pair))
        self.reviewed = set(Review.objects.filter(**of_rounds).values_list(*pair))
        asked = ReviewRound.objects.filter(
            pk__in=some, assignments__state="OPEN", assignments__reviewer__in=people
        )
        self.asked = set(asked.values_list("pk", F("assignments__reviewer")))

    def stand(self, review_round: ReviewRound, person: User) -> Standing:
        problem = review_round.revision.problem
        of_round = (review_round.pk, person.pk)
        return Standing(
            is_reviewer=person.has_role(Role.REVIEWER),
            is_admin=person.has_role(Role.ADMIN),
            had_part=self.interests.had_part(problem, person),
            of_institution=self.interests.shares_institution(problem, person),
            in_conflict=self.interests.has_conflict(problem, person),
            has_seen=(problem.pk, person.pk) in self.seen,
            across_demo=person.is_demo is not (problem.pk in self.of_demo),
            has_read_reviews=(review_round.revision_id, person.pk) in self.weighed,
            has_solved=of_round in self.solved,
            has_reviewed=of_round in self.reviewed,
            is_assigned=of_round in self.asked,
        )

    def list_obstacles(self, review_round: ReviewRound, person: User) -> list[str]:
        if review_round.closed_at is not None:
            return ["round_closed"]
        standing = self.stand(review_round, person)
        return list(standing.list_obstacles(is_blind=review_round.version.is_blind))

    def can_be_asked(self, review_round: ReviewRound, person: User) -> bool:
        """Whether nothing but an assignment is missing, and they can be expected to review it."""
        is_free = not self.list_obstacles(review_round, person)
        return is_free and self.stand(review_round, person).is_counted_on

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
    return list_reviewable(user, ReviewRound.objects.filter(pk=review_round.pk)).exists()


def list_reviewable(user: User, rounds: ReviewRoundQuerySet | None = None) -> ReviewRoundQuerySet:
    """
    Return the open rounds that `user` may review now, or has reviewed and may change.

    A split waits for a decision: only who is asked, or has begun, says something more.

    Args:
        rounds: of which; of all where none are given.
    """
    asked = Q(pk__in=user.assignments.open().values("round"))
    begun = Q(pk__in=user.reviews.values("round")) | Q(pk__in=user.blind_solves.values("round"))
    to_all = Q(version__is_open_to_all=True) & ~Q(pk__in=ReviewRound.objects.split())
    return choose_possible(user, rounds, OWN).filter(to_all | asked | begun)


def list_awaiting(user: User, rounds: ReviewRoundQuerySet | None = None) -> ReviewRoundQuerySet:
    """Return the open rounds that `user` may review now, and has not reviewed."""
    return list_reviewable(user, rounds).exclude(reviews__reviewer=user)


def is_asked(user: User, problem: Problem) -> bool:
    """
    Whether `user` may still be the next to review this problem.

    That somebody else is assigned, or they are in conflict, may change before the round closes.
    """
    rounds = ReviewRound.objects.filter(revision__problem=problem)
    return choose_possible(user, rounds, {"is_assigned", *PASSING}).exists()


def choose_possible(
    user: User, rounds: ReviewRoundQuerySet | None, but: Collection[str]
) -> ReviewRoundQuerySet:
    """Return the open ones of these rounds, or of all, that nothing but this bars `user` from."""
    if not user.has_role(Role.REVIEWER):
        return ReviewRound.objects.none()
    rounds = (ReviewRound.objects.all() if rounds is None else rounds).open()
    fit = [
        pk
        for pk, is_blind, standing in _list_standings(user, rounds)
        if not {*standing.list_obstacles(is_blind=is_blind)} - {*but}
    ]
    return ReviewRound.objects.filter(pk__in=among(fit))


def _list_standings(
    user: User, rounds: ReviewRoundQuerySet
) -> Iterator[tuple[int, bool, Standing]]:
    """Find how one person stands to many rounds: what `Eligibility` finds of many people."""
    seen = Exposure.objects.telling_key().filter(person=user)
    weighed = seen.filter(reason=Exposure.Reason.ADJUDICATE, revision=OuterRef("revision"))
    of_round = {"round": OuterRef("pk")}
    facts = rounds.order_by().values_list(
        "pk",
        "version__is_blind",
        Exists(seen.filter(revision__problem=OuterRef("revision__problem"))),
        Exists(weighed),
        Exists(user.blind_solves.filter(**of_round)),
        Exists(user.reviews.filter(**of_round)),
        Exists(user.assignments.open().filter(**of_round)),
    )
    without_part = set(without_part_of(rounds, user).values_list("pk", flat=True))
    free = set(without_conflict(rounds, user).values_list("pk", flat=True))
    for pk, is_blind, *known in facts:
        has_seen, has_read, has_solved, has_reviewed, is_assigned = known
        yield (
            pk,
            is_blind,
            Standing(
                is_admin=user.has_role(Role.ADMIN),
                had_part=pk not in without_part,
                in_conflict=pk not in free,
                has_seen=has_seen,
                has_read_reviews=has_read,
                has_solved=has_solved,
                has_reviewed=has_reviewed,
                is_assigned=is_assigned,
            ),
        )


def without_part_of(rounds: ReviewRoundQuerySet, person: User) -> ReviewRoundQuerySet:
    """Leave out what `person` wrote, or ever accepted a credit on."""
    # An admin may write a correction.
    wrote = Revision.writers.through.objects.filter(user=person).values("revision__problem")
    return (
        rounds.exclude(revision__problem__author=person)
        .exclude(revision__problem__in=person.credits.accepted().values("problem"))
        .exclude(revision__problem__in=wrote)
    )


def without_conflict(rounds: ReviewRoundQuerySet, person: User) -> ReviewRoundQuerySet:
    """
    Leave out what an admin has marked as a conflict for `person`.

    And what people wrote who share an institution of the last two years with them, in benchmarks
    that mind it.
    """
    conflicts = person.conflicts.current()
    authors = User.objects.filter(pk__in=conflicts.filter(author__isnull=False).values("author"))
    with_problems = conflicts.filter(problem__isnull=False).values("problem")
    found = rounds.exclude(revision__problem__in=with_problems).exclude(
        revision__problem__in=list_written(authors).values("pk")
    )
    of_colleagues = list_written(list_colleagues(person)).minding_institutions()
    return found.exclude(revision__problem__in=of_colleagues.values("pk"))


def list_given(user: User) -> ReviewRoundQuerySet:
    """Return the open rounds that `user` has reviewed, where they are not in conflict since."""
    return without_conflict(ReviewRound.objects.open().reviewed_by(user), user)


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
