"""Who may bring in which problems."""

from django.db.models import QuerySet

from curation.exchange.models import Import
from phybench.people.models import Role, User


def list_purposes(user: User) -> list[Import.Purpose]:
    """Return what `user` may import."""
    purposes = {Import.Purpose.DRAFTS: Role.CONTRIBUTOR, Import.Purpose.PUBLISHED: Role.ADMIN}
    return [purpose for purpose, role in purposes.items() if user.has_role(role)]


def list_imports(user: User) -> QuerySet[Import]:
    """Return the imports that `user` may see: their own; all of them for an admin."""
    found = Import.objects.select_related("owner", "benchmark")
    return found if user.has_role(Role.ADMIN) else found.filter(owner=user)


def can_carry_out(user: User, transfer: Import) -> bool:
    """Whether `user` may have an import carried out or forgotten: its owner alone."""
    return transfer.owner_id == user.pk
