"""Say who decides instead of an admin who must not."""

from collections.abc import Callable

from django.utils.translation import gettext as _

from curation.problems.models import Problem
from curation.problems.permissions import Interests
from phybench.people.models import User
from phybench.people.permissions import list_admins


def say_who_decides(admin: User, problem: Problem, *, else_who: Callable[[], str] = str) -> str:
    """
    Say why an admin must not decide on a problem, and who can; "" if nothing is in the way.

    Args:
        else_who: says who can where no admin may; "" if there is nobody.
    """
    # The demo's people keep to themselves.
    admins = list_admins().filter(is_demo=admin.is_demo)
    others = list(admins.exclude(pk=admin.pk).order_by("display_name", "pk"))
    interests = Interests({problem.pk}, [admin, *others])
    if interests.had_part(problem.pk, admin):
        why = _("You contributed to this problem, so you can’t decide this.")
    elif interests.has_conflict(problem.pk, admin):
        why = _("You have a conflict of interest with this problem, so you can’t decide this.")
    else:
        return ""
    free = [str(person) for person in others if interests.is_free(problem.pk, person)]
    if free:
        return f"{why} " + _("Ask another admin: %(names)s.") % {"names": ", ".join(free)}
    return f"{why} " + (
        else_who()
        or _("No other admin can either: give the admin role to someone who has no part in it.")
    )


def say_no_finding(admin: User, problem: Problem) -> str:
    """Say why an admin with a part in a problem, or in conflict, notes nothing of its reviews."""
    if Interests({problem.pk}, [admin]).had_part(problem.pk, admin):
        return _("You contributed to this problem, so you can’t record a finding.")
    return _("You have a conflict of interest with this problem, so you can’t record a finding.")
