"""Who is given which review or may take it from the open queue, and what that leaves to solve."""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from itertools import islice
from typing import Any

from django.db.models import BooleanField, Count, ExpressionWrapper, Q, QuerySet

from curation.problems.benchmarks.models import Benchmark
from curation.problems.models import among
from curation.problems.permissions import Interests
from curation.reviewing.assignments import loads
from curation.reviewing.pipelines.models import Stage
from curation.reviewing.rounds.models import (
    Assignment,
    AssignmentQuerySet,
    Review,
    ReviewRound,
    ReviewRoundQuerySet,
    SetAside,
)
from curation.reviewing.rounds.permissions import Eligibility, choose, list_awaiting
from curation.reviewing.rounds.solves.models import BlindSolve
from curation.texts.prospects import Demand, Outlook, Supply, forecast
from curation.texts.workflow import SolveOutcome
from phybench.people.models import Role, User
from phybench.people.permissions import list_reviewers

NOTHING = Q(pk__in=[])
NOBODY: Mapping[int, int] = {}
FEW = 8
"""People among whom nearly every round finds enough: only for the others all are looked at."""


class Prospects:
    """
    What becomes of each of these open rounds with the reviewers there are, in a fixed number of
    queries.
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
        self.people: Sequence[User] = []
        # Of the others nothing has to be known.
        if to_solve := [one for one in rounds if self._is_to_be_solved(one)]:
            self.people = list(list_reviewers()) if people is None else people
        self.eligibility = Eligibility(to_solve, self.people)
        self.counts: dict[int, tuple[int, int]] = {}
        aside = set(SetAside.objects.filter(round__in=to_solve).values_list("round", "person"))
        self.reviewed: dict[int, set[int]] = defaultdict(set)
        given = Review.objects.filter(round__in=to_solve).values_list("round", "reviewer")
        for round_pk, reviewer in given:
            if (round_pk, reviewer) not in aside:
                self.reviewed[round_pk].add(reviewer)
        self.solved: dict[int, dict[int, str]] = defaultdict(dict)
        solves = BlindSolve.objects.filter(round__in=to_solve)
        for round_pk, reviewer, outcome in solves.values_list("round", "reviewer", "outcome"):
            if (round_pk, reviewer) not in aside:
                self.solved[round_pk][reviewer] = outcome

    def find(self, review_round: ReviewRound, joining: int = 0) -> Outlook | None:
        """
        Say how many could still solve it blind; None where that is not asked for any more.

        Args:
            joining: people who are invited to review and have not joined yet.
        """
        if not self._is_to_be_solved(review_round):
            return None
        fresh, informed = self._count(review_round)
        demands = self._list_demands(review_round)
        return forecast(demands, fresh=fresh + joining, informed=informed)

    def is_under_way(self, review_round: ReviewRound) -> bool:
        """Whether who has solved it and is yet to review it may still settle it."""
        given, solves = self.reviewed[review_round.pk], self.solved[review_round.pk]
        begun = solves.keys() - given
        return bool(begun) and len(given) + len(begun) >= review_round.reviews_needed

    def find_after(self, review_round: ReviewRound, person: User) -> Outlook | None:
        """Say how many could still solve it blind once `person` was shown the answer by it."""
        if not self.spends(review_round, person):
            return self.find(review_round)
        fresh, informed = self._count(review_round)
        return forecast(self._list_demands(review_round), fresh=fresh - 1, informed=informed + 1)

    def is_needed(self, review_round: ReviewRound, person: User) -> bool:
        """Whether too few could solve the problem blind once `person` was shown its answer."""
        if not self.spends(review_round, person):
            return False
        after = self.find_after(review_round, person)
        return after is not None and after.supply is Supply.SHORT

    def spends(self, review_round: ReviewRound, person: User) -> bool:
        """Whether reviewing it would bar `person` from a later blind solve that is asked for."""
        version = review_round.version
        return (
            not version.is_blind
            and version.shows_key
            and any(stage.is_blind for stage in self._list_later(review_round))
            and self.eligibility.stand(review_round, person).is_fresh
        )

    def is_last(self, review_round: ReviewRound) -> bool:
        """Whether no stage comes after this round's."""
        return not self._list_later(review_round)

    def find_smaller(self, review_round: ReviewRound) -> tuple[int, int] | None:
        """
        Return with how many reviews and agreeing solves the round could do; None if it can't.

        (0, 0) is without its stage: what that shows would cost a solver who is needed later.
        """
        asked = self._describe(review_round)
        later = [stage.demand for stage in self._list_later(review_round)]
        fresh, informed = self._count(review_round)
        given = self.reviewed[review_round.pk]
        if not review_round.version.is_blind:
            goes_on = forecast(later, fresh=fresh, informed=informed)
            can_skip = asked.shows_key and goes_on is not None and goes_on.possible > 0
            return (0, 0) if can_skip else None
        solves = self.solved[review_round.pk]
        agreeing = sum(outcome == SolveOutcome.AGREES for outcome in solves.values())
        if fresh >= asked.people or fresh + agreeing < 1:
            return None
        begun = len(solves.keys() - given)
        needed = min(review_round.agreeing_needed, agreeing + fresh)
        return max(1, min(review_round.reviews_needed, len(given) + begun + fresh)), needed

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
            return Demand(
                left,
                shows_key=version.shows_key,
                done=len(given & self._list_counted(review_round).keys()),
            )
        solves = self.solved[review_round.pk]
        agreeing = sum(outcome == SolveOutcome.AGREES for outcome in solves.values())
        # Who has solved it and not reviewed it yet still does, and was shown the answer for it.
        begun = len(solves.keys() - given)
        wanted = max(review_round.reviews_needed - len(given) - begun, 0)
        return Demand(max(wanted, review_round.agreeing_needed - agreeing), is_blind=True)

    def _list_counted(self, review_round: ReviewRound) -> dict[int, bool]:
        """Return who may review the problem, and whether each could still solve it blind."""
        stands = {one.pk: self.eligibility.stand(review_round, one) for one in self.people}
        return {pk: one.is_fresh for pk, one in stands.items() if one.is_counted_on}

    def _count(self, review_round: ReviewRound) -> tuple[int, int]:
        """Count who may review the problem and has not been shown its answer, and who has."""
        if review_round.pk not in self.counts:
            counted = self._list_counted(review_round)
            fresh = sum(counted.values())
            self.counts[review_round.pk] = fresh, len(counted) - fresh
        return self.counts[review_round.pk]


