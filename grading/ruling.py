"""
People's rulings on answers: which wait for one, who may give it, and giving it.

Whoever rules sees the answer and the reference, and neither what judges said nor why it waits.
"""

from django.db import IntegrityError, transaction
from django.db.models import Exists, OuterRef, QuerySet
from django.utils.translation import gettext as _

from curation.models import Problem
from grading.models import Attempt, Judgement, JudgeRun, Ruling
from phybench.models import Role, User


class CannotRule(Exception):
    """A ruling can't be given; the message says why."""


def list_rulable(user: User) -> QuerySet[Attempt]:
    """
    Return the answers that `user` may rule on, whether or not they wait for it.

    To rule one has to see the reference: an admin does, and an evaluator where they write the
    problem. Nobody but an admin rules on what they handed in themselves.
    """
    found = Attempt.objects.filter(submission__isnull=False)
    if user.has_role(Role.ADMIN):
        return found
    if not user.has_role(Role.EVALUATOR):
        return found.none()
    theirs = Problem.objects.of(user)
    return found.filter(revision__problem__in=theirs).exclude(submission__uploaded_by=user)


def list_waiting(user: User) -> QuerySet[Attempt]:
    """Return those that a judge left in doubt, and that nobody could tell of yet."""
    doubted = (
        Judgement.objects.filter(attempt=OuterRef("pk"))
        .exclude(
            doubts=[],
        )
        .exclude(item__run__state=JudgeRun.State.CANCELLED)
    )
    rulings = Ruling.objects.filter(attempt=OuterRef("pk"))
    return (
        list_rulable(user)
        .filter(Exists(doubted), submission__withdrawn_at=None)
        .exclude(Exists(rulings.exclude(choice=Ruling.Choice.CANT_TELL)))
        .exclude(Exists(rulings.filter(ruled_by=user)))
        .select_related("revision__problem")
        .order_by("pk")
    )


def rule(*, attempt: Attempt, by: User, choice: str, reason: str) -> Ruling:
    """
    Rule on an answer, once; it can't be taken back.

    Raises:
        CannotRule: it is not theirs to rule on, or they have.
    """
    if not list_rulable(by).filter(pk=attempt.pk).exists():
        raise CannotRule(
            _("You can’t rule on this answer: you may not see its key, or it is yours.")
        )
    try:
        with transaction.atomic():
            return Ruling.objects.create(attempt=attempt, ruled_by=by, choice=choice, reason=reason)
    except IntegrityError:
        raise CannotRule(_("You have ruled on this answer already.")) from None


def settled() -> dict[int, bool]:
    """Return what people ruled of each answer: the newest that could tell counts."""
    rows = Ruling.objects.exclude(choice=Ruling.Choice.CANT_TELL).order_by("pk")
    return {
        attempt: choice == Ruling.Choice.RIGHT
        for attempt, choice in rows.values_list("attempt_id", "choice")
    }
