"""Who asks for a role."""

from curation.members.models import ASKED_FOR, RoleRequest
from phybench.people.models import Role, User


def can_ask_for_role(user: User, role: str) -> bool:
    """Whether `user` may ask for a role: an admin makes another by name, so not for that one."""
    return user.is_active and role in ASKED_FOR and role not in user.roles


def list_requestable(user: User) -> list[Role]:
    """Return the roles that `user` may ask for."""
    return [role for role in ASKED_FOR if can_ask_for_role(user, role)]


def is_own_request(user: User, request: RoleRequest) -> bool:
    return request.person_id == user.pk