def list_queue(user: User) -> ReviewRoundQuerySet:
    """Return what `user` is to do next: what they are assigned, then what they may take."""
    asked = Q(pk__in=_list_held(user))
    return (
        _offer(user, list_awaiting(user), but=asked)
        .with_places()
        .annotate(is_asked=ExpressionWrapper(asked, BooleanField()))
        .filter(Q(is_asked=True) | Q(free__gt=0))
        .order_by("-is_asked", "spends", "opened_at", "pk")
    )


def list_takeable(user: User) -> ReviewRoundQuerySet:
    """Return the rounds with a place that `user` is offered from the open queue."""
    found = list_awaiting(user).filter(version__is_open_to_all=True)
    offered = _offer(user, found.exclude(pk__in=_list_held(user)))
    return offered.with_free_places()


def is_needed_blind(user: User, review_round: ReviewRound) -> bool:
    """Whether `user` must keep away from its answer, or nobody is left to solve it blind."""
    if review_round.version.is_blind or not review_round.version.shows_key:
        return False
    return Prospects([review_round]).is_needed(review_round, user)


def _offer(user: User, rounds: ReviewRoundQuerySet, *, but: Q = NOTHING) -> ReviewRoundQuerySet:
    """
    Leave out the rounds that would spend `user`, who is needed to solve one blind later.

    What spends somebody who is not needed comes last (`spends`). An admin, whom nothing spends, is
    offered what nobody else could be given without being spent.

    Args:
        but: what is theirs anyway.
    """
    is_admin = user.has_role(Role.ADMIN)
    showing = Q() if is_admin else Q(version__is_blind=False, version__shows_key=True)
    found = list(
        rounds.filter(showing & ~but)
        .select_related("revision__problem", "version__stage")
        # Hundreds of rounds, of which little is asked.
        .only(
            *("number", "reviews_needed", "solves_needed", "closed_at"),
            "revision__problem__author",
            *("version__is_blind", "version__shows_key", "version__solves_needed"),
            "version__stage__pipeline",
        )
    )
    prospects = Prospects(found)
    if is_admin:
        left_out = _list_left_to_others(found, prospects)
    else:
        left_out = [one.pk for one in found if prospects.is_needed(one, user)]
    spending = [one.pk for one in found if prospects.spends(one, user)]
    return rounds.exclude(pk__in=among(left_out)).annotate(
        spends=ExpressionWrapper(Q(pk__in=spending), BooleanField())
    )


def _list_left_to_others(rounds: Sequence[ReviewRound], prospects: Prospects) -> list[int]:
    """List what somebody who is no admin can be given without being spent."""
    others = [one for one in list_reviewers() if not one.has_role(Role.ADMIN)] if rounds else []
    eligibility = Eligibility(rounds, others)
    return [
        one.pk
        for one in rounds
        if any(
            eligibility.can_be_asked(one, person) and not prospects.is_needed(one, person)
            for person in others
        )
    ]


