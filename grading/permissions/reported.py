"""Who says which scores from elsewhere stand beside a board."""

from phybench.models import Role, User


def keeps_reported(user: User) -> bool:
    """Whether `user` adds rows that were reported elsewhere, and withdraws them."""
    return user.has_role(Role.ADMIN)
