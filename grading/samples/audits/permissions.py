"""Who labels which answers of audit samples."""

from collections.abc import Iterable

from django.db.models.functions import Coalesce

from grading.samples.audits.models import (
    AuditItem,
    AuditItemQuerySet,
    AuditLabeller,
    AuditSample,
    AuditSampleQuerySet,
)
from grading.samples.labelling.permissions import draws_samples, find_part_in, list_labellers
from phybench.people.models import User


def list_audits(user: User) -> AuditSampleQuerySet:
    """Return the samples that `user` may label; all of them for an admin."""
    found = AuditSample.objects.select_related("version__benchmark", "drawn_by")
    if draws_samples(user):
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


def list_labelable_of_all(user: User) -> AuditItemQuerySet:
    """Return the answers of all open samples that `user` may label; as many queries for any."""
    samples = list(list_audits(user).open().values_list("pk", flat=True))
    if not samples:
        return AuditItem.objects.none()
    found = AuditItem.objects.filter(sample__in=samples)
    return found.exclude(pk__in=_find_barred([user], found)[user.pk])


def find_barred(people: Iterable[User], sample: AuditSample) -> dict[int, set[int]]:
    """
    Return by person the answers of a sample that they may not label.

    What they have a part in, as `find_part_in` says; and hidden answers are for admins alone.
    """
    return _find_barred(people, AuditItem.objects.filter(sample=sample))


def _find_barred(people: Iterable[User], items: AuditItemQuerySet) -> dict[int, set[int]]:
    people = list(people)
    items = items.order_by()
    barred = find_part_in(
        people,
        (
            (pk, owners, organisation)
            for pk, *owners, organisation in items.values_list(
                "pk",
                "attempt__solver__user",
                "attempt__submission__uploaded_by",
                "hidden_answer__batch__submission__uploaded_by",
                Coalesce(
                    "attempt__solver__organisation",
                    "hidden_answer__batch__submission__solver__organisation",
                ),
            )
        ),
    )
    hidden = set(items.exclude(hidden_answer=None).values_list("pk", flat=True))
    for one in people:
        if not draws_samples(one):
            barred[one.pk] |= hidden
    return barred
