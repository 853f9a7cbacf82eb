"""Who makes and downloads versions, answers their problems, and takes benchmarks out."""

from typing import Any

from django.contrib.auth.models import AnonymousUser
from django.db.models import QuerySet

from curation.problems.exposures.models import Exposure
from curation.problems.models import Problem, ProblemQuerySet, Revision
from curation.problems.permissions import is_in_charge, list_foreign
from curation.texts.workflow import Status
from curation.versions.models import BenchmarkVersion, BenchmarkVersionQuerySet, VersionItem
from phybench.people.models import Role, User


def can_export_key(user: User, problem: Problem) -> bool:
    """Whether answer and solution may leave with `user`: its writers and admins alone."""
    return is_in_charge(user, problem)


def can_export_benchmarks(user: User) -> bool:
    """Whether `user` may take whole benchmarks out, keys and all."""
    return user.has_role(Role.ADMIN)


def _list_told(user: User) -> QuerySet[Any, Any]:
    """Return the problems of which `user` was shown what tells the key, for queries."""
    return Exposure.objects.telling_key().filter(person=user).values("revision__problem")


def may_answer(user: User, revision: Revision) -> bool:
    """Whether `user` may answer, outside studies."""
    is_called = user.has_role(Role.PARTICIPANT)
    return is_called and list_to_answer(user).filter(pk=revision.problem_id).exists()


def list_secret() -> ProblemQuerySet:
    """Return the problems that a published version hid, and none made public."""
    items = VersionItem.objects.filter(version__in=BenchmarkVersion.objects.published())
    hidden, public = items.hidden().values("problem"), items.public().values("problem")
    return Problem.objects.filter(pk__in=hidden).exclude(pk__in=public)


def list_to_answer(user: User) -> ProblemQuerySet:
    """
    Return all problems that a participant may answer; who was shown what tells the key may not.

    Nor does anybody while it is being corrected: there is one try, and it may be for nothing. An
    admin can read every key and every verdict at any time. Nobody answers what is hidden: they
    would be told how it was graded.
    """
    if user.has_role(Role.ADMIN):
        return Problem.objects.none()
    open_to_all = Problem.objects.filter(status=Status.ACCEPTED).exclude(
        pk__in=list_secret().values("pk")
    )
    return (list_foreign(user) & open_to_all).exclude(pk__in=_list_told(user))


def makes_versions(user: User | AnonymousUser) -> bool:
    """Whether `user` makes, publishes and mends versions."""
    return isinstance(user, User) and user.has_role(Role.ADMIN)


def list_versions(user: User | AnonymousUser) -> BenchmarkVersionQuerySet:
    """Return the versions that `user` may see: what is published; drafts too for an admin."""
    found = BenchmarkVersion.objects.select_related("benchmark")
    return found if makes_versions(user) else found.published()


def can_download(user: User | AnonymousUser) -> bool:
    """Whether `user` may take out what a published version asks: who has models answer it."""
    return isinstance(user, User) and (user.has_role(Role.EVALUATOR) or user.has_role(Role.ADMIN))
