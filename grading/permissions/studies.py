"""Who runs studies of people, and who takes part."""

from django.db.models import Q
from django.utils.crypto import constant_time_compare

from grading.sessions.models import Session
from grading.studies.models import Study
from phybench.models import Role, User


def runs_studies(user: User) -> bool:
    """Whether `user` makes, opens and ends studies, and sees who takes part."""
    return user.has_role(Role.ADMIN)


def may_join(user: User, study: Study, secret: str = "") -> bool:
    """
    Whether `user` may take part in a study that is open.

    Args:
        secret: of the link that they came by, where there is one.
    """
    if not user.has_role(Role.PARTICIPANT) or user.has_role(Role.ADMIN):
        # Admins can read every key.
        return False
    if study.joining == Study.Joining.OPEN:
        return True
    if study.joining == Study.Joining.LINK:
        return constant_time_compare(secret, study.link_secret)
    return study.invitations.filter(person=user).exists()


def list_studies_to_join(user: User) -> list[Study]:
    """List the studies that `user` may join now without a link."""
    if not user.has_role(Role.PARTICIPANT) or user.has_role(Role.ADMIN):
        return []
    asks = Q(joining=Study.Joining.OPEN) | Q(joining=Study.Joining.LIST, invitations__person=user)
    return list(Study.objects.accessible().filter(asks).distinct())


def may_sit(user: User, session: Session) -> bool:
    """Whether `user` writes in a session: who it was started for, and nobody else."""
    return session.participation.person_id == user.pk
