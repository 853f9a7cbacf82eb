"""Who reviews what: give, take, decline, take back, pass on; and who must not review what."""

from collections.abc import Iterable
from datetime import UTC, datetime, time, timedelta

from django.conf import settings
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from curation.problems.benchmarks.models import Benchmark
from curation.problems.models import Problem
from curation.problems.people.models import Conflict
from curation.problems.permissions import can_mark_conflict, is_own_conflict
from curation.reviewing.assignments import loads
from curation.reviewing.assignments.permissions import (
    can_assign,
    can_decline,
    can_take_back,
    is_needed_blind,
    list_conflicting,
)
from curation.reviewing.pipelines.models import Pipeline, ReviewSettings
from curation.reviewing.rounds.models import Assignment, ReviewRound, ReviewRoundQuerySet
from curation.reviewing.rounds.permissions import Eligibility
from curation.texts.sentences import translate
from curation.texts.workflow import NotAllowedNow
from phybench.people.models import User
from phybench.people.permissions import is_reviewer
from phybench_grader.numbers.sentences import Sentence

How, State = Assignment.How, Assignment.State
MOST_TRIED = 25
"""Rounds that `take_next` tries: as many would have to be taken by others in one moment."""


class Unassignable(NotAllowedNow):
    """A round that can't be given to somebody."""

    def __init__(self, why: Sentence) -> None:
        super().__init__(translate(why))
        self.why = why


class Exceeds(Unassignable):
    """More than a person is to hold, or than a round asks for: an admin may do so knowingly."""


class Full(NotAllowedNow):
    """Somebody who holds as many open assignments as they may."""


def hold_people(people: Iterable[User]) -> dict[int, User]:
    """
    Hold people's open assignments, and return the people as they are now, by primary key.

    What is counted of them stays so until the end of the transaction.

    Whoever holds problems as well holds those first, or two could wait for each other.
    """
    pks = [one.pk for one in people]
    held = User.objects.select_for_update(no_key=True).filter(pk__in=pks).order_by("pk")
    return {one.pk: one for one in held}


def check_admin(person: User) -> None:
    if not can_assign(person):
        raise NotAllowedNow(_("Only an admin says who reviews what."))


def give(
    review_round: ReviewRound,
    reviewer: User,
    *,
    how: str,
    by: User,
    due_at: datetime | None = None,
    exceeds: bool = False,
    instead_of: Assignment | None = None,
) -> Assignment:
    """Make an assignment; the caller holds the round's problem and the reviewer, fetched so."""
    related = ("revision__problem__benchmark", "version__stage")
    rounds = ReviewRound.objects.with_places().select_related(*related)
    review_round = rounds.get(pk=review_round.pk)
    if why := Eligibility([review_round], [reviewer]).find_obstacle(review_round, reviewer):
        raise refuse(review_round, reviewer, why)
    if not exceeds:
        load = loads.count_open([reviewer])[reviewer.pk]
        if loads.has_as_many_as_may(load):
            raise _say_full(reviewer, load, how)
        if review_round.free < 1:  # type: ignore[attr-defined]
            raise Exceeds(Sentence("round_full"))
    if due_at is None and (days := review_round.version.stage.due_days):
        due_at = _limit(timezone.now() + timedelta(days=days), review_round)
    return Assignment.objects.create(
        round=review_round,
        reviewer=reviewer,
        how=how,
        assigned_by=by,
        due_at=due_at,
        instead_of=instead_of,
    )


def _limit(due_at: datetime, review_round: ReviewRound) -> datetime:
    """Have what a stage allows end with the benchmark's deadline, where that is still to come."""
    deadline = review_round.revision.problem.benchmark.deadline
    if deadline is None or deadline < timezone.now().date():
        return due_at
    return min(due_at, datetime.combine(deadline, time(23, 59, 59), UTC))


def refuse(review_round: ReviewRound, reviewer: User, why: Sentence) -> Unassignable:
    title = review_round.revision.problem.title
    return Unassignable(Sentence.of("not_assignable", name=str(reviewer), title=title, why=why))


def _say_full(reviewer: User, load: int, how: str) -> NotAllowedNow:
    if how == How.TAKEN:
        text = ngettext(
            "You hold one open review, as many as one person may. Finish or decline it first.",
            "You hold %(count)d open reviews, as many as one person may. "
            "Finish or decline one first.",
            load,
        )
        return Full(text % {"count": load})
    code = "holds_one" if load == 1 else "holds_many"
    return Exceeds(Sentence.of(code, name=str(reviewer), count=str(load)))


