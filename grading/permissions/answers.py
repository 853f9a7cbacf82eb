"""Who may see submissions and answers, publish them, and decide which grades count."""

from collections.abc import Iterable

from django.db.models import Exists, OuterRef, Q, QuerySet

from curation import permissions as of_curation
from grading.answers.models import Attempt, AttemptQuerySet, Grade, VerdictChoice
from grading.permissions.solvers import judges
from grading.permissions.studies import list_own_sessions
from grading.sessions.models import Session
from grading.solvers.models import (
    Organisation,
)
from grading.submissions.models import Submission
from phybench.models import Role, User

# --- Answers ---------------------------------------------------------------------------------


def list_submissions(user: User) -> QuerySet[Submission]:
    """Return the submissions that `user` may see: of their organisations; all for an admin."""
    found = Submission.objects.select_related(
        "solver__organisation", "benchmark", "version__benchmark", "uploaded_by"
    )
    if user.has_role(Role.ADMIN):
        return found
    # Who sits asks the grader nothing, and reads nothing of what it said: see `is_sitting`.
    sits = list_own_sessions(user).going_on()
    return found.filter(~Exists(sits), solver__organisation__in=Organisation.objects.of(user))


def list_receipted(viewer: User | None) -> QuerySet[Submission]:
    """
    Return the submissions whose figures `viewer` may read; None is a visitor.

    What is published is everybody's until it is withdrawn, as on the page of its model.
    """
    found = Submission.objects.select_related("solver__organisation", "version__benchmark")
    may_read = Q(published_at__isnull=False, withdrawn_at=None)
    if viewer:
        may_read |= Q(pk__in=list_submissions(viewer).values("pk"))
    return found.select_related("benchmark").defer("left_out").filter(may_read)


def sees_answers_of(viewer: User | None, submission: Submission) -> bool:
    """Whether `viewer` may read what became of single answers, as its full receipt says it."""
    return bool(
        viewer and judges(viewer) and list_submissions(viewer).filter(pk=submission.pk).exists()
    )


def can_publish(user: User, submission: Submission) -> bool:
    """Whether `user` may publish or withdraw it: its organisation's evaluators, and admins."""
    is_called = user.has_role(Role.EVALUATOR) or user.has_role(Role.ADMIN)
    return is_called and list_submissions(user).filter(pk=submission.pk).exists()


def list_attempts(user: User) -> AttemptQuerySet:
    """Return what `user` answered, or their organisations handed in; all of them for an admin."""
    found = Attempt.objects.all()
    if user.has_role(Role.ADMIN):
        return found
    of_models = Q(submission__solver__organisation__in=Organisation.objects.of(user))
    sits = list_own_sessions(user).going_on()
    return found.filter((of_models & ~Exists(sits)) | Q(pk__in=list_told_answers(user)))


def list_told_answers(user: User) -> AttemptQuerySet:
    """Return those of their own answers of which `user` reads how they were graded."""
    study = "sat__session__participation__study"
    sits = Session.objects.going_on().filter(participation__study=OuterRef(study))
    has_ended = Q(**{f"{study}__ended_at__isnull": False}) & ~Exists(sits)
    is_told = Q(**{f"{study}__shows_at_once": True}) | has_ended
    is_shown = Q(**{f"{study}__shows_results": True}) & is_told
    # Also that which a late answer took the place of was given in a session.
    of_session = list_own_sessions(user).values("items__study_item__item__revision")
    without = Q(sat=None) & ~Q(revision__in=of_session)
    return list_own_answers(user).filter(without | Q(**{f"{study}__is_legacy": True}) | is_shown)


def list_own_answers(user: User) -> AttemptQuerySet:
    """Return what `user` answered, outside studies."""
    return Attempt.objects.filter(solver__user=user, submission=None)


def tells_key(user: User, attempt: Attempt, grades: Iterable[Grade]) -> bool:
    """Whether this is another solver's answer, and correct: then it is as good as the key."""
    is_own = attempt.solver.user_id == user.pk
    return not is_own and any(grade.verdict == VerdictChoice.CORRECT for grade in grades)


def publishes_columns(user: User) -> bool:
    """Whether `user` puts what a judge said on the board; they see it there before."""
    return user.has_role(Role.ADMIN)


def decides_on_runs(user: User) -> bool:
    """Whether `user` has answers graded anew, and adopts or discards what that would change."""
    return user.has_role(Role.ADMIN)


# --- Keys in doubt ---------------------------------------------------------------------------


def decides_keys(user: User) -> bool:
    """Whether `user` says what is found of keys in doubt, and has wrong ones corrected."""
    return of_curation.decides_reports(user)
