"""Who may report an error in what is accepted, read of it, and decide."""

from django.db.models import Q

from curation.problems.models import Problem
from curation.problems.permissions import can_correct
from curation.reports.models import ErrorReport, ErrorReportQuerySet
from curation.texts.workflow import Status
from phybench.people.models import Role, User


def can_report(user: User | None, problem: Problem) -> bool:
    """Whether `user`, or a visitor (None), may report an error in what is accepted and in use."""
    return problem.is_published and problem.status != Status.RETIRED


def list_reports(user: User) -> ErrorReportQuerySet:
    """
    Return the error reports that `user` may read, and so take part in.

    Those are their own, and the ones about what they write or have reviewed.
    """
    reports = ErrorReport.objects.all()
    if user.has_role(Role.ADMIN):
        return reports
    reviewed = user.reviews.values("round__revision__problem")
    wrote = Problem.objects.of(user).values("pk")
    return reports.filter(
        Q(reporter=user) | Q(revision__problem__in=reviewed) | Q(revision__problem__in=wrote)
    )


def can_discuss(user: User, report: ErrorReport) -> bool:
    return list_reports(user).filter(pk=report.pk).exists()


def decides_reports(user: User) -> bool:
    """Whether `user` says what becomes of error reports."""
    return user.has_role(Role.ADMIN)


def can_give_up(user: User, problem: Problem) -> bool:
    """Whether `user` may give its correction up, as long as that is not in review."""
    return can_correct(user, problem) and problem.status == Status.RETURNED
