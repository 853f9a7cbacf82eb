"""Who asks for a role."""

from curation.members.models import ASKED_FOR, Request
from phybench.people.models import Role, User


def can_ask_for_role(user: User, role: str) -> bool:
    """Whether `user` may ask for a role: an admin makes another by name, so not for that one."""
    return user.is_active and role in ASKED_FOR and role not in user.roles


def list_requestable(user: User) -> list[Role]:
    """Return the roles that `user` may ask for."""
    return [role for role in ASKED_FOR if can_ask_for_role(user, role)]


def can_decide(user: User, request: Request) -> bool:
    """Whether `user`, who looks after people, may decide it: what touches reviews is another's."""
    return bool(request.role) or not is_own_request(user, request)


def is_own_request(user: User, request: Request) -> bool:
    return request.person_id == user.pk
