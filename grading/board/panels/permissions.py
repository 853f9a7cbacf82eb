"""Who freezes panels."""

from phybench.people.models import Role, User


def freezes_panels(user: User) -> bool:
    """Whether `user` freezes who stands on a board, as what others are measured against."""
    return user.has_role(Role.ADMIN)
