"""What people do with answers: answer outside studies, have answers graded again."""

from collections.abc import Iterable

from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from curation.problems.models import Revision
from curation.versions.permissions import may_answer
from grading.answers.models import Attempt, AttemptQuerySet
from grading.answers.permissions import list_own_answers
from grading.answers.tasks import GRADING
from grading.solvers.models import Solver
from phybench.people.models import User
from phybench.work.models import Priority
from phybench.work.tasks import wake


class CannotAnswer(Exception):
    """A problem that is not theirs to answer; the message says why."""


@transaction.atomic
def answer(*, revision: Revision, person: User, response: str) -> Attempt:
    """
    Take a person's answer outside studies and queue it for grading.

    Raises:
        CannotAnswer: they may not answer this problem, or have answered it.
    """
    if not may_answer(person, revision):
        raise CannotAnswer(
            _(
                "You can’t answer this problem: you worked on it, have seen its "
                "reference answer, or it is not open."
            )
        )
    solver = _find_solver(person)
    if list_own_answers(person).filter(revision__problem=revision.problem_id).exists():
        # Also where it was corrected since: they know how their first answer was graded.
        raise CannotAnswer(_("You have answered this problem already."))
    try:
        with transaction.atomic():
            attempt = _queue(solver, revision, response, Attempt.Origin.OUTSIDE)
    except IntegrityError:
        raise CannotAnswer(_("You have answered this problem already.")) from None
    wake(GRADING, [attempt])
    return attempt


def take_answer(*, revision: Revision, person: User, response: str) -> Attempt:
    """
    Take what a person wrote in a session, which has asked beforehand what they may answer.

    Where they have answered the problem elsewhere meanwhile, that answer stands.
    """
    solver = _find_solver(person)
    there = _list_counting(solver, revision).first()
    attempt = there or _queue(solver, revision, response, Attempt.Origin.STUDY)
    wake(GRADING, [attempt])
    return attempt


def replace_answer(*, revision: Revision, person: User, response: str) -> Attempt:
    """
    Take another answer of a session in place of the one that counts, for who holds the session.

    That one stays as it is, with its grade, and counts no more.
    """
    solver = _find_solver(person)
    before = _list_counting(solver, revision).select_for_update(no_key=True)
    Attempt.objects.filter(pk__in=[one.pk for one in before]).update(
        status=Attempt.Status.CANCELLED,
        lease_until=None,
        next_at=None,
        failure_reason="",
        failure_message=None,
        told_at=None,
    )
    attempt = _queue(solver, revision, response, Attempt.Origin.STUDY)
    wake(GRADING, [attempt])
    return attempt


def _list_counting(solver: Solver, revision: Revision) -> AttemptQuerySet:
    return Attempt.objects.counting().filter(solver=solver, revision=revision, submission=None)


def _find_solver(person: User) -> Solver:
    solver, _created = Solver.objects.get_or_create(
        user=person,
        defaults={"name": str(person), "kind": Solver.Kind.HUMAN, "is_demo": person.is_demo},
    )
    return solver


def _queue(solver: Solver, revision: Revision, response: str, origin: Attempt.Origin) -> Attempt:
    return Attempt.objects.create(
        solver=solver,
        revision=revision,
        response=response,
        origin=origin,
        priority=Priority.NOW,
    )


@transaction.atomic
def try_again(*, attempts: Iterable[Attempt]) -> int:
    """Queue again what could not be graded; return how many."""
    failed = Attempt.objects.select_for_update().filter(
        pk__in=[attempt.pk for attempt in attempts], status=Attempt.Status.FAILED
    )
    return queue_again(failed.order_by("pk"))


def queue_again(attempts: Iterable[Attempt]) -> int:
    """Queue settled attempts for another grading; return how many. Whoever calls holds them."""
    again = list(attempts)
    Attempt.objects.filter(pk__in=[attempt.pk for attempt in again]).update(
        status=Attempt.Status.QUEUED,
        failure_reason="",
        failure_message=None,
        lost=0,
        queued_at=timezone.now(),
    )
    wake(GRADING, again)
    return len(again)
