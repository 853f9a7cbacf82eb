"""Who rules on answers, and brings labels in files."""

from django.db.models import QuerySet

from curation.problems.models import Problem
from grading.answers.models import Attempt, AttemptQuerySet
from grading.samples.labels.models import LabelFile, Ruling
from grading.solvers.models import Organisation
from phybench.people.models import Role, User


def list_rulable(user: User) -> AttemptQuerySet:
    """
    Return the answers that `user` may rule on, whether or not they wait for it.

    To rule one has to see the reference: an admin does, and an evaluator where they write the
    problem. Nobody but an admin rules on what their own organisation handed in.
    """
    found = Attempt.objects.filter(submission__isnull=False)
    if user.has_role(Role.ADMIN):
        return found
    if not user.has_role(Role.EVALUATOR):
        return found.none()
    theirs = Problem.objects.of(user)
    # Who handed it in and left since is none to rule on it either.
    return (
        found.filter(revision__problem__in=theirs)
        .exclude(submission__uploaded_by=user)
        .exclude(submission__solver__organisation__in=Organisation.objects.of(user))
    )


def can_rule(user: User, attempt: Attempt) -> bool:
    return list_rulable(user).filter(pk=attempt.pk).exists()


def list_rulings(user: User) -> QuerySet[Ruling]:
    """Return the rulings that `user` gave, and the labels they brought; everybody's for admins."""
    found = Ruling.objects.select_related("attempt__revision__problem", "ruled_by", "label_file")
    return found if user.has_role(Role.ADMIN) else found.filter(ruled_by=user)


def list_label_files(user: User) -> QuerySet[LabelFile]:
    """Return the files that `user` brought; everybody's for an admin."""
    found = LabelFile.objects.select_related("brought_by")
    return found if user.has_role(Role.ADMIN) else found.filter(brought_by=user)


def can_take_labels(user: User, file: LabelFile) -> bool:
    """Whether `user` may take a file's labels: who brought it answers for where they come from."""
    return file.brought_by_id == user.pk
