"""Say who decides instead of an admin who must not."""

from django.utils.translation import gettext as _

from curation import permissions
from curation.problems.models import Problem
from curation.reviewing.rounds.models import ReviewRound
from phybench.models import User


def say_who_decides(admin: User, problem: Problem) -> str:
    """Say why an admin must not decide on a problem, and who can; "" if nothing is in the way."""
    # The demo's people keep to themselves.
    admins = permissions.list_admins().filter(is_demo=admin.is_demo)
    others = list(admins.exclude(pk=admin.pk).order_by("display_name", "pk"))
    interests = permissions.Interests({problem.pk}, [admin, *others])
    if interests.had_part(problem, admin):
        why = _("You contributed to this problem, so you can’t decide this.")
    elif interests.has_conflict(problem, admin):
        why = _("You have a conflict of interest with this problem, so you can’t decide this.")
    else:
        return ""
    free = [
        str(person)
        for person in others
        if not interests.had_part(problem, person) and not interests.has_conflict(problem, person)
    ]
    if free:
        return f"{why} " + _("Ask another admin: %(names)s.") % {"names": ", ".join(free)}
    split = ReviewRound.objects.split().filter(revision__problem=problem)
    if waiting := split.select_related("revision__problem__benchmark").first():
        return f"{why} " + _say_who_decides_split(waiting)
    return f"{why} " + _(
        "No other admin can either: give the admin role to someone who has no part in it."
    )


def say_no_finding(admin: User, problem: Problem) -> str:
    """Say why an admin with a part in a problem, or in conflict, notes nothing of its reviews."""
    if permissions.Interests({problem.pk}, [admin]).had_part(problem, admin):
        return _("You contributed to this problem, so you can’t record a finding.")
    return _("You have a conflict of interest with this problem, so you can’t record a finding.")


def _say_who_decides_split(split: ReviewRound) -> str:
    """Say which reviewers decide where no admin may."""
    names = ", ".join(str(person) for person in permissions.Deciders([split]).find(split))
    if names:
        return _(
            "No other admin can either, so a reviewer without a part in it decides: %(names)s."
        ) % {"names": names}
    return _("No one else can either. Invite one more reviewer, who can then decide it.")
