"""Who reviews, who reads what reviewers said, who decides, and why somebody cannot be asked."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from typing import Any

from django.db.models import BooleanField, Exists, ExpressionWrapper, OuterRef, Q, QuerySet

from curation.problems.exposures.models import Exposure, could_know_key
from curation.problems.models import Problem, Revision
from curation.problems.people.models import Credit
from curation.problems.permissions import Interests, can_see_key, had_part, is_in_charge, is_writer
from curation.reviewing.assignments.models import Assignment, AssignmentQuerySet
from curation.reviewing.pipelines.models import Stage
from curation.reviewing.rounds.models import BlindSolve, Review, ReviewRound, ReviewRoundQuerySet
from curation.texts.prospects import Demand, Outlook, Supply, forecast
from curation.texts.workflow import SolveOutcome, Status
from phybench.people.models import Role, User
from phybench.people.permissions import list_admins, list_reviewers
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


def can_review(user: User, review_round: ReviewRound) -> bool:
    """Whether `user` may review this round now, or has and may change what they said."""
    return list_reviewable(user).filter(pk=review_round.pk).exists()


def list_reviewable(user: User) -> ReviewRoundQuerySet:
    """
    Return the open rounds that `user` may review now, or has reviewed and may change.

    A split waits for a decision: only who is asked, or has begun, says something more.
    """
    asked = Q(pk__in=_list_held(user))
    begun = Q(pk__in=user.reviews.values("round")) | Q(pk__in=user.blind_solves.values("round"))
    to_all = Q(version__is_open_to_all=True) & ~Q(pk__in=ReviewRound.objects.split())
    found = _list_possible(user).filter(to_all | asked | begun)
    return _without_conflict(found, user)


def list_awaiting(user: User) -> ReviewRoundQuerySet:
    """Return the open rounds that `user` may review now, and has not reviewed."""
    return list_reviewable(user).exclude(reviews__reviewer=user)


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


def list_given(user: User) -> ReviewRoundQuerySet:
    """Return the open rounds that `user` has reviewed, where they are not in conflict since."""
    return _without_conflict(ReviewRound.objects.open().reviewed_by(user), user)


def list_assignable(user: User) -> ReviewRoundQuerySet:
    """Return the open rounds that `user` can be given: nothing but an assignment is missing."""
    found = _without_conflict(_list_unreviewed(user), user)
    return found.exclude(pk__in=_list_held(user))


def is_asked(user: User, problem: Problem) -> bool:
    """
    Whether `user` may still be the next to review this problem.

    That somebody else is assigned, or they are in conflict, may change before the round closes.
    """
    return _list_unreviewed(user).filter(revision__problem=problem).exists()


def _list_unreviewed(user: User) -> ReviewRoundQuerySet:
    """Return the open rounds that `user` may yet come to review, once somebody assigns them."""
    return _list_possible(user).exclude(reviews__reviewer=user)


def _list_possible(user: User) -> ReviewRoundQuerySet:
    """
    Return the open rounds that ask of `user` only what they can give.

    They had no part in them, and were not shown what others said to decide between them. And where
    a blind solve is asked for, they have given it or were not shown what tells the key.
    """
    if not user.has_role(Role.REVIEWER):
        return ReviewRound.objects.none()
    weighed = Exposure.objects.filter(person=user, reason=Exposure.Reason.ADJUDICATE)
    seen = Exposure.objects.telling_key().filter(
        person=user, revision__problem=OuterRef("revision__problem")
    )
    # An admin can read every key at any time.
    not_seen = Q(pk__in=[]) if user.has_role(Role.ADMIN) else Q(~Exists(seen))
    solved = Q(pk__in=user.blind_solves.values("round"))
    found = _without_part_of(ReviewRound.objects.open(), user)
    if not user.has_role(Role.ADMIN):
        found = found.exclude(revision__in=weighed.values("revision"))
    return found.filter(Q(version__is_blind=False) | solved | not_seen)


def _list_held(user: User) -> QuerySet[Any, Any]:
    """Return the rounds that `user` is assigned, for queries."""
    return Assignment.objects.open().filter(reviewer=user).values("round")


def _without_part_of(rounds: ReviewRoundQuerySet, person: User) -> ReviewRoundQuerySet:
    """Leave out what `person` wrote or was ever named on."""
    # An admin may write a correction.
    wrote = Revision.writers.through.objects.filter(user=person).values("revision__problem")
    return (
        rounds.exclude(revision__problem__author=person)
        .exclude(revision__problem__in=person.credits.values("problem"))
        .exclude(revision__problem__in=wrote)
    )


def _without_conflict(rounds: ReviewRoundQuerySet, person: User) -> ReviewRoundQuerySet:
    """
    Leave out what an admin has marked as a conflict for `person`.

    And what people of their institution wrote, in benchmarks that mind it.
    """
    conflicts = person.conflicts.current()
    authors = conflicts.filter(author__isnull=False).values("author")
    co_written = Credit.objects.of_co_authors().filter(person__in=authors)
    with_problems = conflicts.filter(problem__isnull=False).values("problem")
    found = (
        rounds.exclude(revision__problem__in=with_problems)
        .exclude(revision__problem__author__in=authors)
        .exclude(revision__problem__in=co_written.values("problem"))
    )
    if not person.institution:
        return found
    colleagues = User.objects.filter(institution__iexact=person.institution).values("pk")
    minded = Problem.objects.filter(benchmark__review_settings__institutions_conflict=True)
    theirs = Credit.objects.of_co_authors().filter(person__in=colleagues).values("problem")
    return found.exclude(
        revision__problem__in=minded.filter(Q(author__in=colleagues) | Q(pk__in=theirs))
    )


def can_open(user: User, review_round: ReviewRound) -> bool:
    """Whether a round is no secret to `user`, a reviewer who had no part in the problem."""
    return user.has_role(Role.REVIEWER) and not had_part(user, review_round.revision.problem)


def must_solve(user: User, review_round: ReviewRound) -> bool:
    """Whether `user` is to solve it blind before they review it."""
    return review_round.version.is_blind and not review_round.solves.filter(reviewer=user).exists()


def is_giving_up_solving(user: User, review_round: ReviewRound) -> bool:
    """Whether seeing the key now would bar `user` from a later blind solve."""
    version = review_round.version
    if version.is_blind or not version.shows_key or user.has_role(Role.ADMIN):
        return False
    blind = Stage.objects.filter(
        pipeline=version.stage.pipeline_id,
        place__gt=review_round.number,
        is_blind=True,
    )
    return blind.exists() and not could_know_key(user, review_round.revision.problem)


def shows_key(user: User, review_round: ReviewRound) -> bool:
    """Whether the page of a review shows the key to `user`, who has not to solve it first."""
    return review_round.version.shows_key or can_see_key(user, review_round.revision.problem)


def can_assign(user: User) -> bool:
    """Whether `user` says who reviews what."""
    return user.has_role(Role.ADMIN)


def list_conflicting(user: User) -> AssignmentQuerySet:
    """Return the assignments of `user` that they are in conflict with."""
    free = _without_conflict(ReviewRound.objects.all(), user)
    return Assignment.objects.filter(reviewer=user).exclude(round__in=free.values("pk"))


def can_decline(user: User, assignment: Assignment) -> bool:
    return assignment.reviewer_id == user.pk


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
        found = ReviewRound.objects.filter(pk__in=theirs)
    return _without_conflict(_without_part_of(found, user), user)


def list_splits() -> list[ReviewRound]:
    """Return all rounds that wait for a decision, the oldest first."""
    found = ReviewRound.objects.split().select_related("revision__problem__benchmark", "version")
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
