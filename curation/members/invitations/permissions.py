"""Whose invitation it is, and whether who wrote it may still invite."""

from collections.abc import Collection

from curation.members.invitations.models import Invitation
from phybench.people.models import User
from phybench.people.permissions import looks_after_people


def is_invited(user: User, invitation: Invitation, addresses: Collection[str]) -> bool:
    """Whether an invitation was sent to one of the addresses that `user` has confirmed."""
    return invitation.email.lower() in {one.lower() for one in addresses}


def still_holds(invitation: Invitation) -> bool:
    """Whether who wrote an invitation may still invite people."""
    return looks_after_people(invitation.invited_by)
