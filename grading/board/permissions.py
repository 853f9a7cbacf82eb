"""Who freezes panels, assesses items and keeps scores that others reported."""

from curation.problems.models import Problem
from phybench.people.models import Role, User


def freezes_panels(user: User) -> bool:
    """Whether `user` freezes who stands on a board, as what others are measured against."""
    return user.has_role(Role.ADMIN)


def sees_item_figures(user: User) -> bool:
    """Whether `user` sees figures of single problems unrounded: with them verdicts are told."""
    return user.has_role(Role.ADMIN)


def assesses_items(user: User, problem: Problem) -> bool:
    """Whether `user` says how sound a problem is: who has reviewed it, and admins."""
    if user.has_role(Role.ADMIN):
        return True
    reviewed = user.reviews.filter(round__revision__problem=problem)
    return user.has_role(Role.REVIEWER) and reviewed.exists()


def keeps_reported(user: User) -> bool:
    """Whether `user` adds rows that were reported elsewhere, and withdraws them."""
    return user.has_role(Role.ADMIN)
