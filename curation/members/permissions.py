"""Who asks for a role, and whose invitation it is."""

from collections.abc import Collection

from curation.members.invitations.models import Invitation
from curation.members.models import ASKED_FOR, RoleRequest
from phybench.people.models import Role, User
from phybench.people.permissions import looks_after_people


def can_ask_for_role(user: User, role: str) -> bool:
    """Whether `user` may ask for a role: an admin makes another by name, so not for that one."""
    return user.is_active and role in ASKED_FOR and role not in user.roles


def list_requestable(user: User) -> list[Role]:
    """Return the roles that `user` may ask for."""
    return [role for role in ASKED_FOR if can_ask_for_role(user, role)]


def is_own_request(user: User, request: RoleRequest) -> bool:
    return request.person_id == user.pk


def is_invited(user: User, invitation: Invitation, addresses: Collection[str]) -> bool:
    """Whether an invitation was sent to one of the addresses that `user` has confirmed."""
    return invitation.email.lower() in {one.lower() for one in addresses}


def still_holds(invitation: Invitation) -> bool:
    """Whether who wrote an invitation may still invite people."""
    return looks_after_people(invitation.invited_by)
