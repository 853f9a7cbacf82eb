"""Whose invitation it is."""

from collections.abc import Collection

from curation.members.invitations.models import Invitation
from phybench.people.models import User


def is_invited(user: User, invitation: Invitation, addresses: Collection[str]) -> bool:
    """Whether an invitation was sent to one of the addresses that `user` has confirmed."""
    return invitation.email.lower() in {one.lower() for one in addresses}
