"""Who may open and review a round, and who reads what was said in it."""

from collections.abc import Iterable

from django.db.models import Exists, OuterRef, Q

from curation.problems.exposures.models import Exposure, could_know_key
from curation.problems.models import Problem, Revision
from curation.problems.people.models import list_colleagues, list_written
from curation.problems.permissions import can_see_key, had_part, is_in_charge, is_writer
from curation.reviewing.pipelines.models import Stage
from curation.reviewing.rounds.models import ReviewRound, ReviewRoundQuerySet
from curation.texts.workflow import Status
from phybench.people.models import Role, User


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


def can_review(user: User, review_round: ReviewRound) -> bool:
    """Whether `user` may review this round now, or has and may change what they said."""
    return list_reviewable(user).filter(pk=review_round.pk).exists()


def list_reviewable(user: User) -> ReviewRoundQuerySet:
    """
    Return the open rounds that `user` may review now, or has reviewed and may change.

    A split waits for a decision: only who is asked, or has begun, says something more.
    """
    asked = Q(pk__in=user.assignments.open().values("round"))
    begun = Q(pk__in=user.reviews.values("round")) | Q(pk__in=user.blind_solves.values("round"))
    to_all = Q(version__is_open_to_all=True) & ~Q(pk__in=ReviewRound.objects.split())
    found = _list_possible(user).filter(to_all | asked | begun)
    return without_conflict(found, user)


def list_awaiting(user: User) -> ReviewRoundQuerySet:
    """Return the open rounds that `user` may review now, and has not reviewed."""
    return list_reviewable(user).exclude(reviews__reviewer=user)


def is_asked(user: User, problem: Problem) -> bool:
    """
    Whether `user` may still be the next to review this problem.

    That somebody else is assigned, or they are in conflict, may change before the round closes.
    """
    return list_unreviewed(user).filter(revision__problem=problem).exists()


def list_unreviewed(user: User) -> ReviewRoundQuerySet:
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
    found = without_part_of(ReviewRound.objects.open(), user)
    if not user.has_role(Role.ADMIN):
        found = found.exclude(revision__in=weighed.values("revision"))
    return found.filter(Q(version__is_blind=False) | solved | not_seen)


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