@transaction.atomic
def assign(
    *,
    review_round: ReviewRound,
    reviewer: User,
    admin: User,
    due_at: datetime | None = None,
    exceeds: bool = False,
    instead_of: Assignment | None = None,
    reason: str = "",
) -> Assignment:
    """
    Ask a reviewer for a review, by hand.

    Args:
        due_at: otherwise as the stage says.
        exceeds: the admin knows that it is more than the person should hold or the round needs.
        instead_of: an assignment of the round that is taken back, for this reason; nothing that its
            reviewer wrote is touched, and if this one can't be made it stays as it was.

    Raises:
        Exceeds: it is more, and the admin does not say that they know.
        NotAllowedNow: the person can't review it; the message says why. Or as `revoke`.
    """
    check_admin(admin)
    review_round = review_round.locked()
    if instead_of:
        revoke(assignment=instead_of, admin=admin, reason=reason)
    held = hold_people([reviewer])[reviewer.pk]
    return give(
        review_round,
        held,
        how=How.BY_HAND,
        by=admin,
        due_at=due_at,
        exceeds=exceeds,
        instead_of=instead_of,
    )


@transaction.atomic
def take(*, review_round: ReviewRound, reviewer: User) -> Assignment:
    """
    Take a round from the open queue.

    Raises:
        Full: they hold as many as they may.
        NotAllowedNow: it is not open to them, or its last place was taken meanwhile.
    """
    review_round = review_round.locked()
    held = hold_people([reviewer])[reviewer.pk]
    if not review_round.version.is_open_to_all:
        raise NotAllowedNow(_("Only reviewers whom an admin asked can review this stage."))
    if is_needed_blind(reviewer, review_round):
        raise NotAllowedNow(
            _("This stage shows the answer, and you are needed to solve the problem blind later.")
        )
    try:
        return give(review_round, held, how=How.TAKEN, by=reviewer)
    except Exceeds:
        raise NotAllowedNow(
            _(
                "Someone else has just begun the last review that was needed here. Choose "
                "another problem."
            )
        ) from None


def take_next(*, queue: ReviewRoundQuerySet, reviewer: User) -> Assignment | None:
    """Take the first of these rounds that is still to be had; None where there is none."""
    for review_round in queue.select_related("revision__problem", "version")[:MOST_TRIED]:
        try:
            return take(review_round=review_round, reviewer=reviewer)
        except Full:
            raise
        except NotAllowedNow:
            # Somebody else was first.
            continue
    return None


def _hold(assignment: Assignment) -> Assignment:
    """Hold the problem of an assignment, and return the assignment as it is now, still open."""
    assignment.round.revision.problem.locked()
    found = Assignment.objects.select_related(
        "round__revision__problem", "round__version", "reviewer"
    )
    assignment = found.get(pk=assignment.pk)
    if assignment.state != State.OPEN:
        raise NotAllowedNow(
            _("This request is over: %(state)s.") % {"state": assignment.get_state_display()}
        )
    return assignment


@transaction.atomic
def decline(*, assignment: Assignment, reviewer: User, reason: str) -> None:
    """
    Give an assignment back, saying why; no rule offers it to the same person again.

    Raises:
        NotAllowedNow: it is not theirs, it is over, or no reason is given.
    """
    assignment = _hold(assignment)
    if not can_decline(reviewer, assignment):
        raise NotAllowedNow(_("Someone else is asked for this review."))
    if not reason.strip():
        raise NotAllowedNow(_("Say why you decline it."))
    Assignment.objects.filter(pk=assignment.pk).end(
        State.DECLINED, by=reviewer, reason=reason.strip()
    )


@transaction.atomic
def revoke(*, assignment: Assignment, admin: User, reason: str) -> None:
    """
    Take an assignment back; what its reviewer wrote stays theirs.

    Raises:
        NotAllowedNow: it is over, not theirs to take back, of a problem that they had a part in, or
            no reason is given.
    """
    check_admin(admin)
    assignment = _hold(assignment)
    if not can_take_back(admin, assignment):
        raise NotAllowedNow(_("You contributed to this problem. Ask another admin."))
    if not reason.strip():
        raise NotAllowedNow(_("Say why you withdraw it."))
    Assignment.objects.filter(pk=assignment.pk).end(State.REVOKED, by=admin, reason=reason.strip())


