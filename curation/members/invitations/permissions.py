"""Whose invitation it is."""

from allauth.account.models import EmailAddress

from curation.members.invitations.models import Invitation
from phybench.people.models import User


def is_invited(user: User, invitation: Invitation) -> bool:
    """Whether it is for whoever has it, or was sent to an address that `user` has confirmed."""
    own = EmailAddress.objects.filter(user=user, verified=True, email__iexact=invitation.email)
    return not invitation.email or own.exists()
