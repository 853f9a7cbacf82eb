"""Who runs studies of people, and who takes part."""

from django.db.models import QuerySet
from django.utils.crypto import constant_time_compare

from grading.studies.models import Participation, ParticipationQuerySet, Study
from phybench.people.models import Role, User


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


def list_own_participations(user: User) -> ParticipationQuerySet:
    """Return what `user` takes part in."""
    return Participation.objects.filter(person=user).select_related("study", "session")


def list_people_to_invite() -> QuerySet[User]:
    """Return the participants of this site."""
    return User.objects.filter(is_active=True, roles__contains=[Role.PARTICIPANT])


def is_own(user: User, participation: Participation) -> bool:
    """Whether it is `user` who takes part, and who alone withdraws."""
    return participation.person_id == user.pk


def is_told(study: Study) -> bool:
    """
    Whether somebody who has ended their session is told what a study shows afterwards.

    Where not at once, then when nobody can sit it any more: sessions go on after its end.
    """
    if study.shows_at_once:
        return True
    sits = study.participations.filter(session__isnull=False, session__ended_at=None)
    return study.ended_at is not None and not sits.exists()