@transaction.atomic
def mark_conflict(
    *,
    person: User,
    admin: User,
    reason: str,
    problem: Problem | None = None,
    author: User | None = None,
) -> Conflict:
    """
    Say that a person must not judge a problem, or any problem of an author.

    What they are assigned of it is taken back; what they reviewed before stays.

    Raises:
        NotAllowedNow: it is marked already, not theirs to mark, about what they wrote, or no reason
            is given.
    """
    check_admin(admin)
    if not reason.strip():
        raise NotAllowedNow(_("Describe the conflict."))
    if author and author.pk == person.pk:
        raise NotAllowedNow(_("Authors never review their own problems."))
    if not can_mark_conflict(admin, person, problem, author):
        raise NotAllowedNow(_("You have a part in this. Ask another admin to mark it."))
    # Nobody assigns this person anything before it is marked.
    hold_people([person])
    conflict, is_new = Conflict.objects.get_or_create(
        person=person,
        problem=problem,
        author=author,
        lifted_at=None,
        defaults={"reason": reason.strip(), "marked_by": admin},
    )
    if not is_new:
        raise NotAllowedNow(_("This conflict is marked already."))
    message = Sentence("released_conflict")
    held = list_conflicting(person)
    held.end(State.REVOKED, by=admin, message=message, reason=conflict.reason)
    return conflict


@transaction.atomic
def lift_conflict(*, conflict: Conflict, admin: User) -> None:
    """
    Lift a conflict; that there was one is kept.

    Raises:
        NotAllowedNow: it is lifted already, or their own.
    """
    check_admin(admin)
    if is_own_conflict(admin, conflict):
        raise NotAllowedNow(_("Only another admin can lift your own conflict."))
    lifted = Conflict.objects.current().filter(pk=conflict.pk)
    if not lifted.update(lifted_at=timezone.now(), lifted_by=admin):
        raise NotAllowedNow(_("This conflict is lifted already."))


@transaction.atomic
def release(*, person: User, admin: User) -> int:
    """
    Take back what somebody is assigned who is no reviewer any more; return how much that was.

    The places are free again, and what they wrote stays theirs.
    """
    check_admin(admin)
    # Nobody assigns this person anything meanwhile.
    person = hold_people([person])[person.pk]
    if is_reviewer(person):
        return 0
    held = Assignment.objects.filter(reviewer=person)
    return held.end(State.REVOKED, by=admin, message=Sentence("released"))


@transaction.atomic
def release_conflicting(*, people: Iterable[User], by: User) -> int:
    """
    Take back what these people are assigned and, by their institution, must not review any more.

    Whoever says where somebody works may be that person: it is not theirs to leave it as it was.
    """
    message = Sentence("released_institution")
    held = hold_people(people).values()
    return sum(list_conflicting(one).end(State.REVOKED, by=by, message=message) for one in held)


def describe_settings(review: ReviewSettings) -> str:
    """Tell what an admin was shown from what another made of it since."""
    return f"{review.institutions_conflict} {review.pipeline_id}"


@transaction.atomic
def set_review(
    *,
    benchmark: Benchmark,
    by: User,
    pipeline: Pipeline | None,
    institutions_conflict: bool,
    known: str,
) -> int:
    """
    Say how a benchmark is reviewed; return how many open reviews are given back because of it.

    Args:
        known: `describe_settings` of what the admin was shown.

    Raises:
        NotAllowedNow: somebody else said otherwise meanwhile.
    """
    check_admin(by)
    # A row to hold: its pipeline may be given to it on that one's page meanwhile.
    ReviewSettings.objects.get_or_create(benchmark=benchmark)
    review = ReviewSettings.objects.select_for_update().get(benchmark=benchmark)
    if describe_settings(review) != known:
        raise NotAllowedNow(
            _("Somebody else changed this benchmark meanwhile. Look at it and save again.")
        )
    was_minded = review.institutions_conflict
    review.pipeline, review.institutions_conflict = pipeline, institutions_conflict
    review.save()
    if was_minded or not institutions_conflict:
        return 0
    holders = User.objects.filter(
        assignments__state="OPEN", assignments__round__revision__problem__benchmark=benchmark
    )
    return release_conflicting(people=holders.exclude(institution="").distinct(), by=by)


def say_cap() -> str:
    """Say how many open reviews one person may hold; "" where there is no limit."""
    most = settings.REVIEWS_OPEN_AT_MOST
    if not most:
        return ""
    return ngettext(
        "One person may hold %(count)d open review.",
        "One person may hold %(count)d open reviews.",
        most,
    ) % {"count": most}
