"""Who may draw audit samples, and who labels what of them."""

from collections.abc import Iterable

from django.db.models import Q
from django.db.models.functions import Coalesce

from grading.audits.models import (
    AuditItem,
    AuditItemQuerySet,
    AuditLabeller,
    AuditSample,
    AuditSampleQuerySet,
)
from grading.solvers.models import (
    find_ever_of,
)
from phybench.models import Role, User, UserQuerySet


def draws_audits(user: User) -> bool:
    """Whether `user` draws samples, ends them, asks people to label and reads what came of it."""
    return user.has_role(Role.ADMIN)


def list_labellers() -> UserQuerySet:
    """Return those whom an admin may ask to label: they see keys in reviews, or hand in answers."""
    may_label = Q(roles__overlap=[Role.REVIEWER, Role.EVALUATOR])
    asked = User.objects.get_queryset().filter(may_label, is_active=True)
    return asked.exclude(roles__contains=[Role.ADMIN])


def list_audit_admins() -> UserQuerySet:
    """Return those who may label without being asked."""
    return User.objects.get_queryset().with_role(Role.ADMIN)


def list_audits(user: User) -> AuditSampleQuerySet:
    """Return the samples that `user` may label; all of them for an admin."""
    found = AuditSample.objects.select_related("version__benchmark", "drawn_by")
    if draws_audits(user):
        return found
    if not list_labellers().filter(pk=user.pk).exists():
        return found.none()
    asked = AuditLabeller.objects.filter(person=user, taken_off_at=None)
    return found.filter(pk__in=asked.values("sample"))


def list_labelable(user: User, sample: AuditSample) -> AuditItemQuerySet:
    """Return the answers of a sample that `user` may label, whether or not they have."""
    found = AuditItem.objects.filter(sample=sample)
    if not list_audits(user).filter(pk=sample.pk).exists():
        return found.none()
    return found.exclude(pk__in=find_barred([user], sample)[user.pk])


def find_barred(people: Iterable[User], sample: AuditSample) -> dict[int, set[int]]:
    """
    Return by person the answers of a sample that they may not label.

    No one labels what they answered or handed in themselves, nor what an organisation handed in
    that they are or ever were of; an admin neither. Hidden answers are for admins alone.
    """
    people = list(people)
    ever = find_ever_of(people)
    barred: dict[int, set[int]] = {one.pk: set() for one in people}
    for pk, hidden, *owners, organisation in sample.items.order_by().values_list(
        "pk",
        "hidden_answer",
        "attempt__solver__user",
        "attempt__submission__uploaded_by",
        "hidden_answer__batch__submission__uploaded_by",
        Coalesce(
            "attempt__solver__organisation",
            "hidden_answer__batch__submission__solver__organisation",
        ),
    ):
        for one in people:
            is_theirs = one.pk in owners or organisation in ever[one.pk]
            if is_theirs or (hidden is not None and not draws_audits(one)):
                barred[one.pk].add(pk)
    return barred
