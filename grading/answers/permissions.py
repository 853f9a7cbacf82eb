"""Who sees which answers and submissions, and who decides on their grading."""

from collections.abc import Iterable

from django.db.models import Exists, Min, Q, QuerySet

from grading.answers.models import Attempt, AttemptQuerySet, Grade, VerdictChoice
from grading.answers.submissions.models import Submission
from grading.solvers.models import (
    Description,
    DescriptionQuerySet,
    Organisation,
    Solver,
    SolverQuerySet,
)
from grading.solvers.permissions import judges, sees_all_of
from phybench.people.models import Role, User
from phybench.people.permissions import find_sitting


def list_submissions(user: User) -> QuerySet[Submission]:
    """Return the submissions that `user` may see: of their organisations; all for an admin."""
    found = Submission.objects.select_related(
        "solver__organisation", "benchmark", "version__benchmark", "uploaded_by"
    )
    if user.has_role(Role.ADMIN):
        return found
    # Who sits asks the grader nothing, and reads nothing of what it said.
    return found.filter(
        ~Exists(find_sitting(user)), solver__organisation__in=Organisation.objects.of(user)
    )


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
    return found.filter(
        (of_models & ~Exists(find_sitting(user))) | Q(pk__in=list_told_answers(user))
    )


def list_told_answers(user: User) -> AttemptQuerySet:
    """Return those of their own answers of which `user` reads how they were graded."""
    is_told = Q(origin=Attempt.Origin.OUTSIDE) | Q(told_at__isnull=False)
    return list_own_answers(user).counting().filter(is_told)


def list_own_answers(user: User) -> AttemptQuerySet:
    """Return what `user` answered, in studies and outside."""
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


def list_submissions_of(solver: Solver, viewer: User | None) -> QuerySet[Submission]:
    """Return the submissions of a model that `viewer` may know of."""
    found = Submission.objects.filter(solver=solver)
    return found if sees_all_of(viewer, solver) else found.filter(published_at__isnull=False)


def list_solvers(viewer: User | None) -> SolverQuerySet:
    """
    Return the models that `viewer` may know of; None is a visitor.

    What was published once is everybody's to know, withdrawn or not: the board tells of it. That
    there is another is for its organisation and admins.
    """
    found = Solver.objects.are_models().select_related("organisation")
    if viewer and viewer.has_role(Role.ADMIN):
        return found
    published = Submission.objects.filter(published_at__isnull=False)
    may_know = Q(pk__in=published.values("solver"))
    if viewer:
        may_know |= Q(organisation__in=Organisation.objects.of(viewer))
    return found.filter(may_know)


def list_descriptions(solver: Solver, viewer: User | None) -> DescriptionQuerySet:
    """Return what was said of a model; to others, since something of it was first published."""
    found = Description.objects.filter(solver=solver)
    if sees_all_of(viewer, solver):
        return found
    published = Submission.objects.filter(solver=solver).aggregate(first=Min("published_at"))
    if published["first"] is None:
        return found.none()
    held = found.filter(described_at__lte=published["first"]).first()
    return found.filter(number__gte=held.number) if held else found