def list_to_look_after(user: User) -> ReviewRoundQuerySet:
    """Return what the queue shows: what may be taken; all that waits to who is no reviewer."""
    if user.has_role(Role.REVIEWER):
        return list_takeable(user)
    return ReviewRound.objects.open().with_places()


def count_assignable(review_round: ReviewRound) -> int:
    """Count the people to whom nothing but an assignment of this round is missing."""
    people = list(list_reviewers())
    eligibility = Eligibility([review_round], people)
    return sum(eligibility.can_be_asked(review_round, person) for person in people)


def _list_held(user: User) -> QuerySet[Any, Any]:
    """Return the rounds that `user` is assigned, for queries."""
    return Assignment.objects.open().filter(reviewer=user).values("round")


def can_assign(user: User) -> bool:
    """Whether `user` says who reviews what."""
    return user.has_role(Role.ADMIN)


def list_conflicting(user: User) -> AssignmentQuerySet:
    """Return the open assignments of `user` that they are in conflict with."""
    held = ReviewRound.objects.filter(pk__in=_list_held(user))
    rounds = choose(user, held, lambda facts, one: facts.stand(one, user).in_conflict)
    return Assignment.objects.open().filter(reviewer=user, round__in=rounds)


def can_take_back(user: User, assignment: Assignment) -> bool:
    """Whether `user`, an admin, may take it back: not from a problem that they had a part in."""
    problem = assignment.round.revision.problem_id
    is_own = assignment.reviewer_id == user.pk
    return is_own or not Interests({problem}, [user]).had_part(problem, user)


def can_decline(user: User, assignment: Assignment) -> bool:
    return assignment.reviewer_id == user.pk


def list_stuck(
    rounds: ReviewRoundQuerySet | None = None, *, counts_invited: bool = False
) -> list[ReviewRound]:
    """
    List the open rounds that can't be finished as things are, the oldest first.

    Too few people are left to whom nothing but an assignment is missing, or who could solve it
    blind when it comes to that. How many reviews somebody holds does not matter here: they can be
    taken back, or come to their end. Who has solved it and is about to review it may settle it.

    Args:
        rounds: of which; of all where none are given.
        counts_invited: reviewers who are invited count as if they had joined.
    """
    found = list(
        (ReviewRound.objects.all() if rounds is None else rounds)
        .open()
        .with_free_places()
        .select_related("revision__problem", "version__stage")
        # Hundreds of rounds, of which little is asked.
        .only(
            *(
                "number",
                "reviews_needed",
                "solves_needed",
                "opened_at",
                "closed_at",
                "version__stage__pipeline",
            ),
            *(f"version__{name}" for name in ("is_blind", "shows_key", "solves_needed")),
            *(f"revision__problem__{one}" for one in ("author", "title", "language", "benchmark")),
        )
        .order_by("opened_at", "pk")
    )
    people = list(list_reviewers())
    few = [
        one
        for is_demo in (False, True)
        for one in islice((one for one in people if one.is_demo is is_demo), FEW)
    ]
    short = _list_short(_list_short(found, few), people)
    if counts_invited and short:
        benchmarks = {one.revision.problem.benchmark for one in short}
        joining = {one.pk: count_invited(one) for one in benchmarks}
        short = _list_short(short, people, joining) if any(joining.values()) else short
    return short


def count_invited(benchmark: Benchmark) -> int:
    """Count the people who are invited to review here and have not joined yet."""
    open_ones = benchmark.invitations.open().filter(roles__contains=[Role.REVIEWER])
    places = open_ones.annotate(joined=Count("people")).values_list("most", "joined")
    return sum(most - joined for most, joined in places)


def _list_short(
    rounds: list[Any], people: Sequence[User], joining: Mapping[int, int] = NOBODY
) -> list[ReviewRound]:
    """List those of rounds that too few of these people can finish, or can be given now."""
    if not rounds:
        return []
    eligibility, prospects = Eligibility(rounds, people), Prospects(rounds, people)
    declined = loads.list_declined(rounds)
    short = []
    for one in rounds:
        possible = (
            person
            for person in people
            if (one.pk, person.pk) not in declined
            and eligibility.can_be_asked(one, person)
            and not prospects.is_needed(one, person)
        )
        more = joining.get(one.revision.problem.benchmark_id, 0)
        outlook = prospects.find(one, more)
        is_short = outlook is not None and outlook.supply is Supply.SHORT
        is_short = is_short and not prospects.is_under_way(one)
        if is_short or len(list(islice(possible, one.free))) + more < one.free:
            short.append(one)
    return short
