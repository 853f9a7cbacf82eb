"""Who keeps scores that others reported."""

from phybench.people.models import Role, User


def keeps_reported(user: User) -> bool:
    """Whether `user` adds rows that were reported elsewhere, and withdraws them."""
    return user.has_role(Role.ADMIN)
