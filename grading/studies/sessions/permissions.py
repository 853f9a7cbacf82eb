"""Who sits a session, and which problems studies keep for their sessions."""

from django.db.models import Exists, OuterRef, Q, QuerySet

from curation.problems.exposures.models import Exposure
from curation.problems.models import Problem
from grading.studies.models import Participation, Study, StudyItem
from grading.studies.sessions.models import Session, SessionItem, SessionQuerySet
from phybench.people.models import Role, User


def may_sit(user: User, session: Session) -> bool:
    """Whether `user` writes in a session: who it was started for, and nobody else."""
    return session.participation.person_id == user.pk


def list_own_sessions(user: User) -> SessionQuerySet:
    """Return the sessions that were started for `user`."""
    return Session.objects.filter(participation__person=user)


def has_models_graded(user: User) -> bool:
    """Whether `user` is an evaluator, whom a session keeps from their models' grades meanwhile."""
    return user.has_role(Role.EVALUATOR)


def has_left(user: User, study: Study) -> bool:
    """Whether `user` has withdrawn from a study that had shown them problems; see `_left`."""
    return Study.objects.filter(_left(user), pk=study.pk).exists()


def _left(user: User) -> Exists:
    """
    Tell of studies whether `user` has withdrawn after they were shown problems, for queries.

    Else who dislikes their problems withdraws and draws others. A withdrawal forgets who it was:
    what tells it is that problems were shown for a session that is not there any more, since the
    study was opened.
    """
    sat = SessionItem.objects.filter(session__participation__person=user)
    shown = Exposure.objects.filter(
        person=user,
        reason=Exposure.Reason.SIT,
        revision__problem=OuterRef("item__problem"),
        at__gte=OuterRef("study__opened_at"),
    )
    known = StudyItem.objects.filter(Exists(shown), study=OuterRef("pk"))
    return Exists(known.exclude(item__problem__in=sat.values("study_item__item__problem")))


def list_studies_to_join(user: User) -> list[Study]:
    """List the studies that `user` may join now without a link."""
    if not user.has_role(Role.PARTICIPANT) or user.has_role(Role.ADMIN):
        return []
    asks = Q(joining=Study.Joining.OPEN) | Q(joining=Study.Joining.LIST, invitations__person=user)
    return list(Study.objects.accessible().filter(asks, ~_left(user)).distinct())


def list_problems_of_studies(user: User) -> QuerySet[Problem, int]:
    """
    Return the numbers of problems that `user` reads and answers in a session only, or not any more.

    Those of a running study that they take part in, are asked to, or may join without a link: who
    read them beforehand would have more time than others. And those that they sat: what was given
    up there is not answered elsewhere, nor after a withdrawal.
    """
    found = Problem.objects.filter(_is_asked_now(user) | _was_asked(user))
    return found.order_by().values_list("pk", flat=True)


def list_problems_until_studies_end(user: User) -> QuerySet[Problem, int]:
    """Return the numbers of those of `list_problems_of_studies` that are open again afterwards."""
    found = Problem.objects.filter(_is_asked_now(user)).exclude(_was_asked(user))
    return found.order_by().values_list("pk", flat=True)


def list_problems_to_sit(user: User) -> QuerySet[Problem, int]:
    """Return the numbers of problems of the sessions that `user` has yet to start."""
    own = Participation.objects.filter(person=user)
    joined = own.staying().filter(session=None).values("study")
    to_join = [one.pk for one in list_studies_to_join(user)]
    joinable = Study.objects.filter(pk__in=to_join).exclude(pk__in=own.values("study"))
    to_start = Study.objects.accessible().filter(Q(pk__in=joined) | Q(pk__in=joinable))
    found = Problem.objects.filter(
        pk__in=StudyItem.objects.filter(study__in=to_start).values("item__problem")
    )
    return found.order_by().values_list("pk", flat=True)


def _is_asked_now(user: User) -> Q:
    asked = Q(study__joining=Study.Joining.OPEN) | Q(study__invitations__person=user)
    theirs = asked | Q(study__participations__person=user)
    running = Q(study__opened_at__isnull=False, study__ended_at=None)
    # Who sits goes on when the study has ended.
    sits = Q(study__participations__session__in=list_own_sessions(user).going_on())
    return Q(pk__in=StudyItem.objects.filter((running & theirs) | sits).values("item__problem"))


def _was_asked(user: User) -> Q:
    sat = StudyItem.objects.filter(sat__session__participation__person=user)
    shown = Exposure.objects.filter(person=user, reason=Exposure.Reason.SIT)
    return Q(pk__in=sat.values("item__problem")) | Q(pk__in=shown.values("revision__problem"))


def list_closed_to_reader(user: User) -> QuerySet[Problem, int]:
    """
    Return the numbers of problems that `user` may not even read, until they have sat their study.

    Of a study that all may join these are closed to those who are here for nothing else, and to
    others once they have joined. What they have read or answered before stays open: a session does
    not ask it of them.
    """
    if not user.has_role(Role.PARTICIPANT) or user.has_role(Role.ADMIN):
        return Problem.objects.none().values_list("pk", flat=True)
    theirs = Q(invitations__person=user) | Q(participations__person=user)
    if user.roles == [Role.PARTICIPANT]:
        theirs |= Q(joining=Study.Joining.OPEN)
    sat = Session.objects.filter(participation__person=user, ended_at__isnull=False)
    running = Study.objects.filter(theirs, opened_at__isnull=False, ended_at=None).exclude(
        participations__session__in=sat
    )
    going_on = Study.objects.filter(participations__session__in=list_own_sessions(user).going_on())
    asked = StudyItem.objects.filter(Q(study__in=running) | Q(study__in=going_on))
    known = Exposure.objects.filter(person=user).exclude(reason=Exposure.Reason.SIT)
    found = Problem.objects.filter(pk__in=asked.values("item__problem")).exclude(
        pk__in=known.values("revision__problem")
    )
    return found.order_by().values_list("pk", flat=True)
