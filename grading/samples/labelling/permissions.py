"""Who draws samples, may be asked to label, and has a part in what is to be labelled."""

from collections.abc import Collection, Iterable
from typing import Any

from django.db.models import Q, QuerySet

from grading.solvers.models import find_ever_of
from phybench.people.models import Role, User, UserQuerySet


def draws_samples(user: User) -> bool:
    """Whether `user` draws samples, ends them, asks people to label and reads what came of it."""
    return user.has_role(Role.ADMIN)


def list_labellers() -> UserQuerySet:
    """Return those whom an admin may ask to label: they see keys in reviews, or hand in answers."""
    may_label = Q(roles__overlap=[Role.REVIEWER, Role.EVALUATOR])
    asked = User.objects.get_queryset().filter(may_label, is_active=True)
    return asked.exclude(roles__contains=[Role.ADMIN])


def list_who_label(asked: QuerySet[Any, Any]) -> list[User]:
    """Return those of the people `asked` who may label still, and admins, who need not be asked."""
    admins = User.objects.get_queryset().with_role(Role.ADMIN)
    return list((admins | list_labellers().filter(pk__in=asked)).distinct())


def find_part_in(
    people: Iterable[User], rows: Iterable[tuple[int, Collection[int | None], int | None]]
) -> dict[int, set[int]]:
    """
    Return by person the answers that they have a part in, and so may not label; admins neither.

    Those are what they answered or handed in themselves, and what an organisation handed in that
    they are or ever were of.

    Args:
        rows: an answer's number, the people who answered and handed it in, their organisation.
    """
    people = list(people)
    ever = find_ever_of(people)
    found: dict[int, set[int]] = {one.pk: set() for one in people}
    for answer, owners, organisation in rows:
        for one in people:
            if one.pk in owners or organisation in ever[one.pk]:
                found[one.pk].add(answer)
    return found
