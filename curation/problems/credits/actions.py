"""Name people on a problem, and take names off again; each is kept."""

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from curation.problems.models import Problem
from curation.problems.people.models import Credit
from curation.problems.permissions import can_name, can_remove, list_candidates
from curation.texts.workflow import NotAllowedNow
from phybench.people.models import User

NAMED = (Credit.Role.CO_AUTHOR, Credit.Role.SUPPLIER)
"""As what an author names people; translators are assigned, also by admins."""


@transaction.atomic
def give_credit(*, problem: Problem, author: User, person: User, role: str) -> Credit:
    """
    Name a person on a problem.

    Raises:
        NotAllowedNow: the list is not the author's to change now, the person can't be named or
            is named so already.
    """
    # It may be submitted in another window.
    problem = problem.locked()
    if role not in NAMED or not can_name(author, problem):
        raise NotAllowedNow(_("Only its author can credit people, and not while it is frozen."))
    if not list_candidates(problem).filter(pk=person.pk).exists():
        raise NotAllowedNow(
            _("%(name)s is not another contributor and can’t be credited here.") % {"name": person}
        )
    credit, is_new = Credit.objects.get_or_create(
        problem=problem,
        person=person,
        role=role,
        removed_at=None,
        defaults={"given_by": author},
    )
    if not is_new:
        raise NotAllowedNow(
            _("%(name)s is already credited: %(role)s.")
            % {"name": person, "role": credit.get_role_display()}
        )
    return credit


@transaction.atomic
def remove_credit(*, credit: Credit, by: User) -> None:
    """
    Take a name off a problem; that it was there is kept.

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
