"""Who makes versions of a benchmark, and who takes their public part out."""

from django.contrib.auth.models import AnonymousUser

from curation.versions.models import BenchmarkVersion, BenchmarkVersionQuerySet
from phybench.models import Role, User


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
