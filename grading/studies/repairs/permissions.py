"""Who may say what an unreadable answer was meant to say."""

from django.db.models import Exists, OuterRef, QuerySet

from curation.versions.permissions import list_to_answer
from grading.answers.models import Grade, VerdictChoice
from grading.studies.sessions.models import SessionItem
from grading.studies.sessions.permissions import list_problems_of_studies
from phybench.people.models import Role, User


def list_to_repair(user: User) -> QuerySet[SessionItem]:
    """
    Return the unreadable answers of sessions whose meaning `user` may say.

    Of problems whose key they don't know, and of no answer of their own; not of a study that they
    may still sit.
    """
    if not user.has_role(Role.REVIEWER):
        return SessionItem.objects.none()
    unreadable = Grade.objects.current().filter(
        attempt=OuterRef("attempt"), verdict=VerdictChoice.UNREADABLE
    )
    found = (
        SessionItem.objects.filter(Exists(unreadable), repair=None)
        .filter(study_item__item__problem__in=list_to_answer(user))
        .exclude(session__participation__person=user)
    )
    if user.has_role(Role.PARTICIPANT):
        closed = list_problems_of_studies(user)
        found = found.exclude(study_item__item__problem__in=closed)
    return found
