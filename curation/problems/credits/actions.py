"""Name people on a problem, and take names off again; each is kept."""

from datetime import timedelta

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from curation.problems.models import Problem
from curation.problems.people.models import Contribution, Credit
from curation.problems.permissions import (
    can_answer_offer,
    can_name,
    can_remove,
    list_candidates,
)
from curation.texts.workflow import NotAllowedNow
from phybench.people.models import User

NAMED = (Credit.Role.CO_AUTHOR, Credit.Role.SUPPLIER)
"""As what an author names people; translators are assigned, also by admins."""
UNTIL_ASKED_AGAIN = timedelta(days=7)
"""How long after they declined it somebody may be asked for the same again."""


@transaction.atomic
def give_credit(*, problem: Problem, author: User, person: User, role: str) -> Credit:
    """
    Offer a person to be named on a problem; it counts once they accept it.

    Raises:
        NotAllowedNow: the list is not the author's to change now, the person can't be named, is
            named so already, or declined it a while ago.
    """
    # It may be submitted in another window.
    problem = problem.locked()
    if role not in NAMED or not can_name(author, problem):
        raise NotAllowedNow(_("Only its author can credit people, and not while it is frozen."))
    if not list_candidates(problem).filter(pk=person.pk).exists():
        raise NotAllowedNow(
            _("%(name)s is not another contributor and can’t be credited here.") % {"name": person}
        )
    check_not_declined(problem, person, role)
    credit, is_new = Credit.objects.get_or_create(
        problem=problem,
        person=person,
        role=role,
        removed_at=None,
        defaults={"given_by": author},
    )
    if not is_new and credit.is_offered:
        raise NotAllowedNow(_("%(name)s has been asked already.") % {"name": person})
    if not is_new:
        raise NotAllowedNow(
            _("%(name)s is already credited: %(role)s.")
            % {"name": person, "role": credit.get_role_display()}
        )
    return credit


def check_not_declined(problem: Problem, person: User, role: str) -> None:
    """
    Have nobody be asked again and again for what they do not want.

    Raises:
        NotAllowedNow: they declined it a short while ago.
    """
    declined = problem.credits.filter(
        person=person, role=role, accepted_at=None, removed_by=person
    ).order_by("removed_at")
    last = declined.filter(removed_at__gt=timezone.now() - UNTIL_ASKED_AGAIN).last()
    if last and last.removed_at:
        raise NotAllowedNow(
            _("%(name)s declined this. You can ask again from %(day)s on.")
            % {"name": person, "day": (last.removed_at + UNTIL_ASKED_AGAIN).date().isoformat()}
        )


@transaction.atomic
def accept_credit(*, credit: Credit, by: User) -> Credit:
    """
    Accept what is offered: from now on the name is on the problem, and its person has a part in it.

    Whether something under review stands against it is asked before, see
    `curation.reviewing.assignments.undoing`.

    Raises:
        NotAllowedNow: it is not theirs, or was withdrawn or answered meanwhile.
    """
    problem = credit.problem.locked()
    credit = problem.credits.select_for_update().get(pk=credit.pk)
    if not can_answer_offer(by, credit):
        raise NotAllowedNow(_("This is not offered to you any more."))
    credit.accepted_at = timezone.now()
    credit.save(update_fields=["accepted_at"])
    if problem.is_published and credit.role in NAMED:
        # Who was asked before the acceptance is counted with the others.
        Contribution.objects.record_acceptance(problem)
    return credit


@transaction.atomic
def remove_credit(*, credit: Credit, by: User) -> None:
    """
    Take a name off a problem, or an offer back; that it was there is kept.

    Raises:
        NotAllowedNow: it is off already, or not theirs to take off now.
    """
    problem = credit.problem.locked()
    credit = problem.credits.select_for_update().get(pk=credit.pk)
    if not can_remove(by, credit):
        raise NotAllowedNow(_("This name can’t be removed now."))
    credit.removed_at = timezone.now()
    credit.removed_by = by
    credit.save(update_fields=["removed_at", "removed_by"])
