"""Who assesses items, and sees their figures."""

from curation.problems.models import Problem
from phybench.people.models import Role, User


def sees_item_figures(user: User) -> bool:
    """Whether `user` sees figures of single problems unrounded: with them verdicts are told."""
    return user.has_role(Role.ADMIN)


def assesses_items(user: User, problem: Problem) -> bool:
    """Whether `user` says how sound a problem is: who has reviewed it, and admins."""
    if user.has_role(Role.ADMIN):
        return True
    reviewed = user.reviews.filter(round__revision__problem=problem)
    return user.has_role(Role.REVIEWER) and reviewed.exists()
